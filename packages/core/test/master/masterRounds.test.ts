/**
 * Tests the rounds in which the whole list of a master is requested. A round is one request and its replies. The list counts as complete
 * when each of two rounds has returned all known addresses.
 */
import { describe, expect, it } from "vitest"
import { MAX_MASTER_ROUNDS } from "../../src/Limits.ts"
import { MasterRounds } from "../../src/master/masterRounds.ts"

/** Builds rounds. Each argument is one round: a list of datagrams, each with its addresses. */
const makeRounds = (...rounds: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>): MasterRounds => {
  const found = new MasterRounds()
  for (const [i, datagrams] of rounds.entries()) {
    if (i > 0) found.next()
    for (const addresses of datagrams) found.add(addresses, false)
  }
  return found
}

describe("the rounds of a list", () => {
  it("return each address once, in the order of arrival, even if several rounds contain the address", () => {
    const found = makeRounds([["b", "a"], ["c"]], [["a", "d"]])
    expect(found.addresses).toEqual(["b", "a", "c", "d"])
    expect(found.size).toBe(4)
  })

  it.each<readonly [what: string, isSettled: boolean, rounds: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>]>([
    ["one round returned everything", false, [[["a"]]]],
    ["two rounds returned everything", true, [[["a", "b"]], [["b"], ["a"]]]],
    ["each round lacks an address", false, [[["a"]], [["b"]]]],
    ["the second round lacks an address", false, [[["a", "b"]], [["a"]]]],
    [
      "the third round returned all addresses, and the first two rounds each lack an address",
      false,
      [[["a"]], [["b"]], [["a", "b"]]]
    ],
    ["only the first and the third round returned everything", true, [[["a", "b"]], [["a"]], [["a", "b"]]]],
    ["no datagram arrived in the second round", false, [[["a"]], []]],
    ["two rounds returned an empty list", true, [[[]], [[]]]],
    ["nothing arrived", false, [[], []]]
  ])("if %s, `isSettled` is %s", (_, isSettled, rounds) => {
    expect(makeRounds(...rounds).isSettled).toBe(isSettled)
  })

  it("a late datagram is assigned to the previous round", () => {
    const found = makeRounds([["a"]], [])
    expect([found.isLater, found.isAnswered]).toEqual([true, false])
    found.add(["b"], true)
    expect(found.isAnswered).toBe(false)
    found.add(["a", "b"], false)
    expect(found.isAnswered).toBe(true)
    expect(found.isSettled).toBe(true)
  })

  it("are limited in number", () => {
    const found = new MasterRounds()
    expect(found.isLater).toBe(false)
    let count = 1
    while (found.next()) count++
    expect(count).toBe(MAX_MASTER_ROUNDS)
    expect(found.next()).toBe(false)
  })
})
