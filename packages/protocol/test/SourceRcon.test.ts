import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { InvalidOption } from "../src/Errors.ts"
import { fromHex, toHex } from "../src/Hex.ts"
import { AUTH, encodePacket, EXEC_COMMAND, RESPONSE_VALUE, SourceRconFramer } from "../src/SourceRcon.ts"
import type { SourceRconPacket } from "../src/SourceRcon.ts"

const ascii = (text: string) => new TextEncoder().encode(text)
const bytes = (hex: string) => fromHex(hex)!
const plain = (packets: ReadonlyArray<SourceRconPacket>) =>
  packets.map(({ id, type, body }) => ({ id, type, body: toHex(body) }))
const concat = (parts: ReadonlyArray<Uint8Array>) => Uint8Array.from(parts.flatMap((part) => [...part]))

const session: ReadonlyArray<SourceRconPacket> = [
  { id: 1, type: RESPONSE_VALUE, body: new Uint8Array(0) },
  { id: 1, type: EXEC_COMMAND, body: new Uint8Array(0) },
  { id: 2, type: RESPONSE_VALUE, body: ascii("hostname: Zoë ★\n") },
  { id: -1, type: 4, body: new Uint8Array(300).fill(0x61) },
  { id: 3, type: RESPONSE_VALUE, body: bytes("00010000") },
  { id: 0x7fffffff, type: AUTH, body: ascii("x") }
]
const stream = concat(session.map(encodePacket))

describe("encodePacket", () => {
  it("writes size, id, type, body and two NULs", () => {
    assert.strictEqual(
      toHex(encodePacket({ id: 0x01020304, type: 0x05060708, body: new Uint8Array(300) }), 0, 12),
      "360100000403020108070605"
    )
    assert.strictEqual(
      toHex(encodePacket({ id: -1, type: EXEC_COMMAND, body: ascii("foo") })),
      "0d000000ffffffff02000000666f6f0000"
    )
  })
})

describe("SourceRconFramer", () => {
  it("finds all packets, wherever the stream is divided into two segments", () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const framer = new SourceRconFramer()
      const found = [...framer.push(stream.subarray(0, cut)), ...framer.push(stream.subarray(cut))]
      assert.deepStrictEqual(plain(found), plain(session), `cut at ${cut}`)
      assert.strictEqual(framer.pendingBytes, 0)
    }
  })

  it.each([1, 2, 3, 5, 7, 64, 4096])("finds all packets if the size of each segment is %i", (size) => {
    const framer = new SourceRconFramer()
    const found: Array<SourceRconPacket> = []
    for (let at = 0; at < stream.length; at += size) found.push(...framer.push(stream.slice(at, at + size)))
    assert.deepStrictEqual(plain(found), plain(session))
  })

  it("stores no reference to a segment, so that the caller can reuse the memory of the segment", () => {
    const framer = new SourceRconFramer()
    const segment = encodePacket({ id: 5, type: 0, body: ascii("kept") })
    const [packet] = framer.push(segment)
    segment.fill(0xff)
    assert.strictEqual(toHex(packet!.body), toHex(ascii("kept")))
  })

  it("skips packets that the caller does not expect, and finds the following packets", () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const framer = new SourceRconFramer()
      const isWanted = (id: number, type: number) => id === 2 || type === AUTH
      const found = [...framer.push(stream.subarray(0, cut), isWanted), ...framer.push(stream.subarray(cut), isWanted)]
      assert.deepStrictEqual(plain(found), plain([session[2]!, session[5]!]), `cut at ${cut}`)
    }
  })

  it("reads packets in which one or both of the closing NULs are missing", () => {
    const framer = new SourceRconFramer()
    const found = framer.push(bytes("080000000100000000000000090000000200000000000000000b00000003000000000000006f6b00"))
    assert.deepStrictEqual(plain(found), [
      { id: 1, type: 0, body: "" },
      { id: 2, type: 0, body: "" },
      { id: 3, type: 0, body: toHex(ascii("ok")) }
    ])
  })

  it.each([
    ["negative", "ffffffff", "Malformed"],
    ["too small for id and type", "07000000", "Malformed"],
    ["text of another protocol", toHex(ascii("HTTP/1.1 400 Bad Request\r\n")), "Malformed"],
    ["above the maximum", "01001000", "LimitExceeded"]
  ])(
    "returns the packets that precede an invalid size, and reports the invalid size as an error: %s",
    (_, hex, tag) => {
      const framer = new SourceRconFramer()
      const good = encodePacket({ id: 9, type: 0, body: ascii("good") })
      assert.strictEqual(framer.push(concat([good, bytes(hex)])).length, 1)
      assert.strictEqual(framer.failure?._tag, tag)
      assert.deepStrictEqual(framer.push(good), [])
    }
  )

  it("accepts values of `maxPacketBytes` from 8 to 2147483647", () => {
    for (const maxPacketBytes of [7, 2 ** 31])
      assert.throws(() => new SourceRconFramer({ maxPacketBytes }), InvalidOption, /^maxPacketBytes must be/)
    for (const maxPacketBytes of [8, 2 ** 31 - 1])
      assert.strictEqual(new SourceRconFramer({ maxPacketBytes }).pendingBytes, 0)
  })

  it("uses the configured maximum packet size", () => {
    const framer = new SourceRconFramer({ maxPacketBytes: 64 })
    framer.push(encodePacket({ id: 1, type: 2, body: new Uint8Array(55) }))
    assert.strictEqual(framer.failure?._tag, "LimitExceeded")
    assert.strictEqual(
      new SourceRconFramer({ maxPacketBytes: 64 }).push(encodePacket({ id: 1, type: 2, body: new Uint8Array(54) }))
        .length,
      1
    )
  })
})

