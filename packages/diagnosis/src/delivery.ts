/**
 * Findings about the delivery of datagrams: replies that are missing, late or incomplete, or that the client receives from an address to
 * which it sent no request.
 */
import { messageName, plural } from "@sourcewire/capture"
import { dissectFragment, HEADER_BYTES } from "@sourcewire/protocol/wire"
import type { Conversation, DiagnosedDatagram, Entry, Query } from "./Conversation.ts"
import { findPlaces, sameBytes } from "./Conversation.ts"
import { type Finding, KINDS } from "./Finding.ts"
import { finding } from "./make.ts"
import { duration, enumeration, requestName } from "./words.ts"

/** The largest UDP payload that an Ethernet frame carries over IPv4, in bytes. */
const FRAME_PAYLOAD = 1472

const SLOW_MS = 1000

const isPrivate = (host: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host)

const findAllPlaces = (entries: ReadonlyArray<Entry>) => entries.flatMap((entry) => findPlaces(entry))

/** Returns the end of a sentence: how much time passed from the request to the last datagram of the conversation. */
const waited = ({ entries }: Conversation, since: Entry): string => {
  const last = entries.at(-1)?.timeMs
  return last === undefined || since.timeMs === undefined || last <= since.timeMs
    ? ""
    : ` within ${duration(last - since.timeMs)}`
}

const countedRequests = (queries: ReadonlyArray<Query>): string => {
  const sends = queries.reduce((sum, query) => sum + query.sends.length, 0)
  const names = enumeration([...new Set(queries.map(({ tag }) => requestName(tag)))])
  return `${plural(sends, "request")} (${names})`
}

export function* deliveryFindings(
  conversation: Conversation,
  datagrams: ReadonlyArray<DiagnosedDatagram>,
  isRefused: boolean
): Generator<Finding> {
  const { entries, queries, server } = conversation
  const replies = entries.filter(({ isRequest }) => isRequest !== true)
  if (server?.startsWith("169.254.") === true) {
    const text = `${server} is a FakeIP of Steam: an address for Steam’s relays, which does not reply to UDP queries.`
    yield finding("fake-ip", text, findPlaces(entries[0]!))
  } else if (queries.length > 0 && replies.length === 0) {
    yield silence(conversation, isRefused)
  }
  if (server !== undefined && isPrivate(server)) {
    const text = `${server} is a private address, which is reachable only from its own network.`
    yield finding("private-address", text, findPlaces(entries[0]!))
  }
  yield* incomplete(conversation, datagrams)
  yield* strays(conversation)
  yield* unexpected(conversation)
  if (replies.length > 0) yield* lost(queries)
  for (const query of queries) yield* timely(query)
  yield* large(entries, datagrams)
}

const silence = (conversation: Conversation, isRefused: boolean): Finding => {
  const { queries } = conversation
  const first = queries[0]!.sends[0]!
  const places = findAllPlaces(queries.flatMap(({ sends }) => sends))
  if (isRefused) {
    return finding("port-closed", `The host replied that no program listens on this UDP port (ICMP).`, places)
  }
  const text = `The server sent nothing back to ${countedRequests(queries)}${waited(conversation, first)}.`
  return finding("no-reply", text, places)
}

const DIFFERENT_IDS =
  "If this occurs each time, the server or a program in front of it writes wrong ids. Otherwise, fragments were lost: send the query again."

