import { fromHex } from "@sourcewire/protocol"
import { expect, it } from "vitest"
import { ip, links, pcap } from "../../../../tooling/testing/captureFiles.ts"
import { readCapture } from "../../src/decode/captureFile.ts"

const request = {
  source: ["127.0.0.1", 40000],
  destination: ["127.0.0.2", 27015],
  payload: fromHex("ffffffff69")!
} as const
const reply = { source: request.destination, destination: request.source, payload: fromHex("00010203")! } as const
const other = { ...request, destination: ["127.0.0.3", 53], payload: fromHex("00010203")! } as const

const file = pcap(
  1,
  [request, other, reply].map((sent) => ({ timeNs: 1_700_000_000_123_456_000n, bytes: links[1]!(ip(sent)) }))
)

it("the conversations of supported protocols are read from a capture file, and the other packets are counted", () => {
  const capture = readCapture(file)!
  expect(capture.leftOut).toBe(1)
  expect(capture.datagrams.map(({ bytes, from, to }) => [bytes, from, to])).toEqual([
    [request.payload, "127.0.0.1:40000", "127.0.0.2:27015"],
    [reply.payload, "127.0.0.2:27015", "127.0.0.1:40000"]
  ])
  expect(capture.datagrams[0]!.timeMs).toBeCloseTo(1_700_000_000_123.456, 2)
  expect(capture.problem).toBeUndefined()
})

it("if a capture file is truncated, its complete packets are returned, and the problem is reported", () => {
  const { datagrams, ...rest } = readCapture(file.subarray(0, -1))!
  expect(datagrams).toEqual(readCapture(file)!.datagrams.slice(0, 1))
  expect(rest).toMatchObject({ leftOut: 1, problem: "the capture is truncated after packet 2" })
})

it("files of other formats are not recognized as capture files", () => {
  expect(readCapture(new Uint8Array(100))).toBeUndefined()
  expect(readCapture(fromHex("ffffffff69")!)).toBeUndefined()
})
