/** `sourcewire proxy`: answers queries in place of game servers, from a cache. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const MS = { least: 0, metavar: "MS" }

const flags = {
  json: options.json,
  upstream: options.texts("HOST:PORT", "Game server to answer for; may be given more than once", {
    alias: "u"
  }),
  bind: options.texts(
    "ADDRESS:PORT",
    "Where to answer, 127.0.0.1:27015 unless given: once for each upstream, or once for the first, the others then on the ports after it"
  ),
  config: options.text("FILE", "Take servers and settings from FILE, and follow its changes"),
  metrics: options.text("ADDRESS:PORT", "Serve /metrics, /health and /live there over HTTP"),
  cacheFile: options.text("FILE", "Keep the answers in FILE, so that a restart does not lose them"),
  refresh: options.optionalCount("Ask a game server once in so many milliseconds; 2000 unless given", MS),
  maxStale: options.optionalCount("Give its last answers out for so long after it went silent; 60000 unless given", MS),
  offlineName: options.text("TEXT", "Then show an empty server of this name, rather than nothing"),
  log: options.log
}

export type ProxySettings = options.Settings<typeof flags>

export const proxy = command({
  description: "Answer queries in place of game servers, from a cache that floods do not get past",
  examples: {
    "sourcewire proxy --upstream 192.0.2.10:27015 --bind 127.0.0.1:27016":
      "Ask the game server once in two seconds, and everybody else here",
    "sourcewire proxy --config proxy.json --metrics 127.0.0.1:9150 --cache-file proxy.cache":
      "As a service: servers from a file, metrics, and a memory across restarts"
  },
  flags,
  load: async () => (await import("./runProxy.ts")).runProxy
})
