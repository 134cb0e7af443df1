/** Tests the limits of a reassembler, the datagrams that a reassembler ignores or rejects, and the memory that a reassembler reuses. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { toHex } from "../src/Hex.ts"
import { Reassembler, splitDatagram } from "../src/Split.ts"
import { compressedRules, rulesReply } from "./bzip2Streams.ts"
import { splitRules, addAll } from "./fragments.ts"

const getFailure = <A, E>(result: Result.Result<A, E>): E => Result.getOrThrow(Result.flip(result))

/** A fragment of the layout `source`. */
const fragment = (total: number, number: number, payload: ReadonlyArray<number> = [], id = 1): Uint8Array =>
  Uint8Array.of(0xfe, 0xff, 0xff, 0xff, id, 0, 0, 0, total, number, 0xe0, 0x04, ...payload)

/** The first bytes of a message. The payload of a first fragment begins with these bytes. */
const BEGIN = [0xff, 0xff, 0xff, 0xff, 0x45]
const zeros = (count: number): ReadonlyArray<number> => Array<number>(count).fill(0)

describe("a reassembler with limits", () => {
  const bytes = (options: ConstructorParameters<typeof Reassembler>[0], ...fragments: ReadonlyArray<Uint8Array>) => {
    const reassembler = new Reassembler(options)
    const results = fragments.map((one) => reassembler.add(one))
    return { last: results.at(-1)!, reassembler }
  }
  const exceeded = (limit: string, max: number) => ({
    _tag: "LimitExceeded",
    limit,
    max,
    message: `a split reply exceeds ${limit} (${max})`
  })

  it("accepts a reply with the maximum number of bytes, and rejects a reply with one byte more", () => {
    const first = fragment(2, 0, [...BEGIN, ...zeros(45)])
    const full = bytes({ maxJoinedBytes: 100 }, first, fragment(2, 1, zeros(50)))
    expect(Result.getOrThrow(full.last)!.bytes).toHaveLength(100)
    const more = bytes({ maxJoinedBytes: 100 }, first, fragment(2, 1, zeros(51)))
    expect(getFailure(more.last)).toMatchObject(exceeded("MAX_JOINED_BYTES", 100))
    expect(more.reassembler.received).toBe(0)
  })

  it("accepts a reply with the maximum number of fragments, and rejects a reply with one fragment more", () => {
    expect(Result.getOrThrow(bytes({ maxFragments: 3 }, fragment(3, 0, BEGIN)).last)).toBeUndefined()
    expect(getFailure(bytes({ maxFragments: 3 }, fragment(4, 0, BEGIN)).last)).toMatchObject(
      exceeded("MAX_FRAGMENTS", 3)
    )
  })

  it("limits the number and the total size of fragments that arrive before the first fragment", () => {
    const early = [1, 2, 3].map((number) => fragment(9, number))
    expect(bytes({ maxFragments: 3 }, ...early).reassembler.received).toBe(3)
    const fourth = bytes({ maxFragments: 3 }, ...early, fragment(9, 4))
    expect(getFailure(fourth.last)).toMatchObject(exceeded("MAX_FRAGMENTS", 3))
    expect(fourth.reassembler.received).toBe(0)

    const held = early.reduce((sum, { length }) => sum + length, 0)
    expect(bytes({ maxJoinedBytes: held }, ...early).reassembler.received).toBe(3)
    expect(getFailure(bytes({ maxJoinedBytes: held - 1 }, ...early).last)).toMatchObject(
      exceeded("MAX_JOINED_BYTES", held - 1)
    )
  })

  it("does not count duplicates of fragments that arrive before the first fragment", () => {
    const reassembler = new Reassembler({ maxFragments: 2 })
    for (const number of [1, 1, 1, 1, 2]) {
      expect(Result.getOrThrow(reassembler.add(fragment(9, number)))).toBeUndefined()
    }
    expect(reassembler.received).toBe(2)
    // Two fragments with the same number but different totals are not duplicates: they cannot belong to the
    // same reply.
    expect(bytes({ maxFragments: 2 }, fragment(9, 1), fragment(8, 1)).reassembler.received).toBe(2)
  })

  it("drops the oldest reply if too many replies are incomplete", () => {
    const reassembler = new Reassembler({ maxPartialReplies: 2 })
    for (const id of [1, 2]) reassembler.add(fragment(2, 0, BEGIN, id))
    expect(reassembler.received).toBe(2)
    reassembler.add(fragment(2, 0, BEGIN, 3))
    expect(reassembler.received).toBe(2)
    expect(Result.getOrThrow(reassembler.add(fragment(2, 1, [7], 2)))?.id).toBe(2)
    expect(Result.getOrThrow(reassembler.add(fragment(2, 1, [7], 1)))).toBeUndefined()
  })

  it("accepts unusually large fragments if the sum of their sizes is below the maximum", () => {
    const reassembler = new Reassembler()
    const parts = [BEGIN, zeros(30_000), zeros(3), zeros(40_000)]
    const joined = addAll(
      reassembler,
      parts.map((payload, number) => fragment(4, number, payload))
    )
    expect(joined.bytes).toEqual(Uint8Array.from(parts.flat()))
  })
})

