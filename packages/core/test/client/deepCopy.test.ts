/** Copies of results for callers that joined a call. */
import { describe, expect, it } from "vitest"
import { deepCopy } from "../../src/client/deepCopy.ts"
import { Timeout } from "../../src/engine/QueryError.ts"
import { infoReply, playersReply, rulesReply } from "../messages.ts"

describe("a copy", () => {
  it.each([infoReply, playersReply, rulesReply, [1, [2, { a: null }]], "text", 1, null, undefined, true])(
    "is equal: %o",
    (value) => {
      expect(deepCopy(value)).toEqual(value)
    }
  )

  it("shares nothing that can be changed", () => {
    const copy = deepCopy(playersReply)
    expect(copy).not.toBe(playersReply)
    expect(copy.players).not.toBe(playersReply.players)
    expect(copy.players[0]).not.toBe(playersReply.players[0])
  })

  it("shares errors", () => {
    const error = new Timeout({ message: "late", phase: "request", sent: 1, received: 0 })
    expect(deepCopy({ errors: { players: error } }).errors.players).toBe(error)
  })
})
