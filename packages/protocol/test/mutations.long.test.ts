import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decode, dissect, encode } from "../src/Datagram.ts"
import { fromHex } from "../src/Hex.ts"
import { captures } from "./captures.ts"
import { mutate, seeded } from "./random.ts"

const seeds = JSON.parse(
  readFileSync(new URL("fixtures/seed-examples.json", import.meta.url), "utf8")
) as ReadonlyArray<{
  readonly packets: ReadonlyArray<string>
}>

const corpus = [
  ...seeds.flatMap(({ packets }) => packets.map((hex) => fromHex(hex)!)),
  ...captures.flatMap(({ packets }) => packets)
]

/** A million inputs in CI, over the captures; fewer where only the documents' examples are there. */
const RUNS = captures.length > 0 ? 1_000_000 : 200_000

describe("mutated datagrams", () => {
  it("never throw, and name the place of what is wrong", { timeout: 600_000 }, () => {
    const random = seeded(20_261_121)
    let whole = 0
    for (let i = 0; i < RUNS; i++) {
      const bytes = mutate(corpus[i % corpus.length]!, random)
      const result = decode(bytes)
      if (Result.isSuccess(result)) whole++
      else if (result.failure._tag === "Malformed") {
        if (result.failure.offset > bytes.length || result.failure.field === "")
          throw new Error(`run ${i}: ${result.failure.message}`)
      }
    }
    expect(whole).toBeGreaterThan(RUNS / 10)
    expect(whole).toBeLessThan(RUNS)
  })

  it(
    "decode the same with and without the generated decoders, and give their meaning back when encoded",
    { timeout: 120_000 },
    () => {
      const random = seeded(4)
      for (let i = 0; i < 60_000; i++) {
        const bytes = mutate(corpus[i % corpus.length]!, random)
        const result = decode(bytes)
        const dissected = dissect(bytes)
        expect(dissected.result).toEqual(result)
        if (Result.isFailure(result)) continue
        const end = dissected.fields.reduce((at, field) => (field.offset === at ? at + field.length : Number.NaN), 0)
        expect(end).toBe(bytes.length)
        const encoded = encode(result.success)
        // What cannot be written again must at least say so: a text cut inside a compound, a command that was no word.
        if (Result.isSuccess(encoded)) expect(decode(encoded.success)).toEqual(result)
      }
    }
  )
})
