/** The encoding of the texts in replies, and replies that are too large for one datagram. */
import { assert, describe, it } from "@effect/vitest"
import { decode, type PlayersReply, type RulesReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { type Profile, Responder } from "../../src/index.ts"
import { profile } from "../profile.ts"

const rules: RulesReply = {
  _tag: "RulesReply",
  announced: 3,
  rules: [
    { name: "sv_gravity", value: "800" },
    { name: "mp_timelimit", value: "20" },
    { name: "hostname_of_it", value: "somewhere" }
  ],
  truncated: false
}
const players: PlayersReply = {
  _tag: "PlayersReply",
  announced: 2,
  players: [
    { index: 0, name: "one of two", score: 1, duration: 1 },
    { index: 0, name: "the other", score: 2, duration: 2 }
  ],
  truncated: false
}

/** Sends a request with a valid challenge, and returns the replies. */
const queryReplies = (profile: Profile, type: number, compress?: (reply: Uint8Array) => Uint8Array) => {
  const responder = new Responder(profile, compress === undefined ? {} : { compress })
  const request = Uint8Array.of(255, 255, 255, 255, type, 0, 0, 0, 0)
  new DataView(request.buffer).setInt32(5, responder.challenges.issue("192.0.2.1", 1, 0), true)
  return responder.respond(request, "192.0.2.1", 1, 0)
}
const PLAYER = 0x55
const RULES = 0x56

const withOversize = (oversize: Profile["oversize"]): Profile => ({ ...profile(), players, rules, oversize })
const replySize = (type: number): number =>
  queryReplies(withOversize({ how: "whole", maxBytes: 1400 }), type)[0]!.length

describe("a buffer for rules", () => {
  const readNames = (bufferBytes: number): ReadonlyArray<string> => {
    const [reply] = queryReplies(withOversize({ how: "whole", maxBytes: 1400, bufferBytes }), RULES)
    const read = Result.getOrThrow(decode(reply!)) as RulesReply
    assert.notProperty(read, "trailing")
    return read.rules.map(({ name }) => name)
  }
  const names = rules.rules.map(({ name }) => name)
  const size = replySize(RULES)
  const last = "hostname_of_it\0somewhere\0".length

  it.each([
    ["is one byte too small for the last rule", size - 1, 2],
    ["ends within the last value", size - 3, 2],
    ["ends after the last name", size - "somewhere\0".length, 2],
    ["has space for all rules except the last", size - last, 2],
    ["is one byte too small for the rule before the last", size - last - 1, 1],
    ["has no space for a rule", 8, 0]
  ])("contains only complete rules if the buffer %s", (_, bufferBytes, count) =>
    assert.deepStrictEqual(readNames(bufferBytes), names.slice(0, count))
  )

  it("does not affect the list of players", () => {
    const oversize = { how: "whole", maxBytes: 1400, bufferBytes: 20 } as const
    assert.lengthOf(queryReplies(withOversize(oversize), PLAYER)[0]!, replySize(PLAYER))
  })
})

it("a truncated reply is one datagram of `maxBytes` bytes, even if this datagram ends within a text", () => {
  const [cut, ...more] = queryReplies(withOversize({ how: "truncate", maxBytes: 20 }), PLAYER)
  assert.deepStrictEqual([cut!.length, more.length], [20, 0])
  const [whole] = queryReplies(withOversize({ how: "truncate", maxBytes: replySize(PLAYER) }), PLAYER)
  assert.lengthOf(whole!, replySize(PLAYER))
})

it.each([
  ["source", 1],
  ["goldsource", 0]
] as const)(
  "if `bzip2` is set, one split reply in the layout %s causes this number of compressor calls: %i",
  (layout, expected) => {
    let times = 0
    const compress = (reply: Uint8Array) => (times++, reply)
    queryReplies(withOversize({ how: "split", maxBytes: 40, layout, bzip2: true }), RULES, compress)
    assert.strictEqual(times, expected)
  }
)

it("a responder writes texts in the encoding of the profile", () => {
  const list = { ...players, players: [{ index: 0, name: "Привет", score: 0, duration: 0 }] }
  const named = (encoding?: Profile["encoding"], current: Profile["players"] = list) => {
    const texts = { ...withOversize({ how: "whole", maxBytes: 1400 }), players: current }
    const [reply] = queryReplies(encoding === undefined ? texts : { ...texts, encoding }, PLAYER)
    // The text begins after the header, the number of players and the index, and ends before a NUL, the score and the duration.
    return Buffer.from(reply!.subarray(7, -9)).toString("hex")
  }
  assert.strictEqual(named(), Buffer.from("Привет").toString("hex"))
  assert.strictEqual(named("windows-1251"), "cff0e8e2e5f2")
  assert.strictEqual(
    named("windows-1251", () => list),
    "cff0e8e2e5f2"
  )
})

describe("counts", () => {
  it("of rules are sent modulo 65 536", () => {
    const many = { ...rules, announced: 65_537 }
    const [reply] = queryReplies({ ...withOversize({ how: "whole", maxBytes: 1400 }), rules: many }, RULES)
    assert.strictEqual((Result.getOrThrow(decode(reply!)) as RulesReply).announced, 1)
  })

  it.each([["300"], [-256], [300.5], [2 ** 53]])(
    "of players are reported as errors if they are invalid: %j",
    (count) => {
      const errors: Array<string> = []
      const { info } = profile()
      const wrong = { ...profile(), trusts: ["info" as const], info: { ...info, players: count as number } } as Profile
      const responder = new Responder(wrong, { onError: ({ field }) => errors.push(field) })
      const request = Uint8Array.from("\xff\xff\xff\xffTSource Engine Query\0", (c) => c.charCodeAt(0))
      assert.deepStrictEqual(responder.respond(request, "192.0.2.1", 1, 0), [])
      assert.deepStrictEqual(errors, ["players"])
    }
  )
})
