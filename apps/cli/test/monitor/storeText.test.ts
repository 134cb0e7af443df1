import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { describeStore } from "../../src/monitor/storeLock.ts"
import { run, start } from "../runCli.ts"

it("the description of a store does not contain the password of a database", () => {
  expect(describeStore("/var/lib/monitor.db")).toBe("/var/lib/monitor.db")
  expect(describeStore("postgres://monitor:secret@db.example/monitor")).toBe("a shared Postgres database")
  expect(describeStore(":memory:")).toBe("memory; history is lost when the monitor stops")
})

it("the monitor prints which store it uses", async () => {
  const monitor = start(["monitor", "127.0.0.1:1", "--store", ":memory:", "--bind", "127.0.0.1:0"])
  await monitor.printedOnStderr("Store: memory; history is lost when the monitor stops.")
  monitor.child.kill("SIGTERM")
  expect((await monitor.ended).exitCode).toBe(0)
})

it.each([
  ["a database that refuses connections", "postgres://monitor:secret@127.0.0.1:1/monitor", "refused the connection"],
  ["a folder that does not exist", "/dev/null/x/monitor.db", "Check that its folder exists and is writable"]
])("the monitor explains why it cannot use %s", async (_, store, reason) => {
  const { exitCode, stderr } = await run(["monitor", "127.0.0.1:1", "--store", store, "--bind", "127.0.0.1:0"])
  expect(stderr).toMatch(/sourcewire: Cannot (?:open|connect to) the store/)
  expect(stderr).toContain(reason)
  expect(stderr).not.toContain("secret")
  expect(exitCode).toBe(1)
})

it("the monitor explains that a file is not a store", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sourcewire-store-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = join(folder, "monitor.db")
  writeFileSync(store, "This is a text, which is longer than the header of a database.\n".repeat(20))
  const { exitCode, stderr } = await run(["monitor", "127.0.0.1:1", "--store", store, "--bind", "127.0.0.1:0"])
  expect(stderr).toBe(`sourcewire: Cannot use the store ${store}: the file is not an SQLite database.\n`)
  expect(exitCode).toBe(1)
})
