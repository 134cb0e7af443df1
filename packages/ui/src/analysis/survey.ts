/**
 * Goes through datagrams in order, joins what is split, and says in a line what each is. Pure: the page runs it on a worker when
 * there is much to go through.
 */
import { Flows, Replies, describe, messageName } from "@sourcewire/capture"
import { displayText } from "@sourcewire/core/text"
import { type Encoding, type Message, decode } from "@sourcewire/protocol"
import { type Joined, isSplit } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Datagram } from "../bytes/Datagram.ts"

export interface Row {
  /**
   * - `message`: a datagram that is a whole message.
   * - `fragment`: a datagram that is part of a split reply.
   * - `joined`: no datagram, but what several fragments make together.
   * - `broken`: a datagram, or a reply of several, that cannot be read.
   */
  readonly kind: "message" | "fragment" | "joined" | "broken"
  /** Places in the list of datagrams; of a joined reply, in the order of arrival. */
  readonly datagrams: ReadonlyArray<number>
  /** The message's tag; of a fragment none. */
  readonly tag?: Message["_tag"]
  readonly summary: string
  readonly size: number
  /** Whether less arrived than was announced. */
  readonly truncated?: boolean
  /** Of fragments that were joined: how. */
  readonly layout?: Joined["layout"]
  /** Address of the server, where the message says which end that is. */
  readonly server?: string
  /** Of a reply: milliseconds since the last question in its conversation. */
  readonly replyMs?: number
  /** The most serious finding about it, if the conversation was explained. */
  readonly severity?: "error" | "warning"
}

/** One row for each datagram and one for each joined reply, behind its last fragment. */
export const survey = (datagrams: ReadonlyArray<Datagram>, encoding: Encoding = "auto"): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  const flows = new Flows<number>()
  const rowOf = new Map<number, number>()
  datagrams.forEach((datagram, index) => {
    const { bytes } = datagram
    if (!isSplit(bytes)) {
      rows.push(messageRow(bytes, [index], "message", encoding))
      return
    }
    rowOf.set(index, rows.length)
    rows.push({ kind: "fragment", datagrams: [index], summary: "part of a reply", size: bytes.length })
    const added = flows.add(datagram, index)
    if (Result.isFailure(added)) rows.push(brokenRow(added.failure.message, [index], bytes.length))
    else if (added.success !== undefined) {
      const { joined, places } = added.success
      places.forEach((part, number) => {
        const at = rowOf.get(part)!
        const summary = `${number + 1} of ${joined.total}${joined.compressed ? ", compressed" : ""}`
        rows[at] = { ...rows[at]!, summary, layout: joined.layout }
      })
      const inOrder = places.toSorted((a, b) => a - b)
      rows.push({ ...messageRow(joined.bytes, inOrder, "joined", encoding), layout: joined.layout })
    }
  })
  withReplyTimes(rows, datagrams)
  for (const { missing, places } of flows.unfinished()) {
    for (const index of places) {
      const at = rowOf.get(index)!
      if (rows[at]!.layout === undefined) rows[at] = { ...rows[at]!, summary: missing }
    }
  }
  return rows
}

/** Adds who the server is, and how long it took to reply. */
const withReplyTimes = (rows: Array<Row>, datagrams: ReadonlyArray<Datagram>): void => {
  const replies = new Replies()
  rows.forEach((row, i) => {
    const last = lastOf(row, datagrams)
    const { isRequest: _, ...told } = replies.of(row.tag, last, last.timeMs)
    rows[i] = { ...row, ...told }
  })
}

const messageRow = (
  bytes: Uint8Array,
  datagrams: ReadonlyArray<number>,
  kind: "message" | "joined",
  encoding: Encoding
): Row => {
  const decoded = decode(bytes, { encoding })
  if (Result.isFailure(decoded)) return brokenRow(decoded.failure.message, datagrams, bytes.length)
  const message = decoded.success
  const truncated = "truncated" in message && message.truncated === true
  const summary = displayText(describe(message))
  return { kind, datagrams, tag: message._tag, summary, size: bytes.length, truncated }
}

const brokenRow = (message: string, datagrams: ReadonlyArray<number>, size: number): Row => ({
  kind: "broken",
  datagrams,
  summary: message,
  size
})

/** The datagram that completed a row. */
export const lastOf = (row: Row, datagrams: ReadonlyArray<Datagram>): Datagram => datagrams[row.datagrams.at(-1)!]!

/** The row of a datagram; of one that completes a reply that of the reply. */
export const rowOf = (rows: ReadonlyArray<Row>, datagram: number): Row | undefined =>
  rows.findLast(({ datagrams }) => datagrams.at(-1) === datagram)

/** The row that is worth looking at first: a joined reply, or else a message that is not split. */
export const firstWorthwhile = (rows: ReadonlyArray<Row>): number => {
  const joined = rows.findIndex((row) => row.kind === "joined")
  return joined >= 0 && joined < 20 ? joined : 0
}

/** How serious a row’s problem is; `undefined` if it has none. */
export const severityOf = ({ kind, severity, truncated }: Row): "error" | "warning" | undefined =>
  kind === "broken" ? "error" : (severity ?? (truncated === true ? "warning" : undefined))

export const isFaulty = (row: Row): boolean => severityOf(row) !== undefined

/** What a row is called: Valve's name of its message. */
export const nameOf = ({ kind, tag }: Row): string => {
  if (kind === "fragment") return "fragment"
  if (kind === "broken" || tag === undefined) return "not readable"
  return messageName(tag)
}
