/** The flags of `sourcewire monitor`, its subcommands and `sourcewire exporter`. */
import * as options from "../options.ts"

const queries = (defaultText: "info" | "all") =>
  options.optionalChoice(["info", "all"], "Queries to send; all: INFO, PLAYER and RULES", { defaultText })

export const exporterFlags = {
  addresses: options.query.addresses,
  json: options.json,
  file: options.query.file,
  config: options.text("FILE", "Read targets and settings from FILE, and reload it when it changes"),
  interval: options.optionalMilliseconds("Interval between queries of a server", {
    least: 1000,
    most: 86_400_000,
    defaultText: "15000"
  }),
  rate: options.optionalCount("Rate limit, in datagrams per second", { defaultText: "none" }),
  query: queries("info"),
  bind: options.textOr(
    "HOST[:PORT]",
    "127.0.0.1:9155",
    "Numeric address and TCP port to listen on. Addresses other than loopback require --web-config or --token-file"
  ),
  webConfig: options.text("FILE", "File with the TLS certificate and the users of the web page and the API"),
  tokenFile: options.text("FILE", "File with the token that HTTP clients must send"),
  log: options.log
}

const storeFile = options.text("FILE", "Read --store from FILE, which keeps a password out of the process list")

const OWN_STORE = "monitor.db in the user's state directory"

export const monitorFlags = {
  ...exporterFlags,
  query: queries("all"),
  store: options.text("FILE|URL", "Store of the history: an SQLite file, or postgres://…", {
    defaultText: OWN_STORE
  }),
  storeFile,
  takeover: options.on("Stop the process that uses the store, and continue in its place"),
  join: options.on("Share the targets with all monitors that use --join on the same postgres:// store"),
  name: options.text("NAME", "With --join: name of this instance", { defaultText: "the host name" }),
  location: options.text(
    "NAME",
    "With --join: location of this instance, such as eu-west. Groups select locations by these names"
  )
}

export type MonitorSettings = options.Settings<typeof monitorFlags>
export type ExporterSettings = options.Settings<typeof exporterFlags>

export const statusFlags = {
  url: options.rest("url", "URL of a monitor (default: http://127.0.0.1:9155)"),
  json: options.json,
  tokenFile: options.text("FILE", "File with the monitor's token"),
  store: options.text("URL", "Read the status from this store (postgres://…), without a request to a monitor"),
  storeFile,
  self: options.on(
    "Check only the instance at URL, for health checks. Exit code 1 if it does not reply or does not query its servers"
  ),
  watch: options.optionalSeconds("Repeat at this interval. Shows a live table on a terminal", { alone: 2 })
}

export type StatusSettings = options.Settings<typeof statusFlags>

const DATE = "DATE"

const ofMonitor = {
  url: statusFlags.url,
  tokenFile: statusFlags.tokenFile,
  from: options.text(DATE, "Start of the period, in UTC, such as 2026-10-01 or 2026-10-01T12:00"),
  to: options.text(DATE, "End of the period, in UTC, not included"),
  group: options.text("NAME", "Only servers of this group", { defaultText: "all groups" })
}

export const reportFlags = {
  ...ofMonitor,
  month: options.text("YYYY-MM", "Month to report, in UTC", { defaultText: "the last month" }),
  format: options.oneOf(["markdown", "csv", "json"], "markdown", "Format of the report")
}

export type ReportSettings = options.Settings<typeof reportFlags>

export const exportFlags = {
  ...ofMonitor,
  what: options.oneOf(["incidents", "changes", "samples"], "incidents", "Data to export"),
  format: options.oneOf(["json", "csv"], "json", "Format of the export; json: one object per line")
}

export type ExportSettings = options.Settings<typeof exportFlags>

export const migrateFlags = {
  from: options.text("FILE|URL", "Store to copy", { defaultText: OWN_STORE }),
  to: options.text("URL|FILE", "New store: an empty database (postgres://…), or a file that does not exist yet"),
  toFile: options.text("FILE", "Read --to from FILE, which keeps a password out of the process list"),
  json: options.json
}

export type MigrateSettings = options.Settings<typeof migrateFlags>
