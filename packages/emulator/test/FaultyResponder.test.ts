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
const readChallenge = ({ bytes: datagram }: Passage): number => {
  assert.strictEqual(datagram[4], 0x41)
  return new DataView(datagram.buffer).getInt32(5, true)
}

/**
 * Creates a server with the given faults. Each returned function sends a request to this server, and returns the datagrams that the server
 * sends.
 */
const makeServer = (faults: Faults, profile = profiles.tf2()) => {
  const responder = new FaultyResponder(profile, faults, { compress, firstSplitId: 0 })
  const depart = (request: Uint8Array, port = 1) => responder.depart(request, ADDRESS, port, 0)
  const queryValid = (type: string, port = 1) =>
    depart(ask(type, responder.responder.challenges.issue(ADDRESS, port, 0)), port)
  return { depart, queryValid, queryRules: () => queryValid("V") }
}

const getBytes = (departures: ReadonlyArray<Passage>) => departures.map(({ bytes }) => bytes)
const readNumbers = (departures: ReadonlyArray<Passage>) => departures.map(({ bytes }) => bytes[9])

describe("FaultyResponder", () => {
  it("sends all fragments in order and without a delay if there are no faults", () => {
    const fragments = makeServer({}).queryRules()
    assert.deepEqual(readNumbers(fragments), [...fragments.keys()])
    assert.isTrue(fragments.every(({ afterMs, forged }) => afterMs === 0 && !forged))
  })

  it("drops all datagrams, or a share of them; the seed selects the dropped datagrams", () => {
    assert.lengthOf(makeServer({ loss: 1 }).queryRules(), 0)
    const some = (seed: number) => {
      const { depart } = makeServer({ loss: 0.5, seed })
      return Array.from({ length: 64 }, () => depart(ask("U")).length).join("")
    }
    assert.strictEqual(some(3), some(3))
    assert.notStrictEqual(some(3), some(4))
    assert.match(some(3), /0.*1|1.*0/)
  })

  it("ignores the first requests of each client", () => {
    const { depart } = makeServer({ dropFirst: 2 })
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

  it("delays datagrams, and adds jitter", () => {
    for (const { afterMs } of makeServer({ delayMs: 50, jitterMs: 20 }).queryRules())
      assert.isTrue(afterMs >= 50 && afterMs < 70)
  })

  it("sends datagrams twice, or in reverse order", () => {
    const plain = readNumbers(makeServer({}).queryRules())
    assert.deepEqual(
      readNumbers(makeServer({ duplicate: 1 }).queryRules()),
      plain.flatMap((n) => [n, n])
    )
    assert.deepEqual(readNumbers(makeServer({ reorder: 1 }).queryRules()), plain.toReversed())
  })

  it("replies to valid challenges with new challenges as often as configured, and then with the data", () => {
    const { depart, queryValid } = makeServer({ rechallenge: 2 })
    const second = readChallenge(queryValid("U")[0]!)
    const third = readChallenge(depart(ask("U", second))[0]!)
    assert.notStrictEqual(second, third)
    assert.strictEqual(depart(ask("U", third))[0]!.bytes[4], 0x44)
  })

  it("sends the same challenge again if `sameChallenge` is set", () => {
    const { depart } = makeServer({ rechallenge: 1, sameChallenge: true })
    const first = readChallenge(depart(ask("U"))[0]!)
    assert.strictEqual(readChallenge(depart(ask("U", first))[0]!), first)
    assert.strictEqual(depart(ask("U", first))[0]!.bytes[4], 0x44)
  })

  it("truncates replies instead of splitting them", () => {
    const replies = getBytes(makeServer({ truncateBytes: 1260 }).queryRules())
    assert.deepEqual(
      replies.map((reply) => [reply[0], reply.length]),
      [[0xff, 1260]]
    )
  })

  it("sends a wrong checksum", () => {
    const joined = join(getBytes(makeServer({ badChecksum: true }).queryRules()))
    assert.strictEqual(Result.isFailure(joined) && joined.failure._tag, "ChecksumMismatch")
  })

  it("sends the last fragment with a wrong id, or adds a fragment of another reply", () => {
    assert.isTrue(Result.isFailure(join(getBytes(makeServer({ wrongId: true }).queryRules()))))
    const fragments = makeServer({ foreignFragment: true }).queryRules()
    assert.strictEqual(new Set(getBytes(fragments).map((datagram) => datagram.slice(4, 8).join())).size, 2)
    assert.isTrue(Result.isSuccess(join(getBytes(fragments))))
  })

  it("sends a forged reply of the same kind before the real reply", () => {
    const { depart, queryValid } = makeServer({ spoof: true })
    for (const departures of [depart(ask("U")), queryValid("U")]) {
      assert.deepEqual(
        departures.map(({ forged }) => forged),
        [true, false]
      )
      assert.strictEqual(departures[0]!.bytes[4], departures[1]!.bytes[4])
      assert.notDeepEqual(departures[0]!.bytes, departures[1]!.bytes)
    }
  })

  it("replies to every request with the text that a banned client gets", () => {
    const [reply] = makeServer({ ban: true }).depart(ask("U"))
    assert.match(String.fromCharCode(...reply!.bytes.slice(4)), /^lYou have been banned/)
  })
})

describe("the list of injected faults", () => {
  const listInjected = (faults: Faults, type = "V"): ReadonlyArray<string> => {
    const responder = new FaultyResponder(profiles.tf2(), faults, { compress, firstSplitId: 0 })
    const challenge = responder.responder.challenges.issue(ADDRESS, 1, 0)
    responder.depart(ask(type, challenge), ADDRESS, 1, 0)
    return [...responder.injected].toSorted()
  }

  it("contains the name of each injected fault", () => {
    assert.deepEqual(listInjected({}), [])
    assert.deepEqual(listInjected({ loss: 1 }), ["loss"])
    assert.deepEqual(listInjected({ duplicate: 1, delayMs: 5, reorder: 1 }), ["duplicate", "reorder"])
    assert.deepEqual(listInjected({ dropFirst: 1 }), ["dropFirst"])
    assert.deepEqual(listInjected({ rechallenge: 1, spoof: true }), ["rechallenge", "spoof"])
    assert.deepEqual(listInjected({ truncateBytes: 200 }), ["truncateBytes"])
    assert.deepEqual(listInjected({ wrongId: true, foreignFragment: true }), ["foreignFragment", "wrongId"])
    assert.deepEqual(listInjected({ ban: true, wrongId: true }), ["ban"])
  })

  it("does not contain configured faults that cannot affect the reply", () => {
    assert.deepEqual(listInjected({ wrongId: true, reorder: 1, truncateBytes: 5000 }, "U"), [])
  })
})
