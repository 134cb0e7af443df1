import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { externalProgram } from "../../../../tooling/testing/externalProgram.ts"
import { run } from "../runCli.ts"
import { TAB, commandOnTerminal, hasTerminal } from "../terminal.ts"

// Each shell ignores the settings of the user, and prints the prompt `> `. The suggestions of fish are disabled, because a test cannot
// distinguish a suggestion from typed text on the screen.
const shells = [
  ["bash", "bash", ["--noprofile", "--norc", "-i"], ""],
  ["zsh", "zsh", ["--no-rcs", "-i"], "autoload -U compinit; compinit -u -D; "],
  ["fish", "fish", ["--no-config", "-i"], "set fish_autosuggestion_enabled 0; function fish_prompt; echo '> '; end; "]
] as const

let home = ""
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sourcewire-"))
  await mkdir(join(home, "work"))
  await writeFile(join(home, "work", "servers-of-mine.txt"), "")
})
afterAll(() => rm(home, { recursive: true }))

it("--completions prints the same script with and without a command before the flag", async () => {
  const scripts = await Promise.all([[], ["rcon"]].map((args) => run([...args, "--completions", "bash"])))
  expect(scripts[1]).toEqual(scripts[0])
})

describe.runIf(hasTerminal)("shell completions", () => {
  describe.each(shells)("%s", (shell, debianPackage, args, before) => {
    const path = externalProgram(shell, debianPackage)

    it.skipIf(path === undefined)("completes commands, flags, file names and values of flags", async () => {
      const script = join(home, shell)
      const { exitCode, stdout } = await run(["--completions", shell])
      expect(exitCode).toBe(0)
      await writeFile(script, stdout)
      const terminal = commandOnTerminal([path!, ...args], {
        columns: 160,
        env: { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, PS1: "> " }
      })
      terminal.type(`cd ${join(home, "work")}; ${before}source ${script}; clear; echo READY\r`)
      await terminal.until((screen) => /^READY\n+>$/.test(screen))
      let line = "> "
      // A shell adds a blank after each completed word, but zsh shows this blank only when the next key is typed. Therefore the test does
      // not wait for the blank.
      const completes = async (typed: string, whole: string) => {
        terminal.type(typed)
        await terminal.until((screen) => screen.includes(line + typed))
        terminal.type(TAB)
        await terminal.until((screen) => screen.includes(line + whole))
        line += `${whole} `
      }
      await completes("sourcewire sc", "sourcewire scan")
      await completes("--check", "--checkpoint")
      await completes("serv", "servers-of-mine.txt")
      await completes("--query pl", "--query players")
    })
  })
})
