/** `sourcewire master`: asks a master server which servers there are. */
import { DEFAULT_MAX_SERVERS, DEFAULT_PAGE_INTERVAL_MS, REGIONS, type Region } from "@sourcewire/core/machines"
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  json: options.query.json,
  timeout: options.query.timeout,
  retries: options.query.retries,
  trace: options.query.trace,
  server: options.text("HOST:PORT", "The master server; there is no default, since Valve's own no longer answers"),
  region: options.oneOf<Region>(
    Object.keys(REGIONS) as ReadonlyArray<Region>,
    "world",
    "Part of the world that servers claim to be in"
  ),
  game: options.text("FOLDER", "Servers of this game alone, as in cstrike"),
  map: options.text(undefined, "Servers running this map alone"),
  filter: options.texts(
    "KEY=VALUE",
    "A condition such as secure=1, or several as the protocol has them: \\secure\\1; may be given again"
  ),
  max: options.count(DEFAULT_MAX_SERVERS, "Stop after so many servers"),
  interval: options.count(
    DEFAULT_PAGE_INTERVAL_MS,
    "Milliseconds to wait before each further page; masters limit how often one may ask",
    { least: 0 }
  )
}

export type MasterSettings = options.Settings<typeof flags>

export const master = command({
  description: "List the servers that a master server knows",
  examples: {
    "sourcewire master --server 127.0.0.1:27010 --game valve": "One address per line",
    "sourcewire master --server 127.0.0.1:27010 --filter secure=1 | sourcewire info --file -": "Ask each of them"
  },
  flags,
  load: async () => (await import("./runMaster.ts")).runMaster
})
