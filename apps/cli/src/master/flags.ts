/** The flags of `sourcewire master`. */
import { DEFAULT_MAX_SERVERS, DEFAULT_PAGE_INTERVAL_MS, REGIONS, type Region } from "@sourcewire/core/master"
import * as options from "../options.ts"

export const flags = {
  address: options.optionalArgument("address", "The master server: HOST or HOST:PORT (default port: 27010)"),
  json: options.query.json,
  timeout: options.query.timeout,
  retries: options.query.retries,
  trace: options.query.trace,
  server: options.text("HOST:PORT", "The master server, like ADDRESS. Valve's public master is offline"),
  region: options.oneOf<Region>(
    Object.keys(REGIONS) as ReadonlyArray<Region>,
    "world",
    "Region, as set by the servers"
  ),
  game: options.text("FOLDER", "List only servers of this game folder, as in cstrike"),
  map: options.text("MAP", "List only servers that run this map"),
  verdict: options.verdict,
  steamList: options.steamList,
  filter: options.texts(
    "KEY=VALUE",
    "Another condition, such as secure=1; several in the protocol's form: \\secure\\1"
  ),
  max: options.count(DEFAULT_MAX_SERVERS, "Stop after this many servers"),
  interval: options.milliseconds(DEFAULT_PAGE_INTERVAL_MS, "Pause before each further page", { least: 0 })
}

export type MasterSettings = options.Settings<typeof flags>
