import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { dissect } from "../src/Datagram.ts"
import { fromHex, toHex } from "../src/Hex.ts"
import { cases } from "./dissections.ts"

describe("dissect", () => {
  it.each(cases)("dissects $name", ({ bytes, fields: expected, message }) => {
    const { fields, result } = dissect(bytes)
    expect(fields[0]).toMatchObject({ path: "header", offset: 0, length: 4, type: "i32", value: -1 })
    expect(
      fields
        .filter(({ path }) => path !== "header" && path !== "type")
        .map((field) => `${field.offset}+${field.length} ${field.path} ${field.type} ${JSON.stringify(field.value)}`)
    ).toEqual(expected)
    expect(JSON.parse(JSON.stringify(Result.getOrThrow(result)))).toEqual(message)
  })

  it("explains the header, the type, padding and trailing bytes", () => {
    const docs = (text: string) =>
      Object.fromEntries(
        dissect(fromHex(`ffffffff${toHex(new TextEncoder().encode(text))}`)!).fields.map(({ doc, path }) => [path, doc])
      )
    expect(docs("f\n\0\0\x01\x02\x03\x04\x05\x06")).toMatchObject({
      header: "−1: a complete connectionless message.",
      type: "M2A_SERVER_BATCH: A page of addresses.",
      padding: "Two bytes of padding, sent by WON2 masters."
    })
    expect(dissect(fromHex("ffffffff6a00")!).fields.slice(0, 2)).toMatchObject([
      { path: "header", type: "i32", value: -1, length: 4 },
      { path: "type", type: "u8", value: 0x6a, length: 1 }
    ])
    expect(docs("j\0x")).toMatchObject({ trailing: "Bytes after the message." })
  })

  it("returns the unread bytes in a field named `unread`", () => {
    expect(dissect(fromHex("ffffffff49")!).fields.length).toBe(2)
    expect(dissect(fromHex("ffffffff491161")!).fields.at(-1)).toEqual({
      path: "unread",
      offset: 6,
      length: 1,
      type: "bytes",
      value: "61",
      doc: "Bytes that the decoder has not read."
    })
  })
})
