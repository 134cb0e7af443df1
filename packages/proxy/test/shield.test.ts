import { ChallengeReply, decode } from "@sourcewire/protocol"
import type { EncodeError, GoldSourceInfoReply, InfoReply, Message, PlayersReply } from "@sourcewire/protocol"
import { Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { ChallengeIssuer, withChallenge } from "@sourcewire/server/machines"
import { type Replies, UpstreamCache } from "../src/cache.ts"
import { Shield } from "../src/shield.ts"
import { profiles } from "@sourcewire/emulator"

const css = profiles.css()
const INFO = css.info as InfoReply
const PLAYERS = css.players as PlayersReply
const RULES = css.rules as Replies["rules"][number]

const MAX_STALE_MS = 1000

const bytes = (latin1: string): Uint8Array => Uint8Array.from(`\xff\xff\xff\xff${latin1}`, (c) => c.charCodeAt(0))
const OPENINGS = {
  info: bytes("TSource Engine Query\0"),
  players: bytes("U\xff\xff\xff\xff"),
  rules: bytes("V\xff\xff\xff\xff"),
  ping: bytes("i"),
  getChallenge: bytes("W\xff\xff\xff\xff")
}

const decodeChallenge = (datagram: Uint8Array): number => Result.getOrThrow(ChallengeReply.decode(datagram)).challenge

/** Returns a function that sends a request and returns the replies. If a reply is a challenge, the request is sent with this challenge. */
const makeAsk =
  (shield: Shield) =>
  (what: keyof typeof OPENINGS, now = 0): ReadonlyArray<Message> => {
    const send = (datagram: Uint8Array): ReadonlyArray<Message> =>
      shield.respond(datagram, "192.0.2.7", 50_000, now).map((reply) => Result.getOrThrow(decode(reply)))
    const opening = OPENINGS[what]
    const first = send(opening)
    if (what === "ping" || what === "getChallenge" || first[0]?._tag !== "ChallengeReply") return first
    // If the second request gets no reply, the function returns the challenge itself.
    const answers = send(withChallenge(opening, what, first[0].challenge))
    return answers.length === 0 ? first : answers
  }

interface CachedReplies {
  readonly info?: InfoReply | GoldSourceInfoReply
  readonly players?: PlayersReply
  readonly rules?: Replies["rules"][number]
}

type Target = Partial<ConstructorParameters<typeof Shield>[1]>

const makeShieldWith = (cache: UpstreamCache, target: Target, onError: (error: EncodeError) => void = () => {}) =>
  new Shield(
    cache,
    {
      upstream: { host: "game.example", port: 27_015 },
      maxStaleMs: MAX_STALE_MS,
      offlineName: undefined,
      ping: true,
      hideUpstream: false,
      publicAddress: undefined,
      ...target
    },
    {
      challenges: new ChallengeIssuer(),
      limit: undefined,
      compress: (reply) => reply,
      listening: "203.0.113.5:27016",
      onError
    }
  )

/** Creates the part of a proxy that replies to clients. The cache contains these replies, which arrived at time 0. */
const makeShield = ({ info, players, rules }: CachedReplies, target: Target = {}) => {
  const cache = new UpstreamCache("192.0.2.1:27015")
  cache.oversize = { how: "whole", maxBytes: 65_507 }
  if (info !== undefined) cache.keep("info", [info], 0)
  if (players !== undefined) cache.keep("players", [players], 0)
  if (rules !== undefined) cache.keep("rules", [rules], 0)
  const shield = makeShieldWith(cache, target)
  const respond = (datagram: Uint8Array) => shield.respond(datagram, "192.0.2.7", 50_000, 0)
  const challenge = (what: "rules") => withChallenge(OPENINGS[what], what, decodeChallenge(respond(OPENINGS[what])[0]!))
  return { cache, ask: makeAsk(shield), respond, challenge }
}

const everything = { info: INFO, players: PLAYERS, rules: RULES }

describe("the part of a proxy that replies to clients", () => {
  it("replies from the cache, until a reply has reached its maximum age", () => {
    const { ask } = makeShield(everything)
    expect(ask("info", MAX_STALE_MS)).toMatchObject([{ _tag: "InfoReply", name: INFO.name }])
    expect(ask("players", MAX_STALE_MS)).toEqual([PLAYERS])
    expect(ask("rules", MAX_STALE_MS)).toEqual([RULES])
    expect(ask("ping", MAX_STALE_MS)).toMatchObject([{ _tag: "PingReply" }])
    expect(ask("getChallenge", MAX_STALE_MS)).toMatchObject([{ _tag: "ChallengeReply" }])
  })

  it.each(["info", "players", "rules", "ping", "getChallenge"] as const)(
    "does not reply to %s if all cached replies are too old",
    (what) => {
      expect(makeShield(everything).ask(what, MAX_STALE_MS + 1)).toEqual([])
    }
  )

  it.each<readonly [query: "info" | "players" | "rules", cached: CachedReplies]>([
    ["info", { players: PLAYERS, rules: RULES }],
    ["players", { info: INFO, rules: RULES }],
    ["rules", { info: INFO, players: PLAYERS }]
  ])("sends no challenge for %s if the cache contains no reply to this query", (query, cached) => {
    expect(makeShield(cached).ask(query)).toEqual([])
  })

  it("if the cached reply to a query is too old, sends no challenge for this query, and still sends the other replies", () => {
    const { ask, cache } = makeShield(everything)
    cache.keep("info", [INFO], MAX_STALE_MS)
    expect(ask("rules", 1.5 * MAX_STALE_MS)).toEqual([])
    expect(ask("players", 1.5 * MAX_STALE_MS)).toEqual([])
    expect(ask("info", 1.5 * MAX_STALE_MS)).toMatchObject([{ _tag: "InfoReply" }])
  })

  it("sends an empty list of players if INFO counts no players and the game server does not reply to PLAYER", () => {
    const { ask, cache } = makeShield({ info: { ...INFO, players: 0 } })
    expect(ask("players")).toEqual([{ _tag: "PlayersReply", announced: 0, players: [], truncated: false }])
    cache.keep("players", [PLAYERS], 0)
    // An HLTV proxy counts spectators in INFO, but lists the players of its game.
    expect(ask("players")).toEqual([PLAYERS])
  })

  it("sends replies without players and rules if `offlineName` is set and the game server is down", () => {
    const { ask } = makeShield(everything, { offlineName: "Back soon" })
    const now = MAX_STALE_MS + 1
    expect(ask("info", now)).toMatchObject([{ ...INFO, name: "Back soon", players: 0, bots: 0 }])
    expect(ask("players", now)).toEqual([{ _tag: "PlayersReply", announced: 0, players: [], truncated: false }])
    expect(ask("rules", now)).toEqual([{ _tag: "RulesReply", announced: 0, rules: [], truncated: false }])
    expect(ask("ping", now)).toMatchObject([{ _tag: "PingReply" }])
    expect(makeShield({}, { offlineName: "Back soon" }).ask("players", now)).toEqual([])
  })

  it("hides the host name and the address of the game server if `hideUpstream` is set, even while the game server is down", () => {
    const known: CachedReplies = {
      info: profiles.hltv().legacyInfo as GoldSourceInfoReply,
      rules: {
        _tag: "RulesReply",
        announced: 3,
        rules: ["game.example", "198.51.100.7:27015", "harmless"].map((value) => ({ name: "rule", value })),
        truncated: false
      }
    }
    const shown = (target: Target) => {
      const { ask, cache } = makeShield(known, { offlineName: "Back soon", ...target })
      cache.address = "198.51.100.7"
      const address = (now: number) => (ask("info", now)[0] as GoldSourceInfoReply).address
      const { rules } = ask("rules")[0] as Replies["rules"][number]
      return [address(0), address(MAX_STALE_MS + 1), rules.length]
    }
    const { address } = known.info as GoldSourceInfoReply
    expect(shown({})).toEqual([address, address, 3])
    expect(shown({ hideUpstream: true })).toEqual(["203.0.113.5:27016", "203.0.113.5:27016", 1])
    const publicAddress = "192.0.2.1:27015"
    expect(shown({ hideUpstream: true, publicAddress })).toEqual([publicAddress, publicAddress, 1])
  })

  it("does not send the original bytes of the game server's name together with offlineName", () => {
    const { ask } = makeShield({ info: { ...INFO, nameHex: "e9" } }, { offlineName: "Zoë is back soon" })
    expect(ask("info", MAX_STALE_MS + 1)).toMatchObject([{ name: "Zoë is back soon" }])
  })

  it("sends the replies to INFO in both dialects in the same order as the game server", () => {
    const legacy = profiles.cs16().legacyInfo as GoldSourceInfoReply
    const { ask, cache } = makeShield({ info: INFO })
    const tags = () => ask("info").map(({ _tag }) => _tag)
    expect(tags()).toEqual(["InfoReply"])
    cache.keep("info", [legacy, INFO], 0)
    expect(tags()).toEqual(["GoldSourceInfoReply", "InfoReply"])
    cache.keep("info", [INFO, legacy], 0)
    expect(tags()).toEqual(["InfoReply", "GoldSourceInfoReply"])
  })

  it("splits large replies in the same form as the game server", () => {
    const { cache, challenge, respond } = makeShield(everything)
    const layout = (): string | undefined => {
      const reassembler = new Reassembler()
      const replies = respond(challenge("rules"))
      if (replies.length === 1) return `whole, ${replies[0]!.length} bytes`
      const joined = replies.map((reply) => Result.getOrThrow(reassembler.add(reply))).at(-1)
      return `${joined?.layout}, ${replies[0]!.length} bytes`
    }
    expect(layout()).toMatch(/^whole, /)
    cache.oversize = undefined
    expect(layout()).toBe("source, 1260 bytes")
    cache.keep("info", [profiles.hltv().legacyInfo as GoldSourceInfoReply], 0)
    expect(layout()).toBe("goldsource, 1400 bytes")
    cache.oversize = { how: "split", layout: "source", maxBytes: 700 }
    expect(layout()).toBe("source, 700 bytes")
  })

  it("sends the complete entries of a truncated reply, with the count that the game server announced", () => {
    const players = { ...PLAYERS, announced: PLAYERS.players.length + 9, truncated: true }
    const rules = { ...RULES, announced: RULES.announced + 9, truncated: true }
    const { ask, cache } = makeShield({ ...everything, players, rules })
    expect(ask("players")).toEqual([players])
    expect(ask("rules")).toEqual([rules])
    cache.oversize = { how: "truncate", maxBytes: 1260 }
    expect(ask("players")).toEqual([players])
  })

  it("truncates large replies at the same size as the game server", () => {
    const { cache, challenge, respond } = makeShield(everything)
    cache.oversize = { how: "truncate", maxBytes: 1260 }
    const replies = respond(challenge("rules"))
    expect(replies.map(({ length }) => length)).toEqual([1260])
    const reply = Result.getOrThrow(decode(replies[0]!)) as Replies["rules"][number]
    expect(reply).toMatchObject({ announced: RULES.announced, truncated: true })
    expect(reply.rules).toEqual(RULES.rules.slice(0, reply.rules.length))
  })

  it("reports a reply that cannot be encoded, and does not send this reply", () => {
    const errors: Array<string> = []
    const cache = new UpstreamCache("192.0.2.1:27015")
    cache.keep("info", [{ ...INFO, map: "de\0dust" }], 0)
    const shield = makeShieldWith(cache, {}, ({ message }) => void errors.push(message))
    expect(makeAsk(shield)("info").map(({ _tag }) => _tag)).toEqual(["ChallengeReply"])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/map/)
  })

  it("does not reply to pings if pings are disabled", () => {
    expect(makeShield(everything, { ping: false }).ask("ping")).toEqual([])
  })
})