describe("SourceRconFramer with default limits", () => {
  const size = (value: number) => {
    const field = new Uint8Array(4)
    new DataView(field.buffer).setInt32(0, value, true)
    return field
  }
  const readFailure = (...segments: ReadonlyArray<Uint8Array>) => {
    const framer = new SourceRconFramer()
    for (const segment of segments) framer.push(segment)
    return framer.failure
  }
  const MEBIBYTE = 1024 * 1024

  it("accepts a packet of the maximum size, and rejects a packet with one byte more", () => {
    assert.isUndefined(readFailure(size(MEBIBYTE)))
    assert.deepInclude(readFailure(size(MEBIBYTE + 1)), {
      _tag: "LimitExceeded",
      limit: "MAX_RCON_PACKET_BYTES",
      max: MEBIBYTE,
      message: "The server announced a packet of 1048577 bytes; the limit is 1048576."
    })
  })

  it("interprets an impossible size as text of another protocol, and shows the beginning of this text in the error", () => {
    assert.strictEqual(readFailure(size(256 * MEBIBYTE))?._tag, "LimitExceeded")
    assert.strictEqual(readFailure(size(256 * MEBIBYTE + 1))?._tag, "Malformed")
    const html = ascii("HTTP/1.1 400 Bad Request\r\nServer: somebody\r\n")
    assert.deepInclude(readFailure(stream, html), {
      _tag: "Malformed",
      messageTag: "SourceRconPacket",
      field: "size",
      offset: 0,
      hex: toHex(html, 0, 32),
      message: "Not an RCON packet: its size field is 1347703880. Another program may listen on this port."
    })
    assert.deepInclude(readFailure(size(-1)), { hex: "ffffffff" })
    assert.isUndefined(readFailure(size(8)))
    assert.deepInclude(readFailure(size(7)), { _tag: "Malformed" })
  })

  it("reports the number of stored bytes of an incomplete packet", () => {
    const framer = new SourceRconFramer()
    const packet = encodePacket({ id: 1, type: 0, body: ascii("hello") })
    for (let held = 1; held < packet.length; held++) {
      framer.push(packet.subarray(held - 1, held))
      assert.strictEqual(framer.pendingBytes, held)
    }
    assert.strictEqual(framer.push(packet.subarray(-1)).length, 1)
    assert.strictEqual(framer.pendingBytes, 0)
    assert.strictEqual(framer.push(concat([packet, packet.subarray(0, 3)])).length, 1)
    assert.strictEqual(framer.pendingBytes, 3)
  })

  it("finds packets of different sizes in segments of different sizes", () => {
    const framer = new SourceRconFramer()
    const bodies = [10, 240, 241, 242, 243, 500, 3, 5000, 20_000, 1].map((length, i) =>
      new Uint8Array(length).fill(0x61 + i)
    )
    const whole = concat(bodies.map((body, id) => encodePacket({ id, type: 0, body })))
    const found: Array<SourceRconPacket> = []
    for (let at = 0, step = 1; at < whole.length; at += step, step = (step * 7 + 3) % 997) {
      found.push(...framer.push(whole.subarray(at, at + step)))
    }
    assert.deepStrictEqual(
      found.map(({ body }) => body),
      bodies
    )
  })

  it("removes the two closing NULs of a packet, and no NULs of the body", () => {
    const framer = new SourceRconFramer()
    const bodies = ["000000", "610000", "00"].map(bytes)
    const found = framer.push(concat(bodies.map((body) => encodePacket({ id: 1, type: 0, body }))))
    assert.deepStrictEqual(
      found.map(({ body }) => toHex(body)),
      ["000000", "610000", "00"]
    )
  })
})

