import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { makeSecrecy } from "../../src/rcon/secrecy.ts"

const secrecy = makeSecrecy(Redacted.make("hunter2"))

describe("the mask of a password", () => {
  it("replaces the password, but not inside a longer word", () => {
    expect(secrecy.hide('hunter2, "hunter2"=hunter2')).toBe('******, "******"=******')
    expect(secrecy.hide("hunter22, my_hunter2")).toBe("hunter22, my_hunter2")
    expect(makeSecrecy(Redacted.make("-x-")).hide("a-x-b")).toBe("a******b")
  })

  it.each([
    ["password", '"rcon_password" is "password"', '"rcon_password" is "******"'],
    ["off", "rcon_password : off, offline", "rcon_password : ******, offline"],
    [
      "hunter2",
      'Rcon: "rcon 123 "hunter2" status" from "192.0.2.1:27005"',
      'Rcon: "rcon 123 "******" status" from "192.0.2.1:27005"'
    ],
    ["hunter2", "^1hunter2^7", "^1******^7"],
    ["open sesame", "say open sesame", "say ******"]
  ])("hides %j in a line of a reply: %s", (password, line, shown) => {
    expect(makeSecrecy(Redacted.make(password)).hide(line)).toBe(shown)
  })

  it("replaces nothing if there is no password", () => {
    expect(makeSecrecy(Redacted.make("")).hide("ab")).toBe("ab")
    expect(makeSecrecy(Redacted.make("")).isSecret("ab")).toBe(false)
  })

  it.each([
    ["echo hunter2", true],
    ["sv_password other", true],
    ["status", false]
  ])("treats a line as secret if the line contains or sets a password (line: %j, secret: %j)", (line, isSecret) => {
    expect(secrecy.isSecret(line)).toBe(isSecret)
  })
})
