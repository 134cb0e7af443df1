/**
 * The lesson's exchange (`exchange.json`): INFO with its challenge, then RULES, whose reply is too large for one datagram, as with a
 * Source server; and its steps: what happens, in which direction, and why.
 */
import { computed, signal } from "@preact/signals"
import { type Message, encode } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { anatomise, type Row, survey } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import { forget, makeInspection } from "@sourcewire/ui/inspector"
import exchange from "./exchange.json" with { type: "json" }

/** Bytes of a full fragment: the least that a server can be told to send, so that two are enough for a lesson. */
const FRAGMENT_BYTES = 576

export const datagrams = exchange.messages.flatMap(({ message, timeMs }): ReadonlyArray<Datagram> => {
  const bytes = Result.getOrThrow(encode(message as Message))
  const [from, to] = message._tag.endsWith("Request") ? ["you", "game server"] : ["game server", "you"]
  const how = { layout: "source", id: 1, maxBytes: FRAGMENT_BYTES } as const
  const parts = bytes.length > FRAGMENT_BYTES ? splitDatagram(bytes, how) : [bytes]
  return parts.map((bytes, i) => ({ bytes, timeMs: timeMs + i / 10, from, to }))
})

const rows = survey(datagrams)

export interface Step {
  readonly row: Row
  readonly way: string
  readonly title: string
  readonly text: string
}

/** The steps, one for each datagram and one for what the fragments make together. */
export const steps: ReadonlyArray<Step> = exchange.steps.map((step, i) => ({ ...step, row: rows[i]! }))

/** Place in the steps of where somebody is. */
export const current = signal(0)

/** The datagram of the step, field by field. */
export const inspection = makeInspection(computed(() => anatomise(steps[current.value]!.row, datagrams)))

export const goTo = (step: number): void => {
  forget(inspection)
  current.value = step
}
