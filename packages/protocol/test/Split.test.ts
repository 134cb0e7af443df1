import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fromHex, toHex } from "../src/Hex.ts"
import { join, Reassembler, splitDatagram, type Joined, type SplitLayout } from "../src/Split.ts"
import { compressedRules, rulesReply } from "./bzip2Streams.ts"
import { captures } from "./captures.ts"
import { splitRules, addAll, layouts, shuffled } from "./fragments.ts"
import { isSplit } from "../src/Wire.ts"
import { seeded } from "./random.ts"

const headerBytes = { source: 12, "source-no-size": 10, goldsource: 9 }

const getFailure = <A, E>(result: Result.Result<A, E>): E => {
  if (Result.isSuccess(result)) throw new Error("expected a failure")
  return result.failure
}

describe("splitDatagram", () => {
  it("writes the documented headers", () => {
    const reply = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x45, 1, 2, 3)
    const heads = (layout: SplitLayout) =>
      splitDatagram(reply, { layout, id: 0xb000_0001, maxBytes: headerBytes[layout] + 5 }).map((part) => toHex(part))
    assert.deepStrictEqual(heads("source"), ["feffffff0100003002000500ffffffff45", "feffffff0100003002010500010203"])
    assert.deepStrictEqual(heads("source-no-size"), ["feffffff010000300200ffffffff45", "feffffff010000300201010203"])
    assert.deepStrictEqual(heads("goldsource"), ["feffffff0100003002ffffffff45", "feffffff0100003012010203"])
  })

  it("by default, makes fragments of the same size as the fragments of real servers", () => {
    const reply = new Uint8Array(5000).fill(0xff)
    const sizes = (layout: SplitLayout) => splitDatagram(reply, { layout, id: 1 }).map(({ length }) => length)
    assert.deepStrictEqual(sizes("source"), [1260, 1260, 1260, 1260, 20])
    assert.strictEqual(toHex(splitDatagram(reply, { layout: "source", id: 1 })[0]!, 10, 12), "e004")
    assert.strictEqual(sizes("source-no-size")[0], 1260)
    assert.strictEqual(sizes("goldsource")[0], 1400)
  })

  it("writes the size and the CRC32 of the uncompressed reply before the bzip2 stream, and sets bit 31 of the id", () => {
    const [first] = splitRules("source", true)
    assert.strictEqual(first![7], 0x80)
    assert.strictEqual(toHex(first!, 12, 14), "8f06")
    assert.strictEqual(toHex(first!, 20, 23), "425a68")
  })

  it.each(layouts)(
    "makes fragments larger than `maxBytes` if there would otherwise be too many fragments for the layout %s",
    (layout) => {
      const reply = new Uint8Array(60_000).fill(0xff)
      const fragments = splitDatagram(reply, { layout, id: 1, maxBytes: 20 })
      assert.isAtMost(fragments.length, layout === "goldsource" ? 15 : 255)
      assert.deepStrictEqual(Result.getOrThrow(join(fragments)).bytes, reply)
    }
  )

  it("writes the size, the CRC32 and the first bytes of the stream to the same fragment, even if `maxBytes` is small", () => {
    for (const layout of ["source", "source-no-size"] as const) {
      const fragments = splitRules(layout, true, 1, 12)
      assert.isAbove(fragments.length, 2)
      assert.deepStrictEqual(Result.getOrThrow(join(fragments)).bytes, rulesReply)
    }
  })

  it("makes only one fragment if the reply fits into one fragment", () => {
    const fragments = splitDatagram(rulesReply.subarray(0, 300), { layout: "source", id: 1 })
    assert.strictEqual(fragments.length, 1)
    assert.strictEqual(Result.getOrThrow(join(fragments)).total, 1)
  })

  for (const layout of layouts) {
    it.effect.prop(
      `makes fragments from which \`join\` restores the reply: ${layout}`,
      {
        body: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))),
        repeat: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })),
        id: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff_ffff })),
        maxBytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1400 })),
        seed: Schema.Int
      },
      ({ body, id, maxBytes, repeat, seed }) =>
        Effect.sync(() => {
          // The fifth byte is always the type of a RULES reply. If the fifth byte were random, it could be
          // FF, and the reply would not be a message.
          const tail = Array.from({ length: repeat }, () => body).flat()
          const reply = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x45, ...tail)
          const fragments = shuffled(splitDatagram(reply, { layout, id, maxBytes }), seeded(seed))
          const joined = Result.getOrThrow(join(fragments))
          return (
            joined.layout === layout &&
            !joined.compressed &&
            joined.id === id % 0x8000_0000 &&
            joined.total === fragments.length &&
            toHex(joined.bytes) === toHex(reply)
          )
        })
    )
  }
})

