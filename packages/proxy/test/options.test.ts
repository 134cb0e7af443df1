import { assert, describe, it } from "@effect/vitest"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import { InvalidOption, type ProxyServerOptions, startProxy } from "../src/index.ts"

const start = startProxy as (options: unknown) => ReturnType<typeof startProxy>

const transport = Effect.runSync(Effect.map(makeNetwork(), networkLayer))
const upstream = "127.0.0.1:27015"

/** Values that JavaScript can pass to a proxy, and the option that the error names. */
const ROWS: ReadonlyArray<readonly [options: unknown, option: string]> = [
  [undefined, "transport"],
  [null, "options"],
  ["127.0.0.1", "options"],
  [{ servers: [] }, "transport"],
  [{ transport: {}, servers: [] }, "transport"],
  [{ transport }, "servers"],
  [{ transport, servers: { upstream } }, "servers"],
  [{ transport, servers: [null] }, "servers.0"],
  [{ transport, servers: [{ upstream }, upstream] }, "servers.1"],
  [{ transport, servers: [{}] }, "servers.0.upstream"],
  [{ transport, servers: [{ upstream: 27_015 }] }, "servers.0.upstream"],
  [{ transport, servers: [{ upstream: "1.2.3" }] }, "servers.0.upstream"],
  [{ transport, servers: [{ upstream, host: 1 }] }, "servers.0.host"],
  [{ transport, servers: [{ upstream, host: "example" }] }, "servers.0.host"],
  [{ transport, servers: [{ upstream, port: "27016" }] }, "servers.0.port"],
  [{ transport, servers: [{ upstream, refreshMs: "2 s" }] }, "servers.0.refreshMs"],
  [{ transport, servers: [{ upstream, refreshMs: Number.NaN }] }, "servers.0.refreshMs"],
  [{ transport, servers: [{ upstream, rulesRefreshMs: 1 }] }, "servers.0.rulesRefreshMs"],
  [{ transport, servers: [{ upstream, timeoutMs: 0 }] }, "servers.0.timeoutMs"],
  [{ transport, servers: [{ upstream, maxStaleMs: null }] }, "servers.0.maxStaleMs"],
  [{ transport, servers: [{ upstream, offlineName: 7 }] }, "servers.0.offlineName"],
  [{ transport, servers: [{ upstream, offlineName: "x".repeat(201) }] }, "servers.0.offlineName"],
  [{ transport, servers: [{ upstream, ping: "yes" }] }, "servers.0.ping"],
  [{ transport, servers: [{ upstream, hideUpstream: 1 }] }, "servers.0.hideUpstream"],
  [{ transport, servers: [{ upstream, publicAddress: 7 }] }, "servers.0.publicAddress"],
  [{ transport, servers: [{ upstream, publicAddress: "1.2.3" }] }, "servers.0.publicAddress"],
  [{ transport, servers: [{ upstream, limit: 7 }] }, "servers.0.limit"],
  [{ transport, servers: [{ upstream, limit: { perSecond: "7" } }] }, "servers.0.limit.perSecond"],
  [{ transport, servers: [{ upstream, limit: { perSecond: 7, addresses: 1e15 } }] }, "servers.0.limit.addresses"],
  [{ transport, servers: [{ upstream, port: 27_015 }] }, "servers.0.upstream"],
  [{ transport, servers: [{ upstream }, { upstream }] }, "servers.1"],
  [{ transport, servers: [], saved: {} }, "saved"],
  [{ transport, servers: [], saved: [null] }, "saved.0"],
  [{ transport, servers: [], saved: [{ upstream, replies: { info: 7 } }] }, "saved.0.replies.info"],
  [{ transport, servers: [], onEvent: "log" }, "onEvent"]
]

const catchFailure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no failure",
    (error: unknown) => error
  )

describe("invalid settings from a JavaScript program", () => {
  it.each(ROWS.map(([options, option], row) => ({ option, options, row })))(
    "cause an error that names $option (row $row)",
    async ({ option, options }) => {
      const error = await catchFailure(start(options))
      assert.instanceOf(error, InvalidOption)
      assert.deepInclude(error, { option })
      assert.match(error.message, /^\S.*\.$/)
    }
  )

  it.each([undefined, "x", [null], [{ upstream: 1 }]])(
    "do not change a running proxy: reconfigure(%j)",
    async (servers) => {
      await using proxy = await startProxy({ transport, servers: [{ upstream }] })
      const error = await catchFailure(proxy.reconfigure(servers as unknown as ReadonlyArray<ProxyServerOptions>))
      assert.instanceOf(error, InvalidOption)
      assert.strictEqual(proxy.status().length, 1)
    }
  )
})
