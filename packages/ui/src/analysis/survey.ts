/**
 * Reads datagrams in order, joins split replies, and summarises each datagram in one line. The functions have no side effects. If there are
 * many datagrams, the page runs these functions in a worker.
 */
import { Flows, Replies, describe, messageName } from "@sourcewire/capture"
import { displayText } from "@sourcewire/core/text"
import { type Encoding, type Message, decode } from "@sourcewire/protocol"
import { type Joined, isSplit } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Datagram } from "../bytes/Datagram.ts"

export interface Row {
  /**
   * - `message`: a datagram with a complete message.
   * - `fragment`: a datagram with a part of a split reply.
   * - `joined`: a message that was joined from several fragments.
   * - `broken`: a datagram or a split reply that cannot be decoded.
   */
  readonly kind: "message" | "fragment" | "joined" | "broken"
  /** Indices of the row's datagrams in the list of datagrams. For a joined reply, the indices are in the order of arrival. */
  readonly datagrams: ReadonlyArray<number>
  /** The tag of the message. Absent if the row is a fragment, or if the row cannot be decoded. */
  readonly tag?: Message["_tag"]
  readonly summary: string
  readonly size: number
  /** Whether the message contains fewer entries than it announces. */
  readonly truncated?: boolean
  /** The layout of the fragments. Present for a joined reply and for each of its fragments. */
  readonly layout?: Joined["layout"]
  /**
   * Address of the server. Absent if the sender or the receiver is unknown, or if the message does not show which of them is the server.
   */
  readonly server?: string
  /**
   * Milliseconds between this reply and the last request that the client sent to the server before this reply. Absent if the message is not
   * a reply, if no request precedes the reply, or if the times are unknown.
   */
  readonly replyMs?: number
  /**
   * The severity of the most serious error or warning about this row. Absent if there is no error or warning about this row, or if no
   * findings were computed.
   */
  readonly severity?: "error" | "warning"
}

/**
 * Returns one row for each datagram, and additional rows for split replies. After the fragment that completes a reply, there is a row for
 * the joined reply. After a fragment that cannot be joined, there is a row with the error.
 */
export const survey = (datagrams: ReadonlyArray<Datagram>, encoding: Encoding = "auto"): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  const flows = new Flows<number>()
  const rowByDatagram = new Map<number, number>()
  datagrams.forEach((datagram, index) => {
    const { bytes } = datagram
    if (!isSplit(bytes)) {
      rows.push(messageRow(bytes, [index], "message", encoding))
      return
    }
    rowByDatagram.set(index, rows.length)
    rows.push({ kind: "fragment", datagrams: [index], summary: "part of a reply", size: bytes.length })
    const added = flows.add(datagram, index)
    if (Result.isFailure(added)) rows.push(brokenRow(added.failure.message, [index], bytes.length))
    else if (added.success !== undefined) {
      const { joined, places } = added.success
      places.forEach((part, number) => {
        const at = rowByDatagram.get(part)!
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
      const at = rowByDatagram.get(index)!
      if (rows[at]!.layout === undefined) rows[at] = { ...rows[at]!, summary: missing }
    }
  }
  return rows
}

/** Adds the address of the server and the reply time to each row. */
const withReplyTimes = (rows: Array<Row>, datagrams: ReadonlyArray<Datagram>): void => {
  const replies = new Replies()
  rows.forEach((row, i) => {
    const last = findLastDatagram(row, datagrams)
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

/** The last datagram of a row. For a joined reply, this is the fragment that arrived last. */
export const findLastDatagram = (row: Row, datagrams: ReadonlyArray<Datagram>): Datagram =>
  datagrams[row.datagrams.at(-1)!]!

/** The row of a datagram. If the datagram completes a split reply, this is the row of the joined reply. */
export const findRow = (rows: ReadonlyArray<Row>, datagram: number): Row | undefined =>
  rows.findLast(({ datagrams }) => datagrams.at(-1) === datagram)

/**
 * Index of the row that is selected first. This is the first joined reply if it is among the first 20 rows, and otherwise the first row.
 */
export const firstWorthwhile = (rows: ReadonlyArray<Row>): number => {
  const joined = rows.findIndex((row) => row.kind === "joined")
  return joined >= 0 && joined < 20 ? joined : 0
}

/** Severity of the problem in a row. `undefined` if the row has no problem. */
export const findSeverity = ({ kind, severity, truncated }: Row): "error" | "warning" | undefined =>
  kind === "broken" ? "error" : (severity ?? (truncated === true ? "warning" : undefined))

export const isFaulty = (row: Row): boolean => findSeverity(row) !== undefined

/** The title of a row. For a message that can be decoded, this is Valve's name of the message. */
export const formatName = ({ kind, tag }: Row): string => {
  if (kind === "fragment") return "fragment"
  if (kind === "broken" || tag === undefined) return "malformed"
  return messageName(tag)
}
