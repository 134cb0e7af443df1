/**
 * Divides a list of datagrams into conversations. A conversation contains all messages between one server and its clients. This module
 * joins split replies, and assigns each reply to its request.
 */
import { Flows } from "@sourcewire/capture"
import { type DecodeError, type Message, decode, dissect } from "@sourcewire/protocol"
import { type Joined, findDeclaration, isSplit } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Place } from "./Finding.ts"

/** One UDP datagram. The addresses and the time can be absent, for example if a user has pasted the bytes. */
export interface DiagnosedDatagram {
  readonly bytes: Uint8Array
  /** When the datagram was sent or received, in ms. All datagrams of a list must use the same clock. */
  readonly timeMs?: number | undefined
  /** `host:port` of the sender, or another name of the sender. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A decoded message, a message that cannot be decoded, or the fragments of an incomplete reply. */
export interface Entry {
  /** Indices of the entry's datagrams, in the order of arrival. */
  readonly datagrams: ReadonlyArray<number>
  /** Time of the entry's last datagram. */
  readonly timeMs: number | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  /** The bytes of the message, after its fragments were joined and decompressed. */
  readonly bytes: Uint8Array
  readonly isRequest: boolean | undefined
  readonly message?: Message
  readonly error?: DecodeError
  readonly joined?: Joined
  /** Whether the entry consists of fragments of a reply that was never complete. */
  readonly isIncomplete?: true
  /** Whether the message came from an address to which the client had sent no request. */
  isStray?: true
  /**
   * The kind of request to which this message is probably the reply, although its type does not match. Absent if a request expects this
   * type of message.
   */
  unexpectedFor?: Message["_tag"]
}

/** A request, its retransmissions, and the replies to this request. */
export interface Query {
  readonly tag: Message["_tag"]
  readonly sends: Array<Entry>
  readonly replies: Array<Entry>
}

export interface Conversation {
  /** Address of the server, if it is known. */
  readonly server: string | undefined
  readonly entries: Array<Entry>
  readonly queries: ReadonlyArray<Query>
}

/** The types of replies to each type of request. In addition, a refusal can be a reply to every request. */
const REPLIES: Readonly<Partial<Record<Message["_tag"], ReadonlyArray<Message["_tag"]>>>> = {
  InfoRequest: ["InfoReply", "GoldSourceInfoReply", "ChallengeReply"],
  PlayersRequest: ["PlayersReply", "ChallengeReply"],
  RulesRequest: ["RulesReply", "ChallengeReply"],
  PingRequest: ["PingReply"],
  ProxyAgeRequest: ["PingReply"],
  GetChallengeRequest: ["ChallengeReply"],
  RconChallengeRequest: ["RconChallengeReply"]
}

const REFUSALS: ReadonlySet<string> = new Set(["PrintReply", "ConnectionRejected"])

/** Whether the entry can be a reply to a request of this type. If the entry cannot be decoded, the function returns `true`. */
const answers = (reply: Entry, request: Message["_tag"]): boolean => {
  const tag = reply.message?._tag
  const expected = REPLIES[request]
  return tag === undefined || REFUSALS.has(tag) || expected === undefined || expected.includes(tag)
}

const findDirection = (tag: string | undefined): boolean | undefined => {
  const direction = tag === undefined ? undefined : findDeclaration(tag)?.direction
  return direction === undefined || direction === "both" ? undefined : direction === "request"
}

const ID_BYTES = 8
const readId = (fragment: Uint8Array): string => fragment.subarray(4, ID_BYTES).join()

/** Returns all messages in a list of datagrams, in the order in which the messages became complete. */
const readEntries = (datagrams: ReadonlyArray<DiagnosedDatagram>): Array<Entry> => {
  const flows = new Flows<number>()
  const entries: Array<Entry> = []
  /** Fragments whose reply is not complete yet. The key consists of the flow (sender and receiver) and the id of the reply. */
  const waiting = new Map<string, Array<number>>()
  /** Flows and ids of the joined replies. A later fragment with the same flow and id is a duplicate. */
  const joinedIds = new Set<string>()
  const ends = (index: number) => {
    const { from, timeMs, to } = datagrams[index]!
    return { from, timeMs, to }
  }
  const whole = (bytes: Uint8Array, places: ReadonlyArray<number>, joined?: Joined): Entry => {
    const decoded = decode(bytes)
    const common = { datagrams: places, ...ends(places.at(-1)!), bytes, ...(joined === undefined ? {} : { joined }) }
    if (Result.isSuccess(decoded)) {
      const message = decoded.success
      return { ...common, isRequest: findDirection(message._tag), message }
    }
    const error = decoded.failure
    return { ...common, isRequest: findDirection("messageTag" in error ? error.messageTag : undefined), error }
  }
  datagrams.forEach((datagram, index) => {
    const { bytes } = datagram
    if (!isSplit(bytes)) return void entries.push(whole(bytes, [index]))
    const key = `${datagram.from} ${datagram.to} ${readId(bytes)}`
    const held = waiting.get(key) ?? []
    const added = flows.add(datagram, index)
    if (Result.isFailure(added)) {
      waiting.delete(key)
      entries.push({ datagrams: [...held, index], ...ends(index), bytes, isRequest: false, error: added.failure })
    } else if (added.success === undefined) {
      if (!joinedIds.has(key)) waiting.set(key, [...held, index])
    } else {
      waiting.delete(key)
      joinedIds.add(key)
      const { joined, places } = added.success
      entries.push(
        whole(
          joined.bytes,
          places.toSorted((a, b) => a - b),
          joined
        )
      )
    }
  })
  for (const held of waiting.values()) {
    const last = held.at(-1)!
    entries.push({
      datagrams: held,
      ...ends(last),
      bytes: datagrams[held[0]!]!.bytes,
      isRequest: false,
      isIncomplete: true
    })
  }
  return entries.sort((a, b) => a.datagrams.at(-1)! - b.datagrams.at(-1)!)
}

const parseHost = (address: string): string => address.slice(0, Math.max(0, address.lastIndexOf(":"))) || address

/**
 * Types of messages that belong to only one kind of query. The list also contains types of requests, because some servers send the client's
 * request back instead of a reply.
 */
const SPECIFIC: ReadonlySet<string> = new Set([
  "InfoRequest",
  "PlayersRequest",
  "RulesRequest",
  "InfoReply",
  "GoldSourceInfoReply",
  "PlayersReply",
  "RulesReply"
])

/**
 * Finds the query to which the server probably replied with this message, although the message has the wrong type. The function considers
 * only queries without a reply.
 */
const findMistaken = ({ message }: Entry, open: ReadonlyArray<Query>): Query | undefined =>
  SPECIFIC.has(message?._tag ?? "")
    ? open.find(({ replies, tag }) => replies.length === 0 && SPECIFIC.has(tag))
    : undefined

/** Replies are assigned only to this many of a client's latest queries. Older queries are assigned no further replies. */
const MAX_OPEN = 64

/** Assigns replies to requests, separately for each client. */
const matchQueries = (entries: ReadonlyArray<Entry>): ReadonlyArray<Query> => {
  const queries: Array<Query> = []
  const byClient = new Map<string, Array<Query>>()
  for (const entry of entries) {
    const client = (entry.isRequest === true ? entry.from : entry.to) ?? ""
    const open = byClient.get(client) ?? []
    byClient.set(client, open)
    if (entry.isRequest === true) {
      const tag = entry.message?._tag
      if (tag === undefined || tag === "UnknownMessage" || tag === "ConnectionMessage") continue
      const same = open.findLast((one) => one.tag === tag)
      if (same !== undefined && same.replies.length === 0 && sameBytes(same.sends[0]!.bytes, entry.bytes)) {
        same.sends.push(entry)
        continue
      }
      const query: Query = { tag, sends: [entry], replies: [] }
      queries.push(query)
      open.push(query)
      if (open.length > MAX_OPEN) open.shift()
    } else if (entry.isRequest === false) {
      const fitting = open.filter(({ tag }) => answers(entry, tag))
      const query =
        fitting.find(({ replies }) => replies.length === 0) ??
        fitting.findLast(({ replies, sends }) => replies.length < sends.length) ??
        fitting.at(-1)
      const unexpected = query === undefined ? findMistaken(entry, open) : undefined
      if (unexpected !== undefined) entry.unexpectedFor = unexpected.tag
      const replied = query ?? unexpected
      replied?.replies.push(entry)
    }
  }
  return queries
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

/** Returns the conversations in a list of datagrams, in the order of the first message of each conversation. */
export const findConversations = (datagrams: ReadonlyArray<DiagnosedDatagram>): ReadonlyArray<Conversation> => {
  const entries = readEntries(datagrams)
  const servers = new Set<string>()
  const repliers = new Set<string>()
  /** The servers to which each client sent requests. */
  const queried = new Map<string, Set<string>>()
  for (const { from, isRequest, to } of entries) {
    if (isRequest === true && to !== undefined) servers.add(to)
    if (isRequest === false && from !== undefined) repliers.add(from)
  }
  const groups = new Map<string | undefined, Array<Entry>>()
  for (const given of entries) {
    const { from, to } = given
    // If a server sends a request to its client, it sends back the client's request or behaves incorrectly. In both cases, the message
    // counts as a reply. If the type of a message can be both a request and a reply, the first message between two hosts counts as a
    // request. Such messages without addresses count as replies.
    const isEcho =
      given.isRequest === true &&
      from !== undefined &&
      to !== undefined &&
      queried.get(to)?.has(from) === true &&
      queried.get(from)?.has(to) !== true
    const isRequest = isEcho
      ? false
      : (given.isRequest ?? (from !== undefined && to !== undefined && !servers.has(from) && !repliers.has(from)))
    if (isRequest && given.isRequest === undefined) servers.add(to!)
    const entry: Entry = { ...given, isRequest }
    let server = isRequest ? to : from
    if (isRequest && from !== undefined && to !== undefined) {
      const targets = queried.get(from) ?? new Set()
      // Moves the server to the end of `targets`, so that the last element is the server to which the client sent its latest request.
      targets.delete(to)
      queried.set(from, targets.add(to))
    } else if (!isRequest && from !== undefined && to !== undefined) {
      const targets = queried.get(to)
      if (targets !== undefined && !targets.has(from)) {
        entry.isStray = true
        const all = [...targets]
        server = all.findLast((one) => parseHost(one) === parseHost(from)) ?? all.at(-1)
      }
    }
    const group = groups.get(server)
    if (group === undefined) groups.set(server, [entry])
    else group.push(entry)
  }
  return Array.from(groups, ([server, entries]) => ({ server, entries, queries: matchQueries(entries) }))
}

/** Returns where a range of the message's bytes is in the datagrams (default: all bytes of the message). */
export const findPlaces = (entry: Entry, offset = 0, length = entry.bytes.length): ReadonlyArray<Place> => {
  const { datagrams, joined } = entry
  if (joined === undefined) return [{ datagram: datagrams[0]!, offset, length }]
  // `joined.fragments` is sorted by fragment number, but `datagrams` is in the order of arrival.
  const arrival = joined.fragments.map(({ datagram }) => datagram)
  const sorted = arrival.toSorted((a, b) => a - b)
  const end = offset + length
  const places = joined.fragments.flatMap((fragment, number): ReadonlyArray<Place> => {
    const datagram = datagrams[sorted.indexOf(arrival[number]!)]!
    if (joined.compressed) return [{ datagram, offset: fragment.offset, length: fragment.length }]
    const from = Math.max(offset, fragment.start)
    const to = Math.min(end, fragment.start + fragment.length)
    return from < to ? [{ datagram, offset: from - fragment.start + fragment.offset, length: to - from }] : []
  })
  if (places.length > 0) return places
  const last = joined.fragments.at(-1)!
  return [{ datagram: datagrams.at(-1)!, offset: last.offset + last.length, length: 0 }]
}

/**
 * Returns where the bytes of a field are in the datagrams. If the message does not have this field, the result covers all bytes of the
 * message.
 */
export const fieldPlaces = (entry: Entry, path: string): ReadonlyArray<Place> => {
  const field = dissect(entry.bytes).fields.find((one) => one.path === path)
  return field === undefined ? findPlaces(entry) : findPlaces(entry, field.offset, field.length)
}
