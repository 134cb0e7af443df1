/**
 * Proxies that query other proxies, or each other in a circle. The age of a reply begins when the game server sends the reply, and no proxy
 * treats its own old replies as new replies.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type Proxy, makeProxy } from "../src/index.ts"
import { css, info, inLab, type Lab, stoppable, upstream, UPSTREAM_TEXT } from "./lab.ts"

const MAX_STALE_MS = 60_000

/** Saves the cache of a proxy, stops the game server behind this proxy, and returns the saved cache. */
const saveCache = (start: Lab["start"]) =>
  Effect.gen(function* () {
    const { stop } = yield* stoppable(css)
    const saved = yield* Effect.scoped(
      Effect.gen(function* () {
        const proxy = yield* start()
        yield* TestClock.adjust(1000)
        return yield* proxy.save
      })
    )
    yield* stop
    return saved[0]!
  })

const getState = (proxy: Proxy) => proxy.status()[0]!.state

describe("proxies that query each other", () => {
  it.effect.each([
    { members: 2, loss: 0 },
    { members: 3, loss: 0 },
    { members: 2, loss: 0.3 },
    { members: 3, loss: 0.3 }
  ])("do not keep each other's replies fresh: $members proxies, loss $loss", ({ loss, members }) =>
    inLab(({ during, client, events, network, start }) =>
      Effect.gen(function* () {
        const known = yield* saveCache(start)
        network.faults = { loss, jitterMs: 20 }
        const port = (index: number): number => 27_100 + (index % members)
        const ring: Array<Proxy> = []
        for (let index = 0; index < members; index++) {
          const upstream = `127.0.0.1:${port(index + 1)}`
          ring.push(
            yield* makeProxy({
              servers: [{ upstream, port: port(index), maxStaleMs: MAX_STALE_MS }],
              saved: [{ ...known, upstream }],
              onEvent: (event) => void events.push(event)
            })
          )
        }
        yield* TestClock.adjust(MAX_STALE_MS / 2)
        if (loss === 0) {
          assert.deepEqual(
            ring.map(getState),
            ring.map(() => "stale")
          )
          for (const index of ring.keys()) {
            assert.deepInclude(yield* during(1000, client.info(`127.0.0.1:${port(index)}`)), info)
          }
        }
        yield* TestClock.adjust(1.5 * MAX_STALE_MS)
        assert.deepEqual(
          ring.map(getState),
          ring.map(() => "gone")
        )
        const reasons = events.flatMap((event) => (event._tag === "State" ? [event.reason ?? ""] : []))
        if (loss === 0) assert.isTrue(reasons.some((reason) => reason.includes("The proxies may query each other")))
      })
    )
  )

  it.effect("drop each other's replies, even if they began to query each other after a change of settings", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        yield* upstream(css)
        const near = yield* start()
        const far = yield* makeProxy({ servers: [{ upstream: near.at, port: 27_017 }] })
        yield* TestClock.adjust(5000)
        assert.strictEqual(getState(far), "fresh")
        yield* near.reconfigure([{ upstream: "127.0.0.1:27017", port: 27_016 }])
        yield* TestClock.adjust(MAX_STALE_MS + 10_000)
        assert.deepEqual([getState(near), getState(far)], ["gone", "gone"])
      })
    )
  )

  it.effect("a proxy that queries itself under another name drops its own replies, even if `offlineName` is set", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        const upstream = "itself.example:27018"
        const itself = yield* makeProxy({
          servers: [{ upstream, port: 27_018, offlineName: "Back soon", ping: false }],
          saved: [{ ...(yield* saveCache(start)), upstream }]
        })
        yield* TestClock.adjust(2 * MAX_STALE_MS)
        assert.strictEqual(getState(itself), "gone")
      })
    )
  )
})

describe("a proxy behind a proxy", () => {
  it.effect(
    "measures the age of a reply from the time when the game server sent it, and is stale if the game server is down",
    () =>
      inLab(({ client, during, start }) =>
        Effect.gen(function* () {
          const { stop } = yield* stoppable(css)
          const near = yield* start({ rulesRefreshMs: 30_000 })
          const far = yield* makeProxy({ servers: [{ upstream: near.at, port: 27_017, maxStaleMs: 40_000 }] })
          yield* TestClock.adjust(5000)
          // The near proxy queries the game server, and refreshes RULES every 30 s. The far proxy must query RULES soon after each of these
          // refreshes. Otherwise, the copy of RULES in the far proxy becomes too old.
          for (let round = 0; round < 40; round++) {
            yield* TestClock.adjust(4900)
            const { ageMs, state } = far.status()[0]!
            assert.strictEqual(state, "fresh")
            assert.isBelow(ageMs.rules!, 36_000)
            assert.isBelow(ageMs.info!, 6000)
            assert.isAtLeast(ageMs.info!, near.status()[0]!.ageMs.info!)
            assert.deepEqual((yield* during(100, client.query("127.0.0.1:27017"))).rules, css.rules as object)
          }
          yield* stop
          yield* TestClock.adjust(25_000)
          assert.strictEqual(getState(far), "stale")
          yield* TestClock.adjust(18_000)
          assert.deepEqual([getState(near), getState(far)], ["stale", "gone"])
          yield* upstream(css)
          yield* TestClock.adjust(8000)
          assert.deepEqual([getState(near), getState(far)], ["fresh", "fresh"])
        })
      )
  )

  it.effect("detects immediately that another proxy has replaced its stopped game server", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        const known = yield* saveCache(start)
        const { stop } = yield* stoppable(css)
        const far = yield* makeProxy({ servers: [{ upstream: UPSTREAM_TEXT, port: 27_017 }] })
        // After this time, the proxy checks only once a minute whether its upstream is a proxy.
        yield* TestClock.adjust(200_000)
        yield* stop
        yield* TestClock.adjust(5000)
        const upstream = "127.0.0.1:1"
        const takenAt = known.replies.info!.takenAt + 170_000
        const saved = [{ ...known, upstream, replies: { info: { ...known.replies.info!, takenAt } } }]
        yield* start({ upstream, port: 27_015 }, saved)
        yield* TestClock.adjust(8000)
        assert.isAbove(far.status()[0]!.ageMs.info!, 40_000)
      })
    )
  )

  it.effect("detects that its upstream is now a game server, and no longer a proxy", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        const far = yield* makeProxy({ servers: [{ upstream: UPSTREAM_TEXT, port: 27_017 }] })
        const { stop } = yield* stoppable(css, 27_020)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* start({ upstream: "127.0.0.1:27020", port: 27_015 })
            // After this time, the far proxy has detected that its upstream is another proxy.
            yield* TestClock.adjust(30_000)
            assert.strictEqual(getState(far), "fresh")
          })
        )
        yield* stop
        yield* upstream(css)
        yield* TestClock.adjust(30_000)
        assert.isBelow(far.status()[0]!.ageMs.info!, 3000)
        assert.strictEqual(getState(far), "fresh")
      })
    )
  )
})
