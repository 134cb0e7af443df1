/**
 * Reads the servers of `sourcewire proxy` from its flags or its configuration file. The file contains only settings that can change while
 * the proxy runs. All other settings of the proxy are flags.
 */
import type { ProxyServerOptions } from "@sourcewire/proxy"
import { DEFAULT_PORT } from "@sourcewire/core/address"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseBind } from "../bind.ts"
import { UsageError } from "../exitCode.ts"
import { decodeConfig } from "../files/configFile.ts"
import { plural } from "../view/quantities.ts"

// `pnpm generate` writes docs/reference/proxy-configuration.md from the annotations of these settings. The defaults in the annotations must
// be the defaults of `@sourcewire/proxy`. If a default depends on other settings, `defaultText` describes the default in words.

const behaviour = {
  refreshMs: Schema.optionalKey(Schema.Finite).annotateKey({
    description: "Interval at which the proxy queries INFO and PLAYER from the game server.",
    defaultText: "2000, or a quarter of `maxStaleMs` if that is less"
  }),
  rulesRefreshMs: Schema.optionalKey(Schema.Finite).annotateKey({
    description: "Interval at which the proxy queries RULES from the game server.",
    defaultText: "30000, or less if `maxStaleMs` requires it"
  }),
  timeoutMs: Schema.optionalKey(Schema.Finite).annotateKey({
    description: "Time limit of a query to the game server.",
    default: 2000
  }),
  maxStaleMs: Schema.optionalKey(Schema.Finite).annotateKey({
    description:
      "Time for which a reply is served after the game server has sent it. The minimum is `refreshMs` plus the longer of `refreshMs` and `rulesRefreshMs`, because a reply must not expire before it is refreshed.",
    defaultText: "60000, or more for long intervals"
  }),
  offlineName: Schema.optionalKey(Schema.String).annotateKey({
    description:
      "Server name in INFO when the cached replies have expired. The proxy then replies as a server without players.",
    defaultText: "none: no replies"
  }),
  ping: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the proxy replies to pings.",
    default: true
  }),
  hideUpstream: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether replies hide the game server's address.",
    defaultText: "`true`; `false` for an upstream on loopback"
  }),
  limitPerSecond: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.Literal("none")])).annotateKey({
    description:
      "Maximum number of replies per second to one address (IPv6: to one /64). The limit applies only to replies that are larger than their requests. A reply of more than 4 KiB counts as several replies.",
    defaultText: "100; on loopback `none`"
  })
}

/** The configuration file. Unknown keys are errors, because most of them are misspelt. */
export const ProxyConfig = Schema.Struct({
  /** Defaults for all servers. */
  defaults: Schema.optionalKey(Schema.Struct(behaviour)),
  servers: Schema.NonEmptyArray(
    Schema.Struct({
      upstream: Schema.String.annotateKey({ description: "Query address of the game server." }),
      bind: Schema.String.annotateKey({ description: "Numeric address and port on which the proxy listens." }),
      publicAddress: Schema.optionalKey(Schema.String).annotateKey({
        description:
          "Address and port that players use to join. With `hideUpstream`, replies contain this address instead of the game server's address.",
        defaultText: "the proxy's own address; INFO's port is not changed"
      }),
      ...behaviour
    })
  )
})

export type Behaviour = NonNullable<typeof ProxyConfig.Type.defaults>

const invalid = (message: string) => Result.fail(new UsageError(message))

const makeServer = (
  upstream: string,
  bind: { readonly host: string; readonly port: number },
  { limitPerSecond, ...rest }: Behaviour
): ProxyServerOptions => ({
  upstream,
  ...bind,
  ...rest,
  ...(limitPerSecond === undefined
    ? {}
    : { limit: limitPerSecond === "none" ? limitPerSecond : { perSecond: limitPerSecond } })
})

/**
 * Parses the servers of a configuration file. If the text is invalid, returns an error. The caller inserts the name of the file before the
 * message of this error.
 */
export const parseServers = (text: string): Result.Result<ReadonlyArray<ProxyServerOptions>, UsageError> =>
  Result.flatMap(decodeConfig(ProxyConfig, text), ({ defaults = {}, servers }) =>
    Result.all(
      servers.map(({ bind, upstream, ...own }) =>
        Result.map(parseBind(bind, DEFAULT_PORT, "bind"), (where) =>
          makeServer(upstream, where, { ...defaults, ...own })
        )
      )
    )
  )

/**
 * Returns a server for each `--upstream`. If `--bind` is given several times, each server listens on its own `--bind` address. If `--bind`
 * is given once or is absent, all servers listen on the same address, on consecutive ports. (If the port is 0, the system chooses the
 * ports.)
 */
export const serversFromFlags = (
  upstreams: ReadonlyArray<string>,
  binds: ReadonlyArray<string>,
  behaviour: Behaviour
): Result.Result<ReadonlyArray<ProxyServerOptions>, UsageError> => {
  if (upstreams.length === 0) return invalid("No upstream given. Use --upstream HOST:PORT, or --config FILE.")
  if (binds.length > 1 && binds.length !== upstreams.length) {
    return invalid(
      `--bind is given ${binds.length} times for ${plural(upstreams.length, "upstream")}. Give it once, or once for each upstream.`
    )
  }
  return Result.all(
    upstreams.map((upstream, index) =>
      Result.map(parseBind(binds[index] ?? binds[0] ?? "127.0.0.1", DEFAULT_PORT), ({ host, port }) => {
        const counted = binds.length > 1 || port === 0 ? port : port + index
        return makeServer(upstream, { host, port: counted }, behaviour)
      })
    )
  )
}
