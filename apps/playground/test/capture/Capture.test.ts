import { fromHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { readCapture } from "../../src/capture/Capture.ts"
import { ethernet, ipv4, ipv6, pcap, pcapng, type Sent } from "./captureFiles.ts"

const request: Sent = { payload: fromHex("ffffffff69")!, fromPort: 40000, toPort: 27015, timeMs: 1_700_000_000_123.456 }
const reply: Sent = { payload: fromHex("ffffffff6a00")!, fromPort: 27015, toPort: 40000, timeMs: 1_700_000_000_125 }
const other: Sent = { payload: fromHex("00010203")!, fromPort: 53, toPort: 5353, timeMs: 1_700_000_000_124 }

const frames = (link: (packet: Uint8Array) => Uint8Array) =>
  [request, other, reply].map((sent) => ({ frame: link(ipv4(sent)[0]!), timeMs: sent.timeMs }))

const same = (packet: Uint8Array): Uint8Array => packet
const prefixed =
  (bytes: number, type?: number) =>
  (packet: Uint8Array): Uint8Array => {
    const frame = new Uint8Array(bytes + packet.length)
    if (type !== undefined) frame.set([8, 0], type)
    frame.set(packet, bytes)
    return frame
  }

describe("a capture file", () => {
  it.each([
    [
      "pcap, Ethernet",
      pcap(
        frames((packet) => ethernet(packet)),
        1
      )
    ],
    [
      "pcap, Ethernet with VLAN",
      pcap(
        frames((packet) => ethernet(packet, true)),
        1
      )
    ],
    ["pcap, big-endian, raw IP", pcap(frames(same), 101, false)],
    ["pcap, BSD loopback", pcap(frames(prefixed(4)), 0)],
    ["pcap, Linux any", pcap(frames(prefixed(16, 14)), 113)],
    ["pcap, Linux any, version 2", pcap(frames(prefixed(20, 0)), 276)],
    [
      "pcapng, Ethernet",
      pcapng(
        frames((packet) => ethernet(packet)),
        1
      )
    ]
  ])("gives the datagrams of the protocol: %s", (_, file) => {
    const capture = readCapture(file)!
    expect(capture.leftOut).toBe(1)
    expect(capture.datagrams.map(({ bytes, from, to }) => [[...bytes], from, to])).toEqual([
      [[...request.payload], "127.0.0.1:40000", "127.0.0.2:27015"],
      [[...reply.payload], "127.0.0.1:27015", "127.0.0.2:40000"]
    ])
    expect(capture.datagrams[0]!.timeMs).toBeCloseTo(request.timeMs, 2)
  })

  it("reads IPv6 with extension headers", () => {
    const capture = readCapture(pcap([{ frame: ipv6(request), timeMs: 0 }], 101))!
    expect(capture.datagrams[0]).toMatchObject({
      from: "[::1]:40000",
      to: "[2001:db8::1]:27015",
      bytes: request.payload
    })
  })

  it("joins what IP fragmented, in any order", () => {
    const large: Sent = { ...reply, payload: Uint8Array.from({ length: 4000 }, (_, i) => (i < 4 ? 0xff : i & 0xff)) }
    const parts = ipv4(large, 9, 1480).toReversed()
    const capture = readCapture(
      pcap(
        parts.map((frame) => ({ frame, timeMs: 0 })),
        101
      )
    )!
    expect(capture.datagrams.map(({ bytes }) => [...bytes])).toEqual([[...large.payload]])
  })

  it("gives what is whole of a file that is cut, at any byte", () => {
    for (const file of [pcap(frames(same), 101), pcapng(frames(same), 101)]) {
      for (let length = 0; length < file.length; length++) {
        const capture = readCapture(file.subarray(0, length))
        expect(capture?.datagrams.length ?? 0).toBeLessThanOrEqual(2)
      }
    }
  })

  it("is nothing else", () => {
    expect(readCapture(new Uint8Array(100))).toBeUndefined()
    expect(readCapture(fromHex("ffffffff69")!)).toBeUndefined()
  })
})
