// Queries on a runtime: the program of each tree, bundled, and servers in another process.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { bundle, run, runtimes } from "../../conformance/src/runtimes.ts"

/** Whom a reader has: of Node the one that the project is developed on. */
export const measured = runtimes.filter(({ name }) => name !== "Node 22")

/** One at a time; and as many as a monitor with a long list has. */
export const LOADS = [1, 64]

/** `trees` are folders by name; gives `measure(runtime, tree, queries, inFlight)` and `close()`. */
export const prepareQueries = async (trees) => {
  const scratch = mkdtempSync(join(tmpdir(), "sourcewire-bench-"))
  for (const [name, tree] of Object.entries(trees))
    await bundle(join(tree, "tooling/bench/runtimes/one.mjs"), join(scratch, `${name}.mjs`))
  const servers = spawn(process.execPath, [join(import.meta.dirname, "servers.mjs"), "64"], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [addresses] = await once(servers.stdout.setEncoding("utf8"), "data")
  return {
    measure: async (runtime, tree, queries, inFlight) => {
      const args = [join(scratch, `${tree}.mjs`), String(queries), String(inFlight), ...addresses.trim().split(" ")]
      const { status, stderr, stdout } = await run(runtime, args, 300_000)
      if (status !== 0) throw new Error(`${runtime.name}: ${stderr}`)
      return JSON.parse(stdout)
    },
    close: () => {
      servers.kill()
      rmSync(scratch, { recursive: true })
    }
  }
}