const captures = new URL("../../../../shared/vectors/captures.jsonl", import.meta.url)

interface Capture {
  readonly id: string
  readonly query: string
  readonly packets: ReadonlyArray<string>
  readonly expected: { readonly packets: ReadonlyArray<{ id: number; type: number; body: string }> } | null
}

describe.runIf(existsSync(captures))("captures of RCON", () => {
  const cases = existsSync(captures)
    ? readFileSync(captures, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Capture)
        .filter((capture) => capture.query === "rcon" && capture.expected !== null)
    : []

  it.each(cases)("contain the expected packets: $id", ({ packets, expected }) => {
    const framer = new SourceRconFramer()
    const found = packets.flatMap((hex) => framer.push(bytes(hex)))
    assert.deepStrictEqual(
      found.map(({ id, type, body }) => ({ id, type, body: new TextDecoder().decode(body) })),
      expected!.packets
    )
  })
})

describe("a packet to encode", () => {
  const packet = (id: unknown, type: unknown) => () =>
    encodePacket({ id, type, body: new Uint8Array(0) } as unknown as SourceRconPacket)

  it.each([2 ** 31, -(2 ** 31) - 1, 1.5, "1", undefined])("is rejected if its id or type is %j", (number) => {
    assert.throws(packet(number, 0), InvalidOption, /^id must be a whole number from -2147483648 to 2147483647\./)
    assert.throws(packet(0, number), InvalidOption, /^type must be a whole number/)
  })

  it.each([2 ** 31 - 1, -(2 ** 31)])("can have the id and type %i", (number) => {
    assert.deepStrictEqual(plain(new SourceRconFramer().push(packet(number, number)())), [
      { id: number, type: number, body: "" }
    ])
  })

  it.each([null, 5, "x"])("is rejected if it is %j", (value) => {
    assert.throws(() => encodePacket(value as never), InvalidOption, /^packet must be an object/)
  })
})

describe("the buffer of a framer", () => {
  it("contains the bytes of an incomplete packet, and is returned as a copy", () => {
    const framer = new SourceRconFramer()
    const whole = encodePacket({ id: 1, type: AUTH, body: ascii("right") })
    framer.push(whole)
    framer.push(whole.subarray(0, 7))
    assert.deepStrictEqual(framer.pending, whole.slice(0, 7))
    framer.pending.fill(0)
    assert.deepStrictEqual(framer.pending, whole.slice(0, 7))
  })

  it("stores no further bytes after data that is not RCON", () => {
    const framer = new SourceRconFramer()
    const whole = encodePacket({ id: 1, type: AUTH, body: ascii("right") })
    assert.deepStrictEqual(framer.push(bytes("00000000")), [])
    assert.strictEqual(framer.failure?._tag, "Malformed")
    const { pendingBytes } = framer
    assert.deepStrictEqual(framer.push(whole), [])
    assert.strictEqual(framer.pendingBytes, pendingBytes)
  })
})
