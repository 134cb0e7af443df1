import { assert, describe, it } from "@effect/vitest"
import { type MasterOptions, Client } from "@sourcewire/core"
import { liveTiming } from "@sourcewire/core/engine"
import { masterPages, DEFAULT_PAGE_INTERVAL_MS } from "@sourcewire/core/master"
import { networkLayer, makeNetwork, MemoryNetwork } from "@sourcewire/core/testing"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { InvalidOption, makeMaster, startMaster } from "../../src/index.ts"
import { MAX_PAGE_BYTES } from "../../src/master/MasterResponder.ts"
import { type MasterServerOptions } from "../../src/master/MasterServer.ts"
import { listed, many, request } from "./masterLists.ts"

describe("MasterServer", () => {
  const fetchPages = Effect.fnUntraced(function* (
    options: Partial<MasterServerOptions>,
    queried: MasterOptions = {},
    faults: Parameters<typeof makeNetwork>[0] = { loss: 0.1, duplicate: 0.1, reorder: 0.1, seed: 3 }
  ) {
    const transport = networkLayer(yield* makeNetwork(faults))
    const master = yield* Effect.provide(makeMaster({ servers: many, ...options }), transport)
    const running = yield* masterPages(`${master.address}:${master.port}`, queried).pipe(
      Stream.runCollect,
      Effect.timed,
      Effect.provide(Layer.provide(Client.layer(), transport)),
      Effect.forkChild
    )
    yield* TestClock.adjust("1 hour")
    const [duration, pages] = yield* Fiber.join(running)
    return {
      servers: pages.flatMap(({ servers }) => servers),
      end: pages.at(-1)?.end,
      tookMs: Duration.toMillis(duration),
      counters: master.counters()
    }
  })
  const xash = { servers: many.slice(0, 701), profile: "xash3d" } as const
  const xashAddresses = xash.servers.map(({ address }) => address).toSorted()

  it.effect("sends the complete list without pages if the profile is xash3d", () =>
    Effect.gen(function* () {
      const { counters, end, servers, tookMs } = yield* fetchPages(xash, {}, { delayMs: 20 })
      assert.deepStrictEqual(servers.toSorted(), xashAddresses)
      assert.strictEqual(end, "complete")
      assert.strictEqual(counters.requests, 2)
      assert.isBelow(tookMs, 500)
    })
  )

  it.effect("sends the complete list over a lossy network if the profile is xash3d", () =>
    Effect.gen(function* () {
      const ends: Record<string, number> = {}
      for (let seed = 1; seed <= 60; seed++) {
        const faults = { loss: 0.05, duplicate: 0.1, reorder: 0.2, reorderMs: 60, delayMs: 30, jitterMs: 20, seed }
        const { end, servers } = yield* fetchPages(xash, {}, faults)
        assert.deepStrictEqual(servers.toSorted(), xashAddresses, `seed ${seed}`)
        ends[end!] = (ends[end!] ?? 0) + 1
      }
      assert.isAbove(ends["complete"]!, 50)
    })
  )

  it.effect("the client reports an incomplete list as unconfirmed if the network loses half of the datagrams", () =>
    Effect.gen(function* () {
      let incomplete = 0
      for (let seed = 1; seed <= 20; seed++) {
        const fetched = yield* Effect.result(fetchPages(xash, {}, { loss: 0.5, delayMs: 30, seed }))
        // With some seeds of the network, all requests or all replies are lost.
        if (Result.isFailure(fetched)) continue
        const { end, servers } = fetched.success
        if (servers.length === xashAddresses.length) continue
        incomplete++
        assert.strictEqual(end, "unconfirmed", `seed ${seed}`)
      }
      assert.isAbove(incomplete, 0)
    })
  )

  it.effect("sends its list page by page, in one round trip per page", () =>
    Effect.gen(function* () {
      const { counters, end, tookMs } = yield* fetchPages({ repliesToUnverified: true }, {}, { delayMs: 20 })
      assert.strictEqual(end, "complete")
      assert.strictEqual(counters.requests, 5)
      // The limit is the sum of five round trips of 40 ms, four pauses between pages, and the time in which the client waits for more
      // datagrams after the end mark.
      assert.isAtMost(tookMs, 5 * 40 + 4 * DEFAULT_PAGE_INTERVAL_MS + 110)
    })
  )

  it.effect.each([true, false])(
    "sends the complete list over a lossy network, with repliesToUnverified: %s",
    (repliesToUnverified) =>
      Effect.gen(function* () {
        const { counters, servers } = yield* fetchPages({ repliesToUnverified })
        assert.deepStrictEqual(servers.toSorted(), many.map(({ address }) => address).toSorted())
        assert.isBelow(counters.requests, 40)
        if (!repliesToUnverified) assert.isAtMost(counters.bytesOut, counters.bytesIn)
      })
  )

  it.effect.each([
    ["127.0.0.1", 100],
    ["192.0.2.1", 10]
  ] as const)("on %s, sends %i full pages in reply to a hundred simultaneous requests", ([host, full]) =>
    Effect.gen(function* () {
      const network = yield* makeNetwork()
      const options = { servers: many, host, repliesToUnverified: true, allowAmplification: true }
      const master = yield* Effect.provide(makeMaster(options), networkLayer(network))
      const sizes: Array<number> = []
      const onDatagram = (bytes: Uint8Array): void => void sizes.push(bytes.length)
      const socket = yield* network.datagrams.open({ family: 4 }, { onDatagram, onFault: () => {} })
      for (let i = 0; i < 100; i++) socket.send(request(), master.address, master.port)
      yield* TestClock.adjust("1 second")
      assert.lengthOf(sizes, 100)
      assert.lengthOf(
        sizes.filter((size) => size === MAX_PAGE_BYTES),
        full
      )
    })
  )

  const failure = (options: unknown) =>
    Effect.gen(function* () {
      const network = yield* makeNetwork()
      const started = makeMaster(options as MasterServerOptions).pipe(
        Effect.scoped,
        Effect.provide(networkLayer(network)),
        Effect.result
      )
      return Result.match(yield* started, {
        onSuccess: () => undefined,
        onFailure: (error) => (error._tag === "InvalidOption" ? error.option : error._tag)
      })
    })

  it.effect.each(["0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1", "::ffff:0.0.0.0"])(
    "requires allowAmplification if it listens on %s and replies to unverified addresses",
    (host) =>
      Effect.gen(function* () {
        const unverified = { servers: many, repliesToUnverified: true, host }
        for (const options of [unverified, { servers: many, profile: "xash3d", host }]) {
          assert.strictEqual(yield* failure(options), "allowAmplification")
          assert.isUndefined(yield* failure({ ...options, allowAmplification: true }))
        }
        assert.isUndefined(yield* failure({ ...unverified, repliesToUnverified: false }))
      })
  )

  it.effect(
    "if it cannot listen on a host without allowAmplification, returns an error that names the host and this option",
    () =>
      Effect.gen(function* () {
        const network = networkLayer(yield* makeNetwork())
        const started = makeMaster({ servers: many, repliesToUnverified: true, host: "192.0.2.1" })
        const { message } = yield* Effect.flip(Effect.scoped(started)).pipe(Effect.provide(network))
        assert.match(message, /^This master cannot listen on 192\.0\.2\.1: .* set allowAmplification to true\.$/)
      })
  )

  it.effect.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])(
    "listens on %s without allowAmplification, even if it replies to unverified addresses",
    (host) =>
      Effect.gen(function* () {
        assert.isUndefined(yield* failure({ servers: many, repliesToUnverified: true, host }))
      })
  )

  it.effect.each<readonly [string, unknown]>([
    ["servers", undefined],
    ["options", null],
    ["servers", {}],
    ["servers", { servers: "192.0.2.1:27015" }],
    ["repliesToUnverified", { servers: [], repliesToUnverified: 1 }],
    ["profile", { servers: [], profile: "toString" }],
    ["host", { servers: [], host: "master.example" }],
    ["port", { servers: [], port: -1 }],
    ["limit.perSecond", { servers: [], limit: { perSecond: "5" } }]
  ])("rejects an invalid value of %s (case %#)", ([option, options]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failure(options), option)
    })
  )

  it("rejects invalid options if the Promise API starts the server", async () => {
    const rejected = (options: unknown) =>
      startMaster(options as Parameters<typeof startMaster>[0]).then(
        () => assert.fail("started"),
        (reason: unknown) => (reason instanceof InvalidOption ? reason.option : reason)
      )
    assert.strictEqual(await rejected(undefined), "transport")
    assert.strictEqual(await rejected({ servers: [] }), "transport")
    const transport = networkLayer(new MemoryNetwork(liveTiming))
    assert.strictEqual(await rejected({ transport }), "servers")
  })

  it.effect("sends the servers that match a filter", () =>
    Effect.gen(function* () {
      const { servers } = yield* fetchPages({ servers: listed }, { filter: { gamedir: "tf" }, region: "asia" })
      assert.deepStrictEqual(servers, ["10.0.0.2:27015", "10.0.0.3:27020"])
    })
  )
})
