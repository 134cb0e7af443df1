/** The flags of `sourcewire proxy`. */
import * as options from "../options.ts"

export const flags = {
  json: options.json,
  upstream: options.texts("HOST:PORT", "Game server behind the proxy", { alias: "u" }),
  bind: options.texts(
    "HOST[:PORT]",
    "Numeric address and UDP port to listen on, one per upstream. If you give only one, further upstreams use the following ports",
    { defaultText: "127.0.0.1:27015" }
  ),
  config: options.text("FILE", "Read servers and settings from FILE, and reload it when it changes"),
  metrics: options.text("HOST:PORT", "Serve /metrics, /health and /live over HTTP at this address"),
  cacheFile: options.text("FILE", "Store cached replies in FILE, so that they survive a restart"),
  refresh: options.optionalMilliseconds("Interval between queries of a game server", {
    least: 0,
    defaultText: "2000"
  }),
  maxStale: options.optionalMilliseconds(
    "Time during which cached replies are served if the game server does not respond",
    {
      least: 0,
      defaultText: "60000"
    }
  ),
  offlineName: options.text("TEXT", "After --max-stale, reply as an empty server with this name", {
    defaultText: "no replies"
  }),
  log: options.log
}

export type ProxySettings = options.Settings<typeof flags>
