import { readdirSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { bundle, objects, run, start } from "./runCli.ts"

describe("the bundle", () => {
  it("contains only JavaScript files and NOTICES.txt, and runs a demo", async () => {
    const files = bundle === undefined ? [] : readdirSync(bundle).filter((file) => !file.endsWith(".js"))
    expect(files.filter((file) => file !== "cache" && file !== "package.json")).toEqual(
      bundle === undefined ? [] : ["NOTICES.txt"]
    )
    const { exitCode, stdout } = await run(["demo", "--json"])
    expect(objects(stdout)).toMatchObject([{ ok: true, info: {}, players: {}, rules: {} }])
    expect(exitCode).toBe(0)
  })

  // Each file that the program reads delays the start of a command. Therefore these tests limit the number and the size of the files.
  it.runIf(bundle !== undefined).each([
    ["decode", 246_000, ["ffffffff414ba1d522"]],
    ["info", 290_000, ["--timeout", "1", "--retries", "0", "127.0.0.1:1"]],
    ["health", 290_000, ["--timeout", "1", "--retries", "0", "127.0.0.1:1"]]
  ] as const)(
    "for the command %s, reads files with a total size of less than %d bytes",
    async (command, most, args) => {
      const hook = fileURLToPath(new URL("listModules.mjs", import.meta.url))
      const { stderr } = await run([command, "--json", ...args], { env: { NODE_OPTIONS: `--import ${hook}` } })
      const files = stderr.match(/(?<=^loaded file:\/\/).*$/gm) ?? []
      expect(files.length).toBeGreaterThan(3)
      expect(files.length).toBeLessThan(12)
      expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(most)
      expect(files.filter((file) => /\/(schemas|streams|full|files)-/.test(file))).toEqual([])
      expect(stderr.match(/^NativeModule (?:crypto|dns|fs\/promises|https?|os|readline)$/gm)).toBe(null)
    }
  )

  it.runIf(bundle !== undefined)("for --version, reads only its entry file", async () => {
    const hook = fileURLToPath(new URL("listModules.mjs", import.meta.url))
    const { stderr } = await run(["--version"], { env: { NODE_OPTIONS: `--import ${hook}` } })
    const files = stderr.match(/(?<=^loaded file:\/\/).*$/gm) ?? []
    expect(files.length).toBeGreaterThan(0)
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(10_000)
  })

  it("emulates a server that sends compressed replies, and decodes these replies", async () => {
    const serving = start(["serve", "--json", "--port", "0", "--profile", "tf2"])
    await serving.printed("\n")
    const address = String(objects(serving.output().stdout)[0]!["listening"])
    const { stderr, stdout } = await run(["rules", "--json", "--trace", "--timeout", "60000", address])
    serving.child.kill()
    expect(objects(stdout)).toMatchObject([{ ok: true, rules: { truncated: false } }])
    expect(stderr).toMatch(/source layout, bzip2: RulesReply/)
  })

  it("prints a completion script for each supported shell", async () => {
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const { exitCode, stdout } = await run(["--completions", shell])
      expect(stdout).toMatch(/players/)
      expect(exitCode).toBe(0)
    }
  })

  it("prints the same version for --version and info --version", async () => {
    const quick = await run(["--version"])
    const parsed = await run(["info", "--version"])
    expect(quick.stdout).toMatch(/^sourcewire v\d+\.\d+\.\d+(-rc\.\d+)?\n$/)
    expect(parsed.stdout).toBe(quick.stdout)
  })
})
