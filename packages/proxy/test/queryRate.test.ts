/**
 * ReHLDS accepts 3 queries per second from an address, averaged over a minute (`max_queries_sec`, `max_queries_window`). If an address
 * sends more queries, ReHLDS drops all datagrams from this address. A proxy with default options stays below the limit, even if replies are
 * lost.
 */
import { assert, describe, it } from "@effect/vitest"
import { profiles } from "@sourcewire/emulator"
import * as TestClock from "effect/testing/TestClock"
import * as Effect from "effect/Effect"
import { inLab, upstream } from "./lab.ts"

const MOST_PER_MINUTE = 3 * 60

describe("a proxy with default options", () => {
  it.effect.each([
    ["cs16", 0],
    ["css", 0],
    ["xash3d", 0],
    ["rehlds", 0],
    ["cs16", 0.3],
    ["css", 0.3],
    ["css", 0.9]
  ] as const)("sends no more datagrams than ReHLDS accepts: game server %s, packet loss %d", ([profile, loss]) =>
    inLab(({ network, start }) =>
      Effect.gen(function* () {
        yield* upstream(profiles[profile]())
        network.faults = { loss }
        const proxy = yield* start()
        const sent: Array<number> = [0]
        for (let second = 0; second < 300; second++) {
          yield* TestClock.adjust(1000)
          sent.push(proxy.status()[0]!.back.sent)
        }
        const perMinute = sent.slice(60).map((count, second) => count - sent[second]!)
        assert.isAtMost(Math.max(...perMinute), MOST_PER_MINUTE)
      })
    )
  )
})
