import { describe, expect, it } from "vitest"
import { run } from "../runCli.ts"
import { udpServer } from "../udpServer.ts"

const problem = async (args: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = await run(args)
  expect(stdout).toBe("")
  expect(exitCode).toBe(2)
  return stderr.trim().split("\n")
}

describe("a command line without a valid command", () => {
  it.each([
    [["pnig"], 'There is no command "pnig". Did you mean ping?'],
    [["xyzzy"], 'There is no command "xyzzy".'],
    [
      ["192.0.2.7:27015"],
      '"192.0.2.7:27015" is an address, not a command. Did you mean `sourcewire query 192.0.2.7:27015`?'
    ],
    [["help", "pnig"], 'There is no command "pnig". Did you mean ping?'],
    [["--jsn"], "There is no flag --jsn."]
  ])("%j causes the error: %s", async (args, message) => {
    expect(await problem(args)).toEqual([`sourcewire: ${message}`, "Run `sourcewire --help` for usage."])
  })

  it.each(["stauts", "statu", "migrat"])(
    "monitor %s causes an error that suggests a similar subcommand",
    async (word) => {
      const [message] = await problem(["monitor", word])
      expect(message).toMatch(
        new RegExp(
          `^sourcewire: monitor has no subcommand "${word}". Did you mean \`sourcewire monitor (status|migrate)\`\\?`
        )
      )
    }
  )
})

it("flags can precede the command", async () => {
  const before = await run(["--json", "--type", "x", "decode", "ffffffff414ba1d522"])
  const behind = await run(["decode", "--json", "--type", "x", "ffffffff414ba1d522"])
  expect(before).toEqual(behind)
  const plain = await run(["--json", "decode", "ffffffff414ba1d522"])
  expect(plain).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"ok":true') })
})

it("if a flag is repeated, its last value is used", async () => {
  await using silent = await udpServer(() => [])
  const timeouts = ["--timeout", "10ms", "--timeout", "40ms"]
  const { exitCode, stdout } = await run(["info", "--json", "--retries", "0", ...timeouts, silent.address])
  expect(exitCode).toBe(1)
  expect(stdout).toContain("within 40 ms")
})

it("a usage error contains the flag, the value, and the command line that prints the help", async () => {
  expect(await problem(["info", "--retries", "many", "127.0.0.1"])).toEqual([
    'sourcewire: --retries must be a whole number, 0 or more, not "many".',
    "Run `sourcewire info --help` for usage."
  ])
})

describe("help", () => {
  const painted = /\u001b\[\d+m/
  const colours = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
    painted.test((await run(["help", ...args], { env })).stdout)

  it.each([
    [[], {}, false],
    [["--color"], {}, true],
    [["--color=always"], { NO_COLOR: "1" }, true],
    [["--color", "never"], { FORCE_COLOR: "1" }, false],
    [["--no-color"], { FORCE_COLOR: "1" }, false],
    [[], { FORCE_COLOR: "1" }, true],
    [[], { FORCE_COLOR: "0" }, false],
    [[], { FORCE_COLOR: "1", NO_COLOR: "1" }, false]
  ])("with the flags %j and the environment variables %j, has colours: %s", async (args, env, expected) => {
    expect(await colours(args, env)).toBe(expected)
  })
})
