/** The errors for arguments that TypeScript would reject. Each error names the argument and the values that it can have. */
import { describe, expect, it } from "vitest"
import { decode, dissect } from "../src/index.ts"
import { join, Reassembler, splitDatagram } from "../src/Split.ts"
import { decodeText, encodeText } from "../src/Text.ts"
import { info } from "./plainInfo.ts"
import { encode } from "../src/Datagram.ts"
import * as Result from "effect/Result"

const ENCODING = "encoding must be one of auto, utf-8, latin1, windows-1251, windows-1252."
const bytes = Result.getOrThrow(encode(info))

describe("an encoding", () => {
  it("that is unknown causes an error with a list of the known encodings", () => {
    expect(() => decodeText(bytes, 0, 1, "x" as never)).toThrow(ENCODING)
    expect(() => encodeText("x", "x" as never)).toThrow(ENCODING)
  })

  it.each([undefined, null, {}, { encoding: undefined }])(
    "is the default encoding if the options are %o",
    (options) => {
      // `auto` is the only encoding with which both names are decoded correctly.
      for (const encoding of ["utf-8", "windows-1251"] as const) {
        const datagram = Result.getOrThrow(encode({ ...info, name: "Привет" }, { encoding }))
        expect(decode(datagram, options as never)).toMatchObject({ success: { name: "Привет" } })
        expect(dissect(datagram, options as never).result).toMatchObject({ success: { name: "Привет" } })
      }
    }
  )
})

describe("options", () => {
  it.each([5, "utf-8", true])("are reported as invalid if they are %j", (options) => {
    const failure = { _tag: "Malformed", messageTag: "InfoReply", field: "encoding", offset: 0, hex: "" }
    expect(decode(bytes, options as never)).toMatchObject({ failure })
    expect(dissect(bytes, options as never).result).toMatchObject({ failure })
  })
})

describe("a datagram", () => {
  it.each([
    [null, "null"],
    [[255], "an array; Uint8Array.from converts an array"],
    ["ff", "a string; fromHex converts hex to bytes"],
    [new ArrayBuffer(1), "another object; new Uint8Array converts an ArrayBuffer"],
    [undefined, "undefined"],
    [5, "a number"]
  ])("is reported as invalid if it is %j", (value, kind) => {
    const message = `datagram must be a Uint8Array or a Buffer, not ${kind}`
    const expected = { _tag: "Malformed", field: "datagram", offset: 0, hex: "", message }
    expect(decode(value as never)).toMatchObject({ failure: { ...expected, messageTag: "Datagram" } })
    expect(new Reassembler().add(value as never)).toMatchObject({ failure: { ...expected, messageTag: "Split" } })
  })

  it("`join` rejects a value that is not a list of datagrams", () => {
    expect(join(5 as never)).toMatchObject({ failure: { messageTag: "Split", field: "datagram" } })
  })
})

describe("splitDatagram", () => {
  const split = (options: object) => () => splitDatagram(bytes, { layout: "source", id: 1, maxBytes: 400, ...options })

  it("accepts an id of 32 bits, signed or unsigned", () => {
    for (const id of [-(2 ** 31), 2 ** 32 - 1]) expect(split({ id })()).toHaveLength(1)
    for (const id of [-(2 ** 31) - 1, 2 ** 32, 0.5]) expect(split({ id })).toThrow(/^id must be a whole number/)
  })

  it("rejects an unknown layout", () =>
    expect(split({ layout: "x" })).toThrow("layout must be one of source, source-no-size, goldsource."))
})
