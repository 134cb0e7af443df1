/**
 * One target's campaign: makes inputs of those that reached something new, runs them, keeps those that do so in turn.
 */
import { type Input, sizeOf, type Target } from "../Target.ts"
import { type Counters, Hang, type Seen } from "./Counters.ts"
import { mutate } from "./mutate.ts"
import { Random } from "./random.ts"

export interface Failure {
  readonly input: Input
  readonly error: Error
}

export interface Progress {
  readonly runs: number
  /** Inputs that reached something new, seeds included. */
  readonly corpus: number
  /** Most steps that a run took. */
  readonly steps: number
  readonly failures: ReadonlyArray<Failure>
  readonly seen: Seen
}

/** Different failures after which a campaign ends: what is broken that often needs no further proof. */
const ENOUGH_FAILURES = 5

/** Inputs shorter than this are allowed as many steps as one of this many bytes. */
const LEAST_BYTES = 64

/** Inputs kept; beyond it a new one takes the place of one drawn by lot. */
const MAX_CORPUS = 4096

/** Two failures with the same signature are one. */
export const failureSignature = (error: Error): string => {
  const place = /^\s+at .*$/m.exec(error.stack ?? "")?.[0] ?? ""
  return `${error.name}: ${error.message.replaceAll(/\d+/g, "#")} ${place.replaceAll(/:\d+:\d+/g, "")}`
}

interface Outcome {
  /** Absent when all holds. */
  readonly error?: Error
  readonly steps: number
}

export const runOne = async (target: Target, input: Input, counters: Counters): Promise<Outcome> => {
  const budget = target.baseSteps + Math.max(LEAST_BYTES, sizeOf(input)) * target.stepsPerByte
  counters.begin(budget)
  try {
    const running = target.run(input)
    if (running !== undefined) await running
    const steps = counters.end()
    // The code may have caught the error that the budget caused.
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
    // Recent ones lead on, old ones keep the ground broad; of two the shorter, which runs faster and breaks more often.
    const from = random.oneIn(2) ? Math.max(0, corpus.length - 64) : 0
    const draw = (): Input => corpus[from + random.below(corpus.length - from)]!
    const [one, two] = [draw(), draw()]
    await attempt(mutate(sizeOf(one) <= sizeOf(two) ? one : two, random.pick(corpus), target, random), false)
  }
  return { runs, corpus: corpus.length, steps: most, failures: [...failures.values()], seen }
}
