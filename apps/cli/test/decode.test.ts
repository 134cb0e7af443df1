import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { objects, run } from "./runCli.ts"

interface SeedExample {
  readonly id: string
  readonly packets: ReadonlyArray<string>
  readonly expect: Record<string, unknown> | null
}

const examples = JSON.parse(
  readFileSync(new URL("../../../packages/protocol/test/fixtures/seed-examples.json", import.meta.url), "utf8")
) as ReadonlyArray<SeedExample>

describe("decode --json", () => {
  it("reads every example of the protocol documents from standard input", async () => {
    const stdin = examples.map(({ packets }) => packets.join(" ")).join("\n")
    const { exitCode, stderr, stdout } = await run(["decode", "--json"], { stdin })
    const lines = objects(stdout)
    expect(lines).toHaveLength(examples.length)
    const named = lines.map((line, i) => ({ id: examples[i]!.id, ...line }))
    expect(named).toMatchObject(
      examples.map(({ expect: message, id, packets }) =>
        message === null
          ? { id, ok: false, error: { _tag: "Malformed" } }
          : {
              id,
              ok: true,
              message,
              ...(packets.length > 1 ? { split: { total: packets.length, compressed: false } } : {})
            }
      )
    )
    expect(named.filter((line) => "split" in line)).toHaveLength(
      examples.filter(({ packets }) => packets.length > 1).length
    )
    // One of the datagrams in the examples is malformed on purpose. Therefore the exit code is 1.
    expect(exitCode).toBe(1)
    expect(stderr).toBe("")
  })

  it("prints the fields of a message in the documented order", async () => {
    const example = examples.find(({ id }) => id === "info-the-ship")!
    const { stdout } = await run(["decode", "--json", ...example.packets])
    const message = objects(stdout)[0]!["message"] as Record<string, unknown>
    expect(Object.keys(message)).toEqual(Object.keys(example.expect!))
  })

  it("prints one line per argument, but only one line for all fragments of a reply", async () => {
    const { packets } = examples.find((example) => example.packets.length > 1)!
    const { exitCode, stdout } = await run(["decode", "--json", "ffffffff57", ...packets.toReversed(), "ffffffff57"])
    const lines = objects(stdout)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatchObject({ ok: true, split: { layout: "goldsource", total: packets.length } })
    expect(exitCode).toBe(0)
  })

  it("reports the position of malformed bytes, and of text that is not hex", async () => {
    const { exitCode, stdout } = await run([
      "decode",
      "--json",
      "ffffffff4911616263",
      "xyz",
      "ffffffff571",
      "feffffff01"
    ])
    expect(objects(stdout)).toMatchObject([
      { ok: false, error: { _tag: "Malformed", field: "name", offset: 6, message: expect.any(String) } },
      { ok: false, error: { _tag: "Malformed", field: "hex", offset: 0 } },
      { ok: false, error: { _tag: "Malformed", field: "hex", offset: 5 } },
      { ok: false, error: { _tag: "Malformed" } }
    ])
    expect(exitCode).toBe(1)
  })

  it("with --tree, prints the value and the byte range of each field", async () => {
    const { stdout } = await run(["decode", "--json", "--tree", "ffffffff414ba1d522"])
    expect(objects(stdout)).toEqual([
      {
        ok: true,
        message: { _tag: "ChallengeReply", challenge: 584425803 },
        fields: [
          { path: "header", offset: 0, length: 4, value: -1 },
          { path: "type", offset: 4, length: 1, value: 65 },
          { path: "challenge", offset: 5, length: 4, value: 584425803 }
        ]
      }
    ])
  })

  it("skips blank lines and comments, and accepts CR LF as a line end", async () => {
    const { stdout } = await run(["decode", "--json"], { stdin: "# a comment\r\n\r\nffffffff57\r\n  \nffffffff69" })
    expect(objects(stdout)).toHaveLength(2)
  })

  it("decodes text with the encoding that --encoding specifies", async () => {
    const { stdout } = await run(["decode", "--json", "--encoding", "windows-1251", "ffffffff6ccff0e8e2e5f200"])
    expect(objects(stdout)).toMatchObject([{ message: { _tag: "PrintReply", text: "Привет" } }])
  })
})

describe("decode as text", () => {
  it("shows an INFO reply and a challenge", async () => {
    const byId = (id: string) => examples.find((example) => example.id === id)!.packets
    const { exitCode, stderr, stdout } = await run(["decode", ...byId("info-the-ship"), "ffffffff414ba1d522"])
    expect(stdout).toMatchSnapshot()
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  })

  it("shows the fields of a truncated message", async () => {
    const { exitCode, stderr, stdout } = await run(["decode", "--tree", "ffffffff4911616263006400"])
    expect(stdout).toMatchSnapshot()
    expect(stderr).toMatch(/^✗ Malformed: .*folder.*\n$/)
    expect(exitCode).toBe(1)
  })

  it("prints no escape sequences", async () => {
    const title = Buffer.from("\u001b]0;pwned\u0007\u009b2J\u202eevil\n", "utf8").toString("hex")
    for (const args of [[], ["--tree"], ["--json"]]) {
      const { stdout } = await run(["decode", ...args, `ffffffff6c${title}00`])
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })
})
