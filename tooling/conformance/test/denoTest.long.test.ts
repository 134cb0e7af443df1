/** Runs the suite with Deno's own test runner. Its sanitizers fail a test that leaves an operation, a resource or a timer open. */
import { conformanceCases } from "@sourcewire/emulator/conformance"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { bundle, denoTestRuntime, run } from "../src/runtimes.ts"

const PATIENCE_MS = 240_000

it(
  "every case passes under Deno's test runner with its sanitizers",
  async () => {
    const scratch = await mkdtemp(join(tmpdir(), "sourcewire-deno-test-"))
    try {
      const program = join(scratch, "denoTest.mjs")
      await bundle(fileURLToPath(new URL("../src/denoTest.ts", import.meta.url)), program)
      const { status, stdout } = await run(denoTestRuntime, [program], PATIENCE_MS)
      expect(stdout).toContain(`${conformanceCases.length} passed | 0 failed`)
      expect(status).toBe(0)
    } finally {
      await rm(scratch, { recursive: true })
    }
  },
  PATIENCE_MS
)
