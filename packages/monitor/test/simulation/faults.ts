/**
 * The faults of a simulated fleet. First, each kind of fault occurs alone. After each kind, the fleet has time to recover. At the end,
 * faults of all kinds occur in random order, and can overlap. The seed determines which instances fail, and when.
 */
import { COSTS, type Runner, type SimulatedFleet } from "./SimulatedFleet.ts"

const SECOND = 1000

/** Limits for the delays of queries and for duplicate queries in one phase. */
export interface Bounds {
  /** Maximum delay of a query after its scheduled time, in ms, for servers that always reply. */
  readonly overdueMs: number
  /** The time in ms for which two instances may query the same targets after a slice changes its owner. */
  readonly repeatedMs: number
}

/**
 * The usual value of `repeatedMs`. After a slice changes its owner, the new owner repeats the queries whose results were not stored. The
 * previous owner continues its queries until the store rejects its next write.
 */
const REPEATED_MS = 1000
/**
 * The usual value of `overdueMs`. A lock of a failed instance expires after 6 s. Another instance acquires this lock within 3 s, and
 * queries the overdue targets within 5 s.
 */
const OVERDUE_MS = 15_000

/**
 * After an instance releases a slice, no instance queries its targets for this time, in ms. During this pause, another instance can claim
 * the slice.
 */
const RELEASE_PAUSE_MS = 5000

/** A part of a simulation, with its own faults and limits. */
export interface Phase {
  readonly name: string
  /** A description for the report. */
  readonly what: string
  readonly run: (fleet: SimulatedFleet, pass: (ms: number) => Promise<void>) => Promise<void>
  readonly bounds: Bounds
}

const pick = (fleet: SimulatedFleet): Runner => {
  const running = fleet.active.filter(({ link, machine }) => machine.isRunning && !link.isCut)
  return running[Math.floor(fleet.world.random() * running.length)]!
}

/**
 * The time for which an instance is cut off from the database. The instance continues its queries, and cannot detect that another instance
 * queries the same targets.
 */
const CUT_SECONDS = 30
/**
 * The time limit for a reply of the database. After the connection of an instance is restored, the instance detects within this time that
 * its slices have new owners.
 */
const BACK_SECONDS = 10

/**
 * If the database is slow, the duration of a statement is multiplied by this factor. The additional duration of each row is multiplied by a
 * tenth of this factor.
 */
const SLOWNESS = 100

const setSlow = (fleet: SimulatedFleet, slow: boolean): void => {
  fleet.database.costs.statementMs = COSTS.statementMs * (slow ? SLOWNESS : 1)
  fleet.database.costs.rowMs = COSTS.rowMs * (slow ? SLOWNESS / 10 : 1)
}

const between = (fleet: SimulatedFleet, low: number, high: number): number => low + fleet.world.random() * (high - low)

/** Functions that each start one kind of fault, and end this fault after some seconds. */
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
    setSlow(fleet, true)
    later(between(fleet, 1, 10) * SECOND, () => setSlow(fleet, false))
  },
  (fleet, later) => {
    if (fleet.database.isUnavailable) return
    fleet.database.stop()
    later(between(fleet, 1, 10) * SECOND, () => fleet.database.start())
  }
]

/** The phases of a run with this number of runners. */
export const makePhases = (runners: number): ReadonlyArray<Phase> => {
  const some = Math.max(1, Math.round(runners / 8))
  const each = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
    for (let i = 0; i < count; i++) await work(i)
  }
  return [
    {
      name: "start",
      what: `${runners} instances start at once`,
      bounds: { overdueMs: 1000, repeatedMs: Number.POSITIVE_INFINITY },
      run: (fleet, pass) => {
        for (let i = 0; i < runners; i++) fleet.start(`runner-${i}`)
        return pass(10 * SECOND)
      }
    },
    {
      name: "nothing",
      what: "no fault",
      bounds: { overdueMs: 1000, repeatedMs: 0 },
      run: (_, pass) => pass(60 * SECOND)
    },
    {
      name: "kill",
      what: `${some} instances are killed, one every 20 s, and started again 15 s later`,
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: REPEATED_MS },
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
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: REPEATED_MS },
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
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: REPEATED_MS },
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
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: REPEATED_MS },
      run: (fleet, pass) =>
        each(some, async (i) => {
          fleet.start(`joined-${i}`)
          await pass(5 * SECOND)
        })
    },
    {
      name: "leave",
      what: `${some} instances are shut down, one every 5 s`,
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: REPEATED_MS },
      run: (fleet, pass) =>
        each(some, async () => {
          pick(fleet).stop()
          await pass(5 * SECOND)
        })
    },
    {
      name: "cut",
      what: `${some} instances cannot reach the database for 3 s, then for ${CUT_SECONDS} s`,
      // While an instance is cut off, other instances claim its slices. Later, the first instance claims the slices again. Therefore each
      // slice changes its owner twice.
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: ((CUT_SECONDS + BACK_SECONDS) / 2) * SECOND + REPEATED_MS },
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
      bounds: { overdueMs: 1000, repeatedMs: 0 },
      run: async (fleet, pass) => {
        fleet.servers.loss = 0.05
        await pass(60 * SECOND)
        fleet.servers.loss = 0
      }
    },
    {
      name: "slow",
      what: `each statement of the database takes ${SLOWNESS} times as long, for 60 s`,
      bounds: { overdueMs: OVERDUE_MS, repeatedMs: REPEATED_MS },
      run: async (fleet, pass) => {
        setSlow(fleet, true)
        await pass(60 * SECOND)
        setSlow(fleet, false)
      }
    },
    {
      name: "restart",
      what: "the database is restarted (unavailable for 2 s)",
      bounds: { overdueMs: RELEASE_PAUSE_MS, repeatedMs: REPEATED_MS },
      run: async (fleet, pass) => {
        fleet.database.stop()
        await pass(2 * SECOND)
        fleet.database.start()
      }
    },
    {
      name: "away",
      what: "the database is unavailable for 60 s",
      bounds: { overdueMs: RELEASE_PAUSE_MS, repeatedMs: REPEATED_MS },
      run: async (fleet, pass) => {
        fleet.database.stop()
        await pass(60 * SECOND)
        fleet.database.start()
      }
    },
    {
      name: "all",
      what: "a fault of any kind every 5 s, for 120 s",
      bounds: { overdueMs: 3 * OVERDUE_MS, repeatedMs: (20 + BACK_SECONDS) * SECOND + REPEATED_MS },
      run: (fleet, pass) =>
        each(24, async () => {
          const kind = anything[Math.floor(fleet.world.random() * anything.length)]!
          kind(fleet, (ms, run) => fleet.world.schedule(ms, run))
          await pass(5 * SECOND)
        })
    }
  ]
}
