/** The flags of `sourcewire scan`. */
import type { ScanOptions, ScanQuery } from "@sourcewire/core"
import { DEFAULT_PORT } from "@sourcewire/core/address"
import { Limits } from "@sourcewire/core/engine"
import * as options from "../options.ts"

/** The format of the results. */
export type Format = "table" | "json" | "csv"

export const flags = {
  targets: options.rest("target", "HOST, HOST:PORT, or a range such as 192.168.1.0/24"),
  file: options.texts("FILE", "Read targets from FILE (-: standard input), one per line; # starts a comment", {
    alias: "f"
  }),
  port: options.count(DEFAULT_PORT, "Port of targets on the command line that have no port", {
    most: 65_535,
    alias: "p"
  }),
  public: options.on("Allow ranges that are neither loopback nor private; requires --rate"),
  exclude: options.texts("RANGE", "Addresses to skip"),
  query: options.oneOf<ScanQuery>(
    ["info", "players", "rules", "all"],
    "info",
    "Queries to send; all: INFO, then PLAYER and RULES of the servers that respond"
  ),
  format: options.oneOf<Format>(
    ["table", "json", "csv"],
    "table",
    "Format of the results; a table lists responding servers only"
  ),
  json: options.json,
  ordered: options.ordered,
  where: options.text("EXPRESSION", `Print only matching servers, for example 'players > 0 && map == "de_dust2"'`),
  answered: options.on("Print only servers that responded"),
  shard: options.text(
    "I/N",
    "Scan only shard I of N; every host computes the same shards. For continuous checks from several hosts, use `monitor --join`"
  ),
  checkpoint: options.text("FILE", "Save progress in FILE, and resume from it"),
  watch: options.optionalSeconds(
    "Repeat the scan at this interval. Shows a live table on a terminal, changes only otherwise",
    { alone: 60 }
  ),
  verdict: options.verdict,
  steamList: options.steamList,
  rounds: options.optionalCount("With --watch: stop after this many rounds", { defaultText: "run until stopped" }),
  concurrency: options.count(
    Limits.SCAN_CONCURRENCY,
    "Maximum number of targets in flight; lowered while datagrams are lost"
  ),
  rate: options.optionalCount("Rate limit, in datagrams per second", { defaultText: "none" }),
  perHost: options.count(Limits.SCAN_PER_HOST, "Maximum number of targets in flight per IP address"),
  perNetwork: options.count(Limits.SCAN_PER_NETWORK, "Maximum number of targets in flight per /24 network (IPv6: /48)"),
  timeout: options.optionalMilliseconds("Time limit per target", {
    defaultText: "1000 to 3000, depending on the round-trip times of the scan"
  }),
  retries: { ...options.query.retries, otherwise: Limits.SCAN_RETRIES },
  encoding: options.encoding,
  game: options.text(
    "ID",
    "Game of the servers behind Steam's relays (169.254.0.0/16). They are queried through Steam's Web API, which requires a key"
  ),
  steamKeyFile: options.steamKeyFile
}

export type ScanSettings = options.Settings<typeof flags>

/**
 * Converts the flags of `scan` to options of `@sourcewire/core`. A scan with `--verdict` uses the same options as a scan without this flag.
 */
export const scanOptions = ({ timeout, ...settings }: ScanSettings): ScanOptions => {
  const { concurrency, encoding, perHost, perNetwork, rate, retries } = settings
  return { concurrency, encoding, perHost, perNetwork, rate, retries, timeoutMs: timeout }
}
