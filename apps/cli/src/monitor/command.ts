/** Declares `sourcewire monitor`, its subcommands, and `sourcewire exporter`. */
import { command } from "../commandLine/command.ts"
import { exporterFlags, exportFlags, migrateFlags, monitorFlags, reportFlags, statusFlags } from "./flags.ts"

export const monitor = command({
  group: "Run",
  description: "Monitor game servers: history, changes, a web page, an HTTP API, Prometheus, webhooks",
  examples: {
    "sourcewire monitor": "Start with an empty list, and add servers on the web page",
    "sourcewire monitor 127.0.0.1:27015": "Monitor one server",
    "sourcewire monitor --config monitor.json": "Read groups, labels and webhooks from a file"
  },
  flags: monitorFlags,
  isDaemon: true,
  load: async () => (await import("./runMonitor.ts")).runMonitor
})

export const status = command({
  group: "Run",
  description: "Show the instances that share a monitor's targets, with their load and delay",
  examples: {
    "sourcewire monitor status": "Show the monitor on this host",
    "sourcewire monitor status --json https://monitor.example --token-file token":
      "Print one line per instance. Exit code 1 if an instance has stopped",
    "sourcewire monitor status --self": "Check only the monitor on this host, for a container's health check"
  },
  flags: statusFlags,
  load: async () => (await import("./runStatus.ts")).runStatus
})

export const report = command({
  group: "Run",
  description: "Report availability and incidents of monitored servers by group, for a month or another period",
  examples: {
    "sourcewire monitor report": "Report the last month as Markdown",
    "sourcewire monitor report --month 2026-10 --group public --format csv > october.csv":
      "Report one group, one line per server"
  },
  flags: reportFlags,
  load: async () => (await import("./runReport.ts")).runReport
})

export const exportHistory = command({
  group: "Run",
  description: "Export a monitor's incidents, changes or samples",
  examples: {
    "sourcewire monitor export --what incidents --format csv > incidents.csv":
      "Export the incidents of the last 30 days",
    "sourcewire monitor export --what samples --from 2026-01-01 --to 2026-02-01":
      "Print one JSON object per server and hour"
  },
  flags: exportFlags,
  load: async () => (await import("./runExport.ts")).runExport
})

export const migrate = command({
  group: "Run",
  description: "Copy a monitor's store (servers, history and changes, with their ids) into another database",
  examples: {
    "sourcewire monitor migrate --to postgres://monitor@db.example/monitor":
      "Copy the default SQLite file into a database that several instances can share"
  },
  flags: migrateFlags,
  load: async () => (await import("./runMigrate.ts")).runMigrate
})

export const exporter = command({
  group: "Run",
  description: "Export game-server metrics to Prometheus, without history",
  examples: {
    "sourcewire exporter --file servers.txt": "Serve /metrics, /probe and /targets"
  },
  flags: exporterFlags,
  isDaemon: true,
  load: async () => (await import("./runMonitor.ts")).runExporter
})
