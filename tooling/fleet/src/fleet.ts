/**
 * Starts a fleet on loopback: game servers, a Postgres, and runners. Each runner is an instance of the monitor, in a process of its own.
 */
import { type ChildProcess, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setTimeout as sleep } from "node:timers/promises"
import { isInstalled, makePostgres, type Postgres } from "../../../packages/monitor/test/postgres.ts"

export { isInstalled, makePostgres, type Postgres }

/**
 * A query that a server received: the index of the server, the time, and the source port. The port identifies the runner that sent the
 * query, because no two runners use the same source port.
 */
export type Asked = readonly [server: number, atMs: number, by: number]

/** Game servers that record the queries that they receive. */
export interface World {
  readonly targets: ReadonlyArray<string>
  /** Returns the queries that the servers have received since the previous call. */
  readonly asked: () => Promise<ReadonlyArray<Asked>>
  readonly stop: () => Promise<void>
}

export const startWorld = async (networks: number, ports: number, mapMs: number): Promise<World> => {
  const child = fork(fileURLToPath(new URL("world.ts", import.meta.url)), [networks, ports, mapMs].map(String), {
    execArgv: ["--disable-warning=ExperimentalWarning"]
  })
  const [{ targets }] = (await once(child, "message")) as [{ targets: ReadonlyArray<string> }]
  return {
    targets,
    asked: async () => {
      child.send("report")
      const [{ asked }] = (await once(child, "message")) as [{ asked: ReadonlyArray<Asked> }]
      return asked
    },
    stop: async () => {
      const ended = once(child, "exit")
      child.disconnect()
      await ended
    }
  }
}

export interface Runner {
  readonly name: string
  readonly child: ChildProcess
  /** URL of the runner's web pages. */
  readonly url: string
  readonly log: () => string
  /** Sends a signal to the runner, and waits until the runner has exited. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

/** Several runners and their Postgres. Each fleet has its own Postgres. */
export interface Fleet {
  readonly postgres: Postgres
  /**
   * Starts a runner with `program` (default: the fleet's program). If `args` do not contain `--bind`, the web pages of the runner are
   * served on a free port.
   */
  readonly start: (name: string, args?: ReadonlyArray<string>, program?: ReadonlyArray<string>) => Promise<Runner>
  readonly stop: () => Promise<void>
}

/**
 * Creates a fleet that monitors `targets`, and starts the Postgres of the fleet, but no runner. `settings` are the settings of the group
 * that contains the targets. `more` contains additional settings of the configuration file.
 */
export const makeFleet = async (
  program: ReadonlyArray<string>,
  targets: ReadonlyArray<string>,
  settings: object,
  more: object = {}
): Promise<Fleet> => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-fleet-"))
  const config = join(directory, "monitor.json")
  writeFileSync(config, JSON.stringify({ groups: [{ name: "all", targets, ...settings }], ...more }))
  const postgres = await makePostgres()
  await postgres.start()
  const running = new Set<Runner>()
  const start: Fleet["start"] = async (name, args = [], using = program) => {
    const bind = args.includes("--bind") ? [] : ["--bind", "127.0.0.1:0"]
    const watch = ["monitor", "--json", "--join", "--name", name, "--store", postgres.url(), ...bind]
    const [command, ...words] = [...using, ...watch, "--config", config, ...args] as [string, ...Array<string>]
    const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] })
    let log = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text))
    const ended = once(child, "exit")
    const started = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), ended.then(() => undefined)])
    if (started === undefined) throw new Error(`${name}: ${log}`)
    const { url } = JSON.parse(String(started[0])) as { readonly url: string }
    const runner: Runner = {
      name,
      child,
      url,
      log: () => log,
      end: async (signal) => {
        running.delete(runner)
        child.kill(signal)
        await ended
      }
    }
    running.add(runner)
    return runner
  }
  return {
    postgres,
    start,
    stop: async () => {
      for (const runner of running) await runner.end("SIGKILL")
      await postgres.remove()
      rmSync(directory, { recursive: true })
    }
  }
}

/** Waits until a condition is true, and returns the waiting time in ms. Throws if the condition is still false after `mostMs`. */
export const until = async (
  what: string | (() => string),
  isSo: () => boolean | Promise<boolean>,
  mostMs = 120_000
): Promise<number> => {
  const began = Date.now()
  while (!(await isSo())) {
    if (Date.now() - began > mostMs) {
      throw new Error(`Not within ${mostMs} ms: ${typeof what === "string" ? what : what()}`)
    }
    await sleep(50)
  }
  return Date.now() - began
}
