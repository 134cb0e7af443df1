import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { objects, run, start } from "../runCli.ts"

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-migrate-"))
})
afterAll(() => rm(directory, { recursive: true }))

describe("monitor migrate", () => {
  it("copies a store only if no monitor uses the store and the destination is empty", async () => {
    const [from, to] = ["old.db", "new.db"].map((name) => join(directory, name)) as [string, string]
    const migrate = ["monitor", "migrate", "--json", "--from", from, "--to", to]
    const watch = start(["monitor", "127.0.0.1:1", "--json", "--store", from, "--bind", "127.0.0.1:0"])
    await watch.printed("\n")
    expect(await run(migrate)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("old.db is in use") })
    watch.child.kill("SIGTERM")
    await watch.ended
    const { exitCode, stdout } = await run(migrate)
    expect(objects(stdout)).toMatchObject([{ ok: true, rows: { target: 1 } }])
    expect(exitCode).toBe(0)
    const again = await run(migrate)
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("The new store is not empty") })
  })

  it.each([
    [[], /No destination given/],
    [["--from", "a.db", "--to", "a.db"], /are the same store/],
    [["--to", "a.db", "--to-file", "b"], /--to and --to-file cannot be combined/]
  ])("%j is a usage error", async (args, complaint) => {
    const { exitCode, stderr } = await run(["monitor", "migrate", ...args], { env: { XDG_STATE_HOME: directory } })
    expect(stderr).toMatch(complaint)
    expect(exitCode).toBe(2)
  })
})
