/**
 * Runs a campaign for one target. The campaign mutates stored inputs. If a mutated input reaches new blocks or new counts, the campaign
 * stores this input, too.
 */
import { type Input, countBytes, type Target } from "../Target.ts"
import { type Counters, Hang, type Seen } from "./Counters.ts"
import { mutate } from "./mutate.ts"
import { Random } from "./random.ts"

export interface Failure {
  readonly input: Input
  readonly error: Error
}

export interface Progress {
  readonly runs: number
  /**
   * Number of stored inputs. Inputs that cause a failure are not stored. Of the other inputs, the campaign stores all seeds, and the
   * mutated inputs that reach new blocks or new counts.
   */
  readonly corpus: number
  /** The highest number of steps that any run without a failure took. */
  readonly steps: number
  readonly failures: ReadonlyArray<Failure>
  readonly seen: Seen
}

/** Number of different failures after which a campaign ends. */
const ENOUGH_FAILURES = 5

/** If an input has fewer bytes than this number, it gets the step budget of an input with this number of bytes. */
const LEAST_BYTES = 64

/** Maximum number of stored inputs. At this number, a new input replaces a random stored input. */
const MAX_CORPUS = 4096

/** The signature of a failure. Failures with the same signature count as one failure. */
export const failureSignature = (error: Error): string => {
  const place = /^\s+at .*$/m.exec(error.stack ?? "")?.[0] ?? ""
  return `${error.name}: ${error.message.replaceAll(/\d+/g, "#")} ${place.replaceAll(/:\d+:\d+/g, "")}`
}

interface Outcome {
  /** Absent if all properties hold. */
  readonly error?: Error
  readonly steps: number
}

export const runOne = async (target: Target, input: Input, counters: Counters): Promise<Outcome> => {
  const budget = target.baseSteps + Math.max(LEAST_BYTES, countBytes(input)) * target.stepsPerByte
  counters.begin(budget)
  try {
    const running = target.run(input)
    if (running !== undefined) await running
    const steps = counters.end()
    // The target's code may have caught the error about the budget. Therefore the number of steps is checked again.
    return steps > budget ? { error: new Hang(`more than ${budget} steps`), steps } : { steps }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(`threw ${String(error)}`), steps: counters.end() }
  }
}

export const campaign = async (
  target: Target,
  seed: number,
  counters: Counters,
  isOver: (runs: number) => boolean
): Promise<Progress> => {
  const random = new Random(seed)
  const seen = counters.nothing()
  const corpus: Array<Input> = []
  const failures = new Map<string, Failure>()
  let runs = 0
  let most = 0

  const attempt = async (input: Input, keep: boolean): Promise<void> => {
    runs++
    const { error, steps } = await runOne(target, input, counters)
    if (error !== undefined) {
      const signature = failureSignature(error)
      if (!failures.has(signature)) failures.set(signature, { input, error })
      return
    }
    most = Math.max(most, steps)
    if (!counters.merge(seen) && !keep) return
    if (corpus.length < MAX_CORPUS) corpus.push(input)
    else corpus[random.below(MAX_CORPUS)] = input
  }

  for (const input of target.seeds()) await attempt(input, true)
  while (!isOver(runs) && failures.size < ENOUGH_FAILURES) {
    // Half of the inputs are chosen from the last 64 stored inputs, because mutations of new inputs are more likely to reach new blocks.
    // The other half is chosen from all stored inputs, so that the search stays broad. Two inputs are drawn, and the shorter one is
    // mutated, because shorter inputs run faster and cause failures more often.
    const from = random.oneIn(2) ? Math.max(0, corpus.length - 64) : 0
    const draw = (): Input => corpus[from + random.below(corpus.length - from)]!
    const [one, two] = [draw(), draw()]
    await attempt(mutate(countBytes(one) <= countBytes(two) ? one : two, random.pick(corpus), target, random), false)
  }
  return { runs, corpus: corpus.length, steps: most, failures: [...failures.values()], seen }
}
