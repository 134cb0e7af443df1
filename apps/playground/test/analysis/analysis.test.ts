import { decode, encode, fromHex } from "@sourcewire/protocol"
import { isSplit } from "@sourcewire/protocol/wire"
import * as protocol from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { anatomise, type Anatomy, byteOwners, firstWorthwhile, listLeaves, survey } from "@sourcewire/ui/analysis"
import { messageGroups } from "../../src/encode/messages.ts"
import { readExample } from "../../src/examples/examples.ts"

interface Example {
  readonly id: string
  readonly packets: ReadonlyArray<string>
  readonly expect: { readonly _tag: string } | null
}

const examples = JSON.parse(
  readFileSync(new URL("../../../../packages/protocol/test/fixtures/seed-examples.json", import.meta.url), "utf8")
) as ReadonlyArray<Example>

const fromHexes = (hex: ReadonlyArray<string>) => hex.map((one) => ({ bytes: fromHex(one)! }))

const lookAt = (hex: ReadonlyArray<string>): Anatomy => {
  const datagrams = fromHexes(hex)
  const rows = survey(datagrams)
  return anatomise(rows[firstWorthwhile(rows)]!, datagrams)
}

/** For each section, returns the number of bytes that belong to no field. */
const unexplainedBytes = ({ fields, sections }: Anatomy): ReadonlyArray<number> =>
  sections.map(({ bytes }, section) => {
    const explained = new Set<number>()
    for (const { spans } of listLeaves(fields)) {
      for (const span of spans)
        if (span.section === section) for (let at = span.start; at < span.end; at++) explained.add(at)
    }
    return bytes.length - explained.size
  })

const split = examples.find((example) => example.id === "rules-goldsource-split")!

