/** The socket that a proxy answers on, and what went through it. Whoever answers may be exchanged while it is open. */
import { messageType, MessageType } from "@sourcewire/protocol/machines"
import { currentTiming } from "@sourcewire/core/machines"
import * as Effect from "effect/Effect"
import { type Answering, asked, openAnswering, type SocketCounters } from "@sourcewire/server/machines"

/** What a datagram asks for, as counters tell them apart; `other` is everything that a proxy never answers. */
export type FrontKind = "info" | "players" | "rules" | "ping" | "getChallenge" | "other"

/** What has come and gone at a front since it was opened. */
export interface FrontCounters extends Omit<SocketCounters, "requests"> {
  /** Datagrams that arrived, by what they ask for. */
  readonly requests: Readonly<Record<FrontKind, number>>
  /** Datagrams that the system dropped because its receive queue was full; absent where it does not tell. */
  readonly dropped?: number
}

/**
 * Receive queue, in bytes, that is asked of the system, which gives as much as it allows. What a flood leaves waiting in it delays
 * honest requests, so it is no more than is read in a good tenth of a second.
 */
const RECEIVE_BUFFER_BYTES = 16 * 1024 * 1024

/** What is ever answered. To tell text queries apart would cost more than all else that junk costs here. */
const TYPES: ReadonlySet<number> = new Set([
  MessageType.A2S_INFO,
  MessageType.A2S_PLAYER,
  MessageType.A2S_RULES,
  MessageType.A2S_SERVERQUERY_GETCHALLENGE,
  MessageType.A2A_PING
])

const kindOf = (datagram: Uint8Array): FrontKind => {
  if (!TYPES.has(messageType(datagram))) return "other"
  const what = asked(datagram)
  return typeof what === "string" ? what : "other"
}

const SILENT: Answering = { respond: () => [] }

/** A front on this address, for the life of the scope. `answering` may be changed: who answers from the next datagram on. */
export const openFront = Effect.fnUntraced(function* (host: string, port: number) {
  const timing = yield* currentTiming
  const requests: Record<FrontKind, number> = { info: 0, players: 0, rules: 0, ping: 0, getChallenge: 0, other: 0 }
  const answerer = { answering: SILENT }
  const socket = yield* openAnswering(
    { address: host, port },
    (bytes, address, port, send) => {
      const kind = kindOf(bytes)
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
