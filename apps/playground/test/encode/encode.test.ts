import { decode, encode, fromHex, toHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { findDeclaration } from "@sourcewire/protocol/wire"
import { messageGroups } from "../../src/encode/messages.ts"
import { makeBlank, type Draft, settle, withKey } from "../../src/encode/draftFields.ts"
import { numberOr } from "../../src/encode/inputs.tsx"
import { cArray, commandLine, typescriptCall } from "../../src/encode/outputs.ts"
import { startingPoint } from "../../src/encode/draft.ts"
import { readText } from "@sourcewire/capture"
import { readExample, examples } from "../../src/examples/examples.ts"

const messages = messageGroups.flatMap((group) => group.messages)

const toMessage = (tag: string, draft: Draft): Message => ({ _tag: tag, ...draft }) as unknown as Message

describe("a draft", () => {
  it.each(messages.map(({ tag }) => tag))("can be encoded with initial and with empty values: %s", (tag) => {
    for (const draft of [startingPoint(tag), makeBlank(findDeclaration(tag)!.fields)]) {
      expect(encode(toMessage(tag, draft))).toMatchObject({ _tag: "Success" })
    }
  })

  it.each(examples.map(({ id }) => id))(
    "can be created from the decoded example %s, and is encoded to the message of this example",
    (id) => {
      const datagrams = readExample(id)
      const decoded = datagrams.length === 1 ? decode(datagrams[0]!.bytes) : undefined
      if (decoded === undefined || Result.isFailure(decoded)) return
      const { _tag, ...draft } = JSON.parse(JSON.stringify(decoded.success)) as Draft
      const written = encode(toMessage(String(_tag), draft))
      if (Result.isFailure(written)) throw written.failure
      expect(decode(written.success)).toEqual(decoded)
    }
  )

  it("contains some fields only while another field has the value that requires them", () => {
    const { fields } = findDeclaration("InfoReply")!
    const ship = settle(fields, { ...startingPoint("InfoReply"), appId: 2400 })
    expect(ship["theShip"]).toEqual({ mode: "hunt", witnesses: 0, duration: 0 })
    expect(settle(fields, { ...ship, appId: 240 })).not.toHaveProperty("theShip")
  })

  it("keeps the order of its keys when a value changes", () => {
    expect(Object.keys(withKey({ a: 1, b: 2 }, "a", 3))).toEqual(["a", "b"])
    expect(withKey({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 })
  })

  it("converts text to a number if possible, and keeps other text unchanged", () => {
    expect(["7", " -1 ", "0x10", "1.5", "", "seven", "1e3"].map(numberOr)).toEqual([7, -1, 16, 1.5, "", "seven", 1000])
    const wrong = encode(toMessage("InfoReply", { ...startingPoint("InfoReply"), steamId: "x" }))
    expect(wrong).toMatchObject({ failure: { field: "steamId" } })
  })
})

describe("an exported message", () => {
  const info = toMessage("InfoReply", startingPoint("InfoReply"))
  const bytes = Result.getOrThrow(encode(info))

  it("can be a C array, from which the page reads the same bytes", () => {
    const text = cArray("InfoReply", bytes)
    expect(text).toContain(`info_reply[${bytes.length}]`)
    const read = readText(text)
    expect(read.ok && toHex(read.datagrams[0]!.bytes)).toBe(toHex(bytes))
  })

  it("can be a TypeScript call that returns the same bytes", () => {
    const text = typescriptCall(info)
    const [, argument] = /encode\((\{[^]*\})\)/.exec(text)!
    // The object literal is JSON with two differences: its keys have no quotes, and its 64-bit numbers end with `n`.
    const json = argument!.replaceAll(/^(\s*)(\w+):/gm, '$1"$2":').replaceAll(/\b(\d+)n\b/g, '"$1"')
    const { _tag, ...draft } = JSON.parse(json) as Draft
    expect(toHex(Result.getOrThrow(encode(toMessage(String(_tag), draft))))).toBe(toHex(bytes))
  })

  it.each([
    ["ffffffff54536f7572636520456e67696e6520517565727900", "sourcewire info 127.0.0.1:27015"],
    ["ffffffff69", "sourcewire ping 127.0.0.1:27015"],
    ["ffffffff4100000000", "sourcewire decode --tree ffffffff4100000000"],
    ["ffffffff72636f6e203120227365637265742220736179206974277320", "sourcewire rcon 127.0.0.1:27015 'say it'\\''s '"]
  ])("can be a command, which never contains a password: %s becomes %s", (hex, command) => {
    const datagram = fromHex(hex)!
    const line = commandLine(Result.getOrThrow(decode(datagram)), datagram)
    expect(line).toBe(command)
    expect(line).not.toContain("secret")
  })
})
