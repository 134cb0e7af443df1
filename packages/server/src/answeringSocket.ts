/** A UDP socket of a server, and its counters. */
import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandle, Endpoint, OpenOptions } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"

/** Counters of a socket since it was opened. */
export interface SocketCounters {
  /** Datagrams received, including invalid datagrams. */
  readonly requests: number
  /** Datagrams passed to the operating system for sending. */
  readonly replies: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Received datagrams that got no reply. */
  readonly unanswered: number
  /** Errors that the socket reported. */
  readonly socketFaults: number
}

/** Sends a datagram. The caller must not change the bytes of the datagram afterwards. */
export type Send = (bytes: Uint8Array, address: string, port: number) => void

/**
 * Opens a socket for the life of the scope. `answer` is called with every received datagram, and returns whether it sent a reply. The bytes
 * of the datagram are valid only during the call. The socket may call `answer` before this function returns.
 */
export const openAnswering = Effect.fnUntraced(function* (
  bind: Endpoint,
  answer: (bytes: Uint8Array, address: string, port: number, send: Send) => boolean,
  options: Pick<OpenOptions, "receiveBufferBytes"> = {}
) {
  const { open } = yield* Datagrams
  const counters = { requests: 0, replies: 0, bytesIn: 0, bytesOut: 0, unanswered: 0, socketFaults: 0 }
  const opened: { handle?: DatagramHandle } = {}
  const send: Send = (bytes, address, port) => {
    if (opened.handle === undefined) return
    counters.replies++
    counters.bytesOut += bytes.length
    opened.handle.send(bytes, address, port)
  }
  opened.handle = yield* open(
    { ...options, family: bind.address.includes(":") ? 6 : 4, bind, keepsProcessAlive: true },
    {
      onDatagram: (bytes, address, port) => {
        counters.requests++
        counters.bytesIn += bytes.length
        if (!answer(bytes, address, port, send)) counters.unanswered++
      },
      onFault: () => void counters.socketFaults++
    }
  )
  return { handle: opened.handle, send, counters: (): SocketCounters => ({ ...counters }) }
})