/** Reports fragments whose reply was never complete. */
function* incomplete({ entries }: Conversation, datagrams: ReadonlyArray<DiagnosedDatagram>): Generator<Finding> {
  const unfinished = entries.filter(({ isIncomplete }) => isIncomplete === true)
  const parted = new Set<Entry>()
  for (const entry of unfinished) {
    if (parted.has(entry)) continue
    const bytes = entry.datagrams.map((index) => datagrams[index]!.bytes)
    const layouts = bytes.map((one) => detectLayout(one))
    const layout = layouts.find((one) => one !== undefined)
    const headers = bytes.map((one) => dissectFragment(one, layout))
    const readValue = (fields: (typeof headers)[number], path: string): number | undefined => {
      const value = fields.find((field) => field.path === path)?.value
      return typeof value === "number" ? value : undefined
    }
    const total = headers.map((fields) => readValue(fields, "total")).find((one) => one !== undefined)
    const numbers = new Set(headers.map((fields) => readValue(fields, "number")))
    const places = entry.datagrams.map((datagram, i) => ({ datagram, offset: 0, length: bytes[i]!.length }))
    // Whether the client received a complete split reply after these fragments.
    const isRepeated = entries.some(
      ({ datagrams, joined, to }) => joined !== undefined && to === entry.to && datagrams[0]! > entry.datagrams[0]!
    )
    const severity = isRepeated ? "warning" : "error"
    const repeated = isRepeated ? " A later reply was complete." : ""
    if (layout === undefined || total === undefined) {
      const text = `${plural(bytes.length, "fragment")} of a split reply arrived, but not the first one, which starts the message.${repeated}`
      yield finding("missing-fragments", text, places, { severity })
    } else if (numbers.size === 1 && numbers.has(0)) {
      const other = otherId(entry, unfinished, datagrams)
      if (other !== undefined) {
        parted.add(other)
        const text =
          "A first fragment was followed by a fragment with another id. Fragments with different ids belong to different replies, so neither reply can be joined."
        yield finding("missing-fragments", `${text}${repeated}`, [...places, ...findPlaces(other)], {
          severity,
          hint: DIFFERENT_IDS
        })
        continue
      }
      const size = bytes[0]!.length
      const text = `Only the first of ${total} fragments arrived. It has ${plural(size, "byte")}, ${size + 28} with the headers of UDP and IPv4.${repeated}`
      yield finding("first-fragment-only", text, places, {
        severity,
        // If a later split reply was complete, the network does not drop all large datagrams, and packet loss is the likely reason.
        hint: isRepeated ? KINDS["missing-fragments"].hint : undefined
      })
    } else {
      const missing = Array.from({ length: total }, (_, number) => number).filter((number) => !numbers.has(number))
      const are =
        missing.length === 1
          ? `Fragment ${missing[0]! + 1} of ${total} is`
          : `Fragments ${enumeration(missing.map((number) => String(number + 1)))} of ${total} are`
      yield finding("missing-fragments", `${are} missing, so the reply cannot be joined.${repeated}`, places, {
        severity
      })
    }
  }
}

/**
 * If the id of the remaining fragments of a reply differs from the id of its first fragment, the remaining fragments must begin within this
 * many datagrams after the first fragment.
 */
const NEXT_DATAGRAMS = 2

/**
 * Finds the remaining fragments of a reply if their id probably differs from the id of the first fragment. `entry` contains only the first
 * fragment. The function searches `unfinished` for an entry that has the same addresses as `entry`, contains no first fragment, and begins
 * within the next {@link NEXT_DATAGRAMS} datagrams.
 */
const otherId = (
  entry: Entry,
  unfinished: ReadonlyArray<Entry>,
  datagrams: ReadonlyArray<DiagnosedDatagram>
): Entry | undefined => {
  const at = entry.datagrams[0]!
  return unfinished.find(
    ({ datagrams: own, from, to }) =>
      own[0]! > at &&
      own[0]! <= at + NEXT_DATAGRAMS &&
      from === entry.from &&
      to === entry.to &&
      detectLayout(datagrams[own[0]!]!.bytes) === undefined
  )
}

/** Returns the layout of a first fragment, and `undefined` for the later fragments of a reply. */
const detectLayout = (fragment: Uint8Array) => {
  const fields = dissectFragment(fragment)
  const total = fields.find(({ path }) => path === "total")
  if (total === undefined) return undefined
  if (fields.some(({ path }) => path === "size")) return "source"
  return fields.find(({ path }) => path === "number")?.offset === total.offset ? "goldsource" : "source-no-size"
}

