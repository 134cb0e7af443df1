import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { encode, fromHex } from "../src/index.ts"
import { dissectFragment, join, splitDatagram } from "../src/WireFormat.ts"
import type { SplitLayout } from "../src/WireFormat.ts"

const reply = Result.getOrThrow(
  encode({
    _tag: "RulesReply",
    announced: 40,
    rules: Array.from({ length: 40 }, (_, i) => ({ name: `rule_${i}`, value: "1" })),
    truncated: false
  })
)

describe.each<SplitLayout>(["source", "source-no-size", "goldsource"])("a reply that is split as %s", (layout) => {
  const fragments = splitDatagram(reply, { layout, id: 7, maxBytes: 200 })
  const joined = Result.getOrThrow(join(fragments))

  it("is dissected into fields that cover every byte; the field `payload` has the offset and the length that `join` returns", () => {
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

  it("is dissected even if the layout is not given: the first fragment completely, and later fragments only up to the id", () => {
    expect(dissectFragment(fragments[0]!)).toEqual(dissectFragment(fragments[0]!, layout))
    expect(dissectFragment(fragments[1]!).map((field) => field.path)).toEqual(["header", "id", "rest"])
  })
})

describe("the fields of a fragment", () => {
  const describeFields = (hex: string, layout?: SplitLayout) =>
    dissectFragment(fromHex(hex)!, layout).map(
      ({ doc, length, offset, path, type, value }) => `${offset}+${length} ${path} ${type} ${String(value)}: ${doc}`
    )
  const head = [
    "0+4 header i32 -2: −2: a fragment of a split reply.",
    "4+4 id u32 2147483655: The same in all fragments of a reply. Bit 31 marks a compressed reply."
  ]
  const TOTAL = "8+1 total u8 2: Number of fragments in the reply."
  const FIRST = "9+1 number u8 0: Number of this fragment, counted from 0."
  const SIZE = "Bytes of payload in a full fragment; servers from before 2007 omit this field."
  const PAYLOAD = "This fragment's part of the reply."

  it.each<readonly [name: string, hex: string, layout: SplitLayout | undefined, fields: ReadonlyArray<string>]>([
    [
      "source",
      "0200e104ffffffff45",
      undefined,
      [TOTAL, FIRST, `10+2 size u16 1249: ${SIZE}`, `12+5 payload bytes ffffffff45: ${PAYLOAD}`]
    ],
    ["source-no-size", "0200ffffffff45", undefined, [TOTAL, FIRST, `10+5 payload bytes ffffffff45: ${PAYLOAD}`]],
    [
      "goldsource",
      "12aabb",
      "goldsource",
      [
        "8+1 number u8 1: The upper four bits are the number of this fragment (1), counted from 0.",
        "8+1 total u8 2: The lower four bits are the number of fragments in the reply (2).",
        `9+2 payload bytes aabb: ${PAYLOAD}`
      ]
    ],
    [
      "compressed",
      "020001000200000003000000425a68",
      undefined,
      [
        TOTAL,
        FIRST,
        `10+2 size u16 1: ${SIZE}`,
        "12+4 inflatedSize u32 2: Size of the complete reply after decompression, in bytes.",
        "16+4 crc32 u32 3: CRC32 of the decompressed reply.",
        `20+3 payload bytes 425a68: ${PAYLOAD}`
      ]
    ],
    [
      "a later fragment, without a layout",
      "0201aabb",
      undefined,
      ["8+4 rest bytes 0201aabb: Number, total and payload. Their layout is known only from the first fragment."]
    ]
  ])("are named and explained: %s", (_, hex, layout, fields) => {
    expect(describeFields(`feffffff07000080${hex}`, layout)).toEqual([...head, ...fields])
  })
})

describe("a truncated fragment", () => {
  const fragment = fromHex("feffffff07000080020001000200000003000000425a68")!
  it.each([
    [0, []],
    [3, []],
    [4, ["header"]],
    [7, ["header", "unread"]],
    [8, ["header", "id"]],
    [11, ["header", "id", "unread"]],
    [12, ["header", "id", "total", "number", "size"]],
    [19, ["header", "id", "total", "number", "size", "payload"]],
    [20, ["header", "id", "total", "number", "size", "inflatedSize", "crc32"]],
    [21, ["header", "id", "total", "number", "size", "inflatedSize", "crc32", "payload"]]
  ])("is dissected into all complete fields if %i bytes are left", (length, paths) => {
    expect(dissectFragment(fragment.subarray(0, length), "source").map(({ path }) => path)).toEqual(paths)
  })

  it.each([
    [7, ["header", "unread"]],
    [8, ["header", "id"]],
    [9, ["header", "id", "rest"]]
  ])("is dissected as far as possible if the layout is unknown and %i bytes are left", (length, paths) => {
    expect(dissectFragment(fromHex("feffffff0700000002")!.subarray(0, length)).map(({ path }) => path)).toEqual(paths)
  })

  it("has no fields if it does not begin with the header of a fragment", () => {
    expect(dissectFragment(fromHex("ffffffff0700000002000001")!)).toEqual([])
  })
})
