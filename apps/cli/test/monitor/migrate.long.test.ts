/** Migrates a monitor from a file to a shared database. Checks that the monitor continues with its previous state. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isInstalled, makePostgres, type Postgres, until } from "../../../../tooling/fleet/src/fleet.ts"
import { objects, run, start } from "../runCli.ts"

interface Detail {
  readonly target: { readonly state: string; readonly stateAt: number; readonly askedAt: number }
}

describe.skipIf(!isInstalled)("a monitor after a migration to Postgres", () => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-move-"))
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await makePostgres()
    await postgres.start()
  })
  afterAll(async () => {
    await postgres.remove()
    rmSync(directory, { recursive: true })
  })

  const json = async <A>(url: string): Promise<A> => (await (await fetch(url)).json()) as A

  /**
   * Starts a monitor and waits until the monitor has queried the server after the time `since`. Returns the monitor's data about the
   * server.
   */
  const watch = async (since: number, ...args: ReadonlyArray<string>) => {
    const running = start(["monitor", "--json", "--bind", "127.0.0.1:0", ...args])
    await running.printed("\n")
    const url = String(objects(running.output().stdout)[0]!["url"])
    let detail!: Detail
    await until("the server was queried", async () => {
      detail = await json<Detail>(`${url}/api/targets/1`)
      return detail.target.state === "up" && detail.target.askedAt > since
    })
    const { samples } = await json<{ samples: ReadonlyArray<{ answered: number }> }>(`${url}/api/targets/1/samples`)
    const stop = async (): Promise<void> => {
      running.child.kill("SIGTERM")
      await running.ended
    }
    return { ...detail, answered: samples.reduce((sum, { answered }) => sum + answered, 0), stop }
  }

  it("continues with its previous state when it is started with --join", { timeout: 120_000 }, async () => {
    const server = start(["serve", "--port", "0", "--json"])
    await server.printed("\n")
    const targets = [String(objects(server.output().stdout)[0]!["listening"])]
    const config = join(directory, "monitor.json")
    writeFileSync(config, JSON.stringify({ groups: [{ name: "all", targets, intervalMs: 1000 }] }))
    const file = join(directory, "monitor.db")
    const before = await watch(0, "--config", config, "--store", file)
    await before.stop()
    const stopped = Date.now()
    const moved = await run(["monitor", "migrate", "--json", "--from", file, "--to", postgres.url()])
    expect(objects(moved.stdout)).toMatchObject([{ ok: true, rows: { target: 1, latest: 1 } }])
    const after = await watch(stopped, "--config", config, "--join", "--name", "one", "--store", postgres.url())
    expect(after.target.stateAt).toBe(before.target.stateAt)
    expect(after.answered).toBeGreaterThan(before.answered)
    await after.stop()
    server.child.kill()
  })
})
