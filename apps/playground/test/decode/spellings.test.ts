import { fromHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { readExample } from "../../src/examples/examples.ts"
import { spell } from "../../src/decode/spellings.ts"

const { bytes } = readExample("info-css")[0]!
const spelled = { datagrams: [bytes], message: undefined, problem: undefined, date: "2026-11-23" }

describe("the notations of a datagram", () => {
  it("contain the bytes of the datagram", () => {
    const dump = spell("dump", spelled)
      .split("\n")
      .map((line) => line.slice(10, 49).replaceAll(" ", ""))
      .join("")
    const [hex, python, server] = (["hex", "python", "server"] as const).map((one) => spell(one, spelled))
    for (const found of [dump, hex!.trim(), python!.match(/"(.*)"/)![1]!, server!.match(/"(ff[\da-f]+)"/)![1]!]) {
      expect(fromHex(found)).toEqual(bytes)
    }
    const typescript = spell("typescript", spelled)
    expect(typescript.match(/0x[\da-f]{2}/g)!.map(Number)).toEqual([...bytes])
    expect(Uint8Array.from(Buffer.from(spell("base64", spelled), "base64"))).toEqual(bytes)
  })
})
