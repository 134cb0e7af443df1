/**
 * The checkpoint of a scan. When the scan is resumed, completed targets are not queried again. For this purpose, the checkpoint contains
 * the number of targets that were read, a hash of these targets, and the positions of the targets that are not completed. A later run reads
 * the same number of targets and compares their hash with the stored hash. If the hashes differ, the list of targets has changed, and the
 * scan is not resumed. `checkpointFile.ts` reads and writes the checkpoint file.
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import type { TargetPlan } from "./targets.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Saved = Schema.Struct({
  version: Schema.Literal(2),
  /**
   * The text that {@link describeScan} returns. A later run can resume the scan only if {@link describeScan} returns the same text for this
   * run.
   */
  scan: Schema.String,
  /** Number of targets that were read. */
  read: Count,
  /** SHA-256 hash of the targets that were read, in the order of the list of targets. */
  fingerprint: Schema.String,
  /** The targets that were read but are not completed, as positions in the list of targets. */
  open: Schema.Array(Count),
  answered: Count,
  failed: Count
})
type Saved = typeof Saved.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Saved))

/** The scan cannot be resumed: the list of targets no longer begins with the targets that the earlier run has read. */
export class OtherTargets extends Data.TaggedError("OtherTargets")<{ readonly message: string }> {}

/** Returns a text with those parts of the command line that must stay the same when a scan is resumed. */
const describeScan = ({ addresses, files, port, ranges, shard }: TargetPlan, query: string): string => {
  const spelled = ranges.map(({ first, prefix }) => `${first}/${prefix}`)
  return JSON.stringify([addresses, spelled, files, port, shard, query])
}

const NOTHING = { read: 0, fingerprint: createHash("sha256").digest("hex"), open: [], answered: 0, failed: 0 }

export class Checkpoint {
  /** Number of targets that replied in this run and in earlier runs. */
  answered: number
  failed: number
  /**
   * Whether this run has read all targets that the earlier run had read. Until then, no checkpoint is written, because it would contain
   * fewer completed targets than the stored checkpoint.
   */
  isCaughtUp: boolean
  private readonly scan: string
  private readonly before: Omit<Saved, "version" | "scan">
  private readonly hash = createHash("sha256")
  private read = 0
  /** The position of each target in flight, by the text of the target. */
  private readonly inFlight = new Map<string, number>()
  /** The positions of the targets that are neither completed nor in flight. If the scan ends, a later run must query these targets. */
  private readonly left = new Set<number>()

  private constructor(scan: string, before: Omit<Saved, "version" | "scan"> = NOTHING) {
    this.scan = scan
    this.before = before
    this.isCaughtUp = before.read === 0
    this.answered = before.answered
    this.failed = before.failed
  }

  static fresh(plan: TargetPlan, query: string): Checkpoint {
    return new Checkpoint(describeScan(plan, query))
  }

  /** Parses the checkpoint of an earlier run. Fails with an error message if the text is not a checkpoint of the same scan. */
  static from(text: string, plan: TargetPlan, query: string): Result.Result<Checkpoint, string> {
    const saved = decode(text)
    const scan = describeScan(plan, query)
    if (Result.isFailure(saved)) return Result.fail("is not a checkpoint. Use another file.")
    return saved.success.scan === scan
      ? Result.succeed(new Checkpoint(scan, saved.success))
      : Result.fail(
          "is the checkpoint of a scan with other targets or another --query. Delete it, or use another file."
        )
  }

  /** Whether this run continues an earlier run. */
  get isResumed(): boolean {
    return this.before.read > 0
  }

  get finished(): number {
    const { before } = this
    return this.isCaughtUp ? this.read - this.inFlight.size - this.left.size : before.read - before.open.length
  }

  /** Number of targets that a later run must query. */
  get leftOpen(): number {
    return this.left.size
  }

  /**
   * Yields the targets that no run has completed. After the query of a target, the caller must pass the target to {@link finish} or
   * {@link leave}. If the list of targets does not begin with the targets of the earlier run, the method throws {@link OtherTargets} and
   * yields no target.
   */
  async *rest(targets: AsyncIterable<string>): AsyncGenerator<string> {
    const { before } = this
    const open = new Set(before.open)
    const earlier = new Map<number, string>()
    if (before.read === 0) this.verify()
    for await (const target of targets) {
      const number = this.read++
      this.hash.update(`${target}\n`)
      if (this.isCaughtUp) {
        if (this.begin(target, number)) yield target
        continue
      }
      if (open.has(number)) earlier.set(number, target)
      if (this.read < before.read) continue
      this.verify()
      for (const left of earlier.keys()) this.left.add(left)
      for (const [left, text] of earlier) {
        this.left.delete(left)
        if (this.begin(text, left)) yield text
      }
    }
    if (!this.isCaughtUp) this.verify()
  }

  /** Marks a target as completed. */
  finish(target: string): void {
    this.inFlight.delete(target)
  }

  /** Marks a target that could not be queried. A later run must query this target. */
  leave(target: string): void {
    const number = this.inFlight.get(target)
    if (number === undefined) return
    this.inFlight.delete(target)
    this.left.add(number)
  }

  text(): string {
    const { answered, failed, read, scan } = this
    const open = [...this.left, ...this.inFlight.values()].toSorted((a, b) => a - b)
    return JSON.stringify({ version: 2, scan, read, fingerprint: this.fingerprint(), open, answered, failed })
  }

  private fingerprint(): string {
    return this.hash.copy().digest("hex")
  }

  private verify(): void {
    const { before } = this
    if (this.read !== before.read || this.fingerprint() !== before.fingerprint) {
      throw new OtherTargets({
        message: `of the ${before.read} targets of the first run, some are different or in another order`
      })
    }
    this.isCaughtUp = true
  }

  /**
   * Marks a target as in flight, and returns whether it must be queried. If a target with the same text is in flight already, the method
   * returns `false`, because the scan uses the result of that target for both targets.
   */
  private begin(target: string, number: number): boolean {
    if (this.inFlight.has(target)) return false
    this.inFlight.set(target, number)
    return true
  }
}
