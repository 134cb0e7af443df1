import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { hideInFields, secrecyOf } from "../../src/rcon/secrecy.ts"

const secrecy = secrecyOf(Redacted.make("hunter2"))

describe("secrecy", () => {
  it("stars out every occurrence", () => {
    expect(secrecy.hide("hunter2, hunter22")).toBe("******, ******2")
  })

  it("has nothing to hide without a password", () => {
    expect(secrecyOf(Redacted.make("")).hide("ab")).toBe("ab")
    expect(secrecyOf(Redacted.make("")).isSecret("ab")).toBe(false)
  })

  it.each([
    ["echo hunter2", true],
    ["sv_password other", true],
    ["status", false]
  ])("%j is secret: %j", (line, isSecret) => {
    expect(secrecy.isSecret(line)).toBe(isSecret)
  })

  it("hides in an error's texts, and leaves its tag", () => {
    expect(hideInFields({ _tag: "Refused", message: "no hunter2 here", max: 1 }, secrecy)).toEqual({
      _tag: "Refused",
      message: "no ****** here",
      max: 1
    })
    expect(hideInFields({ _tag: "Refused" }, secrecyOf(Redacted.make("Refused")))).toEqual({ _tag: "Refused" })
  })
})
