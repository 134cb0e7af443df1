/** Targets for the server side: the responder for queries, and the RCON servers over UDP and TCP. The requests over UDP come from several addresses. */
import { decode, toHex } from "@sourcewire/protocol"
import { connectionless, encodePacket, join } from "@sourcewire/protocol/wire"
import { type Profile, Responder } from "@sourcewire/server"
import {
  ChallengeIssuer,
  compress,
  GoldSourceConsole,
  LoginAttempts,
  SourceConnection
} from "@sourcewire/server/machines"
import * as Result from "effect/Result"
import { allProfiles, codecs, datagrams, generated } from "../seeds.ts"
import { type Input, must, type Target } from "../Target.ts"

const common = { events: true, maxBytes: 8192, baseSteps: 100_000, stepsPerByte: 800 } as const

/** Issues challenges with a fixed key, so that a campaign can be repeated. */
const challenges = (lifetimeMs: number) => new ChallengeIssuer({ lifetimeMs, makeKey: () => new Uint8Array(16) })

const totalBytes = (replies: ReadonlyArray<Uint8Array>): number => replies.reduce((sum, { length }) => sum + length, 0)

const responders = new Map<Profile, Responder>()

/**
 * Returns the responder of a profile. All runs share this responder, because the preparation of its replies takes a long time. The key for
 * the challenges is fixed, so only one property of the responder changes between runs: the id of the next split reply.
 */
const sharedResponder = (profile: Profile): Responder => {
  const known = responders.get(profile)
  if (known !== undefined) return known
  const made = new Responder(profile, { compress: compress, challenges: challenges(30_000), firstSplitId: 1 })
  responders.set(profile, made)
  return made
}

/**
 * All profiles, but with an empty list `trusts`. With this list, a server sends complete replies only to clients whose request contains a
 * valid challenge.
 */
const careful: ReadonlyArray<Profile> = allProfiles.map((profile) => ({ ...profile, trusts: [] }))

const ADDRESSES = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "192.0.2.1"]
const CHALLENGE_AT: Readonly<Record<number, number>> = { 0x54: 25, 0x55: 5, 0x56: 5 }

/** Returns a copy of `request` that contains the challenge at the position for this kind of request. */
const proven = (request: Uint8Array, challenge: Uint8Array): Uint8Array => {
  const at = CHALLENGE_AT[request[4] ?? 0]
  if (at === undefined) return request
  const made = new Uint8Array(Math.max(request.length, at + 4))
  made.set(request)
  made.set(challenge, at)
  return made
}

/**
 * The responder, with requests from several addresses. The first part of an input selects the profile. The first three bytes of an event
 * select:
 *
 *     the client
 *     the challenge to insert: 1 for this client's challenge, 2 for the challenge that was issued last, 0 for none
 *     the time since the last event, in units of 256 ms
 */
