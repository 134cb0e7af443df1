import { CaptureReader } from "@sourcewire/capture"
import { type Message, encode, fromHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { toJsonLines, toMarkdown, toPcapng } from "../../src/explain/exports.ts"

const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))

const info = bytes({
  _tag: "InfoReply",
  protocol: 17,
  name: "Bots | `x` @all <b>",
  map: "de_dust2",
  folder: "cstrike",
  game: "CS",
  appId: 240,
  players: 5,
  maxPlayers: 16,
  bots: 5,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true,
  version: "1",
  port: 27015
})
const datagrams = [
  { bytes: bytes({ _tag: "InfoRequest" }), timeMs: 0, from: "this page", to: "127.0.0.1:27015" },
  { bytes: info, timeMs: 21.5, from: "127.0.0.1:27015", to: "this page" }
]
const shown = { datagrams, encoding: "auto" } as const

describe("exports", () => {
  it("toPcapng writes the findings about a datagram as a comment of this datagram", () => {
    const file = Buffer.concat(toPcapng(shown))
    const reader = new CaptureReader()
    expect(reader.add(file).map(({ from, to }) => `${from} ${to}`)).toEqual([
      "192.0.2.1:27015 127.0.0.1:27015",
      "127.0.0.1:27015 192.0.2.9:50000"
    ])
    const text = file.toString()
    expect(text).toContain("2 datagrams, 0 errors, 1 warning. Addresses of 192.0.2.0/24")
    expect(text).toContain("warning: All 5 players are bots: no people play. (byte 48; byte 50)\nServer lists")
  })

  it("toPcapng uses the messages in pasted bytes to determine the direction of each datagram", () => {
    const reader = new CaptureReader()
    const pasted = datagrams.map((one) => ({ bytes: one.bytes }))
    const read = reader.add(Buffer.concat(toPcapng({ datagrams: pasted, encoding: "auto" })))
    expect(read.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "192.0.2.9:50000 192.0.2.1:27015",
      "192.0.2.1:27015 192.0.2.9:50000"
    ])
  })

  it("toJsonLines writes a line for each message and each conversation", () => {
    const lines = toJsonLines(shown)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toMatchObject([
      { kind: "message", datagrams: [1], source: "this page", message: { _tag: "InfoRequest" } },
      { kind: "message", datagrams: [2], timeMs: 21.5, message: { _tag: "InfoReply", bots: 5 } },
      {
        server: "127.0.0.1:27015",
        datagrams: [1, 2],
        findings: [{ kind: "all-bots", severity: "warning", places: [{ datagram: 2, offset: 48, length: 1 }, {}] }]
      }
    ])
    expect(fromHex(String(lines[1]!["hex"]))).toEqual(info)
  })

  it("toMarkdown writes findings and a table, and escapes a server's text so that the text causes no formatting", () => {
    const text = toMarkdown(shown, "https://example.invalid/#decode")
    expect(text).toContain("### 2 datagrams: 0 errors, 1 warning")
    expect(text).toContain("- **warning**: All 5 players are bots: no people play. Server lists")
    expect(text).toContain("(datagram 2, byte 48; datagram 2, byte 50)")
    expect(text).toContain(
      "| 2 | 0.021 | `127.0.0.1:27015 → this page` | 60 | `S2A_INFO_SRC` | `Bots \\| ´x´ @all <b> · de_dust2 · 5/16 players` |"
    )
    expect(text).toContain("[Open in the playground](https://example.invalid/#decode)")
    expect(toMarkdown({ datagrams: [], encoding: "auto" }, undefined)).toContain("No findings.")
  })

  it("toMarkdown escapes names in sentences", () => {
    const name = Buffer.from([0x5b, 0x61, 0x5d, 0x28, 0x62, 0x29, 0x40, 0xe4, 0x2a]).toString("hex")
    const list = fromHex(`ffffffff440100${name}00050000000000803f`)!
    expect(toMarkdown({ datagrams: [{ bytes: list }], encoding: "auto" }, undefined)).toContain(
      "“\\[a\\](b)@\u200bä\\*”"
    )
  })
})
