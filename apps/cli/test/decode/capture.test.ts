import { fromHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ip, links, pcap, pcapng, type Sent } from "../../../../tooling/testing/captureFiles.ts"
import { capturedMessages, type CaptureCounts, type CapturedMessage } from "../../src/decode/capture.ts"
import { isoTime } from "../../src/decode/isoTime.ts"

const { packets: fragments } = (
  JSON.parse(
    readFileSync(new URL("../../../../packages/protocol/test/fixtures/seed-examples.json", import.meta.url), "utf8")
  ) as ReadonlyArray<{ readonly packets: ReadonlyArray<string> }>
).find(({ packets }) => packets.length > 1)!

const timeNs = 1_795_248_900_123_456_789n
const from = (host: string, hex: string): Sent => ({
  source: [host, 27015],
  destination: ["127.0.0.2", 40000],
  payload: fromHex(hex)!
})
const frame = (packet: Buffer) => ({ timeNs, bytes: links[1]!(packet) })

async function* chunked(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

const read = async (file: Uint8Array) => {
  const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
  const messages: Array<CapturedMessage> = []
  for await (const message of capturedMessages(
    chunked(file),
    { encoding: "auto", fields: false, showPasswords: false },
    counts
  )) {
    messages.push(message)
  }
  return { messages, counts }
}

it("isoTime returns a time with microseconds, or undefined if the time is out of range", () => {
  expect(isoTime(timeNs)).toBe("2026-11-21T08:15:00.123456Z")
  expect([isoTime(-1n), isoTime(10n ** 30n)]).toEqual([undefined, undefined])
})

describe("capturedMessages", () => {
  it("returns the time and the addresses of each datagram", async () => {
    const { messages } = await read(pcap(1, [frame(ip(from("127.0.0.1", "ffffffff57")))]))
    expect(messages).toMatchObject([
      { timeNs: 1_795_248_900_123_456_000n, from: "127.0.0.1:27015", to: "127.0.0.2:40000" }
    ])
  })

  it("joins the fragments of each flow, even if the datagrams of several flows alternate", async () => {
    const mixed = fragments.flatMap((hex) => [frame(ip(from("127.0.0.1", hex))), frame(ip(from("127.0.0.3", hex)))])
    const { counts, messages } = await read(pcap(1, mixed))
    const tags = messages.map(({ decoded }) => Result.isSuccess(decoded.result) && decoded.result.success._tag)
    expect(tags).toEqual(["RulesReply", "RulesReply"])
    expect(messages.map(({ decoded }) => decoded.split?.total)).toEqual([fragments.length, fragments.length])
    expect(counts.incomplete).toBe(0)
  })

  it("counts packets without a UDP datagram, datagrams of unknown protocols, and fragments of incomplete replies", async () => {
    const tcp = ip(from("127.0.0.1", "00"))
    tcp[9] = 6
    const others = [tcp, ip(from("127.0.0.1", "1234")), ip(from("127.0.0.1", fragments[0]!)), Buffer.alloc(3)]
    const { counts, messages } = await read(pcapng(1, others.map(frame)))
    expect(messages).toEqual([])
    expect(counts).toEqual({ packets: 4, notUdp: 2, foreign: 1, incomplete: 1, refused: new Set() })
  })

  it("if the capture is truncated, returns the complete messages and then throws an error", async () => {
    const file = pcap(1, [frame(ip(from("127.0.0.1", "ffffffff57"))), frame(ip(from("127.0.0.1", "ffffffff57")))])
    const messages: Array<CapturedMessage> = []
    const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
    const all = capturedMessages(
      chunked(file.subarray(0, -1)),
      { encoding: "auto", fields: false, showPasswords: false },
      counts
    )
    await expect(
      (async () => {
        for await (const message of all) messages.push(message)
      })()
    ).rejects.toThrow(/is truncated after/)
    expect(messages).toHaveLength(1)
  })
})
