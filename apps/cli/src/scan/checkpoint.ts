/**
 * How far a scan has come, in a small file, so that it can go on after an interruption without asking anybody twice. Results come in
 * another order than targets are read; the file holds how many targets from the beginning are done, and which of those after.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { ProgramError, UsageError } from "../exitCode.ts"
import type { TargetPlan } from "./targets.ts"

const VERSION = 1

/** What stands in the file. */
interface Saved {
  readonly version: number
  /** The scan that it belongs to. */
  readonly scan: string
  /** So many targets from the beginning are done. */
  readonly next: number
  /** The numbers of others that are. */
  readonly done: ReadonlyArray<number>
  readonly answered: number
  readonly failed: number
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isSaved = (value: unknown): value is Saved => {
  if (typeof value !== "object" || value === null) return false
  const { answered, done, failed, next, scan, version } = value as Partial<Saved>
  const counts = [next, answered, failed]
  return (
    version === VERSION &&
    typeof scan === "string" &&
    counts.every(isCount) &&
    Array.isArray(done) &&
    done.every(isCount)
  )
}

/** See the module. */
export class Checkpoint {
  /** Results of the runs before and of this one. */
  answered: number
  failed: number
  private readonly file: string
  private readonly scan: string
  private next: number
  private readonly done: Set<number>
  /** Numbers of the targets under way, by their text. */
  private readonly open = new Map<string, number>()

  private constructor(file: string, saved: Omit<Saved, "version">) {
    this.file = file
    this.scan = saved.scan
    this.next = saved.next
    this.done = new Set(saved.done)
    this.answered = saved.answered
    this.failed = saved.failed
  }

  /** Reads the file; without one a scan begins. */
  static readonly load = (
    file: string,
    plan: TargetPlan,
    query: string
  ): Effect.Effect<Checkpoint, UsageError | ProgramError> =>
    Effect.suspend((): Effect.Effect<Checkpoint, UsageError | ProgramError> => {
      const { addresses, files, port, ranges, shard } = plan
      const scan = JSON.stringify([
        addresses,
        ranges.map(({ first, prefix }) => `${first}/${prefix}`),
        files,
        port,
        shard,
        query
      ])
      const fresh = { scan, next: 0, done: [], answered: 0, failed: 0 }
      try {
        const saved: unknown = JSON.parse(readFileSync(file, "utf8"))
        if (!isSaved(saved))
          return Effect.fail(new UsageError({ message: `${file} is no checkpoint. Name another file.` }))
        return saved.scan === scan
          ? Effect.succeed(new Checkpoint(file, saved))
          : Effect.fail(
              new UsageError({
                message: `${file} belongs to a scan of other targets. Delete it, or name another file.`
              })
            )
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return Effect.succeed(new Checkpoint(file, fresh))
        if (cause instanceof SyntaxError)
          return Effect.fail(new UsageError({ message: `${file} is no checkpoint. Name another file.` }))
        return Effect.fail(new ProgramError({ message: `Cannot read ${file}: ${(cause as Error).message}.` }))
      }
    })

  /** Whether a run before this one has left something. */
  get isResumed(): boolean {
    return this.finished > 0
  }

  /** Targets that are done. */
  get finished(): number {
    return this.next + this.done.size
  }

  /** The targets that are not done yet; each is to be reported to {@link finish}. */
  async *rest(targets: AsyncIterable<string>): AsyncGenerator<string> {
    let number = -1
    for await (const target of targets) {
      number++
      if (number < this.next || this.done.has(number)) continue
      // The same text while the first is under way: it has no result of its own.
      if (this.open.has(target)) this.mark(number)
      else {
        this.open.set(target, number)
        yield target
      }
    }
  }

  /** The target has its result, or needs none. */
  finish(target: string): void {
    const number = this.open.get(target)
    if (number === undefined) return
    this.open.delete(target)
    this.mark(number)
  }

  /** Writes the file: whole or not at all. */
  save(): void {
    const { answered, failed, next, scan } = this
    const saved: Saved = { version: VERSION, scan, next, done: [...this.done], answered, failed }
    writeFileSync(`${this.file}.new`, JSON.stringify(saved))
    renameSync(`${this.file}.new`, this.file)
  }

  /** All is done. */
  remove(): void {
    rmSync(this.file, { force: true })
  }

  private mark(number: number): void {
    this.done.add(number)
    while (this.done.delete(this.next)) this.next++
  }
}
