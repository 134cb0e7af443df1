import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { SplitLayout } from "../src/index.ts"
import { dissectFragment, encode, fromHex, join, splitDatagram } from "../src/index.ts"

const reply = Result.getOrThrow(
  encode({
    _tag: "RulesReply",
    announced: 40,
    rules: Array.from({ length: 40 }, (_, i) => ({ name: `rule_${i}`, value: "1" })),
    truncated: false
  })
)

describe.each<SplitLayout>(["source", "source-no-size", "goldsource"])("a reply split as %s", (layout) => {
  const fragments = splitDatagram(reply, { layout, id: 7, maxBytes: 200 })
  const joined = Result.getOrThrow(join(fragments))

  it("has fields that cover every byte, and a payload where joining finds it", () => {
    fragments.forEach((fragment, number) => {
      const fields = dissectFragment(fragment, layout)
      const value = (path: string) => fields.find((field) => field.path === path)
      expect(value("number")?.value).toBe(number)
      expect(value("total")?.value).toBe(fragments.length)
      const payload = value("payload")!
      expect([payload.offset, payload.length]).toEqual([
        joined.fragments[number]!.offset,
        joined.fragments[number]!.length
      ])
      const covered = new Set(
        fields.flatMap((field) => Array.from({ length: field.length }, (_, i) => field.offset + i))
      )
      expect(covered.size).toBe(fragment.length)
    })
  })

  it("needs to be told the layout of a later fragment only", () => {
    expect(dissectFragment(fragments[0]!)).toEqual(dissectFragment(fragments[0]!, layout))
    expect(dissectFragment(fragments[1]!).map((field) => field.path)).toEqual(["header", "id", "rest"])
  })
})

describe("a fragment that is cut", () => {
  const fragment = splitDatagram(reply, { layout: "source", id: 7, maxBytes: 200 })[0]!
  it.each([0, 3, 4, 7, 8, 9, 10, 11, 12, 13])("gives the whole fields of its first %i bytes", (length) => {
    for (const field of dissectFragment(fragment.subarray(0, length), "source")) {
      expect(field.offset + field.length).toBeLessThanOrEqual(length)
    }
  })

  it("is no fragment when the mark is another", () => {
    expect(dissectFragment(fromHex("ffffffff0700000002000001")!)).toEqual([])
  })
})
