/**
 * Tests scans that write checkpoints to a faulty disk, are interrupted repeatedly, and resume from their checkpoint. The tests complete
 * targets without queries, so that only the disk causes faults.
 */
import { seededRandom } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import type { Surface } from "../../src/output/output.ts"
import { type CheckpointFile, loadCheckpoint } from "../../src/scan/checkpointFile.ts"
import { BadDisk, type DiskFaults } from "./BadDisk.ts"

/** Numbers that are added up over all scans. */
class CheckpointTally {
  targets = 0
  /** Number of targets that no run queried, although the last run reported that all targets were completed. It must be 0. */
  skipped = 0
  /** Number of runs that found an invalid checkpoint file. It must be 0. */
  broken = 0
  /** Number of repeated results. A target with three results has two repeated results. */
  again = 0
  /**
   * Number of unexpected repeated results, which must be 0. A run reports how many results are missing in the checkpoint. Later runs may
   * repeat up to this number of results. Further repetitions are unexpected, except after a power failure.
   */
  unreported = 0
  powerFailures = 0
}

const TARGETS = 60
const LIST = Array.from({ length: TARGETS }, (_, i) => `192.0.2.${i}`)
const PLAN = { ranges: [], addresses: LIST, files: [], port: 27_015, shard: undefined }
/** `WINDOW` is the maximum number of targets in flight. The scan writes the checkpoint whenever it has `PER_NOTE` further results. */
const [WINDOW, PER_NOTE] = [4, 5]
const SILENT = { line: () => Effect.void } as unknown as Surface

const listed = async function* () {
  yield* LIST
}

/**
 * Runs a scan until its end or an interruption. Returns whether the scan reached its end. Also returns how many results are missing in the
 * checkpoint according to the scan's messages.
 */
const runScan = async (file: CheckpointFile, disk: BadDisk, results: Map<string, number>, stopAfter: number) => {
  const { checkpoint } = file
  const underWay: Array<string> = []
  let given = 0
  const finish = async (): Promise<void> => {
    const target = underWay.shift()!
    results.set(target, (results.get(target) ?? 0) + 1)
    checkpoint.finish(target)
    if (++given % PER_NOTE === 0) await Effect.runPromise(file.save(SILENT))
  }
  for await (const target of checkpoint.rest(listed())) {
    underWay.push(target)
    if (underWay.length === WINDOW) await finish()
    if (disk.hasFailed || given >= stopAfter) break
  }
  const isWhole = !disk.hasFailed && given < stopAfter
  for (let left = isWhole ? underWay.length : 0; left > 0 && !disk.hasFailed; left--) await finish()
  if (disk.hasFailed) return { isWhole: false, unnoted: 0 }
  const sentences = await Effect.runPromise(file.end(isWhole, SILENT))
  const [, unnoted = "0"] = /: ([\d,]+) completed targets? (?:is|are) missing/.exec(sentences.join(" ")) ?? []
  return { isWhole: isWhole && !disk.hasFailed, unnoted: Number(unnoted.replaceAll(",", "")) }
}

const scan = async (disk: BadDisk, random: () => number, tally: CheckpointTally): Promise<void> => {
  const results = new Map<string, number>()
  let mayComeAgain = 0
  tally.targets += TARGETS
  for (;;) {
    const loaded = await Effect.runPromise(Effect.result(loadCheckpoint(disk.file, PLAN, "info")))
    if (Result.isFailure(loaded)) {
      if (!disk.hasFailed) return void tally.broken++
      tally.powerFailures++
      disk.restart()
      continue
    }
    const { isWhole, unnoted } = await runScan(loaded.success, disk, results, 1 + Math.floor(random() * TARGETS))
    mayComeAgain += unnoted
    if (disk.hasFailed) {
      tally.powerFailures++
      mayComeAgain = Number.POSITIVE_INFINITY
      disk.restart()
    } else if (isWhole) break
  }
  const again = [...results.values()].reduce((sum, times) => sum + times - 1, 0)
  tally.skipped += TARGETS - results.size
  tally.again += again
  tally.unreported += Math.max(0, again - mayComeAgain)
}

/** Runs `scans` scans. Each scan has its own disk, which has the given faults. */
const simulateCheckpoints = async (faults: DiskFaults, scans: number, seed: number): Promise<CheckpointTally> => {
  const tally = new CheckpointTally()
  const random = seededRandom(seed)
  for (let i = 0; i < scans; i++) {
    using disk = new BadDisk(faults, random)
    await scan(disk, random, tally)
  }
  return tally
}

it.each<readonly [string, DiskFaults]>([
  ["is sometimes full", { full: 0.3 }],
  ["is sometimes read-only", { readOnly: 0.3 }],
  ["sometimes fails to flush", { failing: 0.3 }],
  ["sometimes loses power", { powerless: 0.02 }],
  ["has all these faults", { full: 0.1, readOnly: 0.1, failing: 0.1, powerless: 0.02 }]
])(
  "if the disk of the checkpoint %s, scans skip no target, and report how many targets they may query again",
  async (_, faults) => {
    const { again, broken, skipped, unreported } = await simulateCheckpoints(faults, 20, 8)
    expect({ broken, skipped, unreported }).toEqual({ broken: 0, skipped: 0, unreported: 0 })
    expect(again).toBeGreaterThan(0)
  }
)

it("if the disk of the checkpoint has no faults, interrupted scans query no target twice", async () => {
  expect(await simulateCheckpoints({}, 20, 8)).toMatchObject({ again: 0, broken: 0, skipped: 0 })
})
