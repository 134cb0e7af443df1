/** Replies for rarely used parts of a profile. The tests of the emulator cover the usual queries, with the profiles of the emulator. */
import { assert, describe, it } from "@effect/vitest"
import type { EncodeError, InfoReply, PlayersReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { checkProfile, InvalidOption, type Profile, Responder } from "../../src/index.ts"
import { ChallengeIssuer, type ResponderOptions } from "../../src/Machines.ts"
import { profile } from "../profile.ts"

const FROM = ["192.0.2.1", 1, 0] as const
const query = (text: string): Uint8Array => Uint8Array.from(`\xff\xff\xff\xff${text}`, (c) => c.charCodeAt(0))
const INFO = query("TSource Engine Query\0")
const text = (datagram: Uint8Array | undefined): string => String.fromCharCode(...(datagram ?? []))

const replies = (profile: Profile, request: Uint8Array, options?: ResponderOptions) =>
  new Responder(profile, options).respond(request, ...FROM)

/** Sends a PLAYER request that contains a valid challenge, and returns the replies. */
const queryPlayers = (profile: Profile, onError: (error: EncodeError) => void = () => assert.fail("an error")) => {
  const responder = new Responder(profile, { onError })
  const request = query("U\0\0\0\0")
  new DataView(request.buffer).setInt32(5, responder.challenges.issue(...FROM), true)
  return responder.respond(request, ...FROM)
}
const onePlayer: PlayersReply = {
  _tag: "PlayersReply",
  announced: 1,
  players: [{ index: 0, name: "someone", score: 0, duration: 1 }],
  truncated: false
}

describe("a query for a missing part of a profile", () => {
  it("gets no reply if the query is a ping", () =>
    assert.deepStrictEqual(replies({ ...profile(), trusts: ["ping"] }, query("i")), []))

  it("gets no reply if the query is PLAYER and the only reply in the profile is INFO in the older dialect", () => {
    const { info: _, ...rest } = profile()
    const legacyInfo = () => undefined
    assert.deepStrictEqual(replies({ ...rest, legacyInfo }, query("U\xff\xff\xff\xff")), [])
    assert.lengthOf(replies({ ...rest, legacyInfo }, INFO), 1)
  })

  it("gets no reply and causes no error if the profile's function for this part currently returns undefined", () => {
    assert.deepStrictEqual(queryPlayers({ ...profile(), players: () => undefined }), [])
    let players: PlayersReply | undefined = onePlayer
    const fail = () => assert.fail("an error")
    const responder = new Responder({ ...profile(), trusts: ["players"], players: () => players }, { onError: fail })
    const count = () => responder.respond(query("U\xff\xff\xff\xff"), ...FROM).length
    assert.strictEqual(count(), 1)
    players = undefined
    assert.strictEqual(count(), 0)
  })
})

it("a responder with a constant challenge sends INFO even if the INFO request contains the challenge -1", () => {
  const trusting: Profile = { ...profile(), challenge: { constant: 0 }, trusts: ["info"] }
  const [reply] = replies(trusting, query("TSource Engine Query\0\xff\xff\xff\xff"))
  assert.strictEqual(reply?.[4], 0x49)
})

describe("a text query", () => {
  const rules = { _tag: "RulesReply" as const, announced: 1, truncated: false, rules: [{ name: "a", value: "b" }] }
  const texts = {
    ping: "ping",
    players: "players",
    rules: "rules",
    status: { latin1: "first word" },
    "status all": { latin1: "whole text" },
    signed: { latin1: "n #", challenge: "signed" },
    unsigned: { latin1: "n #", challenge: "unsigned" }
  } as const
  const answering: Profile = { ...profile(), ping: "pong", players: onePlayer, rules, texts, trusts: ["text"] }

  it.each([
    ["ping", "jpong"],
    ["status", "first word"],
    ["status one", "first word"],
    ["status all", "whole text"]
  ])("'%s' gets the text '%s'", (queried, expected) => {
    assert.deepStrictEqual(replies(answering, query(queried)).map(text), [`\xff\xff\xff\xff${expected}`])
  })

  it.each([
    ["players", 0x44],
    ["rules", 0x45]
  ])("'%s' gets a list of the same type as the binary query for this list", (queried, type) => {
    assert.deepStrictEqual(
      replies(answering, query(queried)).map((datagram) => datagram[4]),
      [type]
    )
  })

  it("gets the challenge for the sender's address, as a signed or unsigned number, if the profile sets `challenge` for the text", () => {
    const responder = new Responder(answering, {})
    const numbers = Array.from({ length: 64 }, (_, i) => {
      const address = `192.0.2.${i}`
      const [signed, unsigned] = ["signed", "unsigned"].map((queried) =>
        Number(text(responder.respond(query(queried), address, 1, 0)[0]).slice(6))
      )
      assert.strictEqual(signed, responder.challenges.issue(address, 1, 0))
      assert.strictEqual(unsigned! | 0, signed)
      return [signed!, unsigned!]
    })
    assert.isTrue(numbers.some(([signed]) => signed! < 0))
    assert.isTrue(numbers.every(([, unsigned]) => unsigned! >= 0))
  })

  it("gets no reply if the profile has no text for the query", () => {
    assert.deepStrictEqual(replies(answering, query("other")), [])
  })
})

it("a responder encodes a reply again only if the profile returns another object than for the previous query", () => {
  const info = profile().info as InfoReply
  let live = info
  const responder = new Responder({ ...profile(), info: () => live, trusts: ["info"] })
  const [first] = responder.respond(INFO, ...FROM)
  assert.strictEqual(responder.respond(INFO, ...FROM)[0], first)
  live = { ...info }
  assert.notStrictEqual(responder.respond(INFO, ...FROM)[0], first)
})

describe("players of a profile with the option hidesPlayers", () => {
  const hiding = { ...profile(), hidesPlayers: true, players: onePlayer }
  const info = hiding.info as object

  it.each<readonly [string, Partial<Profile>, number]>([
    ["are sent if INFO counts players", {}, 1],
    [
      "are not sent if INFO reports that the server has a password",
      { info: { ...info, passwordProtected: true } as never },
      0
    ],
    [
      "are sent if the profile contains another message in place of INFO",
      { info: { ...onePlayer, passwordProtected: true } as never },
      1
    ],
    ["are sent if there is no INFO", { info: () => undefined }, 1],
    ["are not sent if the list is empty", { players: { ...onePlayer, announced: 0, players: [] } }, 0],
    ["are not sent if there is currently no list", { players: () => undefined }, 0]
  ])("%s", (_, part, count) => assert.lengthOf(queryPlayers({ ...hiding, ...part }), count))

  it("cause an error if the profile contains another message in place of the list", () => {
    const errors: Array<string> = []
    const players = { ...hiding.info, players: [] } as never
    assert.deepStrictEqual(
      queryPlayers({ ...hiding, players }, ({ message }) => errors.push(message)),
      []
    )
    assert.deepStrictEqual(errors, ["The profile's players must have the _tag PlayersReply."])
  })
})

describe("text queries for a challenge", () => {
  const ask = (challenge: "signed" | "unsigned", challenges: ChallengeIssuer) =>
    text(
      replies(
        { ...profile(), texts: { challenge: { latin1: "A00000000 #", challenge } } },
        query("challenge".padEnd(40)),
        {
          challenges
        }
      )[0]
    )
  /** An issuer whose challenge for our address is negative. */
  const makeNegativeIssuer = (): ChallengeIssuer => {
    for (;;) {
      const issuer = new ChallengeIssuer()
      if (issuer.issue(...FROM) < 0) return issuer
    }
  }

  it("get the challenge as a signed or unsigned number in the reply", () => {
    const challenges = makeNegativeIssuer()
    const number = challenges.issue(...FROM)
    assert.strictEqual(ask("signed", challenges), `\xff\xff\xff\xffA00000000 ${number}`)
    assert.strictEqual(ask("unsigned", challenges), `\xff\xff\xff\xffA00000000 ${number + 2 ** 32}`)
  })

  it("a text that contains # is sent without changes if the profile does not set `challenge` for this text", () => {
    const texts = { status: { latin1: "n # #" } }
    assert.strictEqual(text(replies({ ...profile(), texts }, query("status".padEnd(20)))[0]), "\xff\xff\xff\xffn # #")
  })
})

it("the ids of split replies begin at a random number", () => {
  const readId = (): number => {
    const fragment = queryPlayers({ ...profile(), players: onePlayer, oversize: { how: "split", maxBytes: 20 } })[0]!
    return new DataView(fragment.buffer).getInt32(4, true)
  }
  assert.strictEqual(new Set(Array.from({ length: 4 }, readId)).size, 4)
})

describe("an invalid profile", () => {
  const wrong = { ...profile(), oversize: { how: "burn", maxBytes: 1400 } } as unknown as Profile

  it("causes an error that names the invalid part: Responder throws the error, and checkProfile returns it", () => {
    assert.throws(() => new Responder(wrong), InvalidOption, /^profile\.oversize\.how must be one of/)
    const { failure } = checkProfile(wrong) as unknown as { readonly failure: EncodeError }
    assert.deepInclude(failure, { messageTag: "Profile", field: "profile.oversize.how" })
  })

  it.each<readonly [string, unknown, RegExp]>([
    ["another reply", { ...(profile().info as object) }, /^The profile's players must have the _tag PlayersReply\.$/],
    [
      "a reply whose property throws",
      Object.defineProperty({ ...onePlayer }, "players", { get: () => assert.fail("gone") }),
      /^The profile's players cannot be encoded: .*gone\.$/
    ],
    ["a function that throws", () => assert.fail("not yet"), /^The profile's players cannot be read: .*not yet\.$/]
  ])("is reported with the reason if its list of players is %s", (_, players, message) => {
    const result = checkProfile({ ...profile(), players: players as never })
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) {
      assert.match(result.failure.message, message)
      assert.deepInclude(result.failure, { messageTag: "Profile", field: "players" })
    }
  })

  it("causes an error that names the invalid entry of a list", () => {
    const result = checkProfile({ ...profile(), players: { ...onePlayer, players: [null] } as never })
    assert.match(Result.isFailure(result) ? result.failure.message : "", /^PlayersReply\.players\[0\] must be/)
  })
})
