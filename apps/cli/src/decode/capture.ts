/**
 * Reads the messages of a capture in order, and joins split replies. Datagrams of protocols that Sourcewire cannot decode are only counted.
 */
import { CaptureReader, type CapturedDatagram, Flows } from "@sourcewire/capture"
import { isConnectionless, isSplit } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type DecodeOptions, type Decoded, decodeJoined, decodeDatagram } from "./decoded.ts"
import { decodeMasked } from "./masked.ts"

export interface CapturedMessage {
  /** Time of the last datagram of the message, in nanoseconds since 1970. Absent if the capture has no times. */
  readonly timeNs: bigint | undefined
  readonly from: string
  readonly to: string
  readonly decoded: Decoded
}

/** Counts the packets of a capture. For packets from which no message was decoded, there is a separate count for each reason. */
export interface CaptureCounts {
  packets: number
  /** Number of packets that are not UDP or that are fragments of IP packets. */
  notUdp: number
  /** Number of datagrams of protocols that Sourcewire cannot decode. */
  foreign: number
  /** Number of fragments of incomplete replies. */
  incomplete: number
  /** Closed ports, as `ADDRESS:PORT`. The capture contains ICMP messages that report that these ports are closed. */
  refused?: ReadonlySet<string>
}

/**
 * Yields the messages of a capture one by one. Updates `counts`, and calls `collect` with each datagram of the protocols that Sourcewire
 * can decode. Throws `InvalidCapture` if the capture is damaged.
 */
export async function* capturedMessages(
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeOptions & { readonly showPasswords?: boolean },
  counts: CaptureCounts,
  collect?: (datagram: CapturedDatagram) => void
): AsyncGenerator<CapturedMessage> {
  const reader = new CaptureReader()
  const flows = new Flows<undefined>()
  const decodeOne = options.showPasswords === true ? decodeDatagram : decodeMasked
  for await (const chunk of chunks) {
    for (const datagram of reader.add(chunk)) {
      const { bytes, from, timeNs, to } = datagram
      if (collect !== undefined && (isConnectionless(bytes) || isSplit(bytes))) collect(datagram)
      const decoded = isConnectionless(bytes) ? decodeOne(bytes, options) : decodeFragment(flows, datagram, options)
      if (decoded !== undefined) yield { timeNs, from, to, decoded }
      else if (!isSplit(bytes)) counts.foreign++
    }
    counts.packets = reader.packets
    counts.notUdp = reader.withoutDatagram
    counts.refused = reader.refused
  }
  counts.incomplete = flows.held
  const problem = reader.end()
  if (problem !== undefined) throw problem
}

const decodeFragment = (
  flows: Flows<undefined>,
  datagram: CapturedDatagram,
  options: DecodeOptions
): Decoded | undefined => {
  if (!isSplit(datagram.bytes)) return undefined
  const reply = flows.add(datagram, undefined)
  if (Result.isFailure(reply)) return { result: Result.fail(reply.failure), bytes: datagram.bytes }
  return reply.success === undefined ? undefined : decodeJoined(reply.success.joined, options)
}
