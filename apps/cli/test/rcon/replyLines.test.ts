import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { coloured, plain } from "../../src/output/colours.ts"
import { ReplyLines } from "../../src/rcon/replyLines.ts"
import { secrecyOf } from "../../src/rcon/secrecy.ts"

const shown = (parts: ReadonlyArray<string>): string => {
  const lines = new ReplyLines(secrecyOf(Redacted.make("hunter2")), plain)
  return parts.map((part) => lines.push(part)).join("") + lines.end()
}

describe("a reply's lines", () => {
  it.each([
    ["as they are", ["a\nb\n"], "a\nb\n"],
    ["with an end for the last", ["a\nb"], "a\nb\n"],
    ["with tabs, without carriage returns", ["a\tb\r", "\nc"], "a\tb\nc\n"],
    ["nothing for nothing", ["", ""], ""],
    ["without colour codes", ["^3Warning: ^", "7low\n"], "Warning: low\n"],
    ["blank ones", ["\n", "\n"], "\n\n"],
    ["without what a terminal acts on", ["\u001b[2J\u0007\rname\n"], "␛[2J␇␍name\n"]
  ])("are shown %s", (_, parts, text) => {
    expect(shown(parts)).toBe(text)
  })

  it("have their colours where the terminal has colours", () => {
    const lines = new ReplyLines(secrecyOf(Redacted.make("hunter2")), coloured)
    expect(lines.push("^3Warning: ^7low\n")).toBe("\u001b[33mWarning: \u001b[39mlow\n")
  })

  it("come as soon as they are whole", () => {
    const lines = new ReplyLines(secrecyOf(Redacted.make("hunter2")), plain)
    expect([lines.push("on"), lines.push("e\ntw"), lines.push("o"), lines.end(), lines.end()]).toEqual([
      "",
      "one\n",
      "",
      "two\n",
      ""
    ])
  })

  it("show no password where they name one, wherever the parts are cut", () => {
    const text = 'rcon_password : hunter2\n"sv_password" is "hunter2"\nsay hunter2\n'
    for (let at = 0; at <= text.length; at++) {
      expect(shown([text.slice(0, at), text.slice(at)])).toBe(
        'rcon_password : ******\n"sv_password" is "******"\nsay hunter2\n'
      )
    }
  })
})
