import { assert, describe, it } from "@effect/vitest"
import { profiles, RateLimiter, Responder } from "../src/index.ts"

const allowed = (limiter: RateLimiter, address: string, tries: number, now: number): number =>
  Array.from({ length: tries }, () => limiter.allows(address, now)).filter(Boolean).length

describe("RateLimiter", () => {
  it("gives a burst, then so many a second", () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 5 })
    assert.strictEqual(allowed(limiter, "192.0.2.1", 20, 0), 5)
    assert.strictEqual(allowed(limiter, "192.0.2.1", 20, 300), 3)
    assert.strictEqual(allowed(limiter, "192.0.2.1", 20, 60_000), 5)
  })

  it("keeps addresses apart", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    assert.strictEqual(allowed(limiter, "192.0.2.1", 3, 0), 1)
    assert.strictEqual(allowed(limiter, "192.0.2.2", 3, 0), 1)
    assert.strictEqual(allowed(limiter, "2001:db8::1", 3, 0), 1)
  })

  it("forgets who was quiet longest when its table is full, and never grows", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1, addresses: 8 })
    assert.isTrue(limiter.allows("192.0.2.1", 0))
    for (let i = 0; i < 1000; i++) limiter.allows(`198.51.100.${i}`, i + 1)
    assert.isTrue(limiter.allows("192.0.2.1", 1001))
  })
})

describe("Responder with a limit", () => {
  const info = Uint8Array.from("\xff\xff\xff\xffTSource Engine Query\0", (c) => c.charCodeAt(0))

  it("bounds what a game that trusts everybody sends to one address", () => {
    const responder = new Responder(profiles.hltv(), { limit: new RateLimiter({ perSecond: 5, burst: 5 }) })
    const replies = (address: string, now: number) =>
      Array.from({ length: 50 }, () => responder.respond(info, address, 1, now).length).reduce((sum, n) => sum + n)
    assert.deepEqual([replies("192.0.2.1", 0), replies("192.0.2.1", 1000), replies("192.0.2.2", 1000)], [5, 5, 5])
  })

  it("lets an honest client through a flood of forged requests", () => {
    const limit = new RateLimiter({ perSecond: 5, addresses: 8 })
    const responder = new Responder(profiles.css(), { limit })
    for (let i = 0; i < 10_000; i++) responder.respond(info, `198.51.${i >> 8}.${i & 255}`, 1, 0)
    const challenged = responder.respond(info, "192.0.2.1", 1, 0)[0]!
    const request = Uint8Array.of(...info, ...challenged.slice(5))
    assert.strictEqual(responder.respond(request, "192.0.2.1", 1, 0)[0]![4], 0x49)
  })
})
