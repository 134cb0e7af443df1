/**
 * Drives a machine in virtual time: no socket, no clock, no sleep. A `Server` is a function from a request to what comes back and
 * when.
 */
import { fromHex, toHex } from "@sourcewire/protocol"
import type * as Result from "effect/Result"
import type { Exchange } from "../src/engine/Exchange.ts"
import { Step } from "../src/engine/Exchange.ts"

/** A datagram on its way back. */
export interface Reply {
  readonly hex: string
  /** After the request, in ms. */
  readonly after: number
}

/** Answers the `nth` request (from 1) sent at `at`. */
export type Server = (request: string, nth: number, at: number) => ReadonlyArray<Reply>

/** What happened. */
export interface Course<A, E> {
  readonly result: Result.Result<A, E>
  /** What was sent, and when, in ms from the start. */
  readonly sent: ReadonlyArray<{ readonly at: number; readonly hex: string }>
  readonly endedAt: number
  /** What was still on its way at the end. */
  readonly late: ReadonlyArray<{ readonly at: number; readonly hex: string }>
}

export const parseHex = (hex: string): Uint8Array => fromHex(hex.replaceAll(" ", ""))!

/** Runs an exchange to its end. `unasked` arrives whatever is sent; `whenSilent` gives what takes its place at the first silence. */
export const drive = <A, E>(
  begun: Exchange<A, E>,
  server: Server,
  unasked: ReadonlyArray<Reply> = [],
  whenSilent?: () => Exchange<A, E>
): Course<A, E> => {
  let exchange = begun
  let silences = 0
  const sent: Array<{ at: number; hex: string }> = []
  const arriving = unasked.map(({ after, hex }) => ({ at: after, hex }))
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
      if (silences++ === 0 && whenSilent !== undefined) exchange = whenSilent()
      apply(exchange.expire(now), now)
    }
  }
  return { result: exchange.result, sent, endedAt: now, late: arriving }
}
