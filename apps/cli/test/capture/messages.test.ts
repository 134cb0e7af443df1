import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { CaptureCounts, CapturedMessage } from "../../src/capture/messages.ts"
import { capturedMessages } from "../../src/capture/messages.ts"
import { InvalidCapture } from "../../src/capture/packet.ts"
import { frames, ip, pcap, pcapng } from "./build.ts"
import type { Datagram, Frame } from "./build.ts"

const { packets: fragments } = (
  JSON.parse(
    readFileSync(new URL("../../../../packages/protocol/test/fixtures/seed-examples.json", import.meta.url), "utf8")
  ) as ReadonlyArray<{ readonly packets: ReadonlyArray<string> }>
).find(({ packets }) => packets.length > 1)!

const v4: Datagram = { source: ["127.0.0.1", 27015], destination: ["127.0.0.2", 40000], hex: "ffffffff414ba1d522" }
const v6: Datagram = { source: ["::1", 27015], destination: ["2001:db8::7", 40000], hex: "ffffffff57" }

const timeNs = 1_795_248_900_123_456_789n

const frame = (linkType: number, packet: Buffer): Frame => ({ timeNs, bytes: frames[linkType]!(packet) })

/** In chunks of `size` bytes, as a stream may cut them. */
async function* chunked(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (file: Uint8Array) => {
  const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
  const messages: Array<CapturedMessage> = []
  for await (const message of capturedMessages(chunked(file), { encoding: "auto", fields: false }, counts)) {
    messages.push(message)
  }
  return { messages, counts }
}

const tagsOf = (messages: ReadonlyArray<CapturedMessage>): ReadonlyArray<string> =>
  messages.map(({ decoded }) => (Result.isSuccess(decoded.result) ? decoded.result.success._tag : "failed"))

const variants = [
  { littleEndian: true, nanoseconds: false },
  { littleEndian: false, nanoseconds: false },
  { littleEndian: true, nanoseconds: true },
  { littleEndian: false, nanoseconds: true }
]

describe("capturedMessages", () => {
  it.each(Object.keys(frames).map(Number))("reads link layer %i in both formats", async (linkType) => {
    for (const write of [pcap, pcapng]) {
      const { messages } = await read(
        write(linkType, [frame(linkType, ip(v4)), frame(linkType, ip(v6)), frame(linkType, ip(v6, true))])
      )
      expect(tagsOf(messages)).toEqual(["ChallengeReply", "GetChallengeRequest", "GetChallengeRequest"])
      expect(messages.map(({ destination, source }) => `${source} ${destination}`)).toEqual([
        "127.0.0.1:27015 127.0.0.2:40000",
        "[::1]:27015 [2001:db8::7]:40000",
        "[::1]:27015 [2001:db8::7]:40000"
      ])
    }
  })

  it("takes times in either unit and byte order", async () => {
    for (const write of [pcap, pcapng]) {
      for (const variant of variants) {
        const { messages } = await read(write(101, [frame(101, ip(v4))], variant))
        expect(messages[0]!.time).toBe("2026-11-21T08:15:00.123456Z")
      }
    }
  })

  it("joins fragments per flow, however the flows mix", async () => {
    const other = { ...v4, source: ["127.0.0.3", 27015] as const }
    const mixed = fragments.flatMap((hex) => [frame(1, ip({ ...v4, hex })), frame(1, ip({ ...other, hex }))])
    const { counts, messages } = await read(pcap(1, mixed))
    expect(tagsOf(messages)).toEqual(["RulesReply", "RulesReply"])
    expect(messages.map(({ decoded }) => decoded.split?.total)).toEqual([fragments.length, fragments.length])
    expect(counts.incomplete).toBe(0)
  })

  it("counts what is none of these protocols, and replies that stay incomplete", async () => {
    const tcp = ip(v4)
    tcp[9] = 6
    const ipFragment = ip(v4)
    ipFragment[6] = 0x20
    const others = [tcp, ipFragment, ip({ ...v4, hex: "1234" }), ip({ ...v4, hex: fragments[0]! }), Buffer.alloc(3)]
    const { counts, messages } = await read(
      pcapng(
        101,
        others.map((packet) => frame(101, packet))
      )
    )
    expect(messages).toEqual([])
    expect(counts).toEqual({ packets: 5, notUdp: 3, foreign: 1, incomplete: 1 })
  })

  it("refuses what is no capture, or breaks off", async () => {
    for (const write of [pcap, pcapng]) {
      const file = write(1, [frame(1, ip(v4))])
      for (let length = 0; length < file.length; length += 3) {
        const result = await read(file.subarray(0, length)).catch((error: unknown) => error)
        // A file may end between two packets.
        if (!(result instanceof InvalidCapture)) expect(result).toMatchObject({ messages: [] })
      }
      await expect(read(file.subarray(0, file.length - 1))).rejects.toThrow(/breaks off/)
    }
    await expect(read(Buffer.from("hello, world"))).rejects.toThrow(/neither a pcap nor a pcapng/)
    const claims = pcap(1, [])
    await expect(read(Buffer.concat([claims, Buffer.alloc(8), Buffer.alloc(8, 0xff)]))).rejects.toThrow(/claims/)
  })
})
