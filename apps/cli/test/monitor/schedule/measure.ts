/**
 * Runs a monitor of servers that follow a known schedule. During the run, the monitor is killed and frozen. After the run, the records of
 * the monitor are compared with the schedule.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempDisposable } from "node:fs/promises"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startProgram } from "../../../../../tooling/bench/monitor/program.ts"
import { program as command } from "../../runCli.ts"
import { compare, type Compared, type Recorded } from "./compare.ts"
import { makeSchedules } from "./schedule.ts"

interface Options {
  readonly servers: number
  readonly durationMs: number
  readonly intervalMs: number
  readonly seed: number
  /** Maximum total delay of the two replies to a query in a `slow` period, in ms. */
  readonly slowMs: number
  readonly timeoutMs: number
  /** Time that the duration of queries and a busy machine may add to each measured time, in ms. */
  readonly slackMs: number
  /** Time from the kill of the monitor to its restart, in ms. */
  readonly killedMs: number
  /** Time for which the monitor is frozen, in ms. */
  readonly frozenMs: number
}

/** The times at which the monitor is killed and frozen, as shares of the duration of the run. */
const KILLED_AT = 0.35
const FROZEN_AT = 0.65

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, "close")
  return port
}

const linesFrom = async <A>(url: string): Promise<ReadonlyArray<A>> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} has status ${response.status}`)
  return (await response.text())
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as A)
}

/** Reads events until `stop` is called. After a disconnection, reconnects as a browser does, with the id of the last event. */
const followEvents = (port: number) => {
  const ids: Array<number> = []
  const stopping = new AbortController()
  const read = async (): Promise<void> => {
    const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined)
    const last = ids.length === 0 ? "" : `Last-Event-ID: ${ids.at(-1)!}\r\n`
    socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`)
    const stop = (): void => void socket.destroy()
    stopping.signal.addEventListener("abort", stop)
    let text = ""
    socket.setEncoding("utf8").on("data", (part: string) => {
      const events = (text + part).split("\n\n")
      text = events.pop()!
      for (const event of events) {
        const [, id] = /^id: (\d+)$/m.exec(event) ?? []
        if (id !== undefined) ids.push(Number(id))
      }
    })
    await new Promise((resolve) => socket.once("close", resolve))
    stopping.signal.removeEventListener("abort", stop)
  }
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await read()
      await sleep(200)
    }
  })()
  return {
    /** Stops reading, and returns the ids of all events in the order of arrival. */
    stop: async (): Promise<ReadonlyArray<number>> => {
      stopping.abort()
      await done
      return ids
    }
  }
}

interface Figures extends Compared {
  /** Number of stored changes for which no event arrived. */
  readonly lostEvents: number
  /** Number of events that repeated an earlier event. */
  readonly doubleEvents: number
  readonly events: number
  readonly notMonitoredMs: number
  readonly lateMs: number
}

export const measureFigures = async (options: Options): Promise<Figures> => {
  const { durationMs, frozenMs, intervalMs, killedMs, seed, servers, slackMs, slowMs, timeoutMs } = options
  const scheduling = { seed, servers, durationMs, intervalMs }
  const schedules = makeSchedules(scheduling)
  await using folder = await mkdtempDisposable(join(tmpdir(), "sourcewire-schedule-"))
  const farm = fork(
    fileURLToPath(new URL("scheduledServers.ts", import.meta.url)),
    [JSON.stringify({ ...scheduling, slowMs })],
    {
      execArgv: ["--disable-warning=ExperimentalWarning"]
    }
  )
  try {
    const [{ addresses }] = (await once(farm, "message")) as [{ readonly addresses: ReadonlyArray<string> }]
    const port = await freePort()
    const way = { intervalMs, timeoutMs, query: "info", downAfter: 2 }
    const config = { groups: [{ name: "farm", targets: addresses, ...way }] }
    const begun = Date.now()
    let program = await startProgram(command, folder.path, "monitor", config, { port })
    const { url } = program
    const events = followEvents(port)
    try {
      const up = async (): Promise<number> =>
        (await program.metric("sourcewire_monitor_targets")).get('state="up"') ?? 0
      while ((await up()) < servers) await sleep(200)
      // The server process must receive the start time before the schedule starts. Therefore the start time is in the future.
      const startAt = Date.now() + 500
      farm.send({ startAt })
      const at = (ms: number) => sleep(Math.max(0, startAt + ms - Date.now()))

      await at(KILLED_AT * durationMs)
      const killedAt = Date.now() - startAt
      await program.kill()
      await sleep(killedMs)
      program = await startProgram(command, folder.path, "monitor", config, { port, keepStore: true })
      const restartedAt = Date.now() - startAt

      await at(FROZEN_AT * durationMs)
      const frozenAt = Date.now() - startAt
      program.signal("SIGSTOP")
      await sleep(frozenMs)
      program.signal("SIGCONT")
      const resumedAt = Date.now() - startAt

      await at(durationMs + 2 * intervalMs + slackMs)
      farm.send("report")
      const [{ lateMs }] = (await once(farm, "message")) as [{ readonly lateMs: number }]
      const from = new Date(begun - 60_000).toISOString()
      type Incident = {
        readonly address: string
        readonly from: string
        readonly noticedAt: string
        readonly to?: string
      }
      type Change = {
        readonly address: string
        readonly id: number
        readonly at: string
        readonly field: string
        readonly from: string
        readonly to: string
      }
      const incidents = await linesFrom<Incident>(`${url}/api/export/incidents?from=${Date.parse(from)}`)
      const changes = await linesFrom<Change>(`${url}/api/export/changes?from=${Date.parse(from)}`)
      const hour = Math.floor(begun / 3_600_000) * 3_600_000
      const response = await fetch(`${url}/api/report?from=${hour}`)
      type Row = { readonly address: string; readonly downMs: number; readonly upMs: number }
      const report = (await response.json()) as { readonly groups: readonly [{ readonly servers: ReadonlyArray<Row> }] }
      const rows = new Map(report.groups[0].servers.map((row) => [row.address, row]))
      const since = (iso: string): number => Date.parse(iso) - startAt
      const recorded = addresses.map((address): Recorded => ({
        downMs: rows.get(address)!.downMs,
        incidents: incidents
          .filter((one) => one.address === address)
          .map(({ from, noticedAt, to }) => ({
            from: since(from),
            noticedAt: since(noticedAt),
            to: to === undefined ? undefined : since(to)
          }))
          .sort((a, b) => a.from - b.from),
        changes: changes.filter((one) => one.address === address).map((one) => ({ ...one, at: since(one.at) }))
      }))
      const pauses = [
        [killedAt, restartedAt],
        [frozenAt, resumedAt]
      ] as const
      const seen = await events.stop()
      const stored = changes.map(({ id }) => id)
      const monitoredMs = [...rows.values()].reduce((sum, { downMs, upMs }) => sum + downMs + upMs, 0)
      return {
        ...compare(schedules, recorded, { intervalMs, pauses, slackMs: slackMs + lateMs }),
        events: stored.length,
        lostEvents: stored.filter((id) => !seen.includes(id)).length,
        doubleEvents: seen.length - new Set(seen).size,
        notMonitoredMs: Math.max(0, servers * durationMs - monitoredMs),
        lateMs
      }
    } finally {
      await events.stop()
      await program[Symbol.asyncDispose]()
    }
  } finally {
    farm.kill()
  }
}
