/**
 * The messages of a capture in order, split ones joined per flow. Datagrams that don't begin like one of these protocols are left
 * out, and counted.
 *
 * @module
 */
import { isSplit, Reassembler } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { DecodeOptions, Decoded } from "../decode/decoded.ts"
import { decodeJoined, decodeWhole } from "../decode/decoded.ts"
import { readCapture } from "./capture.ts"
import { isoTime } from "./packet.ts"
import type { UdpDatagram } from "./udp.ts"
import { udpOf } from "./udp.ts"

/** One message and how it travelled. */
export interface CapturedMessage {
  /** Of its last datagram, in UTC; absent where the format has no times. */
  readonly time?: string
  readonly source: string
  readonly destination: string
  readonly decoded: Decoded
}

/** What a capture held besides messages. */
export interface CaptureCounts {
  packets: number
  /** Not UDP, or an IP fragment. */
  notUdp: number
  /** UDP of something else. */
  foreign: number
  /** Fragments whose reply never became whole. */
  incomplete: number
}

/** Flows with an unfinished reply that are remembered; the oldest is given up for a new one. */
const MAX_FLOWS = 1024

const isWhole = (payload: Uint8Array): boolean =>
  payload[0] === 0xff && payload[1] === 0xff && payload[2] === 0xff && payload[3] === 0xff

/** Reads a capture message by message. Counts into `counts`. Throws `InvalidCapture`. */
export async function* capturedMessages(
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
  counts: CaptureCounts
): AsyncGenerator<CapturedMessage> {
  const flows = new Map<string, Reassembler>()
  for await (const packet of readCapture(chunks)) {
    counts.packets++
    const datagram = udpOf(packet)
    if (datagram === undefined) {
      counts.notUdp++
      continue
    }
    const { destination, payload, source } = datagram
    const decoded = isWhole(payload)
      ? decodeWhole(payload, options)
      : isSplit(payload)
        ? addFragment(flows, datagram, options)
        : undefined
    if (decoded !== undefined) {
      const time = packet.timeNs === undefined ? undefined : isoTime(packet.timeNs)
      yield { ...(time === undefined ? {} : { time }), source, destination, decoded }
    } else if (!isSplit(payload)) counts.foreign++
  }
  for (const reassembler of flows.values()) counts.incomplete += reassembler.received
}

const addFragment = (
  flows: Map<string, Reassembler>,
  { destination, payload, source }: UdpDatagram,
  options: DecodeOptions
): Decoded | undefined => {
  const flow = `${source} ${destination}`
  const reassembler = flows.get(flow) ?? new Reassembler()
  flows.delete(flow)
  const joined = reassembler.add(payload)
  if (reassembler.received > 0) flows.set(flow, reassembler)
  if (flows.size > MAX_FLOWS) flows.delete(flows.keys().next().value!)
  if (Result.isFailure(joined)) return { result: Result.fail(joined.failure), bytes: payload }
  return joined.success === undefined ? undefined : decodeJoined(joined.success, options)
}
