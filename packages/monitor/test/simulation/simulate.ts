/** Runs a fleet through all faults, and reports which properties did not hold. */
import { seededRandom } from "@sourcewire/core/testing"
import { SLICES } from "../../src/store/slices.ts"
import type { Counts } from "./Audit.ts"
import { type Phase, makePhases } from "./faults.ts"
import { type FleetOptions, SimulatedFleet } from "./SimulatedFleet.ts"

/** The options of a simulation. */
export interface SimulationOptions extends FleetOptions {
  readonly runners: number
  /** Only these phases, in this order; all unless given. The first is always run. */
  readonly phases?: ReadonlyArray<string>
  /** Number of intervals after each phase in which the fleet recovers (default: 2). */
  readonly recoveryIntervals?: number
  /** Called with the outcome of each phase. */
  readonly onPhase?: (outcome: PhaseOutcome) => void
}

/** The outcome of a phase. */
export interface PhaseOutcome extends Counts {
  readonly name: string
  readonly what: string
  /** So long a server waited beyond its turn, in ms. */
  readonly unaskedMs: number
  /** Maximum that waited in one runner: targets to be queried, changes to be written. */
  readonly waiting: { readonly asks: number; readonly writes: number }
  /** Fewest and most slices of a runner, at the end of it. */
  readonly slices: readonly [fewest: number, most: number]
  /** Age of what is stored of servers that always answer, at the end of it, in ms. */
  readonly ages: { readonly half: number; readonly most: number; readonly oldest: number }
  /** Properties that do not hold. */
  readonly broken: ReadonlyArray<string>
}

/** The outcome of a run. */
export interface Outcome {
  readonly phases: ReadonlyArray<PhaseOutcome>
  readonly virtualSeconds: number
  readonly asked: number
  readonly changes: number
  readonly broken: ReadonlyArray<string>
}

/** More changes than so many of each of its targets wait in no runner. */
const MOST_WAITING = 2

/** No runner owns more than this many times its even share of the slices. */
const MOST_SLICES = 1.5

/**
 * Stored answers are at most two intervals and so much old once all has recovered, in ms. Two, since what was said to somebody who then
 * died is not asked for again in the same round.
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

/** Runs a simulation. Equal seeds have equal outcomes. */
export const simulate = async (options: SimulationOptions): Promise<Outcome> => {
  const { intervalMs, onPhase, runners, seed } = options
  const { random } = Math
  // Retransmissions draw their jitter from it.
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
      const kept = fleet.kept()
      const unaskedMs = counts.lateMs
      const even = SLICES / balance.length
      /** Questions to a slice in a millisecond. */
      const ofSlice = options.targets / SLICES / intervalMs
      const broken = [
        counts.foreign > 0 && `${counts.foreign} rows of others were written`,
        unaskedMs > bounds.unaskedMs && `a server was asked by nobody for ${unaskedMs} ms`,
        counts.twice > bounds.twiceMs * counts.moves * ofSlice && `${counts.twice} of ${counts.asked} were asked twice`,
        balance.reduce((sum, slices) => sum + slices, 0) !== SLICES && `slices are owned ${balance.join(", ")}`,
        balance.at(-1)! > MOST_SLICES * even && `a runner has ${balance.at(-1)} slices of ${even}`,
        ages.oldest > 2 * intervalMs + STORED_WITHIN_MS && `what is stored is ${ages.oldest} ms old`,
        kept > 0 && `${kept} targets are known to somebody who does not own them`,
        waiting.writes > (MOST_WAITING * options.targets) / runners && `${waiting.writes} changes waited`
      ].filter((problem) => problem !== false)
      const outcome = {
        ...counts,
        name,
        what,
        unaskedMs,
        waiting,
        slices: [balance[0]!, balance.at(-1)!] as const,
        ages,
        broken
      }
      outcomes.push(outcome)
      fleet.forget()
      onPhase?.(outcome)
    }
    const histories = audit.falseHistories()
    const lost = fleet.living.reduce((sum, { monitor }) => sum + (monitor?.writer.lost ?? 0), 0)
    return {
      phases: outcomes,
      virtualSeconds: (world.now - startedAt) / 1000,
      asked: outcomes.reduce((sum, { asked }) => sum + asked, 0),
      changes: fleet.database.changes.length,
      broken: [
        ...outcomes.flatMap(({ broken, name }) => broken.map((problem) => `${name}: ${problem}`)),
        ...(histories.length === 0 ? [] : [`${histories.length} false histories, as of ${histories[0]!}`]),
        ...(lost === 0 ? [] : [`${lost} changes were given up`])
      ]
    }
  } finally {
    Math.random = random
  }
}
