import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { complaints, listFunctions, type Row } from "../../../tooling/testing/hostile.ts"
import { type Codec } from "../src/Codec.ts"
import { dissectAs, encodeAs } from "../src/internal/interpret/byCodec.ts"
import type { Encoding, Malformed, Message } from "../src/index.ts"
import * as users from "../src/index.ts"
import * as machines from "../src/WireFormat.ts"
import * as testing from "../src/testing.ts"
import * as schemas from "../src/schemas.ts"

const protocol = { ...users, ...machines }
const bytes = () => Uint8Array.of(255, 255, 255, 255, 0x41, 1, 2, 3, 4)
const fragment = () => protocol.splitDatagram(new Uint8Array(3000).fill(255, 0, 4), { layout: "source", id: 7 })[0]!
const message = (): Message => ({ _tag: "ChallengeReply", challenge: 7 })
const options = () => ({ encoding: "utf-8" })
const limits = () => ({ maxFragments: 9, maxJoinedBytes: 9999, maxInflatedBytes: 9999, maxPartialReplies: 2 })
const packet = () => ({ id: 1, type: 2, body: bytes() })

const port = () => ({ path: "port", offset: 0, length: 2, type: "u16", value: 27015, doc: "" })

const isCodec = (value: unknown): value is Codec<Message> =>
  typeof value === "object" && value !== null && "layout" in value

const rows: Readonly<Record<string, Row>> = {
  decode: { call: protocol.decode, good: [bytes, options] },
  dissect: { call: (...args) => protocol.dissect(...(args as unknown as [Uint8Array])).result, good: [bytes, options] },
  encode: { call: protocol.encode, good: [message, options] },
  encodeAs: { call: protocol.encodeAs, good: [() => protocol.ChallengeReply, message, options] },
  dissectAs: {
    call: (...args) => protocol.dissectAs(...(args as unknown as [Codec<Message>, Uint8Array])).result,
    good: [() => protocol.ChallengeReply, bytes, options]
  },
  findDeclaration: { call: protocol.findDeclaration, good: [() => "InfoReply"] },
  TaggedError: { call: protocol.TaggedError, good: [() => "Broken"] },
  decodeText: { call: protocol.decodeText, good: [bytes, () => 0, () => 4, () => "auto"] },
  encodeText: { call: protocol.encodeText, good: [() => "text", () => "auto"] },
  dissectFragment: { call: protocol.dissectFragment, good: [fragment, () => "source"] },
  explainField: { call: protocol.explainField, good: [port, bytes, () => protocol.findDeclaration("InfoReply")] },
  listBits: {
    call: protocol.listBits,
    good: [() => ({ ...port(), path: "edf", type: "bits" }), () => protocol.findDeclaration("InfoReply")]
  },
  fromHex: { call: protocol.fromHex, good: [() => "ff"] },
  toHex: { call: protocol.toHex, good: [bytes, () => 0, () => 4] },
  isConnectionless: { call: protocol.isConnectionless, good: [bytes] },
  isSplit: { call: protocol.isSplit, good: [fragment] },
  isHandshakeChallenge: { call: protocol.isHandshakeChallenge, good: [bytes] },
  isGoldSourceLog: { call: protocol.isGoldSourceLog, good: [bytes] },
  datagramKind: { call: protocol.datagramKind, good: [bytes] },
  messageType: { call: protocol.messageType, good: [bytes] },
  readChallenge: { call: protocol.readChallenge, good: [bytes] },
  beginsWith: { call: protocol.beginsWith, good: [bytes, () => "A"] },
  connectionless: { call: protocol.connectionless, good: [() => "A"] },
  join: { call: protocol.join, good: [() => [fragment()], limits] },
  splitDatagram: {
    call: protocol.splitDatagram,
    good: [bytes, () => ({ layout: "source", id: 7, maxBytes: 1260, compressed: bytes() })]
  },
  withoutFtl: { call: (list) => protocol.withoutFtl(list)(), good: [() => () => []] },
  Reassembler: {
    call: (given, datagram) => new protocol.Reassembler(given).add(datagram),
    good: [() => ({ ...limits(), reuseMemory: true }), fragment]
  },
  unknownOption: { call: protocol.unknownOption, good: [() => ({ b: 1 }), () => ["a"], () => "faults"] },
  encodePacket: { call: protocol.encodePacket, good: [packet] },
  SourceRconFramer: {
    call: (given, segment, isWanted) => new protocol.SourceRconFramer(given).push(segment, isWanted),
    good: [() => ({ maxPacketBytes: 4096 }), () => protocol.encodePacket(packet()), () => () => true]
  },
  toSchema: { call: schemas.toSchema, good: [() => protocol.PingReply] },
  fromDatagram: { call: schemas.fromDatagram, good: [() => protocol.PingReply, options] },
  arbitrary: { call: testing.arbitrary, good: [() => protocol.PingReply] }
}

