/**
 * Scans in threads, on every runtime: as many threads as one likes find the same, and none is left behind. The program is bundled into
 * one file, and what its threads begin with into another beside it, as a user of a bundler does.
 */
import { startServer } from "@sourcewire/server"
import { NodeDatagrams } from "@sourcewire/transport-node"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { batchedRuntimes, bundle, run, runtimes } from "../src/runtimes.ts"

const world = new AsyncDisposableStack()
const targets: Array<string> = []
let scratch = ""

beforeAll(async () => {
  // Each in a network of its own, so that all threads have some.
  for (let i = 0; i < 8; i++) {
    const host = `127.60.${i}.1`
    const server = world.use(
      await startServer({ transport: NodeDatagrams.layer, profile: i % 2 === 0 ? "css" : "cs16", host })
    )
    targets.push(`${server.address}:${server.port}`)
  }
  targets.push(targets[3]!, "127.61.0.1:9", "no address")
  scratch = await mkdtemp(fileURLToPath(new URL("../node_modules/.threads-", import.meta.url)))
})

afterAll(async () => {
  await world.disposeAsync()
  await rm(scratch, { recursive: true })
})

/** Each with its module and with what its threads begin with, as an export and as a file. */
const cases = [
  ...runtimes.map((runtime) => [runtime.name, runtime, "", "scan-thread", "ScanThread"] as const),
  ...batchedRuntimes.map(
    (runtime) => [runtime.name, runtime, "/batched", "batched-scan-thread", "BatchedScanThread"] as const
  )
]

it.each(cases)("%s", { timeout: 60_000 }, async (name, runtime, module, thread, threadFile) => {
  const [source, program] = [join(scratch, "program.ts"), join(scratch, "program.mjs")]
  const text = await readFile(new URL("../src/threadedScan.ts", import.meta.url), "utf8")
  await writeFile(source, text.replace("@sourcewire/transport-node", runtime.transport + module))
  await bundle(source, program)
  await writeFile(source, `import "${runtime.transport}/${thread}"\n`)
  await bundle(source, join(scratch, `${threadFile}.mjs`))
  const [command, ...args] = runtime.command
  const permission = name.startsWith("Deno") ? [`--allow-read=${scratch}`] : []
  const allowed = { ...runtime, command: [command, ...args, ...permission] as const }
  const { status, stderr, stdout } = await run(allowed, [program, ...targets], 50_000)
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  const [alone, two, four, left] = stdout.trimEnd().split("\n")
  expect(JSON.parse(alone!)).toHaveLength(11)
  expect(alone).toContain("bigint")
  expect(alone).toContain("Failed 127.61.0.1:9 Timeout true")
  expect([two, four, left]).toEqual([alone, alone, "string"])
})
