/**
 * The lesson. Its steps explain an exchange with a Source server (`exchange.json`). The client first queries INFO, and receives a challenge
 * before the reply. Then the client queries RULES, and the reply is too large for one datagram. Each step has an exercise.
 */
import { computed, signal } from "@preact/signals"
import { type Message, encode } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { anatomise, listLeaves, type Row, survey } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import { choose, forget, makeInspection } from "@sourcewire/ui/inspector"
import type { NetworkName } from "../network/networks.ts"
import exchange from "./exchange.json" with { type: "json" }
import { practices } from "./practice.ts"

/** Maximum size of a fragment in bytes. With this size, the reply to RULES has exactly two fragments. */
const FRAGMENT_BYTES = 576

export const datagrams = exchange.messages.flatMap(({ message, timeMs }): ReadonlyArray<Datagram> => {
  const bytes = Result.getOrThrow(encode(message as Message))
  const [from, to] = message._tag.endsWith("Request") ? ["you", "game server"] : ["game server", "you"]
  const how = { layout: "source", id: 1, maxBytes: FRAGMENT_BYTES } as const
  const parts = bytes.length > FRAGMENT_BYTES ? splitDatagram(bytes, how) : [bytes]
  return parts.map((bytes, i) => ({ bytes, timeMs: timeMs + i / 10, from, to }))
})

/** The rows of the lesson: one row for each datagram, and one row for the joined reply. */
const rows = survey(datagrams)

/** An exercise. The user solves the exercise by choosing a field or by typing an answer. */
export interface Exercise {
  readonly question: string
  /** Path of the field to choose. */
  readonly field?: string
  /**
   * The correct answer of an exercise with a text field. If the text is `people`, the correct answer is the number of players on the
   * queried server, not including bots.
   */
  readonly answer?: string
  readonly hint: string
  /** The text that is shown when the exercise is solved. */
  readonly right: string
}

export interface Step {
  readonly row: Row
  /**
   * The subject of the step. `sent`: a datagram from the client. `received`: a datagram from the server. `joined`: a reply whose fragments
   * are joined. `home`: a general topic, or a query that the user runs.
   */
  readonly way: string
  readonly title: string
  readonly text: string
  /** The network on which the user can run a query in this step. */
  readonly practice?: NetworkName
  readonly exercise: Exercise
}

interface GivenStep extends Omit<Step, "row"> {
  readonly datagram: number
}

export const steps: ReadonlyArray<Step> = (exchange.steps as ReadonlyArray<GivenStep>).map(({ datagram, ...step }) => ({
  ...step,
  row: rows[datagram]!
}))

/** Index of the step that is shown. */
export const current = signal(0)

/** The typed answers, by the index of the step. */
export const typed = signal<ReadonlyMap<number, string>>(new Map())

/** Whether the exercise was solved at its last check, by the index of the step. Exercises that were never checked are absent. */
export const checked = signal<ReadonlyMap<number, boolean>>(new Map())

export const solved = computed(() => [...checked.value.values()].filter(Boolean).length)

/** The datagram or joined reply of the current step, dissected into fields. */
export const inspection = makeInspection(computed(() => anatomise(steps[current.value]!.row, datagrams)))

/** The fields that the lesson draws in a row. An entry of a list is drawn as a single field. */
export const blocks = computed(() =>
  listLeaves(inspection.anatomy.value?.fields ?? [], ({ name }) => name.startsWith("["))
)

/** The id of the first field whose bytes are in several datagrams. `undefined` if there is no such field. */
const cutField = (): string | undefined =>
  blocks.value.find(({ spans }) => new Set(spans.map(({ section }) => section)).size > 1)?.id

export const goTo = (step: number): void => {
  forget(inspection)
  current.value = step
  const cut = steps[step]!.way === "joined" ? cutField() : undefined
  if (cut !== undefined) choose(inspection, cut)
}

/** Prepares a typed answer for the comparison with the correct answer: lower case, without blanks, and without the prefix `0x`. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/\s|^0x/g, "")

export const type = (text: string): void => {
  typed.value = new Map(typed.value).set(current.value, text)
}

/** Checks the typed answer or the selected field of the current step, and stores the result in `checked`. */
export const check = (): void => {
  const step = steps[current.value]!
  const { answer, field } = step.exercise
  const wanted = answer === "people" ? practices[step.practice!].people.value : answer
  const isRight =
    field === undefined
      ? wanted !== undefined && plain(typed.value.get(current.value) ?? "") === String(wanted)
      : inspection.chosen.value?.replace(/^\d+:/, "") === field
  checked.value = new Map(checked.value).set(current.value, isRight)
}
