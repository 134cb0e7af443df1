import { assert, describe, it } from "@effect/vitest"
import { LoginAttempts } from "../../src/rcon/loginAttempts.ts"

const HOST = "192.0.2.1"
const HOUR_MS = 3_600_000

const failures = (attempts: LoginAttempts, count: number, now: number): ReadonlyArray<boolean> =>
  Array.from({ length: count }, () => attempts.failed(HOST, now))

describe("LoginAttempts", () => {
  it("bans an address for an hour at the sixth wrong password within 30 s", () => {
    const attempts = new LoginAttempts()
    assert.deepStrictEqual(failures(attempts, 5, 0), [false, false, false, false, false])
    assert.isFalse(attempts.isBanned(HOST, 29_999))
    assert.isTrue(attempts.failed(HOST, 29_999))
    assert.isTrue(attempts.isBanned(HOST, 29_999 + HOUR_MS - 1))
    assert.isFalse(attempts.isBanned(HOST, 29_999 + HOUR_MS))
    assert.isFalse(attempts.isBanned("192.0.2.2", 30_000))
  })

  it("resets the count of wrong passwords when 30 s have passed since the first failure", () => {
    const attempts = new LoginAttempts()
    failures(attempts, 5, 0)
    assert.deepStrictEqual(failures(attempts, 6, 30_000), [false, false, false, false, false, true])
  })

  it("uses the configured number of failures, time window and duration of a ban", () => {
    const attempts = new LoginAttempts({ maxFailures: 1, windowMs: 100, banMs: 200 })
    assert.deepStrictEqual(
      [0, 100, 199].map((now) => attempts.failed(HOST, now)),
      [false, false, true]
    )
    assert.isTrue(attempts.isBanned(HOST, 398))
    assert.isFalse(attempts.isBanned(HOST, 399))
  })

  it("allows five replies about the ban per second for each banned address", () => {
    const attempts = new LoginAttempts({ maxFailures: 0 })
    const countRefusals = (now: number, address = HOST): number =>
      Array.from({ length: 20 }, () => attempts.mayRefuse(address, now)).filter(Boolean).length
    assert.strictEqual(countRefusals(0), 0)
    attempts.failed(HOST, 100)
    attempts.failed("192.0.2.2", 100)
    assert.deepStrictEqual(
      [100, 299, 300, 1299, 1300].map((now) => countRefusals(now)),
      [5, 0, 1, 4, 1]
    )
    assert.strictEqual(countRefusals(1300, "192.0.2.2"), 5)
    assert.strictEqual(countRefusals(1300, "192.0.2.3"), 0)
  })

  it("continues the ban of an address if a further wrong password arrives on a connection that was open before the ban", () => {
    const attempts = new LoginAttempts()
    failures(attempts, 6, 0)
    assert.deepStrictEqual(failures(attempts, 2, 30_000), [true, true])
    assert.isTrue(attempts.isBanned(HOST, 30_000 + HOUR_MS - 1))
    assert.isFalse(attempts.isBanned(HOST, 30_000 + HOUR_MS))
    assert.isFalse(attempts.failed(HOST, 30_000 + HOUR_MS))
  })

  it("clears the failures and the ban of an address if unban is called", () => {
    const attempts = new LoginAttempts({ maxFailures: 1 })
    failures(attempts, 2, 0)
    attempts.unban(HOST)
    assert.isFalse(attempts.isBanned(HOST, 0))
    assert.isFalse(attempts.failed(HOST, 0))
  })

  it("if 4096 addresses are stored, replaces the address whose last failure was longest ago with a new address", () => {
    const attempts = new LoginAttempts({ maxFailures: 0 })
    const address = (i: number): string => `198.51.${i >> 8}.${i & 255}`
    for (let i = 0; i < 4096; i++) attempts.failed(address(i), 0)
    assert.isTrue(attempts.isBanned(address(0), 1))
    attempts.failed(address(0), 1)
    attempts.failed(HOST, 1)
    assert.deepStrictEqual(
      [address(0), address(1), address(2), HOST].map((each) => attempts.isBanned(each, 1)),
      [true, false, true, true]
    )
  })
})
