/** Findings about challenges: whether the client sends the challenge back, and whether the server accepts the challenge. */
import type { Conversation, Entry, Query } from "./Conversation.ts"
import { fieldPlaces, findPlaces } from "./Conversation.ts"
import { unanswered } from "./delivery.ts"
import type { Finding } from "./Finding.ts"
import { finding } from "./make.ts"
import { duration, requestName } from "./words.ts"

/** The placeholders that clients send in the challenge field before they have received a challenge. */
const NONE: ReadonlySet<number> = new Set([-1, 0])

const challengeIn = ({ message }: Entry): number | undefined =>
  message !== undefined && "challenge" in message && typeof message.challenge === "number"
    ? message.challenge
    : undefined

const isChallenge = ({ message }: Entry): boolean => message?._tag === "ChallengeReply"

/** Whether the reply ends the query. All replies except a challenge end the query. */
const isFinal = (entry: Entry): boolean => !isChallenge(entry)

const swapped = (value: number): number => {
  const view = new DataView(new ArrayBuffer(4))
  view.setInt32(0, value, true)
  return view.getInt32(0, false)
}

const CHALLENGED = new Set(["InfoRequest", "PlayersRequest", "RulesRequest"])

const DATA = new Set(["InfoReply", "PlayersReply", "RulesReply"])

/** If the server has rejected the challenge in at least this many requests, and accepted no challenge, the finding is `challenge-loop`. */
const LOOP = 2

export function* challengeFindings(conversation: Conversation): Generator<Finding> {
  const { entries, queries } = conversation
  const issued = entries.filter(isChallenge)
  const zero = issued.find((entry) => challengeIn(entry) === 0)
  if (zero !== undefined) {
    yield finding("challenge-zero", "The challenge of this server is 0.", fieldPlaces(zero, "challenge"), {
      field: "challenge"
    })
  }
  const before = challengesBefore(entries)
  const byClient = Map.groupBy(entries, ({ from, isRequest, to }) => (isRequest === true ? from : to))
  const queriesByClient = Map.groupBy(queries, ({ sends }) => sends[0]!.from)
  for (const client of new Set(issued.map(({ to }) => to))) {
    yield* explainClient(byClient.get(client) ?? [], queriesByClient.get(client) ?? [], before)
  }
  const challenged = queries.filter(({ tag }) => CHALLENGED.has(tag))
  if (entries.every(({ isRequest }) => isRequest === true)) return
  yield* silences(conversation, challenged, before)
}

/** Whether every challenge in the replies is equal to the challenge in the request. */
const isRepeatedChallenge = ({ replies, sends }: Query): boolean =>
  replies.every((reply) => !isChallenge(reply) || challengeIn(reply) === challengeIn(sends[0]!))

/** For each request, the newest challenge that the client had received before it sent this request. */
type Before = ReadonlyMap<Entry, Entry | undefined>

const challengesBefore = (entries: ReadonlyArray<Entry>): Before => {
  const newest = new Map<string | undefined, Entry>()
  const before = new Map<Entry, Entry | undefined>()
  for (const entry of entries) {
    if (entry.isRequest === true) before.set(entry, newest.get(entry.from))
    else if (isChallenge(entry)) newest.set(entry.to, entry)
  }
  return before
}

