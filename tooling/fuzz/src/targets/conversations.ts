/**
 * Targets for the state machines over UDP, except queries and RCON: master lists, the handshake, messages of an open connection, and log
 * lines.
 */
import { Limits } from "@sourcewire/core/engine"
import { LogEntry } from "@sourcewire/core/log"
import { MasterPageExchange, MasterPaging } from "@sourcewire/core/master"
import { ConnectionSession, HandshakeExchange } from "@sourcewire/core/query"
import { encode } from "@sourcewire/protocol"
import { connectionless, Limits as WireLimits, MasterReply } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { codecs, datagrams, generated } from "../seeds.ts"
import { type Input, must, type Target } from "../Target.ts"
import { converse } from "./play.ts"

const SETTINGS = { timeoutMs: 3000, retries: 3, encoding: "auto", random: () => 0.5 } as const

const common = { maxBytes: 8192, baseSteps: 20_000, stepsPerByte: 600 } as const
const conversation = { ...common, events: true, steering: 1 } as const

const ofTags = (...tags: ReadonlyArray<string>): ReadonlyArray<Uint8Array> =>
  codecs.filter(({ tag }) => tags.includes(tag)).flatMap((codec) => generated(codec, 8))

const timed = (parts: ReadonlyArray<Uint8Array>): Input => parts.map((part) => Uint8Array.of(2, ...part))

export const master: Target = {
  ...conversation,
  name: "master list",
  holds: "no throw; each address once; counts are below their limits; lists end, and pages end before their deadline",
  covers: /^packages\/core\/src\/master\/MasterPag/,
  weight: 3,
  seeds: () => [
    timed(ofTags("MasterReply")),
    timed([...ofTags("MasterReply"), connectionless("f\x0a")]),
    timed(ofTags("PrintReply"))
  ],
  run: (events) => {
    const limits = { maxServers: 40, maxPages: 20 }
    const paging = new MasterPaging(limits)
    const known = new Set<string>()
    let pages = 0
    for (const event of events) {
      const reply = MasterReply.decode(event.slice(1))
      if (Result.isFailure(reply)) continue
      const page = paging.take(reply.success)
      for (const server of page.servers) {
        must(!known.has(server), "an address came twice")
        known.add(server)
      }
      must(known.size <= limits.maxServers && ++pages <= limits.maxPages, "a list above its caps")
      must(Result.isSuccess(encode({ _tag: "MasterRequest", region: 255, seed: paging.seed, filter: "" })), "no seed")
      if (page.end !== undefined) break
    }
    const request = connectionless("1\xff0.0.0.0:0\0\0")
    const most = SETTINGS.retries + 2 + Limits.MAX_MASTER_ROUNDS
    // The exchange may last two timeouts: one before the first datagram of the reply, and one after that datagram.
    const exchange = new MasterPageExchange(request, paging, SETTINGS)
    const { sent } = converse(exchange, 2 * SETTINGS.timeoutMs, events, conversation.steering)
    must(sent <= most, "sent too much")
  }
}

const OWN = 0x0b5eaa

/**
 * Maximum number of sent datagrams. This is the sum of:
 *
 * - one datagram per form of the request
 * - one datagram per retry
 * - the datagrams after challenges and after changes of the form
 * - one datagram after a damaged reply
 */
const MOST_SENT = 3 + SETTINGS.retries + 2 * Limits.MAX_CHALLENGE_ROUNDS + 2

export const handshake: Target = {
  ...conversation,
  name: "handshake",
  holds: "no throw; ends before its deadline; a reply of Source 2013 is accepted only with the number that was sent",
  covers: /^packages\/core\/src\/handshake\/HandshakeExchange/,
  weight: 2,
  seeds: () => [
    timed(ofTags("HandshakeChallenge")),
    timed(ofTags("CsgoHandshakeChallenge", "GoldSourceHandshakeChallenge")),
    timed([connectionless("challenge 5 0"), ...ofTags("InfoReply", "PingReply")]),
    timed(ofTags("HandshakeChallenge", "ChallengeReply")),
    timed(ofTags("ChallengeReply", "ConnectionRejected", "ConnectionMessage")),
    timed([connectionless("A\x01\x02\x03\x04"), connectionless("A\x01\x02\x03\x04")])
  ],
  run: (events) => {
    const exchange = new HandshakeExchange(OWN, SETTINGS)
    const { result, sent } = converse(exchange, SETTINGS.timeoutMs, events, conversation.steering)
    must(sent <= MOST_SENT, "sent too much")
    if (Result.isFailure(result)) return
    const { clientChallenge, reply } = result.success
    if (reply._tag === "ChallengeReply") must(reply.challenge === clientChallenge, "a stale number")
    if (reply._tag === "HandshakeChallenge") must(reply.clientChallenge === clientChallenge, "a stale number")
  }
}

export const connection: Target = {
  ...conversation,
  name: "connection",
  holds: "no throw; the count never decreases; each of our messages gets one reply",
  covers: /^packages\/core\/src\/handshake\/ConnectionSession/,
  weight: 1,
  seeds: () => [timed(ofTags("ConnectionMessage")), timed([...ofTags("ConnectionMessage"), ...datagrams.slice(0, 10)])],
  run: (events) => {
    const session = new ConnectionSession()
    const open = new Set<number>()
    for (const event of events) {
      if ((event[0] ?? 0) % 2 === 0) {
        const sent = session.send(event[0]!, event.slice(1, 20), session.lastReceived)
        if (Result.isSuccess(sent)) open.add(sent.success.messageId)
      }
      const before = session.lastReceived
      const received = session.receive(event.subarray(1))
      if (Result.isFailure(received)) {
        must(session.lastReceived === before, "a message that is none changed the count")
        continue
      }
      const { answers, missing, order } = received.success
      must(order === "behind" ? session.lastReceived === before : missing >= 0, "the count went back")
      if (answers !== undefined) must(open.delete(answers.messageId), "answered twice")
    }
  }
}

export const logLine: Target = {
  ...common,
  name: "log line",
  holds: "no throw; times are valid; the line is not longer than the datagram, and does not contain the secret",
  covers: /^packages\/core\/src\/log\/LogEntry/,
  weight: 3,
  maxBytes: 2048,
  seeds: () => [
    ...ofTags("LogLine", "SecretLogLine", "GoldSourceLogLine").map((bytes): Input => [bytes]),
    [connectionless('RL 06/28/2025 - 08:42:47: World triggered "Round_Start"\n\0')],
    [connectionless('S12345L 06/28/2025 - 08:42:47.123 - "a<1><BOT><CT>" say "gg"\n\0')],
    [connectionless("log L 06/28/2025 - 08:42:47: Log file closed\n\0")]
  ],
  run: ([bytes = new Uint8Array()]) => {
    const opened = LogEntry.openDatagram(bytes)
    if (opened === undefined) return
    const record = LogEntry.readLine(opened)
    const secretBytes = opened.secret?.length ?? 0
    must(opened.plain.length + secretBytes === bytes.length, "bytes got lost or were taken twice")
    must(record.text.length <= record.line.length && record.line.length <= bytes.length, "more text than came")
    if (record.time !== undefined) {
      const iso = LogEntry.formatTime(record.time)
      must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/.test(iso), `a time like ${iso}`)
    }
    must(bytes.length <= WireLimits.MAX_JOINED_BYTES, "a datagram above every cap")
  }
}