describe("isSplit", () => {
  it("checks the first four bytes", () => {
    assert.isTrue(isSplit(Uint8Array.of(0xfe, 0xff, 0xff, 0xff)))
    assert.isFalse(isSplit(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x49)))
    assert.isFalse(isSplit(Uint8Array.of(0xfe, 0xff, 0xff)))
  })
})

for (const layout of layouts) {
  for (const bzip2 of [false, true]) {
    describe(`a reassembler of ${bzip2 ? "compressed" : "uncompressed"} replies in the layout ${layout}`, () => {
      const fragments = splitRules(layout, bzip2)
      const foreign = splitRules(layout, bzip2, 0x1235)

      const check = (joined: Joined): void => {
        assert.deepStrictEqual(joined.bytes, rulesReply)
        assert.strictEqual(joined.layout, layout)
        assert.strictEqual(joined.total, fragments.length)
        assert.strictEqual(joined.compressed, bzip2)
        assert.strictEqual(joined.id, (bzip2 ? 0x8000_0000 : 0) + 0x1234)
      }

      it("joins fragments in order", () => {
        check(addAll(new Reassembler(), fragments))
        check(Result.getOrThrow(join(fragments)))
      })

      it("joins fragments in reverse order", () => {
        check(addAll(new Reassembler(), fragments.toReversed()))
      })

      it("joins fragments in random orders", () => {
        const random = seeded(1)
        for (let i = 0; i < 50; i++) check(addAll(new Reassembler(), shuffled(fragments, random)))
      })

      it("counts each fragment once, even if duplicates arrive", () => {
        const last = fragments.at(-1)!
        const others = fragments.slice(0, -1)
        check(addAll(new Reassembler(), [...others, ...others, ...others.toReversed(), last]))
        check(addAll(new Reassembler(), [last, last, ...others.slice(1), last, ...others.slice(1), others[0]!]))
      })

      it("joins two replies whose fragments arrive alternately", () => {
        const reassembler = new Reassembler()
        for (let i = 0; i < fragments.length - 1; i++) {
          assert.isUndefined(Result.getOrThrow(reassembler.add(foreign[i]!)))
          assert.isUndefined(Result.getOrThrow(reassembler.add(fragments[i]!)))
        }
        assert.strictEqual(reassembler.received, 2 * (fragments.length - 1))
        check(Result.getOrThrow(reassembler.add(fragments.at(-1)!))!)
        assert.strictEqual(reassembler.received, fragments.length - 1)
        assert.deepStrictEqual(Result.getOrThrow(reassembler.add(foreign.at(-1)!))!.bytes, rulesReply)
        assert.strictEqual(reassembler.received, 0)
        // Fragments of the second reply arrive between the fragments of the first reply. The first reply is complete before the second
        // reply.
        for (const one of [fragments[0]!, ...foreign.slice(0, -1)]) reassembler.add(one)
        check(addAll(reassembler, fragments.slice(1)))
        assert.deepStrictEqual(Result.getOrThrow(reassembler.add(foreign.at(-1)!))!.bytes, rulesReply)
      })

      it("joins a reply that is sent again", () => {
        const reassembler = new Reassembler()
        check(addAll(reassembler, fragments))
        check(addAll(reassembler, fragments))
      })

      it("copies the bytes of a fragment, so that the caller can reuse the buffer", () => {
        const buffer = new Uint8Array(2000)
        for (const order of [fragments, fragments.toReversed()]) {
          const reassembler = new Reassembler()
          let joined: Joined | undefined
          for (const fragment of order) {
            buffer.set(fragment)
            joined = Result.getOrThrow(reassembler.add(buffer.subarray(0, fragment.length)))
            buffer.fill(0)
          }
          check(joined!)
        }
      })

      it("reports which datagram contained each byte of the reply", () => {
        const order = shuffled(fragments, seeded(2))
        const joined = addAll(new Reassembler(), order)
        const sent = bzip2 ? compressedRules : rulesReply
        const rebuilt = new Uint8Array(sent.length)
        for (const { datagram, length, offset, start } of joined.fragments) {
          rebuilt.set(order[datagram]!.subarray(offset, offset + length), start)
        }
        assert.deepStrictEqual(rebuilt, sent)
      })

      it("ignores a fragment that contradicts the first fragment", () => {
        const contradiction = fragments[1]!.slice()
        contradiction[8]! += 1
        check(addAll(new Reassembler(), [fragments[0]!, contradiction, ...fragments.slice(1)]))
        check(addAll(new Reassembler(), [contradiction, ...fragments]))
      })

      it("lists missing fragments", () => {
        const one = getFailure(join(fragments.toSpliced(1, 1)))
        assert.include(one, {
          _tag: "Malformed",
          messageTag: "Split",
          field: "split",
          message: `1 of ${fragments.length} fragments are missing: 1`
        })
        const first = getFailure(join(fragments.slice(1)))
        assert.include(first.message, "fragment 0 is missing")
        assert.include(getFailure(join([])).message, "no fragments")
      })
    })
  }
}

