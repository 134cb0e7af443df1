// The monitor: what it takes to watch, what it takes to be read, and what a day takes in its store. With --write the sections measured
// go to docs/benchmarks/monitor.md.
//
//   pnpm bench:monitor [--parts watching,probes,sqlite,postgres] [--servers N] [--seconds N] [--targets N] [--write]
import { daysInPostgres, daysInSqlite } from "./monitor/days.ts"
import { probes } from "./monitor/probes.ts"
import { watching } from "./monitor/watching.ts"
import { options } from "./report.ts"
import { measureParts } from "./sections.ts"

const HEAD = `# The monitor

What \`sourcewire monitor\` and its store take. Behind a figure that has to be something stands \`MISSED\` where it is not. Made by \`pnpm bench:monitor --write\`; how it works is in [ADR 15](../adr/0015-monitor.md).
`

const given = options({ parts: "watching,probes,sqlite,postgres", servers: 10_000, seconds: 60, targets: 20_000 })

const parts = {
  watching: {
    title: "Watching",
    about:
      "The program as it is published, a file of SQLite, and a farm of emulated servers on loopback, each of which wants a challenge; every server is asked for INFO once in 15 s. Load is processor time of all threads of the program, in shares of one core. An age is how long ago a server was asked that is not down. Readers leaf through the list, search it, look at a server, read the metrics, and follow events; each asks once a second.",
    measure: () => watching(given)
  },
  probes: {
    title: "Probes",
    about:
      "`sourcewire exporter`, asked over 64 connections for one server after the other: for those that it watches it answers from what it knows, others it asks first. Probes for each second of the exporter's processor time.",
    measure: () => probes(given)
  },
  sqlite: {
    title: "A day in SQLite",
    about:
      "In virtual time, through what makes history of answers, into a real store; one question a minute for each target, of which 3 % meet silence; a day is kept, and six hours more go by. Bytes for each target at the end of the day. The busiest world is one in which every server is full of people who come and go and changes its map three times an hour; in the usual one a fifth of them has players and another map every half an hour. For one target in ten the raw answers are added up beside the store and compared with what it gives, step by step.",
    measure: () => daysInSqlite(given)
  },
  postgres: {
    title: "A day in Postgres",
    about: "The same days in Postgres, tidied up once an hour, as it does by itself where a day takes a day.",
    measure: () => daysInPostgres(given)
  }
}

await measureParts("monitor.md", HEAD, parts, given.parts, given.write)
