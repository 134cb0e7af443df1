import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { secrecyOf } from "../../src/rcon/secrecy.ts"

const secrecy = secrecyOf(Redacted.make("hunter2"))

describe("secrecy", () => {
  it("stars out every occurrence that stands by itself", () => {
    expect(secrecy.hide('hunter2, "hunter2"=hunter2')).toBe('******, "******"=******')
    expect(secrecy.hide("hunter22, my_hunter2")).toBe("hunter22, my_hunter2")
    expect(secrecyOf(Redacted.make("-x-")).hide("a-x-b")).toBe("a******b")
  })

  it.each([
    ["password", '"rcon_password" is "password"', '"rcon_password" is "******"'],
    ["is", '"rcon_password" is "is"', '"rcon_password" ****** "******"'],
    ["off", "rcon_password : off, offline", "rcon_password : ******, offline"]
  ])("keeps %j out of a line that names it, without telling it where it can", (password, line, shown) => {
    expect(secrecyOf(Redacted.make(password)).hideInLine(line)).toBe(shown)
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
})
