/** The flags of `sourcewire master`. */
import { Limits } from "@sourcewire/core/engine"
import { DEFAULT_MAX_SERVERS, DEFAULT_PAGE_INTERVAL_MS, REGIONS, type Region } from "@sourcewire/core/master"
import * as options from "../options.ts"

export const flags = {
  address: options.optionalArgument("address", "The master server: HOST or HOST:PORT (default port: 27010)"),
  json: options.query.json,
  timeout: options.milliseconds(
    Limits.DEFAULT_TIMEOUT_MS,
    "Time limit for each page of the list, or with --verdict for each query"
  ),
  retries: options.query.retries,
  trace: options.query.trace,
  server: options.text("HOST:PORT", "Master server, instead of the argument ADDRESS. Valve's public master is offline"),
  region: options.oneOf<Region>(
    Object.keys(REGIONS) as ReadonlyArray<Region>,
    "world",
    "Region that the servers have set"
  ),
  game: options.text("FOLDER", "List only servers with this game folder, such as cstrike"),
  map: options.text("MAP", "List only servers that run this map"),
  verdict: options.verdict,
  steamList: options.steamList,
  filter: options.texts(
    "KEY=VALUE",
    "Further condition, such as secure=1; or several in the protocol's notation: \\secure\\1\\linux\\1"
  ),
  max: options.count(DEFAULT_MAX_SERVERS, "Stop after this many servers"),
  interval: options.milliseconds(DEFAULT_PAGE_INTERVAL_MS, "Pause between two pages", { least: 0 })
}

export type MasterSettings = options.Settings<typeof flags>
