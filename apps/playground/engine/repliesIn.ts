/** Finds the replies in a conversation, for a server that sends the same bytes. The functions are pure. */
import { type DiagnosedDatagram, type Entry, type Query, findConversations } from "@sourcewire/diagnosis"
import { type Message, encode, toHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { GivenReply } from "./GivenReply.ts"
import { BY_REPLY } from "./replyKinds.ts"

type Kind = GivenReply["request"]

/** Kinds of requests by their messages. */
const BY_REQUEST: Readonly<Partial<Record<Message["_tag"], Kind>>> = {
  InfoRequest: "info",
  PlayersRequest: "players",
  RulesRequest: "rules",
  PingRequest: "ping",
  GetChallengeRequest: "getChallenge"
}

/** The replies of one server. */
export interface ServerReplies {
  /** Its address, if the datagrams have addresses. */
  readonly server: string | undefined
  readonly replies: ReadonlyArray<GivenReply>
}

/** The challenge that the client sent with a request; `undefined` if it sent no challenge, or −1 to request a challenge. */
const returnedChallenge = ({ sends }: Query): number | undefined => {
  const message = sends[0]?.message
  const challenge = message !== undefined && "challenge" in message ? message.challenge : undefined
  return typeof challenge === "number" && challenge !== -1 ? challenge : undefined
}

/**
 * The last complete reply of each server to each kind of request. If there is no complete reply, an incomplete or malformed reply is used.
 * If the client returned a challenge, the reply requires it, too.
 */
export const repliesIn = (datagrams: ReadonlyArray<DiagnosedDatagram>): ReadonlyArray<ServerReplies> => {
  const readHex = (index: number): string => toHex(datagrams[index]!.bytes)
  return findConversations(datagrams).flatMap(({ entries, queries, server }) => {
    const queryByReply = new Map(queries.flatMap((query) => query.replies.map((reply) => [reply, query] as const)))
    const challenges = entries.filter(({ message }) => message?._tag === "ChallengeReply")
    const findChallenge = (query: Query | undefined): string | undefined => {
      const number = query && returnedChallenge(query)
      if (query !== undefined && number === undefined) return undefined
      const sent = challenges.findLast(
        ({ message }) => number === undefined || (message as { readonly challenge: number }).challenge === number
      )
      if (sent !== undefined) return readHex(sent.datagrams[0]!)
      if (number === undefined) return undefined
      return toHex(Result.getOrThrow(encode({ _tag: "ChallengeReply", challenge: number })))
    }
    const found = new Map<Kind, Entry>()
    for (const entry of entries) {
      const { error, isRequest, message } = entry
      if (isRequest === true) continue
      const asked = queryByReply.get(entry)?.tag
      const tag = message?._tag ?? (error !== undefined && "messageTag" in error ? error.messageTag : undefined)
      // A challenge counts as a reply only if the client requested nothing but the challenge.
      if (tag === "ChallengeReply" && asked !== "GetChallengeRequest") continue
      const kind = BY_REPLY[tag as Message["_tag"]] ?? BY_REQUEST[asked ?? "UnknownMessage"]
      if (kind !== undefined && (message !== undefined || found.get(kind)?.message === undefined))
        found.set(kind, entry)
    }
    const replies = Array.from(found, ([request, entry]): GivenReply => {
      const isChallenged = request !== "ping" && request !== "getChallenge"
      const challenge = isChallenged ? findChallenge(queryByReply.get(entry)) : undefined
      return { request, ...(challenge === undefined ? {} : { challenge }), datagrams: entry.datagrams.map(readHex) }
    })
    return replies.length === 0 ? [] : [{ server, replies }]
  })
}
