/** Scans with send errors, in virtual time. If this host cannot send a request, the scan does not conclude that the target is down. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"
import type { ScanOptions } from "../../src/scan/ScanOptions.ts"
import type { Answered, ScanQuery, ScanResult } from "../../src/scan/ScanResult.ts"
import * as SystemFault from "../../src/engine/SystemFault.ts"
import type { MemoryNetwork } from "../../src/testing/Testing.ts"
import { seededRandom } from "../../src/testing/Testing.ts"
import { answered, farm, setUp } from "../scanFarm.ts"

/** Makes all sends of this host fail for the next `ms` milliseconds. */
const simulateOutage = Effect.fnUntraced(function* (network: MemoryNetwork, ms: number) {
  const { faults } = network
  network.faults = { ...faults, refuse: 1 }
  yield* TestClock.adjust(ms)
  network.faults = faults
})

const listCodes = (results: ReadonlyArray<ScanResult<ScanQuery>>) =>
  results.flatMap((result) => (result._tag === "Failed" && "code" in result.error ? [result.error.code] : []))

/** Lists the targets without a reply, each with its error. */
const listMissed = (targets: ReadonlyArray<string>, results: ReadonlyArray<ScanResult<ScanQuery>>) => {
  const found = new Set<unknown>(answered(results))
  const why = new Map(results.flatMap((one) => (one._tag === "Failed" ? [[one.target as unknown, one.error]] : [])))
  return targets.filter((target) => !found.has(target)).map((target) => [target, why.get(target)])
}

const dead = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, i) => `10.200.0.${i}`)

describe.each([false, true])(
  "with send errors (the system hides the error of the first datagram to each target: %s)",
  (sendsQuietly) => {
    it.effect.each([300, 1500, 5000, 12_000])("a scan finds all servers despite an outage of %i ms", (ms) =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp({ sendsQuietly })
        const targets = yield* farm(network, 1000)
        const progress = new ScanProgress()
        const meanwhile = Effect.andThen(TestClock.adjust(300), simulateOutage(network, ms))
        const options = { concurrency: 200, timeoutMs: 800, retries: 2, progress }
        const results = yield* scanAll([...targets, ...dead(20)], "info", options, meanwhile)
        assert.deepStrictEqual(listMissed(targets, results), [])
        // The errors of dead servers have no code, because this host did not cause these errors.
        assert.strictEqual(results.length, 1020)
        assert.deepStrictEqual(listCodes(results), [])
        assert.isAbove(network.counters.refused, 200)
        // The RTTs do not include the time of the outage.
        const facts = results.filter((result) => result._tag === "Answered" && result.rttAmbiguous !== true)
        assert.isAbove(facts.length, 700)
        for (const result of facts) assert.isAtMost((result as Answered).rttMs, 65)
      })
    )

    it.effect(
      "a scan finds all servers despite two outages that are together longer than the maximum wait for one outage",
      () =>
        Effect.gen(function* () {
          const { network, scanAll } = yield* setUp({ sendsQuietly })
          const targets = yield* farm(network, 2000)
          const progress = new ScanProgress()
          const meanwhile = Effect.gen(function* () {
            yield* TestClock.adjust(300)
            yield* simulateOutage(network, 10_000)
            const doneBefore = progress.done
            yield* TestClock.adjust(2000)
            assert.isAbove(progress.done, doneBefore)
            assert.isBelow(progress.done, 2000)
            yield* simulateOutage(network, 10_000)
          })
          const options = { concurrency: 50, timeoutMs: 800, retries: 2, progress }
          const results = yield* scanAll(targets, "info", options, meanwhile)
          assert.deepStrictEqual(listMissed(targets, results), [])
        })
    )

    it.effect.each([300, 2000, 9000])(
      "a scan finds all servers if the network needs time to recover after an outage of %i ms",
      (ms) =>
        Effect.gen(function* () {
          const { network, scanAll } = yield* setUp({ sendsQuietly })
          const targets = yield* farm(network, 1000)
          const meanwhile = Effect.gen(function* () {
            yield* TestClock.adjust(300)
            yield* simulateOutage(network, ms)
            // The link is up, but the network still loses datagrams, for example until a neighbour's address is resolved.
            const { faults } = network
            network.faults = { ...faults, loss: 1 }
            yield* TestClock.adjust("2 seconds")
            network.faults = faults
          })
          const results = yield* scanAll(targets, "info", { concurrency: 200 }, meanwhile)
          assert.deepStrictEqual(listMissed(targets, results), [])
        })
    )

    it.effect("a scan finds all servers despite an outage at its start", () =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp({ sendsQuietly })
        const targets = yield* farm(network, 100)
        const results = yield* scanAll(targets, "all", {}, simulateOutage(network, 4000))
        assert.deepStrictEqual(listMissed(targets, results), [])
      })
    )

    it.effect("a scan without retries finds all servers despite an outage", () =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp({ sendsQuietly })
        const targets = yield* farm(network, 100)
        const results = yield* scanAll(targets, "info", { retries: 0 }, simulateOutage(network, 2000))
        assert.deepStrictEqual(listMissed(targets, results), [])
      })
    )

    it.effect("a scan waits once, not once per target, if the network never recovers", () =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp({ sendsQuietly })
        const targets = yield* farm(network, 1000)
        const meanwhile = Effect.gen(function* () {
          yield* TestClock.adjust(200)
          network.faults = { ...network.faults, refuse: 1 }
          // The scan waits once, for the maximum time. Then the scan queries the 1000 targets in ten groups, and all targets time out.
          yield* TestClock.adjust(15_000 + 10 * 3500)
          assert.strictEqual(progress.done, 1000)
        })
        const progress = new ScanProgress()
        const results = yield* scanAll(targets, "info", { concurrency: 100, progress }, meanwhile)
        assert.strictEqual(results.length, 1000)
        assert.isAbove(listCodes(results).length, 700)
        for (const one of results) if (one._tag === "Failed") assert.deepInclude(one.error, { local: true })
      })
    )

    it.effect("the number of sent datagrams includes the datagrams whose send errors the system hides", () =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp({ sendsQuietly })
        const targets = yield* farm(network, 50)
        const progress = new ScanProgress()
        const results = yield* scanAll(targets, "info", { progress, rate: 1000 }, simulateOutage(network, 3000))
        assert.deepStrictEqual(listMissed(targets, results), [])
        // The network loses no datagram, so the scan has received all replies. All other datagrams on the network are requests.
        const left = network.counters.sent - progress.received
        // The first attempt to send a datagram to each target fails, because the outage has already begun. If the system hides these
        // errors, the scan counts the datagrams as sent.
        const unreported = sendsQuietly ? targets.length : 0
        assert.strictEqual(left, 2 * targets.length)
        assert.strictEqual(progress.sent, left + unreported)
        assert.strictEqual(progress.refused, network.counters.refused - unreported)
        for (const { sent } of results) assert.strictEqual(sent, sendsQuietly ? 3 : 2)
      })
    )
  }
)

