/** Copies of a result. If several callers share one query, each caller gets its own copy of the result. */
import { describe, expect, it } from "vitest"
import { deepCopy } from "../../src/client/deepCopy.ts"
import { Timeout } from "../../src/engine/QueryError.ts"
import { infoReply, playersReply, rulesReply } from "../messages.ts"

describe("a copy", () => {
  it.each([infoReply, playersReply, rulesReply, [1, [2, { a: null }]], "text", 1, null, undefined, true])(
    "equals the original: %o",
    (value) => {
      expect(deepCopy(value)).toEqual(value)
    }
  )

  it("shares no mutable object with the original", () => {
    const copy = deepCopy(playersReply)
    expect(copy).not.toBe(playersReply)
    expect(copy.players).not.toBe(playersReply.players)
    expect(copy.players[0]).not.toBe(playersReply.players[0])
  })

  it("contains the same error objects as the original", () => {
    const error = new Timeout({ message: "late", phase: "request", sent: 1, received: 0 })
    expect(deepCopy({ errors: { players: error } }).errors.players).toBe(error)
  })
})
