/** A UDP socket for whatever answers, and what has come and gone at it. */
import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandle, Endpoint, OpenOptions } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"

/** What has come and gone at a socket since it was opened. */
export interface SocketCounters {
  /** Datagrams that arrived, whatever was in them. */
  readonly requests: number
  /** Datagrams handed over to be sent. */
  readonly replies: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Requests that got no answer. */
  readonly unanswered: number
  /** What the socket reported as gone wrong. */
  readonly socketFaults: number
}

/** Sends a datagram; its bytes must not be changed afterwards. */
export type Send = (bytes: Uint8Array, address: string, port: number) => void

/**
 * Opens a socket for the life of the scope. `answer` is told of every datagram, whose bytes are only valid during the call, and says
 * whether there is an answer. The first may come before this has given anything.
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
    { ...options, family: bind.address.includes(":") ? 6 : 4, bind, keepsProcess: true },
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
