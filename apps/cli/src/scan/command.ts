/** `sourcewire scan`: asks very many servers. */
import type { ScanQuery } from "@sourcewire/core"
import { DEFAULT_PORT, Limits } from "@sourcewire/core/machines"
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"
import type { Format } from "./formats.ts"

const flags = {
  targets: options.rest("target", "An address, or a range such as 192.168.1.0/24"),
  file: options.texts("FILE", "Read addresses from FILE (- is standard input), one per line; may be given again", {
    alias: "f"
  }),
  port: options.count(DEFAULT_PORT, "Port of the servers in a range"),
  public: options.on("Allow ranges that are neither on this computer nor private; wants --rate"),
  exclude: options.texts("RANGE", "Send nothing to these addresses; may be given again"),
  query: options.oneOf<ScanQuery>(
    ["info", "players", "rules", "all"],
    "info",
    "What to ask; all is info, then players and rules of whoever answers"
  ),
  format: options.oneOf<Format>(
    ["table", "json", "csv"],
    "table",
    "How to print results; the table shows those that answered"
  ),
  json: options.json,
  where: options.text("EXPRESSION", `Print only these, as in 'players > 0 && map == "de_dust2"'`),
  answered: options.on("Print only servers that answered"),
  shard: options.text(
    "I/N",
    "Take the I-th of N equal parts of the targets, the same on every machine; to go on asking them from several, see monitor --join"
  ),
  checkpoint: options.text("FILE", "Note in FILE what is done, and go on from there"),
  watch: options.optionalCount(
    "Begin anew every so many seconds, 60 where no number follows: on a terminal as a table to sort and filter, else what has changed",
    { alone: 60 }
  ),
  rounds: options.optionalCount("Stop watching after so many rounds"),
  concurrency: options.count(
    Limits.SCAN_CONCURRENCY,
    "Most servers to ask at a time; fewer are when datagrams get lost"
  ),
  rate: options.optionalCount("Most datagrams to send in a second"),
  perHost: options.count(Limits.SCAN_PER_HOST, "Most servers to ask at a time at one address"),
  perNetwork: options.count(Limits.SCAN_PER_NETWORK, "Most servers to ask at a time in one /24 (IPv6: /48)"),
  timeout: options.query.timeout,
  retries: { ...options.query.retries, otherwise: Limits.SCAN_RETRIES },
  encoding: options.encoding
}

export type ScanSettings = options.Settings<typeof flags>

export const scan = command({
  description: "Ask very many servers, as fast as they and the network bear",
  examples: {
    "sourcewire scan --file servers.txt --json > answers.ndjson": "A whole list",
    "sourcewire scan 192.168.1.0/24 --port 27016": "Who is there in this network",
    [`sourcewire scan --file servers.txt --where 'players > 0 && map == "de_dust2"' --format csv`]:
      "Only some of them, as a table for other programs",
    "sourcewire scan --file servers.txt --watch 60":
      "Once a minute: who joined and left, which maps changed, who is gone"
  },
  flags,
  load: async () => (await import("./runScan.ts")).runScan
})
