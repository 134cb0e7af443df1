/** A Postgres server for tests, in a new directory. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"

const [initdb, postgres] = ["initdb", "postgres"].map((name) => externalProgram(name, "postgresql"))

export const isInstalled = initdb !== undefined && postgres !== undefined

/** The user that runs Postgres if the tests run as root, because Postgres does not start as root; otherwise `undefined`. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A database server that can be stopped and started. */
export interface Postgres {
  /** Returns the URL of the database with this name. */
  readonly url: (database?: string) => string
  readonly start: () => Promise<void>
  /** The id of the server's main process; `undefined` while the server is stopped. */
  readonly pid: () => number | undefined
  /** Stops the server abruptly, as in a crash. */
  readonly stop: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Creates a server with additional settings, but does not start the server. */
export const makePostgres = async (settings: Readonly<Record<string, string>> = {}): Promise<Postgres> => {
  const more = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-postgres-"))
  if (NOBODY !== undefined) chownSync(directory, NOBODY.uid, NOBODY.gid)
  const data = join(directory, "data")
  const options = ["-D", data, "-A", "trust", "-U", "monitor", "-N", "-E", "UTF8", "--locale=C"]
  const made = spawnSync(initdb!, options, { ...NOBODY, cwd: directory, encoding: "utf8" })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const port = await freePort()
  let child: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    if (child === undefined) return
    const ended = new Promise((resolve) => child!.once("exit", resolve))
    child.kill("SIGQUIT")
    await ended
    child = undefined
  }
  return {
    url: (database = "postgres") => `postgres://monitor@127.0.0.1:${port}/${database}`,
    start: async () => {
      const args = ["-D", data, "-k", directory, "-h", "127.0.0.1", "-p", String(port), "-F", ...more]
      const started = spawn(postgres!, args, {
        ...NOBODY,
        cwd: directory,
        stdio: ["ignore", "ignore", "pipe"]
      })
      child = started
      let log = ""
      started.stderr.setEncoding("utf8").on("data", (text: string) => (log += text))
      while (!log.includes("ready to accept connections")) {
        if (started.exitCode !== null) throw new Error(`postgres: ${log}`)
        await sleep(20)
      }
    },
    pid: () => child?.pid,
    stop,
    remove: async () => {
      await stop()
      rmSync(directory, { recursive: true })
    }
  }
}