describe("a fragment that does not fit the reply", () => {
  it.each([
    ["has a total that differs from the total of the first fragment", fragment(4, 1, zeros(9))],
    ["has a number equal to the total", fragment(3, 3, zeros(9))],
    ["has a number above the total", fragment(3, 7, zeros(9))],
    ["ends within its header", fragment(3, 1).subarray(0, 11)]
  ])("is ignored if it %s", (_, stray) => {
    const reassembler = new Reassembler()
    const own = [fragment(3, 0, BEGIN), fragment(3, 1), fragment(3, 2, [1])]
    reassembler.add(own[0]!)
    expect(Result.getOrThrow(reassembler.add(stray))).toBeUndefined()
    expect(reassembler.received).toBe(1)
    // A fragment without a payload is valid.
    expect(addAll(reassembler, own.slice(1)).bytes).toEqual(Uint8Array.from([...BEGIN, 1]))
  })

  it("is ignored even if it arrives before the first fragment", () => {
    const reassembler = new Reassembler()
    for (const stray of [fragment(4, 1, zeros(9)), fragment(9, 3)]) reassembler.add(stray)
    const own = [fragment(3, 2, [1]), fragment(3, 1), fragment(3, 0, BEGIN)]
    expect(addAll(reassembler, own).bytes).toEqual(Uint8Array.from([...BEGIN, 1]))
  })
})

describe("the missing fragments of a reply", () => {
  it("are listed by number if the first fragment has arrived; otherwise, only fragment 0 is reported", () => {
    const reassembler = new Reassembler()
    reassembler.add(fragment(5, 0, BEGIN))
    reassembler.add(fragment(5, 2))
    expect(reassembler.missing()).toBe("3 of 5 fragments are missing: 1, 3, 4")
    reassembler.reset()
    reassembler.add(fragment(5, 2))
    expect(reassembler.missing()).toBe("fragment 0 is missing, so the layout is unknown (fragments received: 1)")
  })
})

describe("a datagram that is not a fragment", () => {
  it.each([
    ["ffffffff49", "a fragment must begin with FE FF FF FF", 0],
    ["feffffff01000000", "the datagram ends within the header of a fragment", 8],
    ["feffffff0100000000000000", "the datagram is not a fragment in any of the three layouts", 8]
  ])("is reported with the reason and the position: %s", (hex, message, offset) => {
    const datagram = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
    expect(getFailure(new Reassembler().add(datagram))).toMatchObject({ message, offset, hex })
  })

  it("is reported with its first 32 bytes", () => {
    const long = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, ...zeros(91))
    expect(getFailure(new Reassembler().add(long))).toMatchObject({ hex: toHex(long, 0, 32) })
  })

  // The shortest fragment consists only of the header of GoldSource, which has 9 bytes. Only the first
  // fragment requires a payload.
  it("a datagram of 9 bytes is accepted, because the shortest fragment has 9 bytes", () => {
    const reassembler = new Reassembler()
    const shortest = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0x12)
    expect(Result.getOrThrow(reassembler.add(shortest))).toBeUndefined()
    expect(reassembler.received).toBe(1)
  })

  it("is reported if it has the header of a first fragment, but its payload is neither a message nor compressed data", () => {
    for (let damaged = 0; damaged < 4; damaged++) {
      const begin = [...BEGIN]
      begin[damaged] = 0
      expect(getFailure(new Reassembler().add(fragment(2, 0, begin)))).toMatchObject({ field: "number" })
    }
    for (let damaged = 0; damaged < 3; damaged++) {
      const [first] = splitRules("source", true)
      first![20 + damaged] = 0
      expect(getFailure(new Reassembler().add(first!))).toMatchObject({ field: "number" })
    }
  })
})

