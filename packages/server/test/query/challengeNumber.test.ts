import { assert, it } from "@effect/vitest"
import { challengeNumber } from "../../src/query/Challenge.ts"

it.each([
  [7, 9, 7],
  [-2, 9, -2],
  [1, 0, 1],
  [0, 8, 9],
  [-1, 8, 9],
  [0, 0, 1],
  [-1, -1, 0x7fffffff],
  [0, -2147483648, 1]
])("the hash words %i and %i result in the challenge %i", (low, high, number) => {
  assert.strictEqual(challengeNumber(low, high), number)
})
