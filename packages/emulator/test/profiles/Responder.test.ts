import { assert, describe, it } from "@effect/vitest"
import {
  type ChallengeReply,
  type GoldSourceInfoReply,
  type InfoReply,
  type Message,
  type PlayersReply,
  type RulesReply,
  decode,
  encode
} from "@sourcewire/protocol"
import { join } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { compress, type ResponderOptions } from "@sourcewire/server/machines"
import { profiles } from "../../src/index.ts"
import { profileNames } from "../../src/machines.ts"
import { checkProfile, type Profile, Responder } from "@sourcewire/server"

const ADDRESS = "192.0.2.7"
const PORT = 40_000

const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const text = (value: string): Uint8Array => Uint8Array.from(value, (c) => c.charCodeAt(0))
const query = (value: string): Uint8Array => Uint8Array.of(255, 255, 255, 255, ...text(value))
const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))
const withNumber = (type: string, challenge: number): Uint8Array => {
  const start = query(type)
  const whole = new Uint8Array(start.length + 4)
  whole.set(start)
  new DataView(whole.buffer).setInt32(start.length, challenge, true)
  return whole
}

const INFO = query("TSource Engine Query\0")

const makeAsker = (profile: Profile, options: ResponderOptions = {}) => {
  const responder = new Responder(profile, { compress, ...options })
  const ask = (request: Uint8Array, now = 0) => responder.respond(request, ADDRESS, PORT, now)
  const one = (request: Uint8Array, now = 0): Message => {
    const replies = ask(request, now)
    return Result.getOrThrow(decode(replies.length === 1 ? replies[0]! : Result.getOrThrow(join(replies)).bytes))
  }
  const challenge = (): number => {
    const reply = one(withNumber("U", -1))
    assert.strictEqual(reply._tag, "ChallengeReply")
    return (reply as ChallengeReply).challenge
  }
  return { responder, ask, one, challenge }
}

