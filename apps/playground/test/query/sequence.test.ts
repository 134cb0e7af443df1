import { encode, fromHex } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { shorten } from "../../src/query/SequenceDiagram.tsx"
import { describe, expect, it } from "vitest"
import { makeArrows, findBrackets, placeArrows, type Passed } from "../../src/query/sequence.ts"

const request = fromHex("ffffffff56ffffffff")!
const challenge = fromHex("ffffffff414ba1d522")!
const proven = fromHex("ffffffff564ba1d522")!
const rules = Result.getOrThrow(
  encode({
    _tag: "RulesReply",
    announced: 30,
    rules: Array.from({ length: 30 }, (_, i) => ({ name: `rule_${i}`, value: "1" })),
    truncated: false
  })
)
const fragments = splitDatagram(rules, { layout: "source", id: 3, maxBytes: 120 })

const passed = (list: ReadonlyArray<readonly [Passed["direction"], Uint8Array, number]>): ReadonlyArray<Passed> =>
  list.map(([direction, bytes, timeMs]) => ({
    direction,
    bytes,
    timeMs,
    ...(direction === "sent" ? { from: "page", to: "server" } : { from: "server", to: "page" })
  }))

describe("a label", () => {
  it("is shortened between two characters, not within a character", () => {
    expect(shorten("abc", 3)).toBe("abc")
    expect(shorten("a🎮🎮🎮b", 3)).toBe("a🎮…")
  })
})

describe("the diagram of an exchange", () => {
  it("shows losses, retransmissions and fragments", () => {
    const arrows = makeArrows(
      passed([
        ["sent", request, 0],
        ["sent", request, 300],
        ["received", challenge, 310],
        ["sent", proven, 310],
        ["received", fragments[1]!, 320],
        ["received", fragments[0]!, 321],
        ["received", fragments[0]!, 322],
        ["received", fragments[2]!, 323]
      ])
    )
    expect(arrows.map(({ again, label, unanswered }) => [label, unanswered, again])).toEqual([
      ["A2S_RULES", true, false],
      ["A2S_RULES", false, true],
      ["S2C_CHALLENGE", false, false],
      ["A2S_RULES", false, false],
      ["fragment", false, false],
      ["fragment", false, false],
      ["fragment", false, true],
      ["fragment", false, false]
    ])
    expect(arrows[5]!.detail).toBe("1 of 3")
  })

  it("marks the fragments of a reply with a bracket", () => {
    const [first, second, third] = fragments.map((fragment, i) => ["received", fragment, i + 1] as const)
    expect(findBrackets(passed([["sent", request, 0], second!, first!, third!]))).toEqual([
      { first: 1, last: 3, label: "S2A_RULES" }
    ])
    expect(findBrackets(passed([["sent", request, 0], second!, first!]))).toEqual([])
  })

  it("shows which of several requests in flight has no reply", () => {
    const players = fromHex("ffffffff554ba1d522")!
    const arrows = makeArrows(
      passed([
        ["sent", proven, 0],
        ["sent", players, 1],
        ["received", fromHex("ffffffff4400")!, 5],
        ["sent", proven, 300],
        ["received", rules, 310]
      ])
    )
    expect(arrows.map((arrow) => arrow.unanswered)).toEqual([true, false, false, false, false])
  })

  it("shows every request as unanswered if there is no reply", () => {
    const arrows = makeArrows(
      passed([
        ["sent", request, 0],
        ["sent", request, 300]
      ])
    )
    expect(arrows.map((arrow) => arrow.unanswered)).toEqual([true, true])
  })

  it("places the arrows from top to bottom, and shortens long pauses", () => {
    const arrows = makeArrows(
      passed([
        ["sent", request, 0],
        ["sent", request, 1],
        ["sent", request, 60_000]
      ])
    )
    const [first, second, third] = placeArrows(arrows)
    expect(second! - first!).toBeLessThan(third! - second!)
    expect(third! - second!).toBeLessThan(100)
  })
})