function* explainClient(
  entries: ReadonlyArray<Entry>,
  queries: ReadonlyArray<Query>,
  before: Before
): Generator<Finding> {
  const own = queries.filter(({ tag }) => CHALLENGED.has(tag))
  const rejected = own.filter(({ replies, sends }) => {
    const send = sends[0]!
    const carried = challengeIn(send)
    const known = before.get(send)
    return known !== undefined && carried === challengeIn(known) && replies.some(isChallenge) && !replies.some(isFinal)
  })
  const last = rejected.at(-1)
  if (last !== undefined) {
    const accepted = own.some((query) => query.tag === last.tag && query.replies.some(isFinal))
    const places = rejected.flatMap(({ replies, sends }) => [
      ...fieldPlaces(sends[0]!, "challenge"),
      ...fieldPlaces(replies.find(isChallenge)!, "challenge")
    ])
    const name = requestName(last.tag)
    if (!accepted && rejected.length >= LOOP) {
      const text = `The server never accepts the challenge: ${rejected.length} times, it replied to ${name} with another challenge, although the request contained the challenge that the server had just sent.`
      yield finding("challenge-loop", text, places, { field: "challenge" })
    } else if (accepted && rejected.every(isRepeatedChallenge)) {
      // No finding: the server accepted the challenge. It sent the same challenge again only as a late reply to an earlier request.
    } else {
      const text = `The server did not accept the challenge that it had sent before, and replied to ${name} with a new challenge.`
      yield finding("challenge-expired", text, places, {
        field: "challenge",
        ...(accepted ? {} : { severity: "warning" as const })
      })
    }
  }
  const at = entries.findLastIndex(isChallenge)
  const issued = entries[at]!
  const carried = entries
    .slice(at + 1)
    .flatMap((entry) => (entry.isRequest === true ? challengeIn(entry) : undefined) ?? [])
  const isUsed = carried.some((one) => one === challengeIn(issued) || !NONE.has(one))
  // If a user has pasted only replies, there are no requests. In this case, if a reply with data follows the challenge, the client must
  // have sent the challenge back.
  const isKept =
    own.some(({ replies }) => replies.some(isFinal)) ||
    (own.length === 0 && entries.slice(at + 1).some(({ message }) => message !== undefined && DATA.has(message._tag)))
  if (isUsed || isKept || (last !== undefined && rejected.length > 0)) return
  const text = `The server sent a challenge (${challengeIn(issued)}) instead of the data, but no request with this challenge followed.`
  yield finding("challenge-unused", text, fieldPlaces(issued, "challenge"), { field: "challenge" })
}

/** Reports queries without a reply, if the server replied to other queries. */
function* silences(conversation: Conversation, challenged: ReadonlyArray<Query>, before: Before): Generator<Finding> {
  const { entries, queries } = conversation
  const silent = queries.filter(({ replies }) => replies.length === 0)
  const reported = new Set<string>()
  const withChallenge = new Set(challenged)
  const answered = new Set(challenged.flatMap((one) => (one.replies.some(isFinal) ? [one.tag] : [])))
  for (const query of silent) {
    const send = query.sends[0]!
    const carried = challengeIn(send)
    const known = before.get(send)
    const number = known === undefined ? undefined : challengeIn(known)
    const name = requestName(query.tag)
    const wasAnswered = answered.has(query.tag)
    const once = (kind: string): boolean => {
      const isNew = !reported.has(`${kind} ${query.tag}`)
      reported.add(`${kind} ${query.tag}`)
      return isNew
    }
    if (!withChallenge.has(query) || carried === undefined || known === undefined || NONE.has(carried)) {
      if (!wasAnswered && once("part")) yield unanswered(query, explainSilence(entries, query))
      else if (wasAnswered && once("lost")) {
        yield finding(
          "packet-loss",
          `A request for ${name} had no reply; other requests for ${name} had a reply.`,
          findPlaces(send)
        )
      }
    } else if (carried !== number) {
      const order =
        swapped(carried) === number ? " The bytes of the challenge in the request are in reverse order." : ""
      const text = `${name} contains the challenge ${carried}, but the server had sent the challenge ${number}. The server did not reply.${order}`
      if (once("wrong")) yield finding("wrong-challenge", text, fieldPlaces(send, "challenge"), { field: "challenge" })
    } else if (!wasAnswered && once("after")) {
      const age =
        send.timeMs === undefined || known.timeMs === undefined || send.timeMs - known.timeMs < 1000
          ? ""
          : ` The challenge was ${duration(send.timeMs - known.timeMs)} old; some caches accept a challenge for only about a second.`
      const text = `The server sent a challenge, but did not reply to ${name} with this challenge.${age}`
      const why = explainSilence(entries, query)
      const part = finding("silent-after-challenge", text, findPlaces(send))
      yield why === undefined ? part : { ...part, severity: "warning", hint: `${why} ${part.hint}` }
    }
  }
}

/**
 * Returns a probable reason why a query got no reply. The reason is derived from the last INFO reply, and is `undefined` if INFO shows
 * none.
 */
const explainSilence = (entries: ReadonlyArray<Entry>, { tag }: Query): string | undefined => {
  const info = entries.findLast(
    ({ message }) => message?._tag === "InfoReply" || message?._tag === "GoldSourceInfoReply"
  )?.message
  if (info === undefined || tag !== "PlayersRequest") return undefined
  if (!("players" in info) || !("passwordProtected" in info)) return undefined
  if (info.passwordProtected === true)
    return "INFO reports that the server requires a password. In this case, Xash3D does not reply to PLAYER."
  return info.players === 0 ? "INFO counts 0 players. In this case, Xash3D does not reply to PLAYER." : undefined
}