describe("compressed replies", () => {
  const damage = (at: number): Array<Uint8Array> => {
    const fragments = splitRules("source", true)
    fragments[0]![at]! ^= 1
    return fragments
  }

  it("cause an error if their size is wrong", () => {
    const error = getFailure(join(damage(12)))
    assert.include(error, { _tag: "ChecksumMismatch", of: "size", expected: rulesReply.length - 1 })
    const tooLittle = getFailure(join(damage(13)))
    assert.include(tooLittle, { _tag: "ChecksumMismatch", of: "size", actual: rulesReply.length })
  })

  it("cause an error if their CRC32 is wrong", () => {
    assert.include(getFailure(join(damage(16))), {
      _tag: "ChecksumMismatch",
      of: "crc32",
      actual: 0x810edd45,
      message: "the CRC32 of a compressed reply differs from the announced CRC32"
    })
  })

  it("are rejected if the announced size is too large", () => {
    assert.include(getFailure(join(damage(15))), { _tag: "LimitExceeded", limit: "MAX_INFLATED_BYTES" })
  })

  it("can be joined after an error if the server sends them again", () => {
    const reassembler = new Reassembler()
    for (const fragment of damage(16)) reassembler.add(fragment)
    assert.strictEqual(reassembler.received, 0)
    assert.deepStrictEqual(addAll(reassembler, splitRules("source", true)).bytes, rulesReply)
  })

  it.each(layouts)(
    "do not include a reply whose data is not compressed, even if bit 31 of its id is set: %s",
    (layout) => {
      const fragments = splitRules(layout, false)
      for (const fragment of fragments) fragment[7] = 0x80
      const joined = Result.getOrThrow(join(fragments))
      assert.include(joined, { layout, compressed: false, id: 0x8000_1234 })
      assert.deepStrictEqual(joined.bytes, rulesReply)
    }
  )
})

describe("the id of a split reply", () => {
  it.each([0, 1, 0x8000, 0xffff, 0x8fff, 0x7fff_ffff])("can be %i", (id) => {
    for (const layout of layouts) {
      const joined = Result.getOrThrow(join(splitRules(layout, false, id)))
      assert.include(joined, { id, compressed: false })
    }
  })
})

