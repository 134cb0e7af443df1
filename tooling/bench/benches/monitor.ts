/** The cost of the monitor and of its store. */
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
        "The built program with an SQLite file sends INFO queries to a farm of emulated servers on loopback. Each server is queried every 15 s. The servers require challenges. Load is the CPU time of all threads of the program, as a share of one core. Age is the time since the last query of a server that is not down. A reader is an HTTP client that sends one request per second. Readers page through the list, search the list, open a server, read the metrics and follow events.",
      measure: () => watching(given)
    },
    sqlite: {
      title: "A day in SQLite",
      about:
        "A real store in virtual time: each target is queried once a minute, and 3 % of the queries time out. The table shows the bytes per target after a day of history. Six more hours show whether the store continues to grow. With the highest load, every server is full, players come and go, and the map changes three times an hour. With the usual load, a fifth of the servers has players, and the map changes every half hour. For one target in ten, a second program adds up the raw replies, and compares its sums with the sums in the store for each step of the history.",
      measure: () => daysInSqlite(given)
    },
    postgres: {
      title: "A day in Postgres",
      about:
        "The same measurement with Postgres. The database is vacuumed once per virtual hour, as autovacuum does in real time.",
      measure: () => daysInPostgres(given)
    }
  })
})
