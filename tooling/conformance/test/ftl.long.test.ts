/**
 * Checks that FTL, the highest compiler tier of JavaScriptCore, does not compile a method that our code excludes from FTL. Runtimes without
 * JavaScriptCore ignore the exclusion.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { bundle, run, runtimes } from "../src/runtimes.ts"

let scratch = ""

beforeAll(async () => {
  scratch = await mkdtemp(fileURLToPath(new URL("../node_modules/.ftl-", import.meta.url)))
  await bundle(fileURLToPath(new URL("../src/hotMethods.ts", import.meta.url)), join(scratch, "program.mjs"))
})

afterAll(() => rm(scratch, { recursive: true }))

it.each(runtimes)(
  "on $name, JavaScriptCore's compiler FTL does not compile an excluded method",
  { timeout: 60_000 },
  async (runtime) => {
    const command = ["env", "BUN_JSC_reportCompileTimes=1", ...runtime.command] as const
    const { status, stderr, stdout } = await run({ ...runtime, command }, [join(scratch, "program.mjs")], 50_000)
    expect(status).toBe(0)
    expect(stdout).toContain("true")
    const byFtl = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("using FTL"))
    expect(byFtl.some((line) => line.includes("usualMethod"))).toBe(runtime.name === "Bun")
    expect(byFtl.filter((line) => line.includes("sparedMethod"))).toEqual([])
  }
)
