/** Runs a proxy until it is told to stop: the work of `sourcewire proxy`. */
import { type Proxy, type ProxyEvent, type ProxyServerOptions, type ProxyStatus, makeProxy } from "@sourcewire/proxy"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { byteSize, plural } from "../view/quantities.ts"
import { readCacheFile, writeCacheFile } from "./cacheFile.ts"
import { parseBind } from "../bind.ts"
import { followConfig, readConfig } from "../files/configFile.ts"
import { type Behaviour, serversOfFile, serversOfFlags } from "./config.ts"
import { type Log, type LogLevel, makeLog } from "../output/log.ts"
import { outlive } from "../output/outlive.ts"
import { given } from "../options.ts"
import type { ProxySettings } from "./command.ts"

/** What a crash may lose of the cache file. */
const SAVE_MS = 1000

const serversOf = (settings: ProxySettings): Effect.Effect<ReadonlyArray<ProxyServerOptions>, UsageError> => {
  const { maxStale, offlineName, refresh } = settings
  const behaviour: Behaviour = given({ refreshMs: refresh, maxStaleMs: maxStale, offlineName })
  if (settings.config === undefined) {
    return Effect.fromResult(serversOfFlags(settings.upstream, settings.bind, behaviour))
  }
  const flags = settings.upstream.length + settings.bind.length + Object.keys(behaviour).length
  return flags > 0
    ? Effect.fail(new UsageError("--config says which servers and how: no other flag may say so too."))
    : readConfig(settings.config, serversOfFile)
}

type State = Extract<ProxyEvent, { readonly _tag: "State" }>["state"]

const STATES: Readonly<Record<State, readonly [LogLevel, does: string]>> = {
  starting: ["warn", "has not answered yet"],
  fresh: ["info", "answers"],
  stale: ["warn", "does not answer; its last answers are given out"],
  gone: ["error", "does not answer; its last answers are too old"]
}

/** It follows the game servers and the operator, so nobody who only sends queries can fill a disk with it. */
const logEvents =
  (log: Log) =>
  (event: ProxyEvent): void => {
    const { listening, upstream } = event
    const fields = { listening, upstream }
    switch (event._tag) {
      case "Listening":
        return log("info", "listening", `${listening} answers for ${upstream}`, fields)
      case "Closed":
        return log("info", "closed", `${listening} is closed`, fields)
      case "Unwritable":
        return log("error", "unwritable", `an answer of ${upstream} cannot be given: ${event.reason}`, fields)
      case "State": {
        const { reason, state } = event
        const [level, does] = STATES[state]
        const why = reason === undefined ? "" : ` (${reason})`
        return log(level, "state", `${upstream} ${does}${why}`, { ...fields, state, reason })
      }
    }
  }

/** Keeps the cache file true, and says once when that does not work and once when it does again. */
const saving = Effect.fnUntraced(function* (file: string, proxy: Proxy, log: Log) {
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

const remembered = Effect.fnUntraced(function* (file: string | undefined, log: Log) {
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
    const servers = yield* serversOf(settings)
    const metrics = settings.metrics === undefined ? undefined : yield* Effect.fromResult(parseBind(settings.metrics))
    yield* outlive({ log, writer }, settings.config !== undefined)
    const saved = yield* remembered(settings.cacheFile, log)
    const proxy = yield* makeProxy({ servers, saved, onEvent: logEvents(log) })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const status of proxy.status()) log("info", "stopped", summary(status))
      })
    )
    if (settings.cacheFile !== undefined) yield* saving(settings.cacheFile, proxy, log)
    if (settings.config !== undefined) {
      const reconfigure = (servers: ReadonlyArray<ProxyServerOptions>) =>
        Effect.as(proxy.reconfigure(servers), plural(servers.length, "server"))
      yield* followConfig(settings.config, serversOfFile, reconfigure, log)
    }
    if (metrics !== undefined) {
      const pages = { status: proxy.status, logLinesLost: writer.lost }
      const { serveEndpoint } = yield* Effect.promise(() => import("./endpoint.ts"))
      yield* out.line(jsonLine({ metrics: `${yield* serveEndpoint(metrics, pages)}/metrics` }))
    }
    // Lines of JSON with and without --json: whoever starts a proxy from a script waits for them.
    for (const { listening, upstream } of proxy.status()) yield* out.line(jsonLine({ listening, upstream }))
    return yield* Effect.never
  },
  Effect.scoped,
  Effect.provide(layer)
)
