import { fromHex, toHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { ip, ipFragments, links, pcap, pcapng } from "../../../tooling/testing/captureFiles.ts"
import type { Frame, Sent } from "../../../tooling/testing/captureFiles.ts"
import { CaptureReader } from "../src/CaptureReader.ts"

const challenge = "ffffffff414ba1d522"
const sent = (source: Sent["source"], destination: Sent["destination"], hex: string): Sent => ({
  source,
  destination,
  payload: fromHex(hex)!
})
const v4 = sent(["127.0.0.1", 27015], ["127.0.0.2", 40000], challenge)
const v6 = sent(["::1", 27015], ["2001:db8::7", 40000], "ffffffff57")

const timeNs = 1_795_248_900_123_456_789n
const frame = (linkType: number, packet: Buffer): Frame => ({ timeNs, bytes: links[linkType]!(packet) })

const read = (file: Uint8Array, chunkBytes = 7) => {
  const reader = new CaptureReader()
  const datagrams = []
  for (let at = 0; at < file.length; at += chunkBytes) datagrams.push(...reader.add(file.subarray(at, at + chunkBytes)))
  return { datagrams, problem: reader.end()?.message, reader }
}

const readHex = (file: Uint8Array): ReadonlyArray<string> => read(file).datagrams.map(({ bytes }) => toHex(bytes))

const variants = [
  { littleEndian: true, nanoseconds: false },
  { littleEndian: false, nanoseconds: false },
  { littleEndian: true, nanoseconds: true },
  { littleEndian: false, nanoseconds: true }
]

describe("CaptureReader", () => {
  it.each(Object.keys(links).map(Number))(
    "reads frames of link type %i from pcap and pcapng files, and omits the padding of the frames",
    (linkType) => {
      for (const write of [pcap, pcapng]) {
        const file = write(linkType, [frame(linkType, ip(v4)), frame(linkType, ip(v6)), frame(linkType, ip(v6, true))])
        const { datagrams, problem } = read(file)
        expect(datagrams.map(({ bytes, from, to }) => `${from} ${to} ${toHex(bytes)}`)).toEqual([
          `127.0.0.1:27015 127.0.0.2:40000 ${challenge}`,
          "[::1]:27015 [2001:db8::7]:40000 ffffffff57",
          "[::1]:27015 [2001:db8::7]:40000 ffffffff57"
        ])
        expect(problem).toBeUndefined()
      }
    }
  )

  it.each([
    ["none", ""],
    ["one", "81000064"],
    ["two, of a provider and a customer", "88a8006481000065"],
    ["two of the same kind", "8100006481000065"],
    ["three", "910000018100006481000065"]
  ])("reads frames with VLAN tags: %s", (_, tags) => {
    const ethernet = (packet: Buffer, type: string) =>
      Buffer.concat([Buffer.alloc(12, 7), Buffer.from(tags + type, "hex"), packet])
    const cooked = (packet: Buffer, type: string) =>
      Buffer.concat([Buffer.alloc(14), Buffer.from(tags + type, "hex"), packet])
    for (const [linkType, link] of [
      [1, ethernet],
      [113, cooked]
    ] as const) {
      const frames = [link(ip(v4), "0800"), link(ip(v6), "86dd")].map((bytes) => ({ timeNs, bytes }))
      expect(readHex(pcap(linkType, frames))).toEqual([challenge, "ffffffff57"])
    }
  })

  it("omits the padding of short frames if the length in the UDP header is 0", () => {
    for (const one of [v4, v6]) {
      const packet = ip(one)
      const header = one === v4 ? 20 : 40
      packet.writeUInt16BE(0, header + 4)
      expect(readHex(pcap(1, [frame(1, packet)]))).toEqual([toHex(one.payload)])
    }
  })

  it("reads times in microseconds and in nanoseconds, from little-endian and from big-endian files", () => {
    for (const write of [pcap, pcapng]) {
      for (const variant of variants) {
        const { datagrams } = read(write(101, [frame(101, ip(v4))], variant))
        expect(datagrams[0]!.timeNs).toBe(variant.nanoseconds ? timeNs : timeNs - (timeNs % 1000n))
      }
    }
  })

  it("returns the same datagrams, whatever the size of the chunks of the file", () => {
    const file = pcapng(
      1,
      [v4, v6, v4].map((one) => frame(1, ip(one)))
    )
    const whole = read(file, file.length).datagrams
    for (let size = 1; size < 80; size++) expect(read(file, size).datagrams).toEqual(whole)
  })

  it("joins IP fragments, even if the fragments of two datagrams arrive alternately or in reverse order", () => {
    const payload = Uint8Array.from({ length: 4000 }, (_, i) => (i < 4 ? 0xff : i & 0xff))
    for (const one of [v4, v6]) {
      const packets = [
        ...ipFragments({ ...one, payload }, 1480, 9).toReversed(),
        ...ipFragments({ ...one, payload }, 1480, 10)
      ]
      const mixed = [packets[0], packets[3], packets[1], packets[4], packets[5], packets[2]]
      const file = pcap(
        101,
        mixed.map((packet) => frame(101, packet!))
      )
      expect(readHex(file)).toEqual([toHex(payload), toHex(payload)])
      expect(read(file).reader).toMatchObject({ packets: 6, withoutDatagram: 4 })
    }
  })

  it("drops overlapping fragments, and drops the oldest fragments if too many datagrams are incomplete", () => {
    const payload = new Uint8Array(3000)
    const [first, second, third] = ipFragments({ ...v4, payload }, 1480)
    const others = Array.from({ length: 64 }, (_, i) => ipFragments({ ...v4, payload }, 1480, 100 + i)[0]!)
    const frames = [first!, second!, ...others, third!].map((packet) => frame(101, packet))
    expect(readHex(pcap(101, frames))).toEqual([])
    const overlapping = Array.from({ length: 50 }, (_, i) => {
      const packet = Buffer.from(first!)
      packet.writeUInt16BE(0x2000 | i, 6)
      return packet
    })
    const { datagrams, reader } = read(
      pcap(
        101,
        [...overlapping, second!, third!].map((packet) => frame(101, packet))
      )
    )
    expect([datagrams.length, reader.packets]).toEqual([0, 52])
  })

  it("lists the ports that ICMP messages report as closed", () => {
    // Linux sent these ICMP messages on loopback after A2S_INFO requests to the closed port 27999. They were recorded on 2026-11-23.
    const query = "ffffffff54536f7572636520456e67696e6520517565727900"
    const icmp =
      "450000510000000040013caa7f0000017f000001" +
      "0303781400000000" +
      "4500003592454000401100007f0000017f000001c7d76d5f0021fe34" +
      query
    const icmp6 =
      "600fe89000513a4000000000000000000000000000000001000000000000000000000000000000010104e33900000000" +
      "600ce1620021114000000000000000000000000000000001000000000000000000000000000000019bf46d5f00210034" +
      query
    const bytes = [icmp, icmp6, icmp.replace("0303", "0301"), icmp.slice(0, 60), icmp6.slice(0, 100)]
    const { datagrams, reader } = read(
      pcap(
        1,
        bytes.map((hex) => frame(1, Buffer.from(hex, "hex")))
      )
    )
    expect(datagrams).toEqual([])
    expect([...reader.refused]).toEqual(["127.0.0.1:27999", "[::1]:27999"])
  })

  it("returns each datagram with the number of its packet in the file", () => {
    const other = Buffer.concat([ip(v4).subarray(0, 9), Buffer.from([6]), ip(v4).subarray(10)])
    const { datagrams } = read(pcap(1, [frame(1, other), frame(1, ip(v4)), frame(1, ip(v6))]))
    expect(datagrams.map(({ packet }) => packet)).toEqual([2, 3])
  })

  it("counts packets that contain no UDP datagram", () => {
    const tcp = ip(v4)
    tcp[9] = 6
    const { datagrams, reader } = read(
      pcapng(
        101,
        [tcp, Buffer.alloc(3), ip(v4)].map((packet) => frame(101, packet))
      )
    )
    expect([datagrams.length, reader.packets, reader.withoutDatagram]).toEqual([1, 3, 2])
  })

  it("returns the complete packets of a truncated file, and reports the truncation", () => {
    for (const write of [pcap, pcapng]) {
      const file = write(1, [frame(1, ip(v4)), frame(1, ip(v6))])
      for (let length = 0; length < file.length; length++) {
        const { datagrams, problem } = read(file.subarray(0, length))
        expect(datagrams.length).toBeLessThan(2)
        // If a file ends between two packets, it is valid.
        if (datagrams.length === 0 && length < 24) expect(problem).toBeDefined()
      }
      const cut = read(file.subarray(0, file.length - 1))
      expect(cut.datagrams.map(({ bytes, from, to }) => [from, to, toHex(bytes)])).toEqual([
        ["127.0.0.1:27015", "127.0.0.2:40000", challenge]
      ])
      expect(cut.problem).toBe("the capture is truncated after packet 1")
    }
  })

  it("stops at the first invalid bytes of a file, and reports why the file is invalid", () => {
    expect(read(Buffer.from("hello, world")).problem).toMatch(/neither a pcap nor a pcapng/)
    expect(read(new Uint8Array()).problem).toMatch(/neither a pcap nor a pcapng/)
    const claims = Buffer.concat([pcap(1, []), Buffer.alloc(8), Buffer.alloc(8, 0xff)])
    expect(read(claims).problem).toMatch(/packet 1 has an invalid length \(4294967295 bytes\)/)
    const block = Buffer.concat([pcapng(1, []), Buffer.from([6, 0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0])])
    expect(read(block).problem).toMatch(/a block of the capture has an invalid length \(13 bytes\)/)
    const endless = new CaptureReader()
    endless.add(Buffer.from("hello, world"))
    expect(endless.problem).toBeDefined()
    expect(endless.add(new Uint8Array(1000))).toEqual([])
  })
})