describe("the dissection of datagrams", () => {
  it.each(examples)("explains every byte of $id", (example) => {
    const anatomy = lookAt(example.packets)
    expect(unexplainedBytes(anatomy).every((missing) => missing === 0)).toBe(true)
    expect(anatomy.message?._tag).toBe(example.expect?._tag)
    expect(anatomy.problem === undefined).toBe(example.expect !== null && example.id !== "players-the-ship")
    const ids = listLeaves(anatomy.fields).map((leaf) => leaf.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("finds the bytes of a rule that is split between two datagrams", () => {
    const anatomy = lookAt(split.packets)
    const rules = anatomy.fields.find((field) => field.id === "rules")!
    expect(rules.children).toHaveLength(93)
    const both = rules.children.filter((rule) => new Set(rule.spans.map((span) => span.section)).size === 2)
    expect(both).toHaveLength(1)
    const bytes = both[0]!.spans.flatMap(({ end, section, start }) => [
      ...anatomy.sections[section]!.bytes.subarray(start, end)
    ])
    const [, name, value] = /^"(.*)" · "(.*)"$/.exec(both[0]!.value)!
    expect(String.fromCharCode(...bytes)).toBe(`${name}\0${value}\0`)
  })

  it("lists the fragments and the joined reply for any order of the fragments", () => {
    const rows = survey(fromHexes(split.packets.toReversed()))
    expect(rows.map((row) => row.kind)).toEqual(["fragment", "fragment", "joined"])
    expect(rows.map((row) => row.summary)).toEqual(["2 of 2", "1 of 2", "93 rules"])
    expect(lookAt(split.packets.toReversed()).message).toEqual(lookAt(split.packets).message)
  })

  it("separates fragments of different senders", () => {
    const [first, second] = fromHexes(split.packets)
    const rows = survey([
      { ...first!, from: "127.0.0.1:1" },
      { ...second!, from: "127.0.0.2:1" }
    ])
    expect(rows.map((row) => row.kind)).toEqual(["fragment", "fragment"])
    expect(rows.map((row) => row.summary)).toEqual([
      "1 of 2 fragments are missing: 1",
      "fragment 0 is missing, so the layout is unknown (fragments received: 1)"
    ])
  })

  it("marks the byte where a reply is malformed", () => {
    const info = examples.find((example) => example.id === "info-css")!.packets[0]!
    const anatomy = lookAt([info.slice(0, 40)])
    const error = anatomy.fields.find((field) => field.tone === "error")!
    expect(error.spans).toEqual([{ section: 0, start: 6, end: 7 }])
    expect(anatomy.problem).toMatch(/The datagram ends inside InfoReply\.name at byte 6: 14 bytes, no NUL/)
    expect(anatomy.fields.at(-1)).toMatchObject({ name: "not decoded", spans: [{ section: 0, start: 6, end: 20 }] })
  })

  it("marks the position after the last byte of a truncated list", () => {
    const players = examples.find((example) => example.id === "players")!.packets[0]!
    const cut = players.slice(0, -6)
    const anatomy = lookAt([cut])
    const error = anatomy.fields.find((field) => field.tone === "error")!
    expect(error.spans).toEqual([{ section: 0, start: cut.length / 2, end: cut.length / 2 }])
    expect(anatomy.problem).toMatch(/announces \d+ players, but ends after \d+ complete entr(?:y|ies), at byte \d+/)
    expect(unexplainedBytes(anatomy)).toEqual([0])
  })

  it("shows the compressed and the decompressed bytes of a reply", () => {
    const datagrams = readExample("made-compressed")
    const rows = survey(datagrams)
    const anatomy = anatomise(rows.at(-1)!, datagrams)
    expect(anatomy.sections.map((section) => section.kind)).toEqual(["datagram", "datagram", "inflated"])
    expect(unexplainedBytes(anatomy)).toEqual([0, 0, 0])
    expect(anatomy.fields.find((field) => field.id === "rules")!.children).toHaveLength(96)
    expect(listLeaves(anatomy.fields).some((leaf) => leaf.name === "crc32")).toBe(true)
  })

  it("explains values, and shows each bit of a byte that contains flags", () => {
    const datagrams = readExample("made-edf")
    const { fields, sections } = anatomise(survey(datagrams)[0]!, datagrams)
    const byId = (id: string) => fields.find((field) => field.id === id)!
    expect(byId("type").meaning).toBe("0x49 'I'")
    expect(byId("map")).not.toHaveProperty("meaning")
    const edf = byId("edf")
    expect(edf.meaning).toBe("port, sourceTv, keywords, steamId, gameId")
    expect(edf.children.map(({ meaning, name, value }) => `${name} ${value} ${meaning}`)).toEqual([
      "1... .... port follows",
      ".1.. .... sourceTv follows",
      "..1. .... keywords follows",
      "...1 .... steamId follows",
      ".... ...1 gameId follows"
    ])
    const leaves = listLeaves(fields)
    const owners = byteOwners(leaves, 0, sections[0]!.bytes.length)
    expect(leaves[owners[edf.spans[0]!.start]!]).toBe(edf)
  })

  it("shows invisible characters of a text", () => {
    const text = `ffffffff6c${Buffer.from("a\u202eb\u200bc\u0007").toString("hex")}00`
    const [row] = survey(fromHexes([text]))
    expect(row!.summary).toBe("“a\ufffdb\ufffdc␇”")
    expect(lookAt([text]).fields.at(-1)!.value).toBe(String.raw`"a\u202eb\u200bc\u0007"`)
  })

  it("the list of messages contains every message of the protocol", () => {
    const tags = Object.values(protocol).flatMap((value) =>
      typeof value === "object" && "layout" in value ? [value.tag] : []
    )
    expect(messageGroups.flatMap(({ messages }) => messages.map(({ tag }) => tag)).toSorted()).toEqual(tags.toSorted())
  })

  it("throws no error for truncated or changed datagrams", () => {
    for (const { packets } of examples) {
      for (const packet of packets) {
        const bytes = fromHex(packet)!
        for (let at = 0; at < bytes.length; at += 7) {
          const changed = bytes.slice()
          changed[at] = changed[at]! ^ 0xff
          for (const one of [changed, bytes.subarray(0, at)]) {
            const datagrams = [{ bytes: one }]
            for (const row of survey(datagrams)) anatomise(row, datagrams)
          }
        }
      }
    }
    expect(isSplit(new Uint8Array(0)) || Result.isSuccess(decode(new Uint8Array(0)))).toBe(false)
    expect(Result.isSuccess(encode({ _tag: "PingRequest" }))).toBe(true)
  })
})