describe("a reassembler with limits", () => {
  const later = (id: number) => splitRules("source", false, id)[1]!

  it("drops the oldest reply if too many replies are incomplete", () => {
    const reassembler = new Reassembler({ maxPartialReplies: 3 })
    for (const id of [1, 2, 3, 4]) reassembler.add(later(id))
    assert.strictEqual(reassembler.received, 3)
    const others = (id: number) => splitRules("source", false, id).toSpliced(1, 1)
    assert.strictEqual(addAll(reassembler, others(4)).id, 4)
    for (const datagram of others(1)) assert.isUndefined(Result.getOrThrow(reassembler.add(datagram)))
  })

  it("rejects a reply with too many fragments, and drops the fragments", () => {
    const reassembler = new Reassembler({ maxFragments: 4 })
    const error = getFailure(reassembler.add(splitRules("source", false)[0]!))
    assert.include(error, { _tag: "LimitExceeded", limit: "MAX_FRAGMENTS", max: 4 })
    assert.strictEqual(reassembler.received, 0)
  })

  it.each(["ordered", "reversed"])("rejects a reply with too many bytes if its fragments are %s", (order) => {
    const fragments = splitRules("source", false)
    const error = getFailure(join(order === "ordered" ? fragments : fragments.toReversed(), { maxJoinedBytes: 1000 }))
    assert.include(error, { _tag: "LimitExceeded", limit: "MAX_JOINED_BYTES", max: 1000 })
  })

  it("limits the number of fragments that it stores before a first fragment arrives", () => {
    const reassembler = new Reassembler()
    let held = 0
    for (let total = 2; total <= 255; total++) {
      for (let number = 1; number < total; number++) {
        const fragment = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, total, number)
        if (Result.isFailure(reassembler.add(fragment))) held = 0
        assert.isAtMost(reassembler.received, 255)
        held++
      }
    }
    assert.isBelow(held, 257)
  })
})

describe("a datagram that is not a fragment", () => {
  it.each([
    ["an empty datagram", "", "header"],
    ["a complete message", "ffffffff49", "header"],
    ["a truncated mark", "feffff", "header"],
    ["a truncated id", "feffffff0100", "header"],
    ["a header without number", "feffffff01000000", "header"],
    ["a total of 0", "feffffff0100000000000000ffffffff", "number"],
    ["a number that is the total", "feffffff010000000303e0040000", "number"],
    ["a number beyond the total", "feffffff010000000209e004ffffffff", "number"],
    ["a first fragment without a message", "feffffff010000000200e00441424344", "number"],
    ["bzip2 without bit 31", "feffffff010000000200e0040100000000000000425a68", "number"]
  ])("is rejected: %s", (_, hex, field) => {
    const reassembler = new Reassembler()
    assert.include(getFailure(reassembler.add(fromHex(hex)!)), { _tag: "Malformed", messageTag: "Split", field, hex })
    assert.strictEqual(reassembler.received, 0)
  })

  it("does not affect an incomplete reply", () => {
    const reassembler = new Reassembler()
    const fragments = splitRules("source", false)
    assert.isUndefined(Result.getOrThrow(reassembler.add(fragments[0]!)))
    assert.isTrue(Result.isFailure(reassembler.add(fromHex("feffff")!)))
    assert.strictEqual(addAll(reassembler, fragments.slice(1)).bytes.length, rulesReply.length)
  })
})

describe("a reassembler", () => {
  it("accepts a header without a payload, because it is a valid fragment", () => {
    const reassembler = new Reassembler()
    assert.isUndefined(Result.getOrThrow(reassembler.add(fromHex("feffffff0100000012")!)))
    assert.strictEqual(reassembler.received, 1)
  })

  it("drops an incomplete reply after a reset, and gives the next datagram the number 0", () => {
    const reassembler = new Reassembler()
    const fragments = splitRules("goldsource", false)
    reassembler.add(fragments[0]!)
    reassembler.reset()
    assert.strictEqual(reassembler.received, 0)
    assert.isUndefined(reassembler.missing())
    assert.deepStrictEqual(addAll(reassembler, fragments).fragments[0]!.datagram, 0)
  })
})

const typeBytes: Readonly<Record<string, number>> = { info: 0x49, players: 0x44, rules: 0x45 }

describe("captures", () => {
  it("contain fragments that are joined to a reply of the expected type and layout", () => {
    for (const { id, packets, query, tags } of captures.filter(({ tags: all }) => all.includes("split"))) {
      for (const order of [packets, packets.toReversed()]) {
        const joined = Result.getOrThrow(join(order))
        assert.strictEqual(toHex(joined.bytes, 0, 4), "ffffffff", id)
        assert.strictEqual(joined.bytes[4], typeBytes[query], id)
        const layout = tags.includes("split-goldsource")
          ? "goldsource"
          : tags.includes("split-source-nosize")
            ? "source-no-size"
            : "source"
        assert.strictEqual(joined.layout, layout, id)
        assert.strictEqual(joined.compressed, tags.includes("bzip2"), id)
      }
    }
  })
})
