/**
 * The socket on which a proxy listens, with counters. The responder that replies to the clients can be replaced while the socket is open.
 */
import { messageType, MessageType } from "@sourcewire/protocol/wire"
import { currentTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import { type Answering, readRequest, openAnswering, type SocketCounters } from "@sourcewire/server/machines"

/** Kinds of requests in the counters. A proxy never replies to `other` requests. */
export type FrontKind = "info" | "players" | "rules" | "ping" | "getChallenge" | "other"

/** Counters of a front since it was opened. */
export interface FrontCounters extends Omit<SocketCounters, "requests"> {
  /** Datagrams received, by kind. */
  readonly requests: Readonly<Record<FrontKind, number>>
  /** Datagrams that the system dropped because the receive queue was full; absent if the system does not report this number. */
  readonly dropped?: number
}

/**
 * Requested size of the receive queue, in bytes; the system may grant less. During a flood, a valid request waits until the datagrams
 * before it in the queue are processed. With a queue of this size, it waits at most about 0.1 s.
 */
const RECEIVE_BUFFER_BYTES = 16 * 1024 * 1024

/**
 * Type bytes of the requests to which a proxy can reply. Text queries, which have no type byte, are not supported: detecting them would
 * take longer than all other work for an invalid datagram.
 */
const TYPES: ReadonlySet<number> = new Set([
  MessageType.A2S_INFO,
  MessageType.A2S_PLAYER,
  MessageType.A2S_RULES,
  MessageType.A2S_SERVERQUERY_GETCHALLENGE,
  MessageType.A2A_PING
])

const requestKind = (datagram: Uint8Array): FrontKind => {
  if (!TYPES.has(messageType(datagram))) return "other"
  const what = readRequest(datagram)
  return typeof what === "string" ? what : "other"
}

const SILENT: Answering = { respond: () => [] }

/** Opens a front for the life of the scope. The caller can change `answering`, the responder for all following datagrams. */
export const openFront = Effect.fnUntraced(function* (host: string, port: number) {
  const timing = yield* currentTiming
  const requests: Record<FrontKind, number> = { info: 0, players: 0, rules: 0, ping: 0, getChallenge: 0, other: 0 }
  const answerer = { answering: SILENT }
  const socket = yield* openAnswering(
    { address: host, port },
    (bytes, address, port, send) => {
      const kind = requestKind(bytes)
      requests[kind]++
      if (kind === "other") return false
      const replies = answerer.answering.respond(bytes, address, port, timing.now())
      for (const reply of replies) send(reply, address, port)
      return replies.length > 0
    },
    { receiveBufferBytes: RECEIVE_BUFFER_BYTES }
  )
  const counters = (): FrontCounters => {
    const dropped = socket.handle.countDropped?.()
    return { ...socket.counters(), requests: { ...requests }, ...(dropped === undefined ? {} : { dropped }) }
  }
  return Object.assign(answerer, { local: socket.handle.local, counters })
})

export type Front = Effect.Success<ReturnType<typeof openFront>>
