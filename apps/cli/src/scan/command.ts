/** `sourcewire scan`: queries many servers. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const scan = command({
  group: "Find",
  description: "Scan many servers at an adaptive rate",
  examples: {
    "sourcewire scan --file servers.txt --json > answers.ndjson": "Scan a list",
    "sourcewire scan 192.168.1.0/24 --port 27016": "Find the servers in a network",
    [`sourcewire scan --file servers.txt --where 'players > 0 && map == "de_dust2"' --format csv`]:
      "Print only matching servers, as CSV",
    "sourcewire scan --file servers.txt --watch 60": "Scan every minute, and show the changes"
  },
  flags,
  load: async () => (await import("./runScan.ts")).runScan
})
