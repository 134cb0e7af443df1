/** A text that a datagram cannot contain is rejected when a responder is created, not when the responder replies. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidOption, Responder } from "../src/index.ts"
import { HandshakeResponder } from "../src/Machines.ts"
import { profile } from "./profile.ts"

const findError = (create: () => unknown): unknown => {
  try {
    create()
    return undefined
  } catch (error) {
    return error
  }
}

describe("a text in an option", () => {
  it.each(["lobbyType", "password", "redirect", "version"])(
    "must be a string without NUL, because a NUL would end the text early: %s",
    (option) => {
      for (const value of ["a\0b", "\0", 5, ["a"], null]) {
        const error = findError(() => new HandshakeResponder({ [option]: value }))
        assert.instanceOf(error, InvalidOption)
        assert.include(error.message, `${option} must be a text without NUL`)
      }
      assert.isUndefined(findError(() => new HandshakeResponder({ [option]: "plain" })))
    }
  )

  it("must consist of characters of one byte if it is sent as Latin-1", () => {
    const create = (latin1: unknown) => () => new Responder({ ...profile(), texts: { status: { latin1 } as never } })
    for (const value of ["\u0100", "a\u0100", "\u0100a", "a\u20acb", 5, ["a"], null]) {
      const error = findError(create(value))
      assert.instanceOf(error, InvalidOption)
      assert.include(error.message, "must be a text of characters up to \\xff")
    }
    assert.isUndefined(findError(create("\0\n\x7f\xe4\xff")))
  })
})