describe("reused memory", () => {
  const small = [fragment(2, 0, BEGIN), fragment(2, 1, [1, 2, 3])]
  const reply = Uint8Array.from([...BEGIN, 1, 2, 3])
  const other = [fragment(2, 1, [9, 9]), fragment(2, 0, BEGIN)]

  it("contains a reply until the next reply is joined", () => {
    const reassembler = new Reassembler({ reuseMemory: true })
    const { bytes } = addAll(reassembler, small)
    expect(bytes).toEqual(reply)
    addAll(reassembler, [fragment(2, 0, [...BEGIN.slice(0, 4), 0x44]), fragment(2, 1, [7, 7, 7])])
    expect(bytes).toEqual(Uint8Array.from([...BEGIN.slice(0, 4), 0x44, 7, 7, 7]))
  })

  it("is not used by default", () => {
    for (const options of [undefined, {}, { reuseMemory: false }]) {
      const reassembler = new Reassembler(options)
      const { bytes } = addAll(reassembler, small)
      addAll(reassembler, [fragment(2, 0, BEGIN), fragment(2, 1, [7, 7, 7])])
      expect(bytes).toEqual(reply)
    }
  })

  it("does not affect the next reply, even if the previous reply was compressed or its fragments arrived in reverse order", () => {
    const reassembler = new Reassembler({ reuseMemory: true })
    const plain = Uint8Array.from([...BEGIN, 9, 9])
    expect(addAll(reassembler, other).bytes).toEqual(plain)
    expect(addAll(reassembler, small)).toMatchObject({ bytes: reply, compressed: false })
    const compressed = splitDatagram(rulesReply, {
      layout: "source",
      id: 2,
      maxBytes: 100,
      compressed: compressedRules
    })
    expect(addAll(reassembler, compressed)).toMatchObject({ bytes: rulesReply, compressed: true })
    expect(addAll(reassembler, small)).toMatchObject({ bytes: reply, compressed: false })
    expect(addAll(reassembler, other).bytes).toEqual(plain)
  })

  it("is freed after a large reply, and after a reply with an error", () => {
    const reassembler = new Reassembler({ reuseMemory: true, maxJoinedBytes: 40_000 })
    reassembler.add(fragment(2, 0, BEGIN))
    expect(getFailure(reassembler.add(fragment(2, 1, zeros(40_000))))).toMatchObject({ limit: "MAX_JOINED_BYTES" })
    expect(addAll(reassembler, small).bytes).toEqual(reply)
    const { bytes } = addAll(reassembler, [fragment(2, 0, BEGIN), fragment(2, 1, zeros(30_000))])
    addAll(reassembler, small)
    // The memory of the large reply was not reused.
    expect(bytes.subarray(5, 8)).toEqual(new Uint8Array(3))
  })
})

describe("splitDatagram", () => {
  it.each([
    ["source", 1260],
    ["source-no-size", 1260],
    ["goldsource", 1400]
  ] as const)("never divides the bytes that identify the layout %s", (layout, usual) => {
    const plain = splitDatagram(rulesReply.subarray(0, 40), { layout, id: 1, maxBytes: 1 })
    expect(plain[0]!.subarray(-4)).toEqual(Uint8Array.of(0xff, 0xff, 0xff, 0xff))
    const [first] = splitDatagram(rulesReply.subarray(0, 40), {
      layout,
      id: 1,
      maxBytes: 1,
      compressed: compressedRules.subarray(0, 40)
    })
    expect(toHex(first!).endsWith("425a68")).toBe(true)
    expect(splitDatagram(new Uint8Array(5000), { layout, id: 1 })[0]).toHaveLength(usual)
  })

  it("makes at most as many fragments as the number field of each layout allows", () => {
    const large = new Uint8Array(5000).fill(0xff)
    const count = (layout: "source" | "goldsource", bytes: number) =>
      splitDatagram(large.subarray(0, bytes), { layout, id: 1, maxBytes: 1 }).length
    expect(count("goldsource", 60)).toBe(15)
    expect(count("goldsource", 61)).toBe(13)
    expect(count("source", 1020)).toBe(255)
    expect(count("source", 1021)).toBe(205)
  })
})
