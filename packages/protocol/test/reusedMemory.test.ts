import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { Reassembler, splitDatagram } from "../src/Split.ts"
import { rulesReply } from "./bzip2Streams.ts"
import { splitRules, addAll, layouts, shuffled } from "./fragments.ts"
import { mutate, seeded } from "./random.ts"

describe("reused memory", () => {
  it("does not change the results in any layout, even if fragments arrive in random order and some of them are mutated", () => {
    const random = seeded(7)
    const one = new Reassembler()
    const other = new Reassembler({ reuseMemory: true })
    const cuts = layouts.flatMap((layout) => [
      splitRules(layout, false),
      splitRules(layout, true),
      splitRules(layout, false, 0x7777)
    ])
    let joined = 0
    for (let round = 0; round < 600; round++) {
      for (const fragment of shuffled(cuts[Math.floor(random() * cuts.length)]!, random)) {
        const datagram = random() < 0.02 ? mutate(fragment, random) : fragment
        const result = other.add(datagram)
        assert.deepStrictEqual(result, one.add(datagram))
        if (Result.isSuccess(result) && result.success !== undefined) joined++
        assert.strictEqual(other.missing(), one.missing())
      }
      if (random() < 0.1) {
        one.reset()
        other.reset()
      }
    }
    assert.isAbove(joined, 100)
  })

  it("the limit `maxJoinedBytes` applies to each reply, not to all replies together, even if the fragments arrive in reverse order", () => {
    const backwards = splitRules("source", false).toReversed()
    const held = backwards.slice(0, -1).reduce((sum, { length }) => sum + length, 0)
    const reassembler = new Reassembler({ reuseMemory: true, maxJoinedBytes: Math.max(held, rulesReply.length) })
    for (let i = 0; i < 5; i++) assert.deepStrictEqual(addAll(reassembler, backwards).bytes, rulesReply)
  })

  it("contains the complete reply, even if an earlier reply had another size or layout", () => {
    const reassembler = new Reassembler({ reuseMemory: true })
    const { bytes } = addAll(reassembler, splitRules("source", false))
    assert.deepStrictEqual(bytes, rulesReply)
    const larger = splitDatagram(new Uint8Array(40_000).fill(0xff), { layout: "source", id: 2 })
    assert.strictEqual(addAll(reassembler, larger).bytes.length, 40_000)
    assert.deepStrictEqual(addAll(reassembler, splitRules("goldsource", false)).bytes, rulesReply)
  })
})
