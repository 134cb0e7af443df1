/** Runs commands that cannot write their output, because the disk is full or the reader has closed the pipe. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, openSync, closeSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { env, program, run } from "./runCli.ts"

const FULL = "/dev/full"
const PING = "ffffffff6a00"
/** A text that is longer than the buffer of a pipe, so that the program must wait for the reader. */
const LONG = "no address! ".repeat(20_000)

describe.runIf(existsSync(FULL))("if standard output is on a full disk", { timeout: 120_000 }, () => {
  it.concurrent.each([
    ["info", "--json", "--timeout", "200", "127.0.0.1:1"],
    ["scan", "--json", "--timeout", "200", "127.0.0.1:1"],
    ["decode", PING],
    ["--help"],
    ["--version"]
  ])("%s reports the error and exits with 1", async (...args) => {
    const full = openSync(FULL, "w")
    const { exitCode, stderr } = await run(args, { stdoutTo: full })
    closeSync(full)
    expect(exitCode).toBe(1)
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(
      /^sourcewire: The results cannot be written: the disk is full \[ENOSPC\]/
    )
    expect(stderr).not.toContain("    at ")
  })
})

/**
 * Starts the program, sends the first of `inputs`, and waits for output. Then closes the output pipe, as `head` does, and sends the
 * remaining inputs. Returns the exit code of the program.
 */
const asHead = async (args: ReadonlyArray<string>, inputs: readonly [string, ...Array<string>]): Promise<unknown> => {
  const child = spawn(program[0], [...program.slice(1), ...args], { env, stdio: ["pipe", "pipe", "ignore"] })
  child.stdin.on("error", () => {})
  child.stdin.write(`${inputs[0]}\n`)
  await once(child.stdout, "data")
  child.stdout.destroy()
  await once(child.stdout, "close")
  const ended = once(child, "exit")
  child.stdin.end(inputs.slice(1).join("\n"))
  return (await ended)[0]
}

describe("if the reader of the output closes the pipe", { timeout: 120_000 }, () => {
  it.concurrent.each([
    ["after a successful result, the exit code is 0", ["decode", "--json"], [PING, PING], 0],
    ["after a failed result, the exit code is 1", ["decode", "--json"], ["00", PING], 1],
    ["before a failed result, the exit code is 1", ["decode", "--json"], [PING, "00"], 1],
    ["while the program prints a long error, the exit code is 1", ["decode", "--json"], [PING, LONG], 1],
    [
      "after a failed result of a scan, the exit code is 1",
      ["scan", "--json", "--file", "-"],
      ["no address", "none either"],
      1
    ],
    ["while a scan prints a long error, the exit code is 1", ["scan", "--json", "--file", "-"], ["no address", LONG], 1]
  ] as const)("%s", async (_, args, inputs, exitCode) => {
    expect(await asHead(args, inputs)).toBe(exitCode)
  })
})
