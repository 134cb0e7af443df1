/**
 * The servers of `sourcewire proxy`, from its flags or from its configuration file. The file holds what can change while the proxy
 * runs; what cannot is a flag.
 */
import type { ProxyServerOptions } from "@sourcewire/proxy"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseBind } from "../bind.ts"
import { UsageError } from "../exitCode.ts"
import { decodeConfig } from "../files/configFile.ts"

const behaviour = {
  refreshMs: Schema.optionalKey(Schema.Finite),
  rulesRefreshMs: Schema.optionalKey(Schema.Finite),
  timeoutMs: Schema.optionalKey(Schema.Finite),
  maxStaleMs: Schema.optionalKey(Schema.Finite),
  offlineName: Schema.optionalKey(Schema.String),
  ping: Schema.optionalKey(Schema.Boolean),
  hideUpstream: Schema.optionalKey(Schema.Boolean),
  limitPerSecond: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.Literal("none")]))
}

/** The configuration file. Keys that it does not name are errors: most of them are typing errors. */
export const ProxyConfig = Schema.Struct({
  /** For every server that does not say otherwise. */
  defaults: Schema.optionalKey(Schema.Struct(behaviour)),
  servers: Schema.NonEmptyArray(
    Schema.Struct({
      upstream: Schema.String,
      bind: Schema.String,
      publicAddress: Schema.optionalKey(Schema.String),
      ...behaviour
    })
  )
})

export type Behaviour = NonNullable<typeof ProxyConfig.Type.defaults>

const invalid = (message: string) => Result.fail(new UsageError(message))

const serverOf = (
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

/** The servers of a configuration file's text. The error's sentence goes on after the file's name. */
export const serversOfFile = (text: string): Result.Result<ReadonlyArray<ProxyServerOptions>, UsageError> =>
  Result.flatMap(decodeConfig(ProxyConfig, text), ({ defaults = {}, servers }) =>
    Result.all(
      servers.map(({ bind, upstream, ...own }) =>
        Result.map(parseBind(bind), (where) => serverOf(upstream, where, { ...defaults, ...own }))
      )
    )
  )

/** The servers that flags name: one place to listen for each, or the first one's and the ports after it. */
export const serversOfFlags = (
  upstreams: ReadonlyArray<string>,
  binds: ReadonlyArray<string>,
  behaviour: Behaviour
): Result.Result<ReadonlyArray<ProxyServerOptions>, UsageError> => {
  if (upstreams.length === 0) return invalid("There is no game server to answer for. Give --upstream, or --config.")
  if (binds.length > 1 && binds.length !== upstreams.length) {
    return invalid(
      `--bind is there ${binds.length} times for ${upstreams.length} of --upstream: once, or once for each.`
    )
  }
  return Result.all(
    upstreams.map((upstream, index) =>
      Result.map(parseBind(binds[index] ?? binds[0] ?? "127.0.0.1:27015"), ({ host, port }) => {
        const counted = binds.length > 1 || port === 0 ? port : port + index
        return serverOf(upstream, { host, port: counted }, behaviour)
      })
    )
  )
}
