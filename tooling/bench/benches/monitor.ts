/** The cost of the monitor and of its store. */
import { bench } from "../Bench.ts"
import { truthTable } from "../monitor/truth.ts"
import { daysInPostgres, daysInSqlite } from "../monitor/days.ts"
import { probes } from "../monitor/probes.ts"
import { watching } from "../monitor/watching.ts"

export default bench({
  title: "The monitor",
  about: "The cost of `sourcewire monitor` and of its store. How it works: [ADR 15](../adr/0015-monitor.md).",
  options: { servers: 10_000, seconds: 60, targets: 20_000, scheduled: 600, minutes: 20, seed: 7 },
  parts: (given) => ({
    watching: {
      title: "Watching",
      about:
        "The published program with an SQLite file, and a farm of emulated servers on loopback, each of which requires a challenge. Every server is queried for INFO once in 15 s. Load is the CPU time of all threads of the program, as a share of one core. Age is the time since the last query of a server that is not down. Readers page through the list, search it, open a server, read the metrics and follow events; each sends one request a second.",
      measure: () => watching(given)
    },
    truth: {
      title: "Figures compared with a schedule",
      about:
        "The published program with an SQLite file, and a farm of servers on loopback that follow a schedule made from a seed: they go down, silently or with a closed port, reply slowly, lose datagrams, and change map and name. The monitor is killed with SIGKILL and started again, and frozen with SIGSTOP. Then its incidents, its report and its changes are compared with the schedule, server by server, and the events that a reader has received with the changes in the store. `pnpm vitest:long` runs the same for a minute.",
      measure: () =>
        truthTable({
          servers: given.scheduled,
          durationMs: given.minutes * 60_000,
          intervalMs: 5000,
          seed: given.seed,
          slowMs: 2000,
          timeoutMs: 3000,
          slackMs: 1000,
          killedMs: 10_000,
          frozenMs: 20_000
        })
    },
    probes: {
      title: "Probes",
      about:
        "`sourcewire exporter`, asked over 64 connections for one server after the other. It answers from its last reply for servers that it watches, and queries the others first. Probes per second of the exporter's CPU time.",
      measure: () => probes(given)
    },
    sqlite: {
      title: "A day in SQLite",
      about:
        "Virtual time and a real store: one query a minute for each target, of which 3 % time out. A day is kept, and six more hours pass. Bytes per target at the end of the day. In the busiest world every server is full, players come and go, and the map changes three times an hour. In the usual world a fifth of the servers has players, and the map changes every half hour. For one target in ten, the raw replies are also added up beside the store and compared with its figures step by step.",
      measure: () => daysInSqlite(given)
    },
    postgres: {
      title: "A day in Postgres",
      about: "The same in Postgres, which is vacuumed once an hour, as autovacuum does in real time.",
      measure: () => daysInPostgres(given)
    }
  })
})
