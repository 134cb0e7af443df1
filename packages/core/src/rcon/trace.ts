/**
 * What an onlooker may see of an RCON session: every packet, with the password masked. A mask is always eight stars, whatever
 * the password's length.
 *
 * @module
 */
import { concatBytes } from "./replyText.ts"

/** One packet, as it passed. */
export interface RconTraceEvent {
  readonly direction: "received" | "sent"
  readonly transport: "tcp" | "udp"
  /** The packet (TCP: with its size field, one event per packet sent and per segment received), the password masked. */
  readonly bytes: Uint8Array
  /** Milliseconds on the session's clock. */
  readonly timeMs: number
}

/** Is called for every packet of a session. Must not throw. */
export type RconTrace = (event: RconTraceEvent) => void

/** What stands in the password's place. */
export const PASSWORD_MASK: Uint8Array = new TextEncoder().encode("********")

const indexOf = (bytes: Uint8Array, wanted: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(wanted[0]!, from); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at
  }
  return -1
}

/** A copy of `bytes` with every occurrence of `secret` masked. */
export const maskSecret = (bytes: Uint8Array, secret: Uint8Array): Uint8Array => {
  if (secret.length === 0) return bytes.slice()
  const parts: Array<Uint8Array> = []
  let from = 0
  for (let at = indexOf(bytes, secret, 0); at >= 0; at = indexOf(bytes, secret, from)) {
    parts.push(bytes.subarray(from, at), PASSWORD_MASK)
    from = at + secret.length
  }
  return concatBytes([...parts, bytes.subarray(from)])
}
