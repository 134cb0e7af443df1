import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { run, start } from "../runCli.ts"

let folder = ""
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sourcewire-"))
})
afterEach(() => rm(folder, { recursive: true }))

const args = () =>
  ["monitor", "127.0.0.1:1", "--json", "--bind", "127.0.0.1:0", "--interval", "1s", "--store"].concat(
    join(folder, "monitor.db")
  )

describe("a second monitor on the same store", () => {
  it("is rejected without --takeover; with --takeover, it replaces the first monitor", async () => {
    const first = start(args())
    await first.printed("\n")
    const refused = await run(args())
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" })
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(
      new RegExp(`Process ${first.child.pid}, started at \\d{4}-.*Z, uses the store .*monitor\\.db.*--takeover`)
    )
    expect(first.child.exitCode).toBe(null)
    const second = start([...args(), "--takeover"])
    await second.printed("\n")
    expect((await first.ended).stderr).toContain("Another monitor has opened this store")
    second.child.kill("SIGTERM")
    expect((await second.ended).exitCode).toBe(0)
  }, 60_000)

  const writeOwner = async (host: string, at: Date): Promise<void> => {
    const file = join(folder, "monitor.db.owner")
    await writeFile(file, JSON.stringify({ host, pid: 1, since: "2026-01-01T00:00:00.000Z" }))
    await utimes(file, at, at)
  }

  it("is rejected if a process on another host still renews the owner file", async () => {
    await writeOwner("another-host", new Date())
    const { exitCode, stderr } = await run(args())
    expect(stderr).toContain("Process 1 on host another-host, started at 2026-01-01T00:00:00.000Z, uses the store ")
    expect(exitCode).toBe(1)
  }, 60_000)

  it("is accepted if the process on another host no longer renews the owner file", async () => {
    await writeOwner("another-host", new Date(Date.now() - 60_000))
    const running = start(args())
    await running.printed("\n")
    running.child.kill("SIGTERM")
    expect((await running.ended).exitCode).toBe(0)
  }, 60_000)

  it("is accepted if the first process has ended", async () => {
    const gone = { host: hostname(), pid: 2 ** 30, since: new Date(0).toISOString() }
    await writeFile(join(folder, "monitor.db.owner"), JSON.stringify(gone))
    const running = start(args())
    await running.printed("\n")
    running.child.kill("SIGTERM")
    expect((await running.ended).exitCode).toBe(0)
  }, 60_000)
})