it.effect("addresses that this host cannot reach do not delay other targets", () =>
  Effect.gen(function* () {
    const { network, scanAll } = yield* setUp()
    const { open } = network.datagrams
    // The network refuses each datagram to an IPv6 address, as a host without IPv6 does.
    const noIpv6: typeof open = (options, handler) =>
      Effect.map(open(options, handler), (handle) =>
        options.family === 4
          ? handle
          : {
              ...handle,
              send: (_, address, port) => {
                const error = Object.assign(new Error("no route"), { code: "ENETUNREACH" })
                handler.onFault({ ...SystemFault.toSocketFault(error), peer: { address, port } })
              }
            }
      )
    Object.assign(network.datagrams, { open: noIpv6 })
    const living = yield* farm(network, 3)
    const ipv6 = Array.from({ length: 40 }, (_, i) => `[2001:db8::${i + 1}]:27015`)
    const targets = dead(200).flatMap((target, i) => (i % 5 === 0 ? [target, ipv6[i / 5]!] : [target]))
    // If the scan does not end within 9 s, the test fails.
    const results = yield* scanAll([...targets, ...living], "info", { concurrency: 60 }, TestClock.adjust("9 seconds"))
    assert.strictEqual(listCodes(results).length, 40)
    assert.deepStrictEqual(listMissed(living, results), [])
  })
)

describe("file descriptors", () => {
  it.effect("are shared by several targets if few descriptors are free", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 500)
      const before = network.openSockets
      /** Runs a scan, and returns the largest number of sockets that the scan has open at the same time. */
      const countSockets = Effect.fnUntraced(function* () {
        let most = 0
        const watching = Effect.gen(function* () {
          for (let i = 0; i < 100; i++) {
            yield* TestClock.adjust(5)
            most = Math.max(most, network.openSockets - before)
          }
        })
        assert.deepStrictEqual(listMissed(targets, yield* scanAll(targets, "info", { sockets: 8 }, watching)), [])
        return most
      })
      assert.strictEqual(yield* countSockets(), 8)
      network.faults = { ...network.faults, descriptors: before + 1 }
      assert.strictEqual(yield* countSockets(), 1)
    })
  )

  it.effect("are awaited for a limited time, and the targets fail with EMFILE if no descriptor is free by then", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 5)
      const { faults } = network
      network.faults = { ...faults, descriptors: 0 }
      const meanwhile = Effect.andThen(
        TestClock.adjust("4 seconds"),
        Effect.sync(() => (network.faults = faults))
      )
      assert.deepStrictEqual(listMissed(targets, yield* scanAll(targets, "info", {}, meanwhile)), [])
      network.faults = { ...faults, descriptors: 0 }
      assert.deepStrictEqual(
        listCodes(yield* scanAll(targets)),
        targets.map(() => "EMFILE")
      )
    })
  )
})

it.effect("a scan finds all servers despite outages, send errors and packet loss (seeded)", () =>
  Effect.gen(function* () {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed)
      const faults = { loss: 0.02, duplicate: 0.02, refuse: 0.1 }
      const { network, scanAll } = yield* setUp({ ...faults, seed, sendsQuietly: seed % 2 === 0 })
      const targets = yield* farm(network, 300)
      const meanwhile = Effect.gen(function* () {
        for (let i = 0; i < 4; i++) {
          yield* TestClock.adjust(random() * 800)
          yield* simulateOutage(network, random() * 4000)
        }
      })
      const options: ScanOptions = { concurrency: 50 + Math.floor(random() * 200), random, rate: 400 }
      const results = yield* scanAll(targets, seed % 3 === 0 ? "all" : "info", options, meanwhile)
      assert.deepStrictEqual(listMissed(targets, results), [], `seed ${seed}`)
    }
  })
)