function* strays({ entries, server }: Conversation): Generator<Finding> {
  const stray = entries.filter(({ isStray }) => isStray === true)
  if (stray.length === 0) return
  const sources = enumeration([...new Set(stray.map(({ from }) => String(from)))])
  yield finding(
    "other-address",
    `The requests went to ${server}, but ${stray.length === 1 ? "a reply" : `${stray.length} replies`} came from ${sources}.`,
    findAllPlaces(stray)
  )
}

/** Reports replies of a kind that does not match the query. */
function* unexpected({ entries }: Conversation): Generator<Finding> {
  for (const entry of entries) {
    if (entry.unexpectedFor === undefined) continue
    const text = `The server replied to ${requestName(entry.unexpectedFor)} with another message: ${messageName(entry.message!._tag)}.`
    yield finding("unexpected-reply", text, findPlaces(entry, HEADER_BYTES, 1), { field: "type" })
  }
}

/**
 * Reports the share of retransmitted requests as packet loss. Ignores the requests of a kind (such as RULES) if the server replied to none
 * of them.
 */
function* lost(queries: ReadonlyArray<Query>): Generator<Finding> {
  const answered = new Set(queries.filter(({ replies }) => replies.length > 0).map(({ tag }) => tag))
  const relevant = queries.filter(({ tag }) => answered.has(tag))
  const sends = relevant.reduce((sum, query) => sum + query.sends.length, 0)
  // Queries without any reply are omitted here, because another finding reports them.
  const retransmitted = relevant.flatMap(({ replies, sends }) =>
    replies.length === 0 ? [] : sends.slice(0, Math.max(0, sends.length - replies.length))
  )
  if (retransmitted.length === 0) return
  const names = enumeration([...new Set(retransmitted.map(({ message }) => requestName(message!._tag)))])
  const share = Math.round((100 * retransmitted.length) / sends)
  yield finding(
    "packet-loss",
    `${retransmitted.length} of ${plural(sends, "request")} (${share} %) had no reply and had to be sent again: ${names}. The request or its reply was lost.`,
    findAllPlaces(retransmitted)
  )
}

function* timely({ replies, sends, tag }: Query): Generator<Finding> {
  const [first, second] = replies
  if (first === undefined) return
  if (sends.length === 1 && second !== undefined && sameBytes(first.bytes, second.bytes)) {
    yield finding(
      "duplicate-reply",
      `The reply to ${requestName(tag)} arrived ${replies.length} times.`,
      findPlaces(second)
    )
  }
  const sentMs = sends[0]!.timeMs
  if (sends.length !== 1 || sentMs === undefined || first.timeMs === undefined) return
  const ms = first.timeMs - sentMs
  if (ms > SLOW_MS)
    yield finding("slow-reply", `The reply to ${requestName(tag)} took ${duration(ms)}.`, findPlaces(first))
}

function* large(entries: ReadonlyArray<Entry>, datagrams: ReadonlyArray<DiagnosedDatagram>): Generator<Finding> {
  const found = entries
    .filter(({ isRequest }) => isRequest !== true)
    .flatMap((entry) => entry.datagrams)
    .filter((index) => datagrams[index]!.bytes.length > FRAME_PAYLOAD)
  if (found.length === 0) return
  const most = Math.max(...found.map((index) => datagrams[index]!.bytes.length))
  yield finding(
    "large-datagram",
    `A datagram has ${plural(most, "byte")}, more than one Ethernet frame can carry (${FRAME_PAYLOAD}).`,
    found.map((datagram) => ({ datagram, offset: 0, length: datagrams[datagram]!.bytes.length }))
  )
}

/**
 * Creates the finding about a query without a reply from a server that replies to other queries. If the request contained a challenge of
 * the server, `challenges.ts` reports another finding.
 */
export const unanswered = (query: Query, why: string | undefined): Finding =>
  finding(
    "part-unanswered",
    `The server replies, but not to ${requestName(query.tag)} (${plural(query.sends.length, "request")}).`,
    findAllPlaces(query.sends),
    { hint: why === undefined ? undefined : `${why} ${KINDS["part-unanswered"].hint}` }
  )