describe("Responder", () => {
  it("sends a challenge if an INFO request contains no challenge, and sends INFO if the request contains this challenge", () => {
    const profile = profiles.css()
    const { one } = makeAsker(profile)
    const reply = one(INFO)
    assert.strictEqual(reply._tag, "ChallengeReply")
    const { challenge } = reply as ChallengeReply
    assert.deepInclude(one(bytes({ _tag: "InfoRequest", challenge })), profile.info as object)
  })

  it("sends the players and the rules if the request contains a valid challenge, and splits large replies", () => {
    const profile = profiles.css()
    const { one, ask, challenge } = makeAsker(profile)
    assert.deepEqual(one(withNumber("U", challenge())), profile.players as Message)
    assert.deepEqual(one(withNumber("V", challenge())), profile.rules as Message)
    assert.isAbove(ask(withNumber("V", challenge())).length, 1)
  })

  it("sends each split reply with a new id", () => {
    const { ask, challenge } = makeAsker(profiles.css(), { firstSplitId: 0x7fff })
    const readIds = (replies: ReadonlyArray<Uint8Array>) =>
      replies.map((reply) => new DataView(reply.buffer).getInt32(4, true))
    const rules = () => new Set(readIds(ask(withNumber("V", challenge()))))
    assert.deepEqual([...rules(), ...rules()], [0x8000, 0x8001])
    // A later reply does not change the datagrams of an earlier reply.
    const request = withNumber("V", challenge())
    const before = ask(request)
    const id = readIds(before)
    ask(request)
    assert.deepEqual(readIds(before), id)
  })

  it("does not set the compression bit in the id of an uncompressed reply", () => {
    const { ask, challenge } = makeAsker(profiles.css(), { firstSplitId: 0x7fffffff })
    for (const fragment of ask(withNumber("V", challenge()))) assert.strictEqual(fragment[7]! & 0x80, 0)
  })

  it("sends a reply of the maximum size in one datagram, and splits a reply with one byte more", () => {
    const profile = profiles.css()
    const size = bytes(profile.players as Message).length
    const count = (maxBytes: number) => {
      const { ask, challenge } = makeAsker({ ...profile, oversize: { how: "split", maxBytes } })
      return ask(withNumber("U", challenge())).length
    }
    assert.deepEqual([count(size), count(size - 1)], [1, 2])
  })

  it("announces the number of rules if the RULES reply has `bufferBytes` bytes, and 0 rules if the reply has one byte more", () => {
    const profile = profiles.css()
    const size = bytes(profile.rules as Message).length
    const announced = (bufferBytes: number) => {
      const { challenge, one } = makeAsker({ ...profile, oversize: { how: "whole", maxBytes: 1400, bufferBytes } })
      return (one(withNumber("V", challenge())) as RulesReply).announced
    }
    assert.deepEqual([announced(size) > 0, announced(size - 1)], [true, 0])
  })

  it("does not reply to queries if the profile has a constant challenge and lacks the list `trusts`", () => {
    const { trusts: _, ...profile } = profiles.warsow()
    const { ask } = makeAsker(profile)
    for (const request of [withNumber("U", -1), withNumber("U", 0), withNumber("U", 7), query("U"), INFO]) {
      assert.deepEqual(ask(request), [])
    }
  })

  it("does not reply to an unverified address if all datagrams of the reply together have more bytes than the request", () => {
    const { trusts: _, ...profile } = profiles.cs16()
    const padded = (length: number) => Uint8Array.from({ length }, (_, i) => query("rules\0")[i] ?? 0)
    const all = new Responder(profiles.cs16()).respond(query("rules"), ADDRESS, PORT, 0)
    const size = all.reduce((sum, { length }) => sum + length, 0)
    assert.isAbove(all.length, 1)
    assert.deepEqual(makeAsker(profile).ask(padded(Math.max(...all.map(({ length }) => length)))), [])
    assert.deepEqual(makeAsker(profile).ask(padded(size - 1)), [])
    assert.lengthOf(makeAsker(profile).ask(padded(size)), all.length)
  })

  it("compresses replies with the given compressor if the profile uses compression", () => {
    const profile = profiles.tf2()
    const compressed = makeAsker(profile)
    const plain = new Responder(profile)
    const request = withNumber("V", compressed.challenge())
    assert.deepEqual(compressed.one(request), profile.rules as Message)
    const challenge = plain.challenges.issue(ADDRESS, PORT, 0)
    assert.isBelow(
      compressed.ask(request).length,
      plain.respond(withNumber("V", challenge), ADDRESS, PORT, 0).length / 2
    )
  })

  it.each([
    ["24 bytes, without the NUL", INFO.slice(0, 24)],
    ["padded to 1200 bytes", Uint8Array.from({ length: 1200 }, (_, i) => INFO[i] ?? 0)],
    ["29 bytes with -1", withNumber("TSource Engine Query\0", -1)],
    ["33 bytes, with stray bytes after -1", Uint8Array.of(...INFO, 255, 255, 255, 255, 1, 2, 3, 4)]
  ])("accepts an INFO request: %s", (_, request) => {
    assert.strictEqual(makeAsker(profiles.css()).one(request)._tag, "ChallengeReply")
  })

  it("accepts a challenge in a padded request", () => {
    const { ask, challenge } = makeAsker(profiles.css())
    const padded = new Uint8Array(1200)
    padded.set(withNumber("TSource Engine Query\0", challenge()))
    assert.strictEqual(ask(padded)[0]![4], 0x49)
  })

  it.each([
    "",
    "ff",
    "ffffffff",
    "01020304",
    "feffffff0000000001",
    "ffffffff54ff",
    "ffffffff54536f7572636520456e67696e6520517565727800",
    "ffffffff00",
    "ffffffffff"
  ])("ignores the invalid datagram '%s'", (garbage) =>
    assert.deepEqual(makeAsker(profiles.cs16()).ask(hex(garbage)), [])
  )

  it("replies to INFO in the dialects of GoldSource and Source, and sends the reply in GoldSource's dialect first by default", () => {
    const types = (profile: Profile) => {
      const { ask, challenge } = makeAsker(profile)
      return ask(withNumber("TSource Engine Query\0", challenge())).map((reply) => reply[4])
    }
    assert.deepEqual(types(profiles.cs16()), [0x6d, 0x49])
    assert.deepEqual(types({ ...profiles.cs16(), firstInfo: "info" }), [0x49, 0x6d])
  })

  it("replies to the text queries of old games", () => {
    const { one } = makeAsker(profiles.cs16())
    assert.strictEqual(one(query("details\0"))._tag, "GoldSourceInfoReply")
    assert.strictEqual(one(query("players\n"))._tag, "PlayersReply")
    assert.strictEqual(one(query("rules"))._tag, "RulesReply")
    assert.strictEqual(one(query("ping"))._tag, "PingReply")
  })

  it("calls a function in the profile for every query, and encodes the result again only if the result has changed", () => {
    let players = 1
    const base = { ...(profiles.ship().info as InfoReply) }
    let info = { ...base, players }
    const { ask, one } = makeAsker({ ...profiles.ship(), info: () => info })
    const first = ask(INFO)[0]
    assert.strictEqual(ask(INFO)[0], first)
    info = { ...base, players: ++players }
    assert.deepInclude(one(INFO), { players: 2 })
  })

  it("reports a value that cannot be encoded, and sends no reply", () => {
    const errors: Array<string> = []
    const info = { ...(profiles.ship().info as InfoReply), protocol: 300 }
    const { ask } = makeAsker({ ...profiles.ship(), info }, { onError: (error) => errors.push(error.field) })
    assert.deepEqual(ask(INFO), [])
    assert.deepEqual(errors, ["protocol"])
  })

  it("sends the number of players modulo 256, as real servers do", () => {
    const base = profiles.ship()
    const legacy = profiles.cs16().legacyInfo as GoldSourceInfoReply
    const counts = { players: 300, maxPlayers: 512, bots: 257 }
    const { ask, challenge, one } = makeAsker({
      ...base,
      info: { ...(base.info as InfoReply), ...counts },
      legacyInfo: { ...legacy, ...counts },
      texts: { details: "legacyInfo" },
      trusts: ["info", "text"],
      players: {
        _tag: "PlayersReply",
        announced: 300,
        players: Array.from({ length: 300 }, (_, index) => ({ index, name: "", score: 0, duration: 1 })),
        truncated: false
      }
    })
    const reported = { players: 44, maxPlayers: 0, bots: 1 }
    assert.deepEqual(
      ask(INFO).map((reply) => reply[4]),
      [0x6d, 0x49]
    )
    assert.deepInclude(one(query("details")), reported)
    assert.deepInclude(Result.getOrThrow(decode(ask(INFO)[1]!)), reported)
    const list = one(withNumber("U", challenge())) as PlayersReply
    assert.deepInclude(list, { announced: 44 })
    assert.deepEqual([list.players.length, list.players[299]!.index], [300, 43])
    const trueCounts: Profile = { ...base, info: { ...(base.info as InfoReply), players: 255, maxPlayers: 255 } }
    assert.deepInclude(makeAsker(trueCounts).one(INFO), { players: 255, maxPlayers: 255 })
  })

  it.each<readonly [string, unknown]>([
    ["null", null],
    ["a number", 5],
    ["a reply to RULES", { _tag: "RulesReply", announced: 0, rules: [], truncated: false }],
    ["a list with a hole", { _tag: "PlayersReply", announced: 1, players: [null], truncated: false }],
    ["a reply to PLAYER without a list", { _tag: "PlayersReply", announced: 1, truncated: false }],
    [
      "a function that throws",
      () => {
        throw new Error("not yet")
      }
    ]
  ])("reports an error and sends no players if the profile contains %s instead of a list of players", (_, players) => {
    const errors: Array<string> = []
    const profile = { ...profiles.ship(), players: players as PlayersReply }
    const { ask, challenge, one } = makeAsker(profile, { onError: (error) => errors.push(error.message) })
    assert.deepEqual(ask(withNumber("U", challenge())), [])
    assert.match(errors.join(), /players/)
    assert.strictEqual(one(INFO)._tag, "InfoReply")
    assert.isTrue(Result.isFailure(checkProfile(profile)))
  })

  it("ignores a request with a wrong challenge if `onWrong` is `silence`", () => {
    const { ask } = makeAsker({ ...profiles.css(), challenge: { onWrong: "silence" } })
    assert.deepEqual(ask(withNumber("U", 12_345)), [])
    assert.strictEqual(ask(withNumber("U", -1)).length, 1)
  })

  it("sends a new challenge if the challenge in the request has expired", () => {
    const { one, challenge } = makeAsker(profiles.xash3d())
    const old = challenge()
    assert.strictEqual(one(withNumber("U", old))._tag, "PlayersReply")
    const later = new Responder(profiles.xash3d())
    assert.strictEqual(later.respond(withNumber("U", old), ADDRESS, PORT, 60_000)[0]![4], 0x41)
  })
})

