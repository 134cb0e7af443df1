import { assert, describe, it } from "@effect/vitest"
import { type Message, decode, encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { profiles } from "../../src/index.ts"
import { isProfileName, profileNames } from "../../src/machines.ts"
import { checkProfile } from "@sourcewire/server"

describe.each(profileNames)("profile %s", (name) => {
  const profile = profiles[name]()
  const replies = [profile.info, profile.legacyInfo, profile.players, profile.rules].filter(
    (reply): reply is Exclude<typeof reply, undefined | (() => unknown)> => typeof reply === "object"
  )

  it("can be encoded, and contains its name and a description", () => {
    assert.isTrue(Result.isSuccess(checkProfile(profile)))
    assert.strictEqual(profile.name, name)
    assert.match(profile.description, /\w+ .*\w+/)
  })

  it("contains replies that do not change if they are encoded and then decoded", () => {
    for (const reply of replies) {
      const read: Message = Result.getOrThrow(decode(Result.getOrThrow(encode(reply as Message))))
      // If the value of a rule is binary, the decoder guesses the encoding of the value and adds the field `valueHex`.
      if (read._tag === "RulesReply" && read.rules.some((rule) => rule.valueHex !== undefined)) continue
      assert.deepInclude(read, reply)
    }
  })

  it("has the same values for the same seed, and different values for another seed", () => {
    assert.deepEqual(profiles[name]({ seed: 5 }), profiles[name]({ seed: 5 }))
    if (replies.length > 0) assert.notDeepEqual(profiles[name]({ seed: 5 }), profiles[name]({ seed: 6 }))
  })
})

describe("profiles", () => {
  it("are recognized by name, and `toString` is not recognized as a profile", () => {
    assert.isTrue(isProfileName("rust"))
    assert.isFalse(isProfileName("toString"))
  })

  it("accept a name, a map, a port and a number of people", () => {
    const { info, players } = profiles.css({ name: "n", map: "m", port: 1, people: 2 })
    assert.deepInclude(info as object, { name: "n", map: "m", port: 1, players: 6 })
    assert.lengthOf((players as { players: ReadonlyArray<unknown> }).players, 6)
  })

  it("the profile rust contains 300 players and announces 44, because the count has only one byte", () => {
    const players = profiles.rust().players as { announced: number; players: ReadonlyArray<unknown> }
    assert.deepEqual([players.announced, players.players.length], [44, 300])
  })

  it("the profile dayz contains about 2500 bytes of rules", () => {
    const rules = profiles.dayz().rules as Extract<Message, { _tag: "RulesReply" }>
    assert.closeTo(Result.getOrThrow(encode(rules)).length, 2500, 300)
  })
})
