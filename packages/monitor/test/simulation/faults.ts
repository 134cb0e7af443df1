/**
 * What befalls a fleet, one kind of fault after the other, each followed by time in which all recovers; then all kinds at once. Who is
 * hit, and when, follows from the seed.
 */
import { COSTS, type Runner, type SimulatedFleet } from "./SimulatedFleet.ts"

const SECOND = 1000

/** Upper limits of delays and repetitions. */
export interface Bounds {
  /** So long a server that always answers waits beyond its turn until it is asked again, in ms. */
  readonly unaskedMs: number
  /** Of a slice that gets another owner, the questions of so long a time may be asked twice, in ms. */
  readonly twiceMs: number
}

/** Who takes a slice over asks again whose turn was not stored, and its old owner asks on until its next write is refused. */
const TWICE_MS = 1000
/** A lock ends after 6 s, somebody takes it within 3 s, and those that missed their turn are asked within 5 s. */
const UNASKED_MS = 15_000

/** Who lets go of a slice leaves it alone until somebody has had the time to take it. */
const LEFT_ALONE_MS = 5000

/** A part of a run. */
export interface Phase {
  readonly name: string
  /** What is done, for the report. */
  readonly what: string
  readonly run: (fleet: SimulatedFleet, pass: (ms: number) => Promise<void>) => Promise<void>
  readonly bounds: Bounds
}

const pick = (fleet: SimulatedFleet): Runner => {
  const running = fleet.living.filter(({ link, machine }) => machine.isRunning && !link.isCut)
  return running[Math.floor(fleet.world.random() * running.length)]!
}

/** Who cannot reach the database asks on, and does not learn that somebody else asks too, for so long. */
const CUT_SECONDS = 30
/** He learns it within so long after the way is back, as long as the database may take for an answer. */
const BACK_SECONDS = 10

/** A slow database takes this many times as long for a statement and a row. */
const SLOWNESS = 100

const isSlow = (fleet: SimulatedFleet, slow: boolean): void => {
  fleet.database.costs.statementMs = COSTS.statementMs * (slow ? SLOWNESS : 1)
  fleet.database.costs.rowMs = COSTS.rowMs * (slow ? SLOWNESS / 10 : 1)
}

const between = (fleet: SimulatedFleet, low: number, high: number): number => low + fleet.world.random() * (high - low)

/** One fault of any kind, for some seconds. */
const anything: ReadonlyArray<(fleet: SimulatedFleet, later: (ms: number, run: () => void) => void) => void> = [
  (fleet, later) => {
    const runner = pick(fleet)
    fleet.kill(runner)
    later(between(fleet, 1, 20) * SECOND, () => fleet.start(runner.name))
  },
  (fleet, later) => {
    const runner = pick(fleet)
    fleet.powerOff(runner)
    later(between(fleet, 1, 20) * SECOND, () => fleet.start(runner.name))
  },
  (fleet, later) => {
    const { machine } = pick(fleet)
    machine.stop()
    later(between(fleet, 1, 20) * SECOND, () => machine.wake())
  },
  (fleet, later) => {
    const { link } = pick(fleet)
    link.isCut = true
    later(between(fleet, 1, 20) * SECOND, () => (link.isCut = false))
  },
  (fleet, later) => {
    const runner = pick(fleet)
    runner.stop()
    later(between(fleet, 5, 20) * SECOND, () => fleet.start(runner.name))
  },
  (fleet, later) => {
    isSlow(fleet, true)
    later(between(fleet, 1, 10) * SECOND, () => isSlow(fleet, false))
  },
  (fleet, later) => {
    if (fleet.database.isAway) return
    fleet.database.stop()
    later(between(fleet, 1, 10) * SECOND, () => fleet.database.start())
  }
]

