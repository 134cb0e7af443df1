import { toHex } from "@sourcewire/protocol"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { anatomise, firstWorthwhile, survey } from "@sourcewire/ui/analysis"
import { DOCUMENTS } from "@sourcewire/ui/inspector"
import { readExample, examples } from "../../src/examples/examples.ts"

const documents = JSON.parse(
  readFileSync(new URL("../../../../packages/protocol/test/fixtures/seed-examples.json", import.meta.url), "utf8")
) as ReadonlyArray<{ readonly id: string; readonly document: string; readonly packets: ReadonlyArray<string> }>

describe("the examples", () => {
  it("have different ids, and each example has bytes, a title and a hint", () => {
    expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length)
    for (const { datagrams, look, title } of examples) {
      expect(Math.min(datagrams.length, look.length, title.length)).toBeGreaterThan(0)
    }
  })

  it("describe each protocol document with the same text as the page about this document", () => {
    for (const [number, text] of Object.entries(DOCUMENTS)) {
      const page = new URL(`../../../../docs/protocol/document-${number}.md`, import.meta.url)
      expect(readFileSync(page, "utf8").split("\n")[2]).toBe(text)
    }
  })

  it.each(documents)("contain $id with the bytes of the document", ({ document, id, packets }) => {
    expect(readExample(id).map(({ bytes }) => toHex(bytes))).toEqual(packets)
    expect(examples.find((example) => example.id === id)!.source).toBe(`document ${document.slice(0, 3)}`)
  })

  it.each(examples)("contain $id, and the page can decode the example", ({ id }) => {
    const datagrams = readExample(id)
    const rows = survey(datagrams)
    const { message } = anatomise(rows[firstWorthwhile(rows)]!, datagrams)
    expect(message === undefined).toBe(id === "challenge-malformed-2004")
    expect(rows.some((row) => row.kind === "joined")).toBe(datagrams.length > 1)
  })
})
