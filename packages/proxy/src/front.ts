/**
 * The socket that a proxy answers on, and what went through it. Whoever answers may be exchanged while it is open.
 *
 * @module
 */
import { messageType, MessageType } from "@sourcewire/protocol/machines"
import { type DatagramHandle, Datagrams } from "@sourcewire/core/transport"
import { type Timing, currentTiming } from "@sourcewire/core/machines"
import * as Effect from "effect/Effect"
import { type Answering, asked } from "@sourcewire/server/machines"

/** What a datagram asks for, as counters tell them apart; `other` is everything that a proxy never answers. */
export type FrontKind = "info" | "players" | "rules" | "ping" | "getChallenge" | "other"

/** What has come and gone at a front since it was opened. */
export interface FrontCounters {
  /** Datagrams that arrived, by what they ask for. */
  readonly requests: Readonly<Record<FrontKind, number>>
  /** Datagrams handed over to be sent. */
  readonly replies: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Requests that got no answer. */
  readonly unanswered: number
  /** What the socket reported as gone wrong. */
  readonly socketFaults: number
  /** Datagrams that the system dropped because its receive queue was full; absent where it does not tell. */
  readonly dropped?: number
}

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

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

/** One socket with its counters. */
export class Front {
  /** Who answers from the next datagram on. */
  answering: Answering = SILENT
  readonly #counters: Mutable<Omit<FrontCounters, "requests" | "dropped">> & {
    readonly requests: Record<FrontKind, number>
  } = {
    requests: { info: 0, players: 0, rules: 0, ping: 0, getChallenge: 0, other: 0 },
    replies: 0,
    bytesIn: 0,
    bytesOut: 0,
    unanswered: 0,
    socketFaults: 0
  }
  readonly #timing: Timing
  #socket: DatagramHandle | undefined

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /** Where it listens; only once it is open. */
  get local() {
    return this.#socket!.local
  }

  /** The socket is open. */
  attach(socket: DatagramHandle): void {
    this.#socket = socket
  }

  /** A snapshot. */
  counters(): FrontCounters {
    const dropped = this.#socket?.countDropped?.()
    const { requests } = this.#counters
    return { ...this.#counters, requests: { ...requests }, ...(dropped === undefined ? {} : { dropped }) }
  }

  readonly onDatagram = (bytes: Uint8Array, address: string, port: number): void => {
    const counters = this.#counters
    const kind = kindOf(bytes)
    counters.requests[kind]++
    counters.bytesIn += bytes.length
    if (kind === "other") {
      counters.unanswered++
      return
    }
    const replies = this.answering.respond(bytes, address, port, this.#timing.now())
    if (replies.length === 0) counters.unanswered++
    for (const reply of replies) {
      counters.replies++
      counters.bytesOut += reply.length
      this.#socket?.send(reply, address, port)
    }
  }

  readonly onFault = (): void => void this.#counters.socketFaults++
}

/** A front on this address, for the life of the scope. */
export const openFront = Effect.fnUntraced(function* (host: string, port: number) {
  const datagrams = yield* Datagrams
  const front = new Front(yield* currentTiming)
  const family = host.includes(":") ? 6 : 4
  const bind = { address: host, port }
  const receiveBufferBytes = RECEIVE_BUFFER_BYTES
  front.attach(yield* datagrams.open({ family, bind, receiveBufferBytes, keepsProcess: true }, front))
  return front
})
