import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decode, dissect, encode, fromHex, toHex } from "../src/index.ts"
import type { Message } from "../src/index.ts"
import { join } from "../src/WireFormat.ts"

interface Example {
  readonly id: string
  readonly document: string
  readonly packets: ReadonlyArray<string>
  readonly expect: Message | null
}

const examples = JSON.parse(
  readFileSync(new URL("fixtures/seed-examples.json", import.meta.url), "utf8")
) as ReadonlyArray<Example>

const whole = (packets: ReadonlyArray<string>): Uint8Array => {
  const datagrams = packets.map((hex) => fromHex(hex)!)
  return datagrams.length === 1 ? datagrams[0]! : Result.getOrThrow(join(datagrams)).bytes
}

describe("the examples of the protocol documents", () => {
  it.each(examples.map((example) => [example.id, example] as const))("are decoded as documented: %s", (_, example) => {
    const bytes = whole(example.packets)
    const result = decode(bytes)
    if (example.expect === null) {
      expect(Result.isFailure(result)).toBe(true)
      return
    }
    const message = Result.getOrThrow(result)
    expect(JSON.parse(JSON.stringify(message))).toEqual(example.expect)
    expect(toHex(Result.getOrThrow(encode(message)))).toBe(toHex(bytes))
    const { fields, result: dissected } = dissect(bytes)
    expect(Result.getOrThrow(dissected)).toEqual(message)
    // Every byte belongs to exactly one field.
    expect(fields.map((field) => field.length).reduce((a, b) => a + b, 0)).toBe(bytes.length)
  })
})
