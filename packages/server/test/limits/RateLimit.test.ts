import { assert, describe, it } from "@effect/vitest"
import { type Profile, RateLimiter, Responder } from "../../src/index.ts"
import { profile } from "../profile.ts"

const countAllowed = (limiter: RateLimiter, address: string, tries: number, now: number): number =>
  Array.from({ length: tries }, () => limiter.allows(address, now, 100)).filter(Boolean).length

describe("RateLimiter", () => {
  it("allows a burst of replies, and then a limited number of replies per second", () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 5 })
    assert.strictEqual(countAllowed(limiter, "192.0.2.1", 20, 0), 5)
    assert.strictEqual(countAllowed(limiter, "192.0.2.1", 20, 300), 3)
    assert.strictEqual(countAllowed(limiter, "192.0.2.1", 20, 60_000), 5)
  })

  it("by default, allows a burst of as many replies as the limit allows in two seconds", () => {
    assert.strictEqual(countAllowed(new RateLimiter({ perSecond: 5 }), "192.0.2.1", 50, 0), 10)
    const bytes = new RateLimiter({ perSecond: 5 })
    let answers = 0
    while (bytes.allows("192.0.2.1", 0, 8192)) answers++
    assert.strictEqual(answers, 5)
  })

  it("does not drop an active address from its table, even if very many other addresses send requests", () => {
    const limiter = new RateLimiter({ perSecond: 0.001, burst: 1, addresses: 8 })
    assert.isTrue(limiter.allows("192.0.2.1", 0, 100))
    for (let i = 0; i < 1000; i++) {
      limiter.allows(`198.51.${i >> 8}.${i & 255}`, i + 1, 100)
      assert.isFalse(limiter.allows("192.0.2.1", i + 1, 100))
    }
  })

  it("limits each IPv4 or IPv6 address separately", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    assert.strictEqual(countAllowed(limiter, "192.0.2.1", 3, 0), 1)
    assert.strictEqual(countAllowed(limiter, "192.0.2.2", 3, 0), 1)
    assert.strictEqual(countAllowed(limiter, "2001:db8::1", 3, 0), 1)
  })

  it("limits each address separately, both in a small table and in the default table", () => {
    const small = new RateLimiter({ perSecond: 1, burst: 1, addresses: 8 })
    const three = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
    assert.deepStrictEqual(
      three.map((address) => countAllowed(small, address, 3, 0)),
      [1, 1, 1]
    )
    const usual = new RateLimiter({ perSecond: 1, burst: 1 })
    const hundred = Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`)
    const answers = () => hundred.filter((address) => usual.allows(address, 0, 100)).length
    assert.deepStrictEqual([answers(), answers()], [100, 0])
  })

  it("counts a large reply as several replies, so that bytes are limited, too", () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 10, answerBytes: 1000 })
    const sent = (bytes: number, now: number): number => {
      let sum = 0
      while (limiter.allows("192.0.2.1", now, bytes)) sum += bytes
      return sum
    }
    assert.strictEqual(sent(250_000, 0), 250_000)
    // The first reply exceeds the budget by 240,000 bytes, which is the budget of 24 s. The next reply counts as 1000 bytes, which is the
    // budget of another 100 ms.
    assert.strictEqual(sent(1, 24_099), 0)
    assert.strictEqual(sent(1, 24_100), 1)
    assert.strictEqual(sent(5000, 60_000), 10_000)
    assert.strictEqual(sent(999, 120_000), 9990)
  })

  it("allows an IPv6 /64 as many replies as one address, and a /48 as many replies as sixteen addresses", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 })
    const hosts = ["2001:db8:5::1", "2001:db8:5:0:ffff::2", "2001:0DB8:5:0000::3", "2001:db8:5::1%eth0"]
    assert.strictEqual(
      hosts.reduce((sum, host) => sum + countAllowed(limiter, host, 3, 0), 0),
      2
    )
    let network = 2
    for (let i = 1; i < 1000; i++) network += countAllowed(limiter, `2001:db8:5:${i.toString(16)}::1`, 3, 0)
    assert.strictEqual(network, 32)
    assert.strictEqual(countAllowed(limiter, "2001:db8:6::1", 3, 0), 2)
    assert.strictEqual(countAllowed(limiter, "2001:db8:5:fff::1", 3, 500), 2)
  })

  it("treats an IPv4-mapped IPv6 address as the IPv4 address", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    assert.strictEqual(countAllowed(limiter, "::ffff:192.0.2.1", 3, 0), 1)
    assert.strictEqual(countAllowed(limiter, "::ffff:c000:201", 3, 0), 0)
    assert.strictEqual(countAllowed(limiter, "192.0.2.1", 3, 0), 0)
    assert.strictEqual(countAllowed(limiter, "::ffff:192.0.2.2", 3, 0), 1)
  })

  it("does not count rejected requests of a /64 towards the limit of its /48", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    assert.strictEqual(countAllowed(limiter, "2001:db8:5::1", 10_000, 0), 1)
    assert.strictEqual(countAllowed(limiter, "2001:db8:5:1::1", 3, 0), 1)
  })

  it("if all possible slots of a new address are in use, the new address replaces the address in these slots that has been idle longest", () => {
    const limiter = new RateLimiter({ perSecond: 0.001, burst: 1, addresses: 8 })
    const addresses = Array.from({ length: 1000 }, (_, i) => `198.51.${i >> 8}.${i & 255}`)
    for (const [i, address] of addresses.entries()) assert.isTrue(limiter.allows(address, i, 100))
    // No bucket is refilled during the test. Therefore the limiter allows a reply to an address only if it has dropped this address from
    // the table. Each address has four possible slots, so the last four addresses are never dropped, even if they have the same possible
    // slots.
    const latest = addresses.slice(-4).map((address) => limiter.allows(address, 1000, 100))
    assert.deepStrictEqual(latest, [false, false, false, false])
    assert.isTrue(limiter.allows(addresses[0]!, 1000, 100))
  })

  it("stores no more than the configured number of addresses", () => {
    const limiter = new RateLimiter({ perSecond: 0.001, burst: 1, addresses: 8 })
    const nine = Array.from({ length: 9 }, (_, i) => `192.0.2.${i}`)
    for (const [i, address] of nine.entries()) assert.isTrue(limiter.allows(address, i, 100))
    assert.isTrue(nine.some((address, i) => limiter.allows(address, 9 + i, 100)))
  })
})

describe("a responder with a limit", () => {
  const info = Uint8Array.from("\xff\xff\xff\xffTSource Engine Query\0", (c) => c.charCodeAt(0))

  it("limits the replies to each address if the profile allows replies to unverified addresses", () => {
    const responder = new Responder(
      { ...profile(), trusts: ["info"] },
      { limit: new RateLimiter({ perSecond: 5, burst: 5 }) }
    )
    const replies = (address: string, now: number) =>
      Array.from({ length: 50 }, () => responder.respond(info, address, 1, now).length).reduce((sum, n) => sum + n)
    assert.deepEqual([replies("192.0.2.1", 0), replies("192.0.2.1", 1000), replies("192.0.2.2", 1000)], [5, 5, 5])
  })

  it("replies to a client with a valid challenge during a flood of requests with spoofed addresses", () => {
    const limit = new RateLimiter({ perSecond: 5, addresses: 8 })
    const responder = new Responder(profile(), { limit })
    for (let i = 0; i < 10_000; i++) responder.respond(info, `198.51.${i >> 8}.${i & 255}`, 1, 0)
    const challenged = responder.respond(info, "192.0.2.1", 1, 0)[0]!
    const request = Uint8Array.of(...info, ...challenged.slice(5))
    assert.strictEqual(responder.respond(request, "192.0.2.1", 1, 0)[0]![4], 0x49)
  })

  it("limits the bytes of large replies to a verified address", () => {
    const rules = Array.from({ length: 4000 }, (_, i) => ({ name: `rule_${i}`, value: "x".repeat(50) }))
    const large: Profile = {
      ...profile(),
      rules: { _tag: "RulesReply", announced: rules.length, rules, truncated: false }
    }
    const responder = new Responder(large, { limit: new RateLimiter({ perSecond: 100 }) })
    const ask = (now: number): number => {
      const challenge = responder.challenges.issue("192.0.2.1", 1, now)
      const request = Uint8Array.of(255, 255, 255, 255, 0x56, 0, 0, 0, 0)
      new DataView(request.buffer).setInt32(5, challenge, true)
      return responder.respond(request, "192.0.2.1", 1, now).reduce((sum, { length }) => sum + length, 0)
    }
    assert.isAbove(ask(0), 200_000)
    let bytes = 0
    for (let now = 0; now < 10_000; now += 50) bytes += ask(now)
    // The limit is 100 replies of 4096 bytes per second. The test simulates ten seconds, and the burst is the budget of two more seconds.
    // The last reply can exceed the budget.
    assert.isBelow(bytes, 12 * 100 * 4096 + 300_000)
    assert.isAbove(bytes, 10 * 100 * 4096)
  })
})
