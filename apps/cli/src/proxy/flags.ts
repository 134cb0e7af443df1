/** The flags of `sourcewire proxy`. */
import * as options from "../options.ts"

export const flags = {
  json: options.json,
  upstream: options.texts("HOST:PORT", "Game server to reply for", { alias: "u" }),
  bind: options.texts(
    "HOST[:PORT]",
    "Numeric address and UDP port to listen on: once per upstream, or once for the first, with the others on the ports after it",
    { defaultText: "127.0.0.1:27015" }
  ),
  config: options.text("FILE", "Read servers and settings from FILE, and reload it when it changes"),
  metrics: options.text("HOST:PORT", "Serve /metrics, /health and /live over HTTP at this address"),
  cacheFile: options.text("FILE", "Store cached replies in FILE, so that a restart does not lose them"),
  refresh: options.optionalMilliseconds("Interval between queries of a game server", {
    least: 0,
    defaultText: "2000"
  }),
  maxStale: options.optionalMilliseconds("How long to serve cached replies after the game server stops responding", {
    least: 0,
    defaultText: "60000"
  }),
  offlineName: options.text("TEXT", "After that, report an empty server of this name instead of nothing"),
  log: options.log
}

export type ProxySettings = options.Settings<typeof flags>
