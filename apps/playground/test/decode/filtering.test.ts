import { formatConversation } from "@sourcewire/capture"
import { describe, expect, it } from "vitest"
import { survey } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import { listChoices, nextFaulty, passing } from "../../src/decode/filtering.ts"
import { readExample } from "../../src/examples/examples.ts"

const client = "192.0.2.9:50000"
const [a, b] = ["192.0.2.1:27015", "192.0.2.2:27015"]
const of = (id: string, from: string, to: string, timeMs: number): Datagram => ({
  bytes: readExample(id)[0]!.bytes,
  from,
  to,
  timeMs
})
const datagrams = [
  of("info-request", client, a!, 0),
  of("info-request", client, b!, 5),
  of("challenge-reply-to-info", b!, client, 25),
  of("info-css", a!, client, 40),
  of("made-truncated", b!, client, 65)
]
const rows = survey(datagrams)
const everything = { words: "", ends: "", type: "", faulty: false }

describe("the list of datagrams", () => {
  it("identifies the server of each datagram, and shows the time from a request to its reply", () => {
    expect(rows.map(({ replyMs, server }) => [server, replyMs])).toEqual([
      [a, undefined],
      [b, undefined],
      [b, 20],
      [a, 40],
      [b, 60]
    ])
    expect(survey([{ bytes: datagrams[3]!.bytes }])[0]).not.toHaveProperty("replyMs")
  })

  it("can be filtered by server, conversation, type, errors and words, and several filters can be combined", () => {
    const pass = (part: Partial<typeof everything>) => passing(rows, datagrams, { ...everything, ...part })
    expect(pass({})).toEqual([0, 1, 2, 3, 4])
    expect(pass({ ends: a! })).toEqual([0, 3])
    expect(pass({ ends: formatConversation(datagrams[4]!)! })).toEqual([1, 2, 4])
    expect(pass({ type: "A2S_INFO" })).toEqual([0, 1])
    expect(pass({ faulty: true })).toEqual([4])
    expect(pass({ words: "DUST info_src" })).toEqual([3])
    expect(pass({ words: "2001", ends: a! })).toEqual([])
  })

  it("offers only filter values that occur in the list", () => {
    const { conversations, servers, types } = listChoices(rows, datagrams)
    expect(servers).toEqual([
      [b, 3],
      [a, 2]
    ])
    expect(conversations.map(([, count]) => count)).toEqual([3, 2])
    expect(types[0]).toEqual(["A2S_INFO", 2])
    expect(formatConversation({})).toBeUndefined()
  })

  it("finds the next and the previous error among the shown datagrams", () => {
    const all = [0, 1, 2, 3, 4]
    expect(nextFaulty(rows, all, 0, 1)).toBe(4)
    expect(nextFaulty(rows, all, 4, 1)).toBeUndefined()
    expect(nextFaulty(rows, all, 5, -1)).toBe(4)
    expect(nextFaulty(rows, [0, 3], 0, 1)).toBeUndefined()
  })
})
