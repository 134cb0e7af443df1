/** Measures the CPU time and memory of the monitor, and the size of its store. */
import { bench } from "../Bench.ts"
import { daysInPostgres, daysInSqlite } from "../monitor/days.ts"
import { watching } from "../monitor/watching.ts"

export default bench({
  title: "The monitor",
  about: "CPU time, memory and storage of `sourcewire monitor`. How it works: [ADR 15](../adr/0015-monitor.md).",
  options: { servers: 10_000, seconds: 60, targets: 20_000 },
  parts: (given) => ({
    watching: {
      title: "Watching",
      about:
        "The built program stores its data in an SQLite file, and sends INFO queries to a farm of emulated servers on loopback. Each server is queried every 15 s. The servers require challenges. Load is the CPU time of all threads of the program, as a share of one core. Age is the time since the last query of a server. Servers that are down are not included in the ages. A reader is an HTTP client that sends one request per second: for the overview, the list of targets, one target, the metrics or a search. In addition, each reader receives the stream of events.",
      measure: () => watching(given)
    },
    sqlite: {
      title: "A day in SQLite",
      about:
        "A real store in virtual time: each target is queried once a minute, and 3 % of the queries time out. The table shows the bytes per target after a day of history. Then six more hours are simulated, to check that the store has stopped growing. With the highest load, every server is full, players join and leave, and the map changes three times an hour. With the usual load, a fifth of the servers has players, and the map changes every half hour. For one target in ten, the benchmark also adds up the raw replies. For each step of the history, it compares these sums with the sums in the store.",
      measure: () => daysInSqlite(given)
    },
    postgres: {
      title: "A day in Postgres",
      about:
        "The same measurement as with SQLite, but with Postgres. The benchmark vacuums the database once per virtual hour, because Postgres runs autovacuum too rarely for virtual time.",
      measure: () => daysInPostgres(given)
    }
  })
})
