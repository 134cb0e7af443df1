import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type ProxyServerOptions, checkedTargets } from "../src/settings.ts"

const targets = (...servers: ReadonlyArray<ProxyServerOptions>) => [
  ...Result.getOrThrow(checkedTargets(servers)).values()
]

const isRefused = (server: ProxyServerOptions): boolean => Result.isFailure(checkedTargets([server]))

const upstream = "192.0.2.1"

describe("the settings of a proxy", () => {
  it("have defaults", () => {
    expect(targets({ upstream })).toEqual([
      {
        upstream: { host: "192.0.2.1", port: 27_015, family: 4 },
        host: "127.0.0.1",
        port: 0,
        refreshMs: 2000,
        rulesRefreshMs: 30_000,
        timeoutMs: 2000,
        maxStaleMs: 60_000,
        offlineName: undefined,
        ping: true,
        hideUpstream: true,
        publicAddress: undefined,
        limit: undefined
      }
    ])
  })

  it("contain the values that the caller passed", () => {
    const given = {
      upstream: "localhost:27020",
      host: "0:0::1",
      port: 27_016,
      refreshMs: 100,
      rulesRefreshMs: 200,
      timeoutMs: 1,
      maxStaleMs: 300,
      offlineName: "Back soon",
      ping: false,
      hideUpstream: true,
      publicAddress: "Game.example",
      limit: { perSecond: 7, burst: 9 }
    }
    expect(targets(given)).toEqual([
      { ...given, upstream: { host: "localhost", port: 27_020 }, host: "::1", publicAddress: "game.example:27015" }
    ])
  })

  it("have longer default times if the caller sets an interval that is longer than its default", () => {
    const [target] = targets({ upstream, refreshMs: 45_000 })
    expect(target).toMatchObject({ rulesRefreshMs: 45_000, maxStaleMs: 135_000 })
    const [slowRules] = targets({ upstream, rulesRefreshMs: 600_000 })
    expect(slowRules).toMatchObject({ refreshMs: 2000, maxStaleMs: 604_000 })
  })

  it.each([200, 201, 1000, 3999, 10_000, 20_000, 31_000, 34_000, 60_000])(
    "contain intervals that are shorter than `maxStaleMs` if the caller sets only `maxStaleMs`: %i",
    (maxStaleMs) => {
      const { refreshMs, rulesRefreshMs } = targets({ upstream, maxStaleMs })[0]!
      expect(refreshMs).toBeGreaterThanOrEqual(100)
      expect(Math.max(refreshMs, rulesRefreshMs) + refreshMs).toBeLessThanOrEqual(maxStaleMs)
    }
  )

  it.each([
    { maxStaleMs: 10_000, rulesRefreshMs: 30_000 },
    { maxStaleMs: 31_999, rulesRefreshMs: 30_000, refreshMs: 2000 },
    { maxStaleMs: 3000, refreshMs: 2000 }
  ])("are rejected if replies would expire before they are refreshed: %j", (times) => {
    const failure = Result.getOrThrow(Result.flip(checkedTargets([{ upstream, ...times }])))
    expect(failure.option).toBe("servers.0.maxStaleMs")
    expect(failure.message).toMatch(/expire before they are refreshed/)
  })

  it("limit the rate of replies by default, except for a proxy on loopback", () => {
    const readLimit = (server: Partial<ProxyServerOptions>) => targets({ upstream, ...server })[0]!.limit
    expect(readLimit({ host: "203.0.113.5" })).toEqual({ perSecond: 100 })
    expect(readLimit({ host: "::" })).toEqual({ perSecond: 100 })
    expect(readLimit({ host: "203.0.113.5", limit: "none" })).toBeUndefined()
    expect(readLimit({ host: "::1" })).toBeUndefined()
    expect(readLimit({ host: "127.0.0.1", limit: { perSecond: 1 } })).toEqual({ perSecond: 1 })
  })

  it("hide the address of a game server by default, except for an address on loopback", () => {
    const hides = (upstream: string) => targets({ upstream })[0]!.hideUpstream
    expect(["127.0.0.1", "127.1.2.3", "[::1]", "localhost"].map(hides)).toEqual([false, false, false, false])
    expect(["10.0.0.1", "game.example", "[::2]"].map(hides)).toEqual([true, true, true])
  })

  it("are rejected if a value is outside its limits", () => {
    const DAY_MS = 86_400_000
    const bounds = [
      ["refreshMs", 100, DAY_MS],
      ["timeoutMs", 1, 60_000],
      ["maxStaleMs", 200, 3 * DAY_MS]
    ] as const
    for (const [name, least, most] of bounds) {
      const refused = [least - 1, least, most, most + 1].map((value) => isRefused({ upstream, [name]: value }))
      expect([name, ...refused]).toEqual([name, true, false, false, true])
    }
    const rules = [99, 100, DAY_MS, DAY_MS + 1]
    expect(rules.map((rulesRefreshMs) => isRefused({ upstream, refreshMs: 100, rulesRefreshMs }))).toEqual([
      true,
      false,
      false,
      true
    ])
    expect(isRefused({ upstream, offlineName: "x".repeat(200) })).toBe(false)
    expect([-1, 0.5, 65_536].map((port) => isRefused({ upstream, port }))).toEqual([true, true, true])
    expect(isRefused({ upstream, port: 65_535 })).toBe(false)
  })

  it("can contain several servers with port 0 if the game servers are different", () => {
    expect(targets({ upstream }, { upstream: "192.0.2.2" }, { upstream: "192.0.2.1:27016" })).toHaveLength(3)
    expect(targets({ upstream, host: "127.0.0.1" }, { upstream, host: "127.0.0.2" })).toHaveLength(2)
    expect(targets({ upstream, port: 1 }, { upstream, port: 2 })).toHaveLength(2)
  })
})
