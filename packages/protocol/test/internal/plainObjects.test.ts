import { encodeAs } from "../../src/internal/interpret/byCodec.ts"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { PlayersReply, RulesReply } from "../../src/index.ts"

const players = {
  _tag: "PlayersReply",
  announced: 1,
  players: [{ index: 0, name: "Alice", score: 3, duration: 1.5 }],
  truncated: false
} as const
const rules = {
  _tag: "RulesReply",
  announced: 1,
  rules: [{ name: "mp_timelimit", value: "30" }],
  truncated: false
} as const

it.each([
  [PlayersReply.decode(Result.getOrThrow(encodeAs(PlayersReply, players))), players],
  [RulesReply.decode(Result.getOrThrow(encodeAs(RulesReply, rules))), rules]
])("generated decoders return plain objects (case %#)", (decoded, expected) => {
  const message = Result.getOrThrow(decoded as Result.Result<object>)
  expect(message).toStrictEqual(expected)
  expect(JSON.stringify(message)).toBe(JSON.stringify(expected))
  expect(Object.getPrototypeOf(message)).toBe(Object.prototype)
})