const exported = [protocol, schemas, testing].flatMap((module) => Object.entries(module))

describe("arguments from JavaScript", () => {
  it("are tested for every exported function", () => {
    const functions = [protocol, schemas, testing].flatMap((module) => listFunctions(module))
    expect(functions.sort()).toEqual(Object.keys(rows).sort())
  })

  for (const [name, row] of Object.entries(rows)) {
    it(`with any arguments, ${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    })
  }

  for (const [name, codec] of exported.filter((entry): entry is [string, Codec<Message>] => isCodec(entry[1]))) {
    it(`with any arguments, the codec ${name} returns a value or one of our errors`, async () => {
      const sample = (): unknown => ({
        _tag: name,
        ...Object.fromEntries(fieldNames(codec).map((field) => [field, 1]))
      })
      expect(await complaints({ call: (a, b) => codec.decode(a, b), good: [bytes, options] })).toEqual([])
      expect(await complaints({ call: (a, b) => encodeAs(codec, a, b), good: [sample, options] })).toEqual([])
      expect(await complaints({ call: (a, b) => dissectAs(codec, a, b).result, good: [bytes, options] })).toEqual([])
    })
  }
})

const fieldNames = ({ layout }: Codec<unknown>): ReadonlyArray<string> =>
  layout.fields.flatMap((element) => ("name" in element ? [element.name] : []))

describe("bytes", () => {
  const reply = Uint8Array.of(255, 255, 255, 255, 0x41, 7, 0, 0, 0)
  const challenge = Result.succeed({ _tag: "ChallengeReply", challenge: 7 })

  it("can be in a Buffer, in shared memory, or in a Uint8Array of another realm", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(9))
    shared.set(reply)
    const { runInNewContext } = await import("node:vm")
    const foreign = runInNewContext("Uint8Array.of(255, 255, 255, 255, 0x41, 7, 0, 0, 0)") as Uint8Array
    for (const given of [reply, Buffer.from(reply), shared, foreign]) expect(protocol.decode(given)).toEqual(challenge)
  })

  it("must be a Uint8Array or a Buffer; for an ArrayBuffer, an array or a string, the error names a function that converts it", () => {
    const failure = (given: unknown) => {
      const read = protocol.decode(given as Uint8Array)
      return Result.isFailure(read) ? [read.failure._tag, (read.failure as Malformed).field, read.failure.message] : []
    }
    const start = "datagram must be a Uint8Array or a Buffer, not"
    expect(failure(reply.buffer)).toEqual([
      "Malformed",
      "datagram",
      `${start} another object; new Uint8Array converts an ArrayBuffer`
    ])
    expect(failure([...reply])[2]).toBe(`${start} an array; Uint8Array.from converts an array`)
    expect(failure("ffffffff4107000000")[2]).toBe(`${start} a string; fromHex converts hex to bytes`)
    expect(failure(undefined)[2]).toBe(`${start} undefined`)
  })

  it("are not decoded, and a message is not encoded, if the encoding is unknown", () => {
    const read = protocol.decode(reply, { encoding: "utf8" as Encoding })
    expect(read).toMatchObject({ failure: { _tag: "Malformed", field: "encoding" } })
    // The second argument of this call is the encoding itself instead of an options object.
    expect(protocol.decode(reply, "latin1" as never)).toMatchObject({ failure: { field: "encoding" } })
    expect(protocol.encode(message(), { encoding: "utf8" as Encoding })).toMatchObject({
      failure: { _tag: "EncodeError", field: "encoding" }
    })
  })
})

describe("a message", () => {
  it("cannot be encoded without a known _tag", () => {
    for (const hostile of [undefined, null, {}, { _tag: "Nope" }, { _tag: "toString" }, { _tag: 5 }]) {
      expect(protocol.encode(hostile as never)).toMatchObject({ failure: { _tag: "EncodeError", field: "_tag" } })
    }
  })

  it("cannot be encoded if an entry of a list is not an object", () => {
    const players = { _tag: "PlayersReply", announced: 1, players: [null], truncated: false }
    expect(protocol.encode(players as never)).toMatchObject({ failure: { _tag: "EncodeError", field: "players[0]" } })
  })
})
