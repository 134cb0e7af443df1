/** `sourcewire monitor` and `sourcewire exporter`: watch game servers, with history or without. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const watching = {
  addresses: options.query.addresses,
  json: options.json,
  file: options.query.file,
  config: options.text("FILE", "Take targets and settings from FILE, and follow its changes"),
  interval: options.optionalCount("Ask each server once in so many milliseconds; 15000 unless given", {
    least: 1000,
    most: 86_400_000,
    metavar: "MS"
  }),
  rate: options.optionalCount("Most datagrams per second"),
  query: options.maybeOneOf(["info", "all"], "What to ask; all is INFO, PLAYER and RULES"),
  bind: options.textOr(
    "ADDRESS:PORT",
    "127.0.0.1:9155",
    "Where to listen; an address that others can reach needs --web-config or --token-file"
  ),
  webConfig: options.text("FILE", "Take certificate and users from FILE"),
  tokenFile: options.text("FILE", "Let those read who bring the token in FILE"),
  log: options.log
}

const storeFile = options.text("FILE", "The same from FILE: a URL with a password then stands in no list of processes")

const monitorFlags = {
  ...watching,
  store: options.text(
    "FILE|URL",
    "Where history is kept: a file of SQLite, or postgres://…; a file in the user's own directory unless given"
  ),
  storeFile,
  join: options.on("Share the targets with all monitors that join on the same postgres:// store"),
  name: options.text("NAME", "What this machine is called among those; its host name unless given"),
  location: options.text("NAME", "From where this machine asks, as in eu-west; groups say which they want")
}

export type MonitorSettings = options.Settings<typeof monitorFlags>
export type ExporterSettings = options.Settings<typeof watching>

export const monitor = command({
  description: "Watch game servers day and night: history, changes, an HTTP API, Prometheus, webhooks",
  examples: {
    "sourcewire monitor": "Keep a list of your own, to which the page adds servers",
    "sourcewire monitor 127.0.0.1:27015": "Watch one server; see it under the address printed",
    "sourcewire monitor --config monitor.json": "Groups, labels, webhooks: see the guide"
  },
  flags: monitorFlags,
  load: async () => (await import("./runMonitor.ts")).runMonitor
})

const statusFlags = {
  url: options.rest("url", "Where the pages of a monitor are; http://127.0.0.1:9155 unless given"),
  json: options.json,
  tokenFile: options.text("FILE", "Bring the token in FILE"),
  store: options.text("URL", "Ask the store, postgres://…, in place of a monitor"),
  storeFile,
  watch: options.optionalCount(
    "Look again every so many seconds, 2 where no number follows; on a terminal in a live table",
    { alone: 2, metavar: "SECONDS" }
  )
}

export type StatusSettings = options.Settings<typeof statusFlags>

export const status = command({
  description: "Show the machines that share a monitor's targets: who asks what, how late, and who is gone",
  examples: {
    "sourcewire monitor status": "Ask the monitor on this machine",
    "sourcewire monitor status --json https://monitor.example --token-file token":
      "One line per machine; fails where one is gone"
  },
  flags: statusFlags,
  load: async () => (await import("./runStatus.ts")).runStatus
})

const migrateFlags = {
  from: options.text("FILE|URL", "The store to copy; the file in the user's own directory unless given"),
  to: options.text("URL|FILE", "Where to: an empty database, postgres://…, or a file that is not there"),
  toFile: options.text("FILE", "The same from FILE: a URL with a password then stands in no list of processes"),
  json: options.json
}

export type MigrateSettings = options.Settings<typeof migrateFlags>

export const migrate = command({
  description: "Copy a monitor's store into another database: servers, history, changes, all under their numbers",
  examples: {
    "sourcewire monitor migrate --to postgres://monitor@db.example/monitor":
      "From one machine's file to a database that several share; the old file stays as it is"
  },
  flags: migrateFlags,
  load: async () => (await import("./runMigrate.ts")).runMigrate
})

export const exporter = command({
  description: "Tell Prometheus about game servers; the monitor without history",
  examples: {
    "sourcewire exporter --file servers.txt": "Serve /metrics, /probe and /targets"
  },
  flags: watching,
  load: async () => (await import("./runMonitor.ts")).runExporter
})
