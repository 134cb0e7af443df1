// Measures the CPU time and the speed of queries on a runtime. The program that sends the queries is first bundled into one file. If
// several checkouts are compared, each checkout has its own bundle. The queried servers run in another process.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { bundle, run, runtimes } from "../../conformance/src/runtimes.ts"
import { pinned } from "../farm/farmProcess.ts"

/** The measured runtimes: all supported runtimes except Node 22. */
export const measured = runtimes.filter(({ name }) => name !== "Node 22")

/**
 * The measured numbers of queries in flight. A program that sends its queries one after the other has one in flight, and a monitor with a
 * long list has 64 in flight.
 */
export const LOADS = [1, 64]

const on = (cpu, command) => (cpu === undefined ? command : pinned(cpu, command))

/**
 * Bundles the program from each folder in `trees`, and starts one group of servers for each item of `cpus`. The servers of a group run on
 * the CPU of the item. If the item is `undefined`, the operating system chooses their CPU. Returns `measure(runtime, tree, queries,
 * inFlight, cpu)`. Disposing of the result stops the servers.
 */
export const prepareQueries = async (trees, ...cpus) => {
  const scratch = await mkdtempDisposable(join(tmpdir(), "sourcewire-bench-"))
  const bundlePath = (tree) => join(scratch.path, `${trees.indexOf(tree)}.mjs`)
  for (const tree of trees) await bundle(join(tree, "tooling/bench/runtimes/one.mjs"), bundlePath(tree))
  const servers = new Map()
  for (const cpu of cpus) {
    const [program, ...args] = on(cpu, [process.execPath, join(import.meta.dirname, "servers.mjs"), "64"])
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
    const [addresses] = await once(child.stdout.setEncoding("utf8"), "data")
    servers.set(cpu, { child, addresses: addresses.trim().split(" ") })
  }
  return {
    measure: async (runtime, tree, queries, inFlight, cpu) => {
      const args = [bundlePath(tree), String(queries), String(inFlight), ...servers.get(cpu).addresses]
      const { status, stderr, stdout } = await run({ ...runtime, command: on(cpu, runtime.command) }, args, 300_000)
      if (status !== 0) throw new Error(`${runtime.name}: ${stderr}`)
      return JSON.parse(stdout)
    },
    [Symbol.asyncDispose]: () => {
      for (const { child } of servers.values()) child.kill()
      return scratch.remove()
    }
  }
}