/** The phases of a run with so many runners. */
export const makePhases = (runners: number): ReadonlyArray<Phase> => {
  const some = Math.max(1, Math.round(runners / 8))
  const each = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
    for (let i = 0; i < count; i++) await work(i)
  }
  return [
    {
      name: "start",
      what: `${runners} instances start at once`,
      bounds: { unaskedMs: 1000, twiceMs: Number.POSITIVE_INFINITY },
      run: (fleet, pass) => {
        for (let i = 0; i < runners; i++) fleet.start(`runner-${i}`)
        return pass(10 * SECOND)
      }
    },
    {
      name: "nothing",
      what: "no fault",
      bounds: { unaskedMs: 1000, twiceMs: 0 },
      run: (_, pass) => pass(60 * SECOND)
    },
    {
      name: "kill",
      what: `${some} instances are killed, one every 20 s, and started again 15 s later`,
      bounds: { unaskedMs: UNASKED_MS, twiceMs: TWICE_MS },
      run: (fleet, pass) =>
        each(some, async () => {
          const runner = pick(fleet)
          fleet.kill(runner)
          await pass(15 * SECOND)
          fleet.start(runner.name)
          await pass(5 * SECOND)
        })
    },
    {
      name: "power",
      what: `${some} instances lose power, and start again 30 s later`,
      bounds: { unaskedMs: UNASKED_MS, twiceMs: TWICE_MS },
      run: (fleet, pass) =>
        each(some, async () => {
          const runner = pick(fleet)
          fleet.powerOff(runner)
          await pass(30 * SECOND)
          fleet.start(runner.name)
        })
    },
    {
      name: "stop",
      what: `${some} instances are frozen for 1, 4 and 20 s each`,
      bounds: { unaskedMs: UNASKED_MS, twiceMs: TWICE_MS },
      run: (fleet, pass) =>
        each(some, () =>
          each(3, async (i) => {
            const { machine } = pick(fleet)
            machine.stop()
            await pass([1, 4, 20][i]! * SECOND)
            machine.wake()
            await pass(5 * SECOND)
          })
        )
    },
    {
      name: "join",
      what: `${some} more instances join`,
      bounds: { unaskedMs: UNASKED_MS, twiceMs: TWICE_MS },
      run: (fleet, pass) =>
        each(some, async (i) => {
          fleet.start(`joined-${i}`)
          await pass(5 * SECOND)
        })
    },
    {
      name: "leave",
      what: `${some} instances are stopped in order`,
      bounds: { unaskedMs: UNASKED_MS, twiceMs: TWICE_MS },
      run: (fleet, pass) =>
        each(some, async () => {
          pick(fleet).stop()
          await pass(5 * SECOND)
        })
    },
    {
      name: "cut",
      what: `${some} instances cannot reach the database for 3 s, then for ${CUT_SECONDS} s`,
      // Each slice moves twice, away and back.
      bounds: { unaskedMs: UNASKED_MS, twiceMs: ((CUT_SECONDS + BACK_SECONDS) / 2) * SECOND + TWICE_MS },
      run: (fleet, pass) =>
        each(some, () =>
          each(2, async (i) => {
            const { link } = pick(fleet)
            link.isCut = true
            await pass([3, CUT_SECONDS][i]! * SECOND)
            link.isCut = false
            await pass(5 * SECOND)
          })
        )
    },
    {
      name: "loss",
      what: "5 % of all datagrams are lost, for 60 s",
      bounds: { unaskedMs: 1000, twiceMs: 0 },
      run: async (fleet, pass) => {
        fleet.servers.loss = 0.05
        await pass(60 * SECOND)
        fleet.servers.loss = 0
      }
    },
    {
      name: "slow",
      what: `each statement of the database takes ${SLOWNESS} times as long, for 60 s`,
      bounds: { unaskedMs: UNASKED_MS, twiceMs: TWICE_MS },
      run: async (fleet, pass) => {
        isSlow(fleet, true)
        await pass(60 * SECOND)
        isSlow(fleet, false)
      }
    },
    {
      name: "restart",
      what: "the database is restarted (unavailable for 2 s)",
      bounds: { unaskedMs: LEFT_ALONE_MS, twiceMs: TWICE_MS },
      run: async (fleet, pass) => {
        fleet.database.stop()
        await pass(2 * SECOND)
        fleet.database.start()
      }
    },
    {
      name: "away",
      what: "the database is unavailable for 60 s",
      bounds: { unaskedMs: LEFT_ALONE_MS, twiceMs: TWICE_MS },
      run: async (fleet, pass) => {
        fleet.database.stop()
        await pass(60 * SECOND)
        fleet.database.start()
      }
    },
    {
      name: "all",
      what: "a fault of any kind every 5 s, for 120 s",
      bounds: { unaskedMs: 3 * UNASKED_MS, twiceMs: (20 + BACK_SECONDS) * SECOND + TWICE_MS },
      run: (fleet, pass) =>
        each(24, async () => {
          const kind = anything[Math.floor(fleet.world.random() * anything.length)]!
          kind(fleet, (ms, run) => fleet.world.schedule(ms, run))
          await pass(5 * SECOND)
        })
    }
  ]
}
