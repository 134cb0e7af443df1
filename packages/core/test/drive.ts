/**
 * Runs a state machine in virtual time, without a socket, a clock or a pause. A `Server` is a function that returns the replies to a
 * request, with their delays.
 */
import { fromHex, toHex } from "@sourcewire/protocol"
import type * as Result from "effect/Result"
import type { Exchange } from "../src/engine/Exchange.ts"
import { Step } from "../src/engine/Exchange.ts"

/** A reply to a request. */
export interface Reply {
  readonly hex: string
  /** Delay after the request, in ms. */
  readonly after: number
}

/** Returns the replies to a request. `nth` is the number of the request, beginning with 1. `at` is the time when the request was sent. */
export type Server = (request: string, nth: number, at: number) => ReadonlyArray<Reply>

/** The result of a run. */
export interface Course<A, E> {
  readonly result: Result.Result<A, E>
  /** The datagrams that were sent, with their times in ms from the start. */
  readonly sent: ReadonlyArray<{ readonly at: number; readonly hex: string }>
  readonly endedAt: number
  /** The replies that had not arrived when the run ended. */
  readonly late: ReadonlyArray<{ readonly at: number; readonly hex: string }>
}

export const parseHex = (hex: string): Uint8Array => fromHex(hex.replaceAll(" ", ""))!

/**
 * Runs an exchange to its end. The datagrams in `unsolicited` arrive without a request, and their delays
 * begin at the start of the exchange. When the first retransmission is due, the result of `replaceOnSilence` replaces the exchange.
 */
export const drive = <A, E>(
  begun: Exchange<A, E>,
  server: Server,
  unsolicited: ReadonlyArray<Reply> = [],
  replaceOnSilence?: () => Exchange<A, E>
): Course<A, E> => {
  let exchange = begun
  let silences = 0
  const sent: Array<{ at: number; hex: string }> = []
  const arriving = unsolicited.map(({ after, hex }) => ({ at: after, hex }))
  const apply = (step: Step, now: number): void => {
    if (step !== Step.Send) return
    const hex = toHex(exchange.packet)
    sent.push({ at: now, hex })
    for (const reply of server(hex, sent.length, now)) arriving.push({ at: now + reply.after, hex: reply.hex })
  }
  let now = 0
  apply(exchange.start(now), now)
  for (let steps = 0; exchange.result === undefined; steps++) {
    if (steps > 10_000) throw new Error("the exchange does not end")
    arriving.sort((a, b) => a.at - b.at)
    const next = arriving[0]
    if (next !== undefined && next.at <= exchange.deadline) {
      arriving.shift()
      now = next.at
      const datagram = parseHex(next.hex)
      apply(exchange.receive(datagram, now), now)
      datagram.fill(0xcc)
    } else {
      if (!Number.isFinite(exchange.deadline)) throw new Error("the exchange waits for ever")
      now = exchange.deadline
      if (silences++ === 0 && replaceOnSilence !== undefined) exchange = replaceOnSilence()
      apply(exchange.expire(now), now)
    }
  }
  return { result: exchange.result, sent, endedAt: now, late: arriving }
}
