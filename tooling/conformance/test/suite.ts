/**
 * Runs the suite over real sockets on several runtimes. Each runtime uses its own transport. Prints a table with a column per runtime and a
 * row per case.
 */
import { conformanceCases, type ConformanceResult } from "@sourcewire/emulator/conformance"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle, type Outcome, run, type Runtime } from "../src/runtimes.ts"

/** Time limit for the whole suite on one runtime. The slowest runtime needs about ten seconds on an idle machine. */
const PATIENCE_MS = 240_000

/** The last line that `run.ts` prints. If this line is missing, the runtime ended the program early. */
const THE_END = "The end was reached."

/** Defines a test for each case on each of these runtimes. */
export const defineSuite = (all: ReadonlyArray<Runtime>): void => {
  let scratch = ""
  const outcomes = new Map<string, Outcome>()
  const parseResults = ({ name }: Runtime): ReadonlyArray<ConformanceResult> =>
    (outcomes.get(name)?.stdout ?? "")
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as ConformanceResult)

  const tableCell = (runtime: Runtime, group: string, name: string): string => {
    const result = parseResults(runtime).find((one) => one.group === group && one.name === name)
    if (result === undefined) return "missing"
    return result.problem === undefined ? "✓" : "FAILED"
  }

  const table = (): string => {
    const width = Math.max(...conformanceCases.map(({ group, name }) => `${group}: ${name}`.length))
    const line = (head: string, cells: ReadonlyArray<string>) =>
      [head.padEnd(width), ...cells.map((cell, i) => cell.padEnd(all[i]!.name.length))].join("  ").trimEnd()
    const names = all.map(({ name }) => name)
    return [
      line("", names),
      ...conformanceCases.map(({ group, name }) => {
        const cells = all.map((runtime) => tableCell(runtime, group, name))
        return line(`${group}: ${name}`, cells)
      })
    ].join("\n")
  }

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "sourcewire-conformance-"))
    const program = join(scratch, "run.mjs")
    await bundle(fileURLToPath(new URL("../src/run.ts", import.meta.url)), program)
    const waiting = [...all]
    const takeTurns = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const args = [
          program,
          one.transport.replace("@sourcewire/transport-", ""),
          ...(one.style === undefined ? [] : [one.style])
        ]
        outcomes.set(one.name, await run(one, args, PATIENCE_MS))
      }
    }
    // Only two runtimes run at the same time, because more runtimes would cause timeouts on a machine with two cores.
    await Promise.all([takeTurns(), takeTurns()])
  }, 2 * PATIENCE_MS)

  afterAll(async () => {
    console.log(table())
    await rm(scratch, { recursive: true })
  })

  describe.each(all)("$name", (runtime) => {
    it.each(conformanceCases.map(({ group, name }) => [group, name] as const))("%s: %s", (group, name) => {
      const result = parseResults(runtime).find((one) => one.group === group && one.name === name)
      // If the process has crashed, the case has no result. The failed comparison then shows the error output of the process.
      expect(result ?? outcomes.get(runtime.name)?.stderr).toEqual({ group, name })
    })

    it("the program reaches its end, and exits without further output", () => {
      const outcome = outcomes.get(runtime.name)
      expect(outcome).toMatchObject({ status: 0, stderr: "" })
      expect(outcome?.stdout.trimEnd().endsWith(THE_END)).toBe(true)
    })
  })
}