/** All kinds of requests that a client can send before the client has received a challenge. */
const unverifiedRequests: ReadonlyArray<readonly [name: string, request: Uint8Array]> = [
  ["INFO", INFO],
  ["INFO without NUL", INFO.slice(0, 24)],
  ["T alone", query("T")],
  ["INFO with a guessed challenge", withNumber("TSource Engine Query\0", 1)],
  ["INFO with -1", withNumber("TSource Engine Query\0", -1)],
  ["INFO of 1200 bytes", Uint8Array.from({ length: 1200 }, (_, i) => INFO[i] ?? 0)],
  ["U alone", query("U")],
  ["V alone", query("V")],
  ...["U", "V"].flatMap((type) => [-1, 0, 1].map((n) => [`${type} with ${n}`, withNumber(type, n)] as const)),
  ["W", query("W")],
  ["W with -1", withNumber("W", -1)],
  ["i", query("i")],
  ["i NUL", query("i\0")],
  ...["details", "players", "rules", "ping", "info", "infostring", "getchallenge", "status", "challenge rcon\n"].map(
    (word) => [word, query(word)] as const
  ),
  ["handshake", withNumber("q", 1)],
  ["only a header", query("")]
]

/** The amplification is the number of bytes sent per byte received. */
describe("amplification before a client returns a challenge", () => {
  const factor = (profile: Profile, request: Uint8Array): number => {
    const replies = new Responder(profile, { compress }).respond(request, ADDRESS, PORT, 0)
    return replies.reduce((sum, reply) => sum + reply.length, 0) / request.length
  }
  const cautious = profileNames.filter((name) => profiles[name]().trusts === undefined)

  it("is tested with all profiles that have no list of trusted queries", () => {
    assert.deepEqual(cautious, ["css", "tf2", "cs2", "csgo", "sourcetv", "rust", "arma3", "dayz", "cacher"])
  })

  it.each(cautious.flatMap((name) => unverifiedRequests.map(([what, request]) => [name, what, request] as const)))(
    "is at most 1 for the profile %s and the request %s",
    (name, _, request) => assert.isAtMost(factor(profiles[name](), request), 1)
  )

  it.each(profileNames)("is at most 1 for the profile %s if its list of trusted queries is removed", (name) => {
    const { trusts: _, ...profile } = profiles[name]()
    for (const [what, request] of unverifiedRequests) assert.isAtMost(factor(profile, request), 1, what)
  })

  it("exceeds 1 only for queries to which old games reply without a challenge", () => {
    const kinds: Readonly<Record<string, string>> = { T: "info", U: "players", V: "rules", W: "getChallenge" }
    for (const name of profileNames) {
      const profile = profiles[name]()
      for (const [what, request] of unverifiedRequests) {
        if (factor(profile, request) <= 1) continue
        const letter = String.fromCharCode(request[4]!)
        const kind = kinds[letter] ?? (what === "i" || what === "i NUL" ? "ping" : "text")
        const trusts: ReadonlyArray<string> = profile.trusts ?? []
        assert.isTrue(
          trusts.includes(kind) || trusts.includes("getChallenge"),
          `${name} replies to ${what} with more bytes`
        )
      }
    }
  })
})
