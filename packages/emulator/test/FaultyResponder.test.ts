import { assert, describe, it } from "@effect/vitest"
import { join } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { compress } from "@sourcewire/server/machines"
import type { Passage } from "@sourcewire/core/testing"
import { FaultyResponder } from "../src/FaultyResponder.ts"
import { type Faults, profiles } from "../src/index.ts"

const ADDRESS = "127.0.0.1"
const ask = (type: string, challenge = -1): Uint8Array => {
  const request = Uint8Array.of(255, 255, 255, 255, type.charCodeAt(0), 0, 0, 0, 0)
  new DataView(request.buffer).setInt32(5, challenge, true)
  return request
}
const challengeIn = ({ bytes: datagram }: Passage): number => {
  assert.strictEqual(datagram[4], 0x41)
  return new DataView(datagram.buffer).getInt32(5, true)
}

/** A server with functions to query it. `rules` returns the datagrams for RULES with the right challenge. */
const queried = (faults: Faults, profile = profiles.tf2()) => {
  const responder = new FaultyResponder(profile, faults, { compress, firstSplitId: 0 })
  const depart = (request: Uint8Array, port = 1) => responder.depart(request, ADDRESS, port, 0)
  const right = (type: string, port = 1) =>
    depart(ask(type, responder.responder.challenges.issue(ADDRESS, port, 0)), port)
  return { depart, right, rules: () => right("V") }
}

const datagrams = (departures: ReadonlyArray<Passage>) => departures.map(({ bytes }) => bytes)
const numbers = (departures: ReadonlyArray<Passage>) => departures.map(({ bytes }) => bytes[9])

describe("FaultyResponder", () => {
  it("equals the plain responder without faults", () => {
    const fragments = queried({}).rules()
    assert.deepEqual(numbers(fragments), [...fragments.keys()])
    assert.isTrue(fragments.every(({ afterMs, forged }) => afterMs === 0 && !forged))
  })

  it("loses everything, nothing, or a share by the seed", () => {
    assert.lengthOf(queried({ loss: 1 }).rules(), 0)
    const some = (seed: number) => {
      const { depart } = queried({ loss: 0.5, seed })
      return Array.from({ length: 64 }, () => depart(ask("U")).length).join("")
    }
    assert.strictEqual(some(3), some(3))
    assert.notStrictEqual(some(3), some(4))
    assert.match(some(3), /0.*1|1.*0/)
  })

  it("ignores the first requests of each client", () => {
    const { depart } = queried({ dropFirst: 2 })
    const countReplies = (port: number) => depart(ask("U"), port).length
    assert.deepEqual(
      [
        countReplies(1),
        countReplies(1),
        countReplies(1),
        countReplies(2),
        countReplies(1),
        countReplies(2),
        countReplies(2)
      ],
      [0, 0, 1, 0, 1, 0, 1]
    )
  })

  it("delays, and jitters on top", () => {
    for (const { afterMs } of queried({ delayMs: 50, jitterMs: 20 }).rules())
      assert.isTrue(afterMs >= 50 && afterMs < 70)
  })

  it("sends twice, and in reverse order", () => {
    const plain = numbers(queried({}).rules())
    assert.deepEqual(
      numbers(queried({ duplicate: 1 }).rules()),
      plain.flatMap((n) => [n, n])
    )
    assert.deepEqual(numbers(queried({ reorder: 1 }).rules()), plain.toReversed())
  })

  it("answers correct challenges with new ones, as often as configured, then with data", () => {
    const { depart, right } = queried({ rechallenge: 2 })
    const second = challengeIn(right("U")[0]!)
    const third = challengeIn(depart(ask("U", second))[0]!)
    assert.notStrictEqual(second, third)
    assert.strictEqual(depart(ask("U", third))[0]!.bytes[4], 0x44)
  })

  it("answers with the same challenge again", () => {
    const { depart } = queried({ rechallenge: 1, sameChallenge: true })
    const first = challengeIn(depart(ask("U"))[0]!)
    assert.strictEqual(challengeIn(depart(ask("U", first))[0]!), first)
    assert.strictEqual(depart(ask("U", first))[0]!.bytes[4], 0x44)
  })

  it("truncates replies instead of splitting them", () => {
    const replies = datagrams(queried({ truncateBytes: 1260 }).rules())
    assert.deepEqual(
      replies.map((reply) => [reply[0], reply.length]),
      [[0xff, 1260]]
    )
  })

  it("sends a wrong checksum", () => {
    const joined = join(datagrams(queried({ badChecksum: true }).rules()))
    assert.strictEqual(Result.isFailure(joined) && joined.failure._tag, "ChecksumMismatch")
  })

  it("gives the last fragment a wrong id, or adds a foreign one", () => {
    assert.isTrue(Result.isFailure(join(datagrams(queried({ wrongId: true }).rules()))))
    const fragments = queried({ foreignFragment: true }).rules()
    assert.strictEqual(new Set(datagrams(fragments).map((datagram) => datagram.slice(4, 8).join())).size, 2)
    assert.isTrue(Result.isSuccess(join(datagrams(fragments))))
  })

  it("sends a forged reply of the same kind before the true one", () => {
    const { depart, right } = queried({ spoof: true })
    for (const departures of [depart(ask("U")), right("U")]) {
      assert.deepEqual(
        departures.map(({ forged }) => forged),
        [true, false]
      )
      assert.strictEqual(departures[0]!.bytes[4], departures[1]!.bytes[4])
      assert.notDeepEqual(departures[0]!.bytes, departures[1]!.bytes)
    }
  })

  it("bans every client", () => {
    const [reply] = queried({ ban: true }).depart(ask("U"))
    assert.match(String.fromCharCode(...reply!.bytes.slice(4)), /^lYou have been banned/)
  })
})

describe("injected faults", () => {
  const injectedBy = (faults: Faults, type = "V"): ReadonlyArray<string> => {
    const responder = new FaultyResponder(profiles.tf2(), faults, { compress, firstSplitId: 0 })
    const challenge = responder.responder.challenges.issue(ADDRESS, 1, 0)
    responder.depart(ask(type, challenge), ADDRESS, 1, 0)
    return [...responder.injected].toSorted()
  }

  it("are reported by name", () => {
    assert.deepEqual(injectedBy({}), [])
    assert.deepEqual(injectedBy({ loss: 1 }), ["loss"])
    assert.deepEqual(injectedBy({ duplicate: 1, delayMs: 5, reorder: 1 }), ["duplicate", "reorder"])
    assert.deepEqual(injectedBy({ dropFirst: 1 }), ["dropFirst"])
    assert.deepEqual(injectedBy({ rechallenge: 1, spoof: true }), ["rechallenge", "spoof"])
    assert.deepEqual(injectedBy({ truncateBytes: 200 }), ["truncateBytes"])
    assert.deepEqual(injectedBy({ wrongId: true, foreignFragment: true }), ["foreignFragment", "wrongId"])
    assert.deepEqual(injectedBy({ ban: true, wrongId: true }), ["ban"])
  })

  it("are none if they could not apply", () => {
    assert.deepEqual(injectedBy({ wrongId: true, reorder: 1, truncateBytes: 5000 }, "U"), [])
  })
})
