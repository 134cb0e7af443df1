/** Simulates a fleet with all kinds of faults, and reports the checks that failed. */
import { seededRandom } from "@sourcewire/core/testing"
import { SLICES } from "../../src/store/slices.ts"
import type { Counts } from "./Audit.ts"
import { type Phase, makePhases } from "./faults.ts"
import { type FleetOptions, SimulatedFleet } from "./SimulatedFleet.ts"

export interface SimulationOptions extends FleetOptions {
  readonly runners: number
  /** Names of the phases that run, in this order, after the phase `start` (default: all phases). */
  readonly phases?: ReadonlyArray<string>
  /** Number of intervals for which the fleet can recover after each phase (default: 2). */
  readonly recoveryIntervals?: number
  /** Called with the outcome of each phase when the phase has ended. */
  readonly onPhase?: (outcome: PhaseOutcome) => void
}

export interface PhaseOutcome extends Counts {
  readonly name: string
  readonly what: string
  /** Maximum delay of a query after its scheduled time, in ms. */
  readonly overdueMs: number
  /** The maximum over all runners: of the number of waiting targets, and of the number of unwritten changes. */
  readonly waiting: { readonly asks: number; readonly writes: number }
  /** Smallest and largest number of slices of a runner, at the end of the phase. */
  readonly slices: readonly [fewest: number, most: number]
  /** Ages of the stored results of servers that always reply, at the end of the phase, in ms. */
  readonly ages: { readonly half: number; readonly most: number; readonly oldest: number }
  /** Descriptions of the checks that failed. */
  readonly broken: ReadonlyArray<string>
}

/** The outcome of a simulation with all its phases. */
export interface Outcome {
  readonly phases: ReadonlyArray<PhaseOutcome>
  readonly virtualSeconds: number
  readonly asked: number
  readonly changes: number
  readonly broken: ReadonlyArray<string>
}

/** Maximum number of unwritten changes in a runner, per target. */
const MOST_WAITING = 2

/** Maximum number of slices of a runner, as a multiple of the average number of slices per runner. */
const MOST_SLICES = 1.5

/**
 * After recovery, the maximum age of stored results is the sum of two intervals and this time, in ms. One interval is not enough: if an
 * instance ends before it has stored a reply, the server is queried again only in the next interval.
 */
const STORED_WITHIN_MS = 2500

const choosePhases = (runners: number, names: ReadonlyArray<string> | undefined): ReadonlyArray<Phase> => {
  const all = makePhases(runners)
  const find = (name: string): Phase => {
    const found = all.find((phase) => phase.name === name)
    if (found === undefined)
      throw new Error(`There is no phase ${name}; there are ${all.map(({ name }) => name).join(", ")}.`)
    return found
  }
  return names === undefined ? all : ["start", ...names].map(find)
}

/** Runs a simulation. Two simulations with the same options and seed have the same outcome. */
export const simulate = async (options: SimulationOptions): Promise<Outcome> => {
  const { intervalMs, onPhase, runners, seed } = options
  const { random } = Math
  // The jitter of retransmissions depends on `Math.random`. During the simulation, a function with a seed
  // replaces `Math.random`, so that two simulations with the same seed have the same jitter.
  Math.random = seededRandom(seed)
  try {
    const fleet = new SimulatedFleet(options)
    const { audit, world } = fleet
    const startedAt = world.now
    const outcomes: Array<PhaseOutcome> = []
    for (const { bounds, name, run, what } of choosePhases(runners, options.phases)) {
      const waiting = { asks: 0, writes: 0 }
      const pass = async (ms: number): Promise<void> => {
        for (let left = ms; left > 0; left -= 1000) {
          await world.pass(Math.min(1000, left))
          const { asks, writes } = fleet.waiting()
          waiting.asks = Math.max(waiting.asks, asks)
          waiting.writes = Math.max(waiting.writes, writes)
        }
      }
      await run(fleet, pass)
      await pass((options.recoveryIntervals ?? 2) * intervalMs)
      const counts = audit.take()
      const balance = fleet.balance()
      const ages = audit.ages()
      const kept = fleet.countStale()
      const overdueMs = counts.lateMs
      const even = SLICES / balance.length
      /** Number of queries per millisecond for the targets of one slice. */
      const ofSlice = options.targets / SLICES / intervalMs
      const broken = [
        counts.foreign > 0 && `${counts.foreign} rows were written by instances that do not own their slice`,
        overdueMs > bounds.overdueMs && `a server was queried ${overdueMs} ms late`,
        counts.twice > bounds.repeatedMs * counts.moves * ofSlice &&
          `${counts.twice} of ${counts.asked} queries were repeated in a round`,
        balance.reduce((sum, slices) => sum + slices, 0) !== SLICES &&
          `the runners own ${balance.join(", ")} slices, which is not ${SLICES} in total`,
        balance.at(-1)! > MOST_SLICES * even && `a runner has ${balance.at(-1)} slices; its even share is ${even}`,
        ages.oldest > 2 * intervalMs + STORED_WITHIN_MS && `a stored result is ${ages.oldest} ms old`,
        kept > 0 && `the state of ${kept} targets is kept by a runner that does not own them`,
        waiting.writes > (MOST_WAITING * options.targets) / runners && `${waiting.writes} changes waited`
      ].filter((problem) => problem !== false)
      const outcome = {
        ...counts,
        name,
        what,
        overdueMs,
        waiting,
        slices: [balance[0]!, balance.at(-1)!] as const,
        ages,
        broken
      }
      outcomes.push(outcome)
      fleet.forget()
      onPhase?.(outcome)
    }
    const histories = audit.findWrongHistories()
    const lost = fleet.active.reduce((sum, { monitor }) => sum + (monitor?.writer.lost ?? 0), 0)
    return {
      phases: outcomes,
      virtualSeconds: (world.now - startedAt) / 1000,
      asked: outcomes.reduce((sum, { asked }) => sum + asked, 0),
      changes: fleet.database.changes.length,
      broken: [
        ...outcomes.flatMap(({ broken, name }) => broken.map((problem) => `${name}: ${problem}`)),
        ...(histories.length === 0 ? [] : [`${histories.length} wrong histories, for example ${histories[0]!}`]),
        ...(lost === 0 ? [] : [`${lost} changes were dropped`])
      ]
    }
  } finally {
    Math.random = random
  }
}
