/**
 * Runs queries against recordings of real servers. Each recording is a list of requests with their replies, and contains its source and
 * date.
 */
import { isSplit, MessageType, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import * as Query from "../src/query/Query.ts"
import { QueryExchange } from "../src/query/QueryExchange.ts"
import type { Server } from "./drive.ts"
import { parseHex, drive } from "./drive.ts"
import * as messages from "./messages.ts"

interface Recorded {
  readonly name: string
  readonly request_hex: string
  readonly replies: ReadonlyArray<{ readonly hex: string }>
}

const folder = new URL("fixtures/recordings/", import.meta.url)
const recordings = new Map(
  readdirSync(folder).map((file) => {
    const recording = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { exchanges: ReadonlyArray<Recorded> }
    return [file.replace(".json", ""), recording.exchanges] as const
  })
)

/** Returns the challenge in a request (in hex), or an empty string if the request contains no challenge. */
const readChallengeHex = (request: string): string => {
  if (request.startsWith(messages.ASK_INFO)) return request.slice(messages.ASK_INFO.length)
  const last = /^ffffffff5[56](.{8})$/.exec(request)?.[1] ?? "ffffffff"
  return last === "ffffffff" ? "" : last
}

/**
 * Creates a server that sends the recorded replies of the named exchanges. If a recorded request contains a challenge, a client first sends
 * the same request without the challenge. If no named exchange contains a reply to this first request, the server replies with the
 * challenge. The server ignores every request that is neither in a named exchange nor such a first request.
 */
const makeServer = (recording: string, names: ReadonlyArray<string>): Server => {
  const chosen = names.map(
    (name) => recordings.get(recording)!.find((one) => one.name === name) ?? expect.unreachable(`no exchange ${name}`)
  )
  const replies = new Map(chosen.map((one) => [one.request_hex, one.replies.map(({ hex }) => hex)]))
  for (const { request_hex: request } of chosen) {
    const challenge = readChallengeHex(request)
    if (challenge === "") continue
    const opening = request.slice(0, -8) + (request.startsWith(messages.ASK_INFO) ? "" : "ffffffff")
    if (!replies.has(opening)) replies.set(opening, [messages.challengeHex(challenge)])
  }
  return (request) => (replies.get(request) ?? []).map((hex, i) => ({ hex, after: 5 + i }))
}

const runQuery = <A>(query: Query.Query<A>, server: Server): unknown => {
  const exchange = new QueryExchange(query, { timeoutMs: 3000, retries: 8, encoding: "auto", random: () => 0.5 })
  const { result } = drive(exchange, server)
  return Result.isSuccess(result) ? result.success : result.failure
}

const timeoutIn = (phase: string) => ({ _tag: "Timeout", phase })
const named = (name: string) => expect.objectContaining({ name })

describe("a query to Xash3D", () => {
  it.each([
    ["info: no players", { protocol: 0x31, players: 0, maxPlayers: 16, version: "0.21" }],
    ["info: five bots", { players: 5, bots: 5 }],
    ["info: server with a password", { passwordProtected: true }],
    ["info: long host name (200)", { name: expect.stringMatching(/^.{200}$/) }],
    ["info: host name with UTF-8", { name: expect.stringContaining("ë") }]
  ])("returns the recorded INFO: %s", (name, info) => {
    expect(runQuery(Query.info, makeServer("xash3d", [name]))).toMatchObject({ _tag: "InfoReply", ...info })
  })

  it.each([
    ["players: right challenge, five bots", { players: { length: 5 }, truncated: false }],
    ["players: five bots and one connecting human", { players: { length: 6 } }],
    ["players: right challenge, but no player on the server", timeoutIn("challenge")],
    ["players: right challenge, server with a password", timeoutIn("challenge")]
  ])("has the recorded result of PLAYER: %s", (name, players) => {
    expect(runQuery(Query.players, makeServer("xash3d", [name]))).toMatchObject(players)
  })

  it.each([
    ["rules: right challenge", { announced: 56, rules: { length: 56 } }],
    ["rules: reply longer than 1400 bytes", { announced: 96, rules: { length: 96 } }],
    ["rules: reply of more than 7000 bytes", { announced: 216, rules: { length: 216 } }],
    ["rules: more rules than the engine buffer holds", { announced: 0, rules: expect.arrayContaining([named("coop")]) }]
  ])("returns the recorded RULES: %s", (name, rules) => {
    expect(runQuery(Query.rules, makeServer("xash3d", [name]))).toMatchObject(rules)
  })

  it("uses the new challenge that the server sends in reply to an expired challenge", () => {
    const server = makeServer("xash3d", ["players: wrong challenge", "players: right challenge, five bots"])
    const exchange = new QueryExchange(
      Query.players,
      { timeoutMs: 3000, retries: 8, encoding: "auto", random: () => 0.5 },
      undefined,
      { challenge: 0x12345678, givenAt: 0 }
    )
    expect(Result.getOrThrow(drive(exchange, server).result).players).toHaveLength(5)
  })

  it("accepts the reply to a ping", () => {
    expect(runQuery(Query.anyPing, makeServer("xash3d", ['goldsource ping "i"']))).toEqual({ via: "ping", payload: "" })
  })
})

describe("a query to ReHLDS without Steam", () => {
  it.each([
    ["info T", Query.info],
    ["players U -1", Query.players],
    ["rules V -1", Query.rules],
    ["getchallenge W", Query.challenge]
  ] as const)("times out: %s", (name, query) => {
    expect(runQuery<unknown>(query as Query.Query<unknown>, makeServer("rehlds", [name]))).toMatchObject(
      timeoutIn("request")
    )
  })

  it("returns an empty payload if the reply to a ping contains only a NUL", () => {
    expect(runQuery(Query.ping, makeServer("rehlds", ['ping "i"']))).toEqual({ via: "ping", payload: "" })
  })

  it("fails with UnexpectedReply if the server sends a text instead of a challenge", () => {
    const [text] = recordings.get("rehlds")!.find(({ name }) => name === '"getchallenge"')!.replies
    expect(runQuery(Query.challenge, () => [{ hex: text!.hex, after: 5 }])).toMatchObject({
      _tag: "UnexpectedReply",
      type: 0x41
    })
  })

  it("fails with Refused and the text of the rejection if the server rejects the request", () => {
    const [refusal] = recordings.get("rehlds")!.find(({ name }) => name === "rcon wrong challenge")!.replies
    expect(runQuery(Query.info, () => [{ hex: refusal!.hex, after: 5 }])).toMatchObject({
      _tag: "Refused",
      text: "No challenge for your address."
    })
  })
})

describe("a query to HLTV", () => {
  it.each([
    ["info T", { players: 0, maxPlayers: 128, protocol: 48, serverType: "sourcetv" }],
    ["info T after addfakeclients 4", { _tag: "GoldSourceInfoReply" }],
    ["info T, 255 slots", { maxPlayers: 255 }],
    ["info T, maxclients 1000 asked", { maxPlayers: 255 }],
    ["info T, spectator password set", { passwordProtected: true }],
    ["info T, UTF-8 name", { _tag: "GoldSourceInfoReply" }]
  ])("returns the recorded INFO: %s", (name, info) => {
    const outcome = runQuery(Query.info, makeServer("hltv", [name]))
    expect(outcome).toMatchObject({ _tag: "GoldSourceInfoReply", ...info })
    expect(outcome).not.toHaveProperty("bots")
  })

  it("returns players and rules, although the server sends no challenge", () => {
    expect(runQuery(Query.players, makeServer("hltv", ["players U -1"]))).toMatchObject({ announced: 4 })
    expect(runQuery(Query.rules, makeServer("hltv", ["rules V -1"]))).toMatchObject({
      announced: 5,
      rules: { length: 5 }
    })
  })

  it("ignores the padding in the reply to a ping", () => {
    expect(runQuery(Query.anyPing, makeServer("hltv", ['ping "i"']))).toEqual({ via: "ping", payload: "" })
  })
})

describe("a query to SourceEngineQueryCacher", () => {
  const both = ["info: 25-byte request without challenge", "info: with the challenge appended (29 bytes)"]

  it("returns INFO if the server requires a challenge", () => {
    expect(runQuery(Query.info, makeServer("cacher", both))).toMatchObject({
      _tag: "InfoReply",
      name: "Xash probe server"
    })
  })

  it("returns the players if the server requires a challenge", () => {
    const server = makeServer("cacher", [
      "players: challenge -1",
      "players: with the challenge got from the info query"
    ])
    expect(runQuery(Query.players, server)).toMatchObject({ announced: 4, players: { length: 4 } })
  })

  it("requests a new challenge if the server does not reply to a request with an expired challenge", () => {
    const fresh = makeServer("cacher", both)
    const stale = makeServer("cacher", ["info from a new socket", "info with an expired challenge"])
    let requests = 0
    const server: Server = (request, nth, at) => {
      if (request === messages.ASK_INFO) requests++
      return (requests === 1 ? stale : fresh)(request, nth, at)
    }
    expect(runQuery(Query.info, server)).toMatchObject({ _tag: "InfoReply" })
    expect(requests).toBe(2)
  })

  it("times out if the query is RULES or a ping", () => {
    expect(runQuery(Query.rules, makeServer("cacher", ["rules: challenge -1"]))).toMatchObject(timeoutIn("request"))
    expect(runQuery(Query.ping, makeServer("cacher", ['ping "i"']))).toMatchObject(timeoutIn("request"))
  })
})

const QUERIES = [Query.info, Query.players, Query.rules, Query.challenge, Query.anyPing] as ReadonlyArray<
  Query.Query<unknown>
>

/** Joins the fragments of split messages, and returns all complete messages. */
const joinMessages = (datagrams: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const reassembler = new Reassembler()
  return datagrams.flatMap((datagram) => {
    if (!isSplit(datagram)) return [datagram]
    const joined = Result.getOrThrow(reassembler.add(datagram))
    return joined === undefined ? [] : [joined.bytes]
  })
}

/** Returns the expected outcome of a query if the server replies to every request with all messages in `whole`. */
const expectedOutcome = (query: Query.Query<unknown>, whole: ReadonlyArray<Uint8Array>): object => {
  const {
    S2C_CHALLENGE: Challenge,
    S2A_INFO_DETAILED: GoldSourceInfo,
    S2A_INFO_SRC: Info,
    A2C_PRINT: Print,
    S2C_CONNREJECT: Rejected
  } = MessageType
  const isText = (bytes: Uint8Array): boolean => bytes[4] === Challenge && bytes.length !== 9
  for (const bytes of whole) {
    const type = bytes[4]!
    if (query.answers.includes(type) && !isText(bytes)) {
      const better = type === GoldSourceInfo ? whole.find((other) => other[4] === Info) : undefined
      return Result.getOrThrow(query.decode(better ?? bytes, "auto")) as object
    }
    if (type === Print || type === Rejected) return { _tag: "Refused" }
    if (type === Challenge && !isText(bytes)) return { _tag: expect.stringMatching(/^(TooManyChallenges|Timeout)$/) }
  }
  return { _tag: "UnexpectedReply", type: whole.at(-1)![4] }
}

describe("the recorded replies", () => {
  const all = [...recordings].flatMap(([recording, exchanges]) =>
    exchanges.filter(({ replies }) => replies.length > 0).map((one) => [recording, one.name, one] as const)
  )

  it.each(all)("lead to the correct result of every query (recording of %s: %s)", (_recording, _name, { replies }) => {
    const server: Server = () => replies.map(({ hex }, i) => ({ hex, after: 5 + i }))
    const whole = joinMessages(replies.map(({ hex }) => parseHex(hex)))
    for (const query of QUERIES) expect(runQuery(query, server)).toMatchObject(expectedOutcome(query, whole))
  })

  it("contain PLAYER, RULES, a challenge, a rejection, and both formats of INFO", () => {
    const tags = all.flatMap(([, , { replies }]) =>
      QUERIES.map((query) => expectedOutcome(query, joinMessages(replies.map(({ hex }) => parseHex(hex)))))
    )
    for (const tag of ["InfoReply", "GoldSourceInfoReply", "PlayersReply", "RulesReply", "ChallengeReply", "Refused"]) {
      expect(tags).toContainEqual(expect.objectContaining({ _tag: tag }))
    }
  })
})
