/** Runs `sourcewire proxy`: starts the proxy, its pages and its log, and stops them when the program is interrupted. */
import { type Proxy, type ProxyEvent, type ProxyServerOptions, type ProxyStatus, makeProxy } from "@sourcewire/proxy"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { safe } from "../output/text.ts"
import { byteSize, plural } from "../view/quantities.ts"
import { readCacheFile, writeCacheFile } from "./cacheFile.ts"
import { parseBind } from "../bind.ts"
import { followConfig, readConfig } from "../files/configFile.ts"
import { type Behaviour, parseServers, serversFromFlags } from "./config.ts"
import { type Log, type LogLevel, makeLog } from "../output/log.ts"
import { keepRunning } from "../output/keepRunning.ts"
import { given } from "../options.ts"
import type { ProxySettings } from "./flags.ts"

const DEFAULT_METRICS_PORT = 9150

/** Interval in ms at which the cache file is written. If the program crashes, the replies that arrived after the last write are lost. */
const SAVE_MS = 1000

const readServers = (settings: ProxySettings): Effect.Effect<ReadonlyArray<ProxyServerOptions>, UsageError> => {
  const { maxStale, offlineName, refresh } = settings
  const behaviour: Behaviour = given({ refreshMs: refresh, maxStaleMs: maxStale, offlineName })
  if (settings.config === undefined) {
    return Effect.fromResult(serversFromFlags(settings.upstream, settings.bind, behaviour))
  }
  const flags = settings.upstream.length + settings.bind.length + Object.keys(behaviour).length
  return flags > 0
    ? Effect.fail(
        new UsageError(
          "--config cannot be combined with --upstream, --bind, --refresh, --max-stale or --offline-name. Put them into the file."
        )
      )
    : readConfig(settings.config, parseServers)
}

const FLAGS: Readonly<Record<string, string>> = {
  maxStaleMs: "--max-stale",
  refreshMs: "--refresh",
  offlineName: "--offline-name"
}

/**
 * Rewrites an error message of the proxy library about an option. If the user gave flags, the message contains the name of the flag instead
 * of the option. If the user gave a configuration file, the message begins with the name of the file.
 */
const withFlags = (message: string, { config }: ProxySettings): string =>
  config === undefined
    ? message.replaceAll(/\b(?:maxStaleMs|refreshMs|offlineName)\b/g, (option) => FLAGS[option]!)
    : `${config} is not valid: ${message}`

type State = Extract<ProxyEvent, { readonly _tag: "State" }>["state"]

const STATES: Readonly<Record<State, readonly [LogLevel, does: string]>> = {
  starting: ["warn", "has not responded yet"],
  fresh: ["info", "responds"],
  stale: ["warn", "does not respond; cached replies are served"],
  gone: ["error", "does not respond; cached replies have expired"]
}

/**
 * Logs when the proxy opens or closes a listening address, when the state of a game server changes, and when a reply cannot be served.
 * Queries are not logged, because clients could then fill the disk with log lines.
 */
const logEvents =
  (log: Log) =>
  (event: ProxyEvent): void => {
    const { listening, upstream } = event
    const fields = { listening, upstream }
    switch (event._tag) {
      case "Listening":
        return log("info", "listening", `${listening} replies for ${upstream}`, fields)
      case "Closed":
        return log("info", "closed", `${listening} is closed`, fields)
      case "Unwritable":
        return log("error", "unwritable", `a reply of ${upstream} cannot be served: ${event.reason}`, fields)
      case "State": {
        const { reason, state } = event
        const [level, does] = STATES[state]
        const why = reason === undefined ? "" : `: ${reason}`
        return log(level, "state", `${upstream} ${does}${why}`, { ...fields, state, reason })
      }
    }
  }

/**
 * Saves the cache at an interval, and when the scope closes. If several writes in a row fail, only the first failure is logged. When a
 * write succeeds after a failure, this success is logged.
 */
const saveCache = Effect.fnUntraced(function* (file: string, proxy: Proxy, log: Log) {
  let saved = proxy.revision()
  let isFailing = false
  const save = Effect.gen(function* () {
    const revision = proxy.revision()
    if (revision === saved) return
    const problem = yield* writeCacheFile(file, yield* proxy.save)
    if (problem === undefined) saved = revision
    if (problem !== undefined && !isFailing) {
      log("warn", "cache-file", `${file} cannot be written: ${problem}`, { file, reason: problem })
    } else if (problem === undefined && isFailing) log("info", "cache-file", `${file} is written again`, { file })
    isFailing = problem !== undefined
  }).pipe(Effect.uninterruptible)
  yield* Effect.addFinalizer(() => save)
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(SAVE_MS), save)))
})

const loadCache = Effect.fnUntraced(function* (file: string | undefined, log: Log) {
  if (file === undefined) return []
  const { ignored, saved } = yield* readCacheFile(file)
  if (ignored !== undefined) log("warn", "cache-file", `${file} is ignored: ${ignored}`, { file, reason: ignored })
  return saved
})

const summary = ({ back, front, listening, upstream }: ProxyStatus): string => {
  const requests = Object.values(front.requests).reduce((sum, count) => sum + count, 0)
  return [
    `${listening} for ${upstream}: ${plural(requests, "request")} (${byteSize(front.bytesIn)})`,
    `${plural(front.replies, "reply", "replies")} (${byteSize(front.bytesOut)})`,
    `${plural(back.sent, "datagram")} to the game server`
  ].join(", ")
}

export const runProxy = Effect.fnUntraced(
  function* (settings: ProxySettings) {
    const { err, out } = yield* Output
    const { log, writer } = makeLog(err, settings.log)
    const servers = yield* readServers(settings)
    const metrics =
      settings.metrics === undefined
        ? undefined
        : yield* Effect.fromResult(parseBind(settings.metrics, DEFAULT_METRICS_PORT, "--metrics"))
    yield* keepRunning({ log, writer }, settings.config !== undefined)
    const saved = yield* loadCache(settings.cacheFile, log)
    const proxy = yield* Effect.catchTag(
      makeProxy({ servers, saved, onEvent: logEvents(log) }),
      "InvalidOption",
      ({ message }) => Effect.fail(new UsageError(withFlags(message, settings)))
    )
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const status of proxy.status()) log("info", "stopped", summary(status))
      })
    )
    if (settings.cacheFile !== undefined) yield* saveCache(settings.cacheFile, proxy, log)
    if (settings.config !== undefined) {
      const reconfigure = (servers: ReadonlyArray<ProxyServerOptions>) =>
        Effect.as(proxy.reconfigure(servers), plural(servers.length, "server"))
      yield* followConfig(settings.config, parseServers, reconfigure, log)
    }
    if (metrics !== undefined) {
      const pages = { status: proxy.status, logLinesLost: writer.lost }
      const { serveEndpoint } = yield* Effect.promise(() => import("./endpoint.ts"))
      const url = `${yield* serveEndpoint(metrics, pages)}/metrics`
      yield* out.line(settings.json ? jsonLine({ metrics: url }) : `Metrics: ${url}`)
    }
    for (const { listening, upstream } of proxy.status()) {
      yield* out.line(settings.json ? jsonLine({ listening, upstream }) : `Replying on ${listening} for ${upstream}`)
    }
    if (!settings.json) {
      const cache = settings.cacheFile === undefined ? "No cache file" : `Cache file: ${safe(settings.cacheFile)}`
      yield* out.line(`${cache}. Press Ctrl-C to stop.`)
    }
    return yield* Effect.never
  },
  Effect.scoped,
  Effect.provide(layer)
)
