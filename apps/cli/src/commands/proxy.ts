/**
 * `sourcewire proxy`: answers queries in place of game servers, from a cache.
 *
 * @module
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.optional, Flag.withDescription(description))

const optionalMs = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withMetavar("MS"), Flag.optional, Flag.withDescription(description))

/** The command. */
export const proxy = Command.make(
  "proxy",
  {
    json: options.json,
    upstream: Flag.String("upstream").pipe(
      Flag.withAlias("u"),
      Flag.withMetavar("HOST:PORT"),
      Flag.atLeast(0),
      Flag.withDescription("Game server to answer for; may be given more than once")
    ),
    bind: Flag.String("bind").pipe(
      Flag.withMetavar("ADDRESS:PORT"),
      Flag.atLeast(0),
      Flag.withDescription(
        "Where to answer, 127.0.0.1:27015 unless given: once for each upstream, or once for the first, the others then on the ports after it"
      )
    ),
    config: optionalText("config", "FILE", "Take servers and settings from FILE, and follow its changes"),
    metrics: optionalText("metrics", "ADDRESS:PORT", "Serve /metrics, /health and /live there over HTTP"),
    cacheFile: optionalText("cache-file", "FILE", "Keep the answers in FILE, so that a restart does not lose them"),
    refresh: optionalMs("refresh", "Ask a game server once in so many milliseconds; 2000 unless given"),
    maxStale: optionalMs("max-stale", "Give its last answers out for so long after it went silent; 60000 unless given"),
    offlineName: optionalText("offline-name", "TEXT", "Then show an empty server of this name, rather than nothing"),
    log: Flag.Literals("log", ["text", "json"]).pipe(
      Flag.withDefault("text"),
      Flag.withDescription("How the log on standard error is written")
    )
  },
  (settings) =>
    Effect.flatMap(
      Effect.promise(() => import("../proxy/runProxy.ts")),
      ({ runProxy }) => runProxy(settings)
    )
).pipe(
  Command.withDescription("Answer queries in place of game servers, from a cache that floods do not get past"),
  Command.withExamples([
    {
      command: "sourcewire proxy --upstream 192.0.2.10:27015 --bind 127.0.0.1:27016",
      description: "Ask the game server once in two seconds, and everybody else here"
    },
    {
      command: "sourcewire proxy --config proxy.json --metrics 127.0.0.1:9150 --cache-file proxy.cache",
      description: "As a service: servers from a file, metrics, and a memory across restarts"
    }
  ])
)