export const responder: Target = {
  ...common,
  name: "responder",
  holds:
    "no throw; without the client's own challenge, replies are not larger than the request; replies can be decoded",
  covers: /^packages\/server\/src\/(query\/(Responder|Challenge|request|prepare)|limits\/siphash)/,
  weight: 8,
  steering: 3,
  baseSteps: 1_000_000,
  seeds: () => {
    const asked = [
      connectionless("TSource Engine Query\0"),
      connectionless("U\xff\xff\xff\xff"),
      connectionless("V\xff\xff\xff\xff")
    ]
    const requests = [
      ...asked,
      connectionless("W"),
      connectionless("i"),
      ...["details", "players", "rules", "ping", "infostring"].map(connectionless)
    ]
    return [
      ...careful.map((_, profile): Input => [
        Uint8Array.of(profile, 0, 0),
        ...requests.map((request) => Uint8Array.of(0, 0, 1, ...request)),
        ...asked.map((request) => Uint8Array.of(0, 1, 1, ...request)),
        ...asked.map((request) => Uint8Array.of(1, 2, 1, ...request))
      ]),
      ...codecs.map((codec, i): Input => [
        Uint8Array.of(i, 0, 0),
        ...generated(codec, 4).map((bytes) => Uint8Array.of(0, 1, 1, ...bytes))
      ]),
      ...datagrams.slice(0, 40).map((bytes, i): Input => [Uint8Array.of(i, 0, 0), Uint8Array.of(0, 0, 1, ...bytes)])
    ]
  },
  run: ([how = Uint8Array.of(0), ...events]) => {
    const profile = careful[(how[0] ?? 0) % careful.length]!
    const subject = sharedResponder(profile)
    const given = new Map<string, Uint8Array>()
    let last: Uint8Array | undefined
    let now = 0
    for (const event of events) {
      now += (event[2] ?? 0) * 256
      const address = ADDRESSES[(event[0] ?? 0) % ADDRESSES.length]!
      const mode = (event[1] ?? 0) % 3
      const challenge = mode === 1 ? given.get(address) : mode === 2 ? last : undefined
      const plain = event.subarray(3)
      const request = challenge === undefined ? plain : proven(plain, challenge)
      const before = toHex(request)
      const replies = subject.respond(request, address, 40_000, now)
      must(toHex(request) === before, "the request was changed")
      const own = given.get(address)
      const mayBeProven = own !== undefined && before.includes(toHex(own))
      must(mayBeProven || totalBytes(replies) <= request.length, "more bytes out than in without proof")
      for (const reply of replies) {
        if (reply[0] === 0xff && reply[4] === 0x41 && reply.length === 9) {
          last = reply.slice(5)
          given.set(address, last)
        }
      }
      checkReplies(replies, profile)
    }
  }
}

/**
 * Profile, kind and size of each reply that was already checked. Replies with the same profile, kind and size differ only in their
 * challenges and in the ids of split replies. Therefore it is enough to check one of these replies.
 */
const known = new Set<string>()

const isKnown = (key: string): boolean => {
  const before = known.size
  return known.add(key).size === before
}

const checkReplies = (replies: ReadonlyArray<Uint8Array>, { name, oversize }: Profile): void => {
  const fragments = replies.filter((reply) => reply[0] === 0xfe)
  if (fragments.length > 0 && !isKnown(`${name} ${fragments.length} ${totalBytes(fragments)}`)) {
    must(Result.isSuccess(join(fragments)), "fragments that do not join")
  }
  if (oversize.how === "truncate") return
  for (const reply of replies) {
    if (reply[0] === 0xfe || isKnown(`${name} ${reply[4]} ${reply.length}`)) continue
    must(Result.isSuccess(decode(reply)), "a reply that does not decode")
  }
}

const PASSWORD = new TextEncoder().encode("correct horse")
const hasPassword = (bytes: Uint8Array): boolean => toHex(bytes).includes(toHex(PASSWORD))

/**
 * The RCON server over UDP. A reply to a client without a challenge must not be larger than the request. Replies that contain a challenge
 * are an exception, and their rate is limited. The first three bytes of an event select:
 *
 *     the client
 *     whether the client's challenge is inserted after `rcon ` (1)
 *     the time since the last event, in units of 256 ms
 */
