/**
 * Compares the replies of profiles with the recorded replies of real servers. Each test creates a responder from a profile and the
 * recorded data, and passes a recorded request to this responder. The reply must equal the recorded reply. Each map `differences` lists
 * the exceptions and their reasons.
 */
import { assert, describe, it } from "@effect/vitest"
import { decode, fromHex, toHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { profiles } from "../../src/index.ts"
import { type Profile, Responder } from "@sourcewire/server"

interface Recorded {
  readonly name: string
  readonly request_hex: string
  readonly replies: ReadonlyArray<{ readonly hex: string }>
}

const recording = (name: string): ReadonlyArray<Recorded> => {
  const file = new URL(`../../../core/test/fixtures/recordings/${name}.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly exchanges: ReadonlyArray<Recorded> }).exchanges
}

const parseHex = (hex: string): Uint8Array => fromHex(hex)!
const ADDRESS = ["192.0.2.7", 50_000] as const

/** Finds the exchange with this name, decodes its only reply, and checks the type of the reply. */
const findMessage = <A extends Message["_tag"]>(of: ReadonlyArray<Recorded>, name: string, tag: A) => {
  const [reply] = of.find((one) => one.name === name)!.replies
  const message = Result.getOrThrow(decode(parseHex(reply!.hex)))
  assert.strictEqual(message._tag, tag, name)
  return message as Extract<Message, { readonly _tag: A }>
}

/**
 * Replaces the challenge in a reply with zeros, because our challenge differs from the recorded challenge. In a binary reply, the
 * challenge is the four bytes that follow the type `A`. In a text reply, the challenge is a number.
 */
const zeroChallenge = (hex: string): string => {
  if (/^ffffffff41[0-9a-f]{8}$/.test(hex)) return "ffffffff4100000000"
  const text = String.fromCharCode(...parseHex(hex))
  return text.replace(/^(\xff{4}(?:A0{8}|challenge) )-?\d+/, "$10")
}

/** Returns a recorded request with our challenge in place of the recorded valid challenge. */
const withOurChallenge = (request: string, challenge: number, isRight: (challenge: string) => boolean): Uint8Array => {
  const bytes = parseHex(request)
  const at = request.startsWith("ffffffff54") ? 25 : 5
  if (/^ffffffff5[456]/.test(request) && bytes.length === at + 4 && isRight(request.slice(-8))) {
    new DataView(bytes.buffer).setInt32(at, challenge, true)
  }
  return bytes
}

const expectRecordedReplies = (
  profile: Profile,
  { replies, request_hex }: Recorded,
  isRight: (challenge: string) => boolean,
  now = 0
): void => {
  const responder = new Responder(profile)
  const challenge = responder.challenges.issue(...ADDRESS, 0)
  const ours = responder.respond(withOurChallenge(request_hex, challenge, isRight), ...ADDRESS, now)
  assert.deepEqual(
    ours.map((reply) => zeroChallenge(toHex(reply))),
    replies.map(({ hex }) => zeroChallenge(hex))
  )
}

/**
 * Returns true for RCON requests and for requests to join. An RCON server replies to RCON requests, and no profile supports requests to
 * join.
 */
const isUnsupported = ({ name }: Recorded): boolean => /^(rcon|"?challenge rcon|connect )/.test(name)

describe("the profile xash3d", () => {
  const all = recording("xash3d")
  const base = profiles.xash3d({ name: "Xash probe server", map: "probe_room", people: 0 })
  const info = findMessage(all, "info: no players", "InfoReply")
  const players = findMessage(all, "players: right challenge, five bots", "PlayersReply")
  const rules = findMessage(all, "rules: right challenge", "RulesReply")
  const bots = { ...base, info: findMessage(all, "info: five bots", "InfoReply"), players, rules }

  /** Returns a profile with the data that the recorded server had at the time of an exchange. */
  const makeProfile = ({ name, replies }: Recorded): Profile => {
    if (name.includes("no player")) return { ...base, info, rules }
    if (name.includes("password")) return { ...bots, info: { ...bots.info, passwordProtected: true } }
    if (name.startsWith("info: ") && replies[0] !== undefined)
      return { ...bots, info: findMessage(all, name, "InfoReply") }
    if (name.includes("human")) return { ...bots, players: findMessage(all, name, "PlayersReply") }
    if (name.includes("buffer")) {
      const fitting = findMessage(all, name, "RulesReply").rules
      const more = [190, 191].map((n) => ({ name: `sv_probe_rule_${n}`, value: "v".repeat(20) }))
      return { ...bots, rules: { ...rules, announced: fitting.length + 2, rules: [...fitting, ...more] } }
    }
    return name.startsWith("rules: reply") ? { ...bots, rules: findMessage(all, name, "RulesReply") } : bots
  }

  it.each(all.filter((one) => !isUnsupported(one)).map((one) => [one.name, one] as const))(
    "sends the recorded reply: %s",
    (_, one) => {
      expectRecordedReplies(
        makeProfile(one),
        one,
        (challenge) => !["ffffffff", "00000000", "78563412"].includes(challenge)
      )
    }
  )

  it("accepts a challenge for at least five seconds, with any kind of query and from any port of the client", () => {
    const responder = new Responder(bots)
    const old = responder.challenges.issue(...ADDRESS, 4999)
    const request = withOurChallenge("ffffffff5500000000", old, () => true)
    const typeAt = (now: number, port = 1) => responder.respond(request, ADDRESS[0], port, now)[0]![4]
    assert.deepEqual(
      [4999, 5000, 9999, 10_000].map((now) => typeAt(now)),
      [0x44, 0x44, 0x44, 0x41]
    )
    assert.strictEqual(typeAt(6000, 2), 0x44)
    const rulesRequest = Uint8Array.from(request).fill(0x56, 4, 5)
    assert.strictEqual(responder.respond(rulesRequest, ...ADDRESS, 6000)[0]![4], 0x45)
  })

  it("does not reply to PLAYER if there are no players", () => {
    const responder = new Responder(base)
    assert.deepInclude(base.info as object, { players: 0, bots: 0 })
    const request = withOurChallenge("ffffffff5500000000", responder.challenges.issue(...ADDRESS, 0), () => true)
    assert.deepEqual(responder.respond(request, ...ADDRESS, 0), [])
  })
})

describe("the profile hltv", () => {
  const all = recording("hltv")
  const named = profiles.hltv({ port: 27_117, name: "HLTV probe proxy", map: "probe_room" })
  const base: Profile = {
    ...named,
    players: findMessage(all, "players U -1", "PlayersReply"),
    rules: findMessage(all, "rules V -1", "RulesReply"),
    // The texts of the profile name the folder `cstrike`, but the recorded server reported the folder `valve`.
    texts: JSON.parse(JSON.stringify(named.texts).replaceAll("cstrike", "valve")) as NonNullable<Profile["texts"]>
  }
  const makeProfile = ({ name }: Recorded): Profile => ({
    ...base,
    legacyInfo: findMessage(all, name.startsWith("info T, ") ? name : "info T", "GoldSourceInfoReply")
  })

  const differences = new Map([
    ['legacy "infostring"', "the recorded proxy reports its own settings, in another order"],
    ["legacy info, 255 slots", "two more numbers after the maximum, which the profile does not send"]
  ])

  it.each(
    all.filter((one) => !isUnsupported(one) && !differences.has(one.name)).map((one) => [one.name, one] as const)
  )("sends the recorded reply: %s", (_, one) => expectRecordedReplies(makeProfile(one), one, () => false))

  it("sends an infostring that contains only keys of the recorded infostring", () => {
    const recorded = all.find(({ name }) => name === 'legacy "infostring"')!
    const [ours] = new Responder(base).respond(parseHex(recorded.request_hex), ...ADDRESS, 0)
    const entries = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(4)).split("\\")
    const theirs = entries(parseHex(recorded.replies[0]!.hex))
    assert.strictEqual(entries(ours!)[0], theirs[0])
    for (const key of entries(ours!).filter((_, i) => i % 2 === 1)) assert.include(theirs, key)
  })

  it("lists the proxy itself as a player, and replaces non-ASCII characters in the name of the proxy with blanks", () => {
    const { legacyInfo, players } = profiles.hltv({ name: "Zoë ★ HLTV" })
    const recorded = findMessage(all, "info T, UTF-8 name", "GoldSourceInfoReply")
    assert.deepInclude(legacyInfo as object, { name: recorded.name, players: 0 })
    const list = players as Extract<Message, { readonly _tag: "PlayersReply" }>
    assert.deepInclude(list.players.at(-1), { index: list.players.length, name: recorded.name, score: 0, duration: 1 })
  })
})

describe("the profile rehlds", () => {
  const all = recording("rehlds")
  const differences = new Map([
    ["connect without arguments", "an emulated server does not support joining"],
    ["connect, wrong protocol", "an emulated server does not support joining"]
  ])

  it.each(
    all.filter((one) => !isUnsupported(one) && !differences.has(one.name)).map((one) => [one.name, one] as const)
  )("sends the recorded reply: %s", (_, one) => expectRecordedReplies(profiles.rehlds(), one, () => false))
})

describe("the profile cacher", () => {
  const all = recording("cacher")
  const base: Profile = {
    ...profiles.cacher(),
    info: findMessage(all, "info: with the challenge appended (29 bytes)", "InfoReply"),
    players: findMessage(all, "players: with the challenge got from the info query", "PlayersReply")
  }

  it.each(all.map((one) => [one.name, one] as const))("sends the recorded reply: %s", (name, one) => {
    const isRight = (challenge: string): boolean => !["ffffffff", "00000000", "01020304"].includes(challenge)
    expectRecordedReplies(base, one, isRight, name.includes("expired") ? 1300 : 0)
  })
})

describe("the profile warsow", () => {
  const responder = new Responder(profiles.warsow({ people: 0 }))
  const answer = (hex: string) => responder.respond(parseHex(hex), ...ADDRESS, 0).map((reply) => toHex(reply))

  // We have no recording of these replies. The expected bytes are from our notes about real servers.
  it.each<readonly [string, string, ReadonlyArray<string>]>([
    ["PLAYER with -1", "ffffffff55ffffffff", ["ffffffff4100000000"]],
    ["W", "ffffffff57", ["ffffffff4100000000"]],
    ["PLAYER with 0", "ffffffff5500000000", ["ffffffff4400"]],
    ["PLAYER with any number", "ffffffff5501020304", ["ffffffff4400"]],
    ["PLAYER without a number", "ffffffff55", ["ffffffff4400"]],
    ["RULES with -1", "ffffffff56ffffffff", []],
    ["RULES with 0", "ffffffff5600000000", []],
    ["RULES without a number", "ffffffff56", []],
    ["i", "ffffffff69", ["ffffffff6a303030303030303030303030303000"]],
    ["ping", "ffffffff70696e67", ["ffffffff61636b20"]]
  ])("sends the expected replies to %s", (_, request, replies) => {
    assert.deepEqual(answer(request), [...replies])
  })

  it("sends the same reply to INFO with and without a challenge", () => {
    const info = "ffffffff54536f7572636520456e67696e6520517565727900"
    assert.deepEqual(answer(`${info}01020304`), answer(info))
    assert.lengthOf(answer(info), 1)
  })
})
