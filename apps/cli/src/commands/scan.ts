/**
 * `sourcewire scan`: asks very many servers.
 *
 * @module
 */
import { Address, Limits } from "@sourcewire/core"
import type { ScanQuery } from "@sourcewire/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"
import type { Format } from "../scan/settings.ts"

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.optional, Flag.withDescription(description))

const optionalCount = (name: string, description: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= 1,
      (value) => `--${name} must be 1 or more, not ${value}`
    ),
    Flag.optional,
    Flag.withDescription(description)
  )

/** The command. */
export const scan = Command.make(
  "scan",
  {
    targets: Argument.String("target").pipe(
      Argument.withDescription("An address, or a range such as 192.168.1.0/24"),
      Argument.variadic()
    ),
    file: Flag.String("file").pipe(
      Flag.withAlias("f"),
      Flag.withMetavar("FILE"),
      Flag.atLeast(0),
      Flag.withDescription("Read addresses from FILE (- is standard input), one per line; may be given again")
    ),
    port: options.count("port", {
      least: 1,
      otherwise: Address.DEFAULT_PORT,
      description: "Port of the servers in a range"
    }),
    public: flag("public", "Allow ranges that are neither on this computer nor private; wants --rate"),
    exclude: Flag.String("exclude").pipe(
      Flag.withMetavar("RANGE"),
      Flag.atLeast(0),
      Flag.withDescription("Send nothing to these addresses; may be given again")
    ),
    query: Flag.Literals("query", ["info", "players", "rules", "all"]).pipe(
      Flag.withDefault<ScanQuery>("info"),
      Flag.withDescription("What to ask; all is info, then players and rules of whoever answers")
    ),
    format: Flag.Literals("format", ["table", "json", "csv"]).pipe(
      Flag.withDefault<Format>("table"),
      Flag.withDescription("How to print results; the table shows those that answered")
    ),
    json: options.json,
    where: optionalText("where", "EXPRESSION", `Print only these, as in 'players > 0 && map == "de_dust2"'`),
    answered: flag("answered", "Print only servers that answered"),
    shard: optionalText("shard", "I/N", "Take the I-th of N equal parts of the targets, the same on every machine"),
    checkpoint: optionalText("checkpoint", "FILE", "Note in FILE what is done, and go on from there"),
    watch: optionalCount("watch", "Begin anew every so many seconds, and print what has changed"),
    rounds: optionalCount("rounds", "Stop watching after so many rounds"),
    concurrency: options.count("concurrency", {
      least: 1,
      otherwise: Limits.SCAN_CONCURRENCY,
      description: "Most servers to ask at a time; fewer are when datagrams get lost"
    }),
    rate: optionalCount("rate", "Most datagrams to send in a second"),
    perHost: options.count("per-host", {
      least: 1,
      otherwise: Limits.SCAN_PER_HOST,
      description: "Most servers to ask at a time at one address"
    }),
    perNetwork: options.count("per-network", {
      least: 1,
      otherwise: Limits.SCAN_PER_NETWORK,
      description: "Most servers to ask at a time in one /24 (IPv6: /48)"
    }),
    timeout: options.query.timeout,
    retries: options.count("retries", {
      least: 0,
      otherwise: Limits.SCAN_RETRIES,
      description: "How often to ask again when there is no answer"
    }),
    encoding: options.encoding
  },
  (settings) =>
    Effect.flatMap(
      Effect.promise(() => import("../scan/runScan.ts")),
      ({ runScan }) => runScan(settings)
    )
).pipe(
  Command.withDescription("Ask very many servers, as fast as they and the network bear"),
  Command.withExamples([
    { command: "sourcewire scan --file servers.txt --json > answers.ndjson", description: "A whole list" },
    { command: "sourcewire scan 192.168.1.0/24 --port 27016", description: "Who is there in this network" },
    {
      command: `sourcewire scan --file servers.txt --where 'players > 0 && map == "de_dust2"' --format csv`,
      description: "Only some of them, as a table for other programs"
    },
    {
      command: "sourcewire scan --file servers.txt --watch 60",
      description: "Once a minute: who joined and left, which maps changed, who is gone"
    }
  ])
)