export const goldSourceConsole: Target = {
  ...common,
  name: "rcon udp server",
  holds:
    "no throw; commands require challenge and password; without a challenge, replies exceed requests by at most 30 bytes, at a limited rate",
  covers: /^packages\/server\/src\/(rcon\/(goldSource|loginAttempts|password)|query\/Challenge)/,
  weight: 4,
  steering: 3,
  seeds: () =>
    [0, 1].map((dialect): Input => {
      const command = connectionless('rcon 1 "correct horse" status')
      return [
        Uint8Array.of(dialect, 0, 0),
        Uint8Array.of(0, 0, 1, ...connectionless("challenge rcon\n")),
        Uint8Array.of(0, 1, 1, ...command),
        Uint8Array.of(0, 1, 1, ...connectionless('rcon 1 "wrong" status')),
        Uint8Array.of(1, 1, 1, ...command),
        Uint8Array.of(1, 0, 1, ...connectionless('rcon "correct horse" status')),
        Uint8Array.of(0, 0, 1, ...connectionless("TSource Engine Query\0"))
      ]
    }),
  run: ([how = Uint8Array.of(0), ...events]) => {
    const dialect = (how[0] ?? 0) % 2 === 0 ? "goldsource" : "quake"
    const console = new GoldSourceConsole({
      dialect,
      password: PASSWORD,
      attempts: new LoginAttempts(),
      encoding: "auto",
      challenges: challenges(1_800_000)
    })
    const given = new Map<string, string>()
    let now = 0
    let unprovenSurplus = 0
    for (const event of events) {
      now += (event[2] ?? 0) * 256
      const address = ADDRESSES[(event[0] ?? 0) % ADDRESSES.length]!
      const challenge = given.get(address)
      const plain = event.subarray(3)
      const request =
        challenge !== undefined && (event[1] ?? 0) % 2 === 1
          ? Uint8Array.of(...connectionless(`rcon ${challenge}`), ...plain.subarray(10))
          : plain
      const answer = console.receive(request, address, 40_000, now)
      if (answer.kind === "command") {
        must(hasPassword(request), "a command without the password")
        must(dialect === "quake" || challenge !== undefined, "a command without a challenge")
        must(
          console.reply("x\n").every((reply) => Result.isSuccess(decode(reply))),
          "a reply that does not decode"
        )
        continue
      }
      if (answer.kind === "foreign") continue
      const text = Buffer.concat(answer.datagrams).toString("latin1")
      must(!text.includes("correct horse") || hasPassword(request), "the password was sent")
      const number = /challenge rcon (\d+)/.exec(text)?.[1]
      if (number !== undefined) given.set(address, number)
      if (challenge === undefined) unprovenSurplus += Math.max(0, totalBytes(answer.datagrams) - request.length)
    }
    must(unprovenSurplus <= 30 * (20 + (now / 1000) * 10), "more than the rationed bytes without proof")
  }
}

/**
 * The Source RCON server over TCP. The first byte of an event selects the kind of the event:
 *
 *     0–2  a segment
 *     3    the end of the running command
 *     4    `resume` after a failed login
 */
export const sourceConnection: Target = {
  ...common,
  name: "rcon source server",
  holds:
    "no throw; commands require the password, and run one at a time; apart from results, few bytes are sent for the received ones",
  covers: /^packages\/server\/src\/rcon\/(sourceConnection|password)/,
  weight: 3,
  steering: 1,
  seeds: () => {
    const packet = (id: number, type: number, body: string): Uint8Array =>
      Uint8Array.of(0, ...encodePacket({ id, type, body: new TextEncoder().encode(body) }))
    const command = packet(2, 2, "status")
    return [
      [packet(1, 3, "correct horse"), command, Uint8Array.of(3, 65, 66), packet(3, 0, ""), command, packet(4, 2, "x")],
      [packet(1, 3, "wrong"), command, Uint8Array.of(4), packet(1, 3, "correct horse"), command, Uint8Array.of(3)],
      [command, packet(9, 7, "?"), packet(1, 3, "")]
    ]
  },
  run: (events) => {
    const subject = new SourceConnection(PASSWORD)
    let isRunning = false
    let came: Uint8Array = new Uint8Array()
    let out = 0
    for (const event of events) {
      const body = event.subarray(1)
      switch ((event[0] ?? 0) % 5) {
        case 3:
          isRunning = false
          out -= body.length + 14
          subject.reply(body)
          break
        case 4:
          subject.resume()
          break
        default:
          came = Uint8Array.of(...came, ...body)
          subject.receive(body)
      }
      for (const what of subject.takeEvents()) {
        if (what.kind === "logged-in") must(hasPassword(came), "logged in without the password")
        if (what.kind !== "command") continue
        must(!isRunning && subject.loggedIn, "a command that may not run")
        isRunning = true
      }
      for (const packet of subject.takePackets()) out += encodePacket(packet).length
      must(out <= 4 * came.length + 64, "more than four bytes were sent per received byte")
    }
  }
}
