/**
 * Scans that note how far they have come on a bad disk, are interrupted again and again, and go on where their checkpoint says. What
 * they ask is answered at once: only the disk is at fault.
 */
import { seededRandom } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Surface } from "../../../apps/cli/src/output/output.ts"
import { type CheckpointFile, loadCheckpoint } from "../../../apps/cli/src/scan/checkpointFile.ts"
import { BadDisk, type DiskFaults } from "./BadDisk.ts"

/** What became of the scans; of none yet. */
class CheckpointTally {
  targets = 0
  /** Targets that no run has asked, though the last says that all is done. Must stay 0. */
  skipped = 0
  /** Runs that found a file that is no checkpoint. Must stay 0. */
  broken = 0
  /** Results that came twice, since they could not be noted. */
  again = 0
  /** Of those, how many came unannounced from runs that ended in good order. Must stay 0. */
  unsaid = 0
  powerFailures = 0
}

const TARGETS = 60
const LIST = Array.from({ length: TARGETS }, (_, i) => `192.0.2.${i}`)
const PLAN = { ranges: [], addresses: LIST, files: [], port: 27_015, shard: undefined }
/** Targets under way at once, and results from one note to the next. */
const [WINDOW, PER_NOTE] = [4, 5]
const SILENT = { line: () => Effect.void } as unknown as Surface

const listed = async function* () {
  yield* LIST
}

/** One run of a scan, up to its end or an interruption: whether it was the end, and how many results it says are not noted. */
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
  const said = await Effect.runPromise(file.end(isWhole, SILENT))
  const [, unnoted = "0"] = /: ([\d,]+) completed targets? (?:is|are) missing/.exec(said.join(" ")) ?? []
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
  tally.unsaid += Math.max(0, again - mayComeAgain)
}

/** So many scans, each on a disk of its own with these faults. */
export const simulateCheckpoints = async (
  faults: DiskFaults,
  scans: number,
  seed: number
): Promise<CheckpointTally> => {
  const tally = new CheckpointTally()
  const random = seededRandom(seed)
  for (let i = 0; i < scans; i++) {
    using disk = new BadDisk(faults, random)
    await scan(disk, random, tally)
  }
  return tally
}
