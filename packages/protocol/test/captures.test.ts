import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decode, dissect, encode, toHex } from "../src/index.ts"
import type { DecodeError, Message } from "../src/index.ts"
import { join } from "../src/WireFormat.ts"
import { type Capture, captures } from "./captures.ts"
import { expectCapture } from "./captureExpectations.ts"

const messages = captures.filter(({ query }) => ["info", "players", "rules", "challenge", "ping"].includes(query))

const decodeCapture = (capture: Capture): Result.Result<Message, DecodeError> => {
  // The file of the captures contains the text of binary rules as Latin-1.
  const encoding = capture.tags.includes("bohemia-binary-rules") ? "latin1" : "auto"
  const { packets } = capture
  if (packets.length === 1 && !capture.tags.includes("split")) return decode(packets[0]!, { encoding })
  return Result.flatMap(join(packets), ({ bytes }) => decode(bytes, { encoding }))
}

describe.runIf(captures.length > 0)("captures of real servers", () => {
  it("contain enough messages for the tests", () => {
    expect(messages.length).toBeGreaterThan(200)
  })

  it.each(messages.map((capture) => [capture.id, capture] as const))(
    "are decoded to the expected values: %s",
    (_, capture) => {
      const message = Result.getOrThrow(decodeCapture(capture))
      expectCapture(message, capture)
      expect(JSON.parse(JSON.stringify(message))).toBeTypeOf("object")
    }
  )

  it.each(messages.filter(({ tags }) => !tags.includes("split")).map(({ id, packets }) => [id, packets[0]!] as const))(
    "can be encoded again, and are then decoded to the same message: %s",
    (_, bytes) => {
      const message = Result.getOrThrow(decode(bytes))
      const again = Result.getOrThrow(encode(message))
      expect(Result.getOrThrow(decode(again))).toEqual(message)
      // The encoder can change the case of letters and add missing NULs, but it removes no bytes.
      expect(toHex(again).length).toBeGreaterThanOrEqual(toHex(bytes).length)
      const { fields, result } = dissect(bytes)
      expect(Result.getOrThrow(result)).toEqual(message)
      expect(fields.reduce((end, field) => (field.offset === end ? end + field.length : Number.NaN), 0)).toBe(
        bytes.length
      )
    }
  )
})
