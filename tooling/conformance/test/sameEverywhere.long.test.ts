/** Checks that a program has the same output on every runtime. Only the line that imports the transport depends on the runtime. */
import { startServer } from "@sourcewire/emulator"
import { startRconServer } from "@sourcewire/server"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { bundle, run, runtimes } from "../src/runtimes.ts"

const PASSWORD = "probe pw"

it("a program prints the same output on every runtime", async () => {
  await using server = await startServer({ transport, profile: "tf2" })
  await using console_ = await startRconServer({
    transport,
    engine: "source",
    password: PASSWORD,
    port: 0,
    handler: (command) => `you said ${command}\n`
  })
  const text = await readFile(new URL("../src/sameEverywhere.ts", import.meta.url), "utf8")
  // The program is written below the package's folder, so that the runtimes find its imports.
  const scratch = await mkdtemp(fileURLToPath(new URL("../node_modules/.same-", import.meta.url)))
  const outcomes: Array<string> = []
  try {
    for (const runtime of runtimes) {
      const [source, program] = [join(scratch, "program.ts"), join(scratch, "program.mjs")]
      await writeFile(source, text.replace("@sourcewire/transport-node", runtime.transport))
      await bundle(source, program)
      const args = [`127.0.0.1:${server.port}`, `127.0.0.1:${console_.local.port}`, PASSWORD]
      const { status, stderr, stdout } = await run(runtime, [program, ...args], 30_000)
      expect({ runtime: runtime.name, status, stderr }).toEqual({ runtime: runtime.name, status: 0, stderr: "" })
      outcomes.push(stdout)
    }
  } finally {
    await rm(scratch, { recursive: true })
  }
  const first = outcomes[0]!
  expect(first).toMatch(/^Sourcewire.*\(440, \d+\)$/m)
  expect(first).toContain("AuthenticationFailed")
  expect(outcomes).toEqual(runtimes.map(() => first))
})
