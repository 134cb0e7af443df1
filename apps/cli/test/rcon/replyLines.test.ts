import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { coloured, plain } from "../../src/output/text.ts"
import { replyLines } from "../../src/rcon/replyLines.ts"
import { makeSecrecy } from "../../src/rcon/secrecy.ts"

const shown = (parts: ReadonlyArray<string>): string => {
  const lines = replyLines(makeSecrecy(Redacted.make("hunter2")), plain)
  return parts.map((part) => lines.push(part)).join("") + lines.end()
}

describe("a reply's lines", () => {
  it.each([
    ["unchanged", ["a\nb\n"], "a\nb\n"],
    ["with a line end after the last line", ["a\nb"], "a\nb\n"],
    ["with tabs and without carriage returns", ["a\tb\r", "\nc"], "a\tb\nc\n"],
    ["as an empty text if the reply is empty", ["", ""], ""],
    ["without colour codes", ["^3Warning: ^", "7low\n"], "Warning: low\n"],
    ["even if they are blank", ["\n", "\n"], "\n\n"],
    ["without active control characters", ["\u001b[2J\u0007\rname\n"], "␛[2J␇␍name\n"]
  ])("are printed %s", (_, parts, text) => {
    expect(shown(parts)).toBe(text)
  })

  it("show colour codes as colours on a terminal that supports colours", () => {
    const lines = replyLines(makeSecrecy(Redacted.make("hunter2")), coloured)
    expect(lines.push("^3Warning: ^7low\n")).toBe("\u001b[33mWarning: \u001b[39mlow\n")
  })

  it.each([
    ['"sv_gravity" = "800" ( def. "600" )', '"<cyan>sv_gravity</>" = "<bold>800</>" ( def. "600" )'],
    ['"sv_gravity" is "800"', '"<cyan>sv_gravity</>" is "<bold>800</>"'],
    ["sv_gravity   : 800 : world gravity", "<cyan>sv_gravity</>   : 800 : world gravity"],
    ["udp/ip  : 127.0.0.1:27015", "<cyan>udp/ip</>  : 127.0.0.1:27015"],
    ["# userid name uniqueid", "<bold># userid name uniqueid</>"],
    ['Unknown command "x"', '<yellow>Unknown command "x"</>'],
    ["This line has no colours.", "This line has no colours."]
  ])("are coloured according to their contents: %s", (line, painted) => {
    const lines = replyLines(makeSecrecy(Redacted.make("hunter2")), coloured)
    const marks = lines.push(`${line}\n`).replaceAll(/\u001b\[(\d+)m/g, (_, code: string) => {
      const [name] = Object.entries({ bold: "1", cyan: "36", yellow: "33" }).find(([, start]) => start === code) ?? [
        "/"
      ]
      return `<${name}>`
    })
    expect(marks).toBe(`${painted}\n`)
  })

  it("are printed as soon as they are complete", () => {
    const lines = replyLines(makeSecrecy(Redacted.make("hunter2")), plain)
    expect([lines.push("on"), lines.push("e\ntw"), lines.push("o"), lines.end(), lines.end()]).toEqual([
      "",
      "one\n",
      "",
      "two\n",
      ""
    ])
  })

  it("contain no password, even if the reply arrives in several parts", () => {
    const text = 'rcon_password : hunter2\n"sv_password" is "hunter2"\nsay hunter2\n'
    for (let at = 0; at <= text.length; at++) {
      expect(shown([text.slice(0, at), text.slice(at)])).toBe(
        'rcon_password : ******\n"sv_password" is "******"\nsay ******\n'
      )
    }
  })
})
