import { assert, describe, it } from "@effect/vitest"
import { InvalidOption } from "../../src/index.ts"
import { ChallengeIssuer } from "../../src/query/Challenge.ts"

const lifetimeMs = 1000
const keys = () => {
  let drawn = 0
  return { makeKey: () => new Uint8Array(16).fill(++drawn), drawn: () => drawn }
}

describe("ChallengeIssuer", () => {
  it("accepts a challenge only if it issued the challenge to the same address", () => {
    const issuer = new ChallengeIssuer()
    const challenge = issuer.issue("192.0.2.1", 1000, 0)
    assert.isTrue(issuer.accepts(challenge, "192.0.2.1", 1000, 0))
    assert.isFalse(issuer.accepts(challenge, "192.0.2.2", 1000, 0))
    assert.isFalse(new ChallengeIssuer().accepts(challenge, "192.0.2.1", 1000, 0))
    assert.isFalse(issuer.accepts(challenge ^ 1, "192.0.2.1", 1000, 0))
  })

  it("binds a challenge to the address by default, or to the address and the port if `bind` is `endpoint`", () => {
    const byAddress = new ChallengeIssuer()
    assert.strictEqual(byAddress.issue("::1", 1, 0), byAddress.issue("::1", 2, 0))
    const byEndpoint = new ChallengeIssuer({ bind: "endpoint" })
    assert.isFalse(byEndpoint.accepts(byEndpoint.issue("::1", 1, 0), "::1", 2, 0))
  })

  it("issues different challenges for different ports if `bind` is `endpoint`", () => {
    const issuer = new ChallengeIssuer({ bind: "endpoint" })
    const ports = [1, 2, 257, 513, 65_281, 65_535]
    assert.strictEqual(new Set(ports.map((port) => issuer.issue("::1", port, 0))).size, ports.length)
  })

  it("issues different challenges for different ports and time windows, even if the text of the address is long", () => {
    for (const length of [60, 64, 65, 100]) {
      const issuer = new ChallengeIssuer({ bind: "endpoint", lifetimeMs })
      const from = "f".repeat(length)
      const issued = [issuer.issue(from, 1, 0), issuer.issue(from, 2, 0), issuer.issue(from, 1, lifetimeMs)]
      assert.strictEqual(new Set(issued).size, 3)
    }
  })

  it.each([
    ["15 bytes", new Uint8Array(15)],
    ["numbers in an array", Array.from({ length: 16 }, () => 0)]
  ])("rejects a key that consists of %s", (_, key) => {
    assert.throws(() => new ChallengeIssuer({ makeKey: () => key as Uint8Array }), InvalidOption, /16 bytes/)
  })

  it("by default, accepts a challenge for at least half a minute, and changes its key every hour", () => {
    const { makeKey, drawn } = keys()
    const issuer = new ChallengeIssuer({ makeKey })
    const challenge = issuer.issue("::1", 1, 29_999)
    assert.isTrue(issuer.accepts(challenge, "::1", 1, 59_999))
    assert.isFalse(issuer.accepts(challenge, "::1", 1, 60_000))
    issuer.issue("::1", 1, 3_599_999)
    assert.strictEqual(drawn(), 1)
    issuer.issue("::1", 1, 3_600_000)
    assert.strictEqual(drawn(), 2)
  })

  it("accepts a challenge for at least one lifetime and at most two lifetimes", () => {
    const issuer = new ChallengeIssuer({ lifetimeMs })
    const early = issuer.issue("::1", 1, 0)
    assert.isTrue(issuer.accepts(early, "::1", 1, 1999))
    assert.isFalse(issuer.accepts(early, "::1", 1, 2000))
    const late = issuer.issue("::1", 1, 2999)
    assert.isTrue(issuer.accepts(late, "::1", 1, 3999))
  })

  it("issues a different challenge in every time window", () => {
    const issuer = new ChallengeIssuer({ lifetimeMs })
    // The test uses window numbers of one, two, five and six bytes. Six bytes are the maximum.
    const windows = [...Array.from({ length: 1000 }, (_, i) => i), 2 ** 33, 2 ** 41]
    const challenges = new Set(windows.map((window) => issuer.issue("::1", 1, window * lifetimeMs)))
    assert.strictEqual(challenges.size, windows.length)
  })

  it("still accepts recent challenges after a change of its key", () => {
    const { makeKey, drawn } = keys()
    const issuer = new ChallengeIssuer({ lifetimeMs, rotateMs: 3000, makeKey })
    issuer.issue("::1", 1, 0)
    const before = issuer.issue("::1", 1, 2999)
    assert.strictEqual(drawn(), 1)
    assert.isTrue(issuer.accepts(before, "::1", 1, 3500))
    assert.strictEqual(drawn(), 2)
    // A later call does not change the key again before the next change is due.
    assert.isTrue(issuer.accepts(before, "::1", 1, 3600))
    assert.isFalse(issuer.accepts(before, "::1", 1, 4000))
    const beforeNext = issuer.issue("::1", 1, 5999)
    assert.isTrue(issuer.accepts(beforeNext, "::1", 1, 6000))
    assert.strictEqual(drawn(), 3)
  })

  it("never issues -1 or 0, and uses all 32 bits", () => {
    const issuer = new ChallengeIssuer({ makeKey: () => new Uint8Array(16) })
    let ones = 0
    let zeros = 0
    for (let i = 0; i < 20_000; i++) {
      const challenge = issuer.issue(`10.0.${i >> 8}.${i & 255}`, 1, 0)
      assert.isTrue(challenge !== -1 && challenge !== 0)
      ones |= challenge
      zeros |= ~challenge
    }
    assert.deepStrictEqual([ones, zeros], [-1, -1])
  })
})
