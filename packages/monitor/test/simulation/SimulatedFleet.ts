/**
 * A fleet in virtual time. These parts are real:
 *
 * - the monitor, with its schedule, writer and scan
 * - the engine that assigns slices to instances
 *
 * These parts are in memory:
 *
 * - the game servers
 * - the database, and the connections to the database
 *
 * The store in memory passes the same tests as the real stores.
 */
import { Datagrams } from "@sourcewire/core/transport"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Group, Plan } from "../../src/config/Config.ts"
import { layerOver } from "../../src/fleet/Fleet.ts"
import { ALL_SLICES } from "../../src/store/slices.ts"
import { Store } from "../../src/store/Store.ts"
import { makeMonitor } from "../../src/watch/makeMonitor.ts"
import type { Monitor, MonitorEvent } from "../../src/watch/Monitor.ts"
import { planFor } from "../lab.ts"
import { Audit } from "./Audit.ts"
import { DatabaseServer } from "./DatabaseServer.ts"
import { GameServers } from "./GameServers.ts"
import { Link } from "./Link.ts"
import { makeMemoryStore } from "./MemoryStore.ts"
import { makeRunnerStorage } from "./runnerStorage.ts"
import { Machine, World } from "./World.ts"

const START = 1_795_000_000_000
/** Duration of a database statement without rows, and the additional duration per row, in ms. */
export const COSTS = { statementMs: 1, rowMs: 0.02 } as const

/** A time that is longer than any simulation. */
const HOURS_MS = 100_000_000

/**
 * A target is removed from the plan of a runner when another runner has owned the target for this time. This time is longer than any delay
 * that a fault causes.
 */
const FORGOTTEN_MS = 90_000

/** Time after which a process that ended unexpectedly is restarted, in ms. */
const RESTART_MS = 5000

export interface FleetOptions {
  readonly seed: number
  readonly targets: number
  readonly intervalMs: number
  /**
   * Whether the plan of a runner contains all targets, as in a real fleet, or only the targets of slices that the runner has claimed.
   * `claimed` saves memory: 32 runners with a million targets each would need too much memory for one process.
   */
  readonly sees: "all" | "claimed"
  /** A rule that is disabled in this fleet. A test uses this option to verify that the simulation detects the consequences. */
  readonly without?: "fencing" | "grace" | "deadline"
}

/** A process of the fleet, and its machine. */
export interface Runner {
  readonly name: string
  readonly machine: Machine
  readonly link: Link
  readonly stop: () => void
  monitor: typeof Monitor.Service | undefined
  /** The slices whose targets are in the plan of this runner. If the option `sees` is `all`, this set is not used. */
  readonly seen: Set<number>
  /** For each slice in `seen` that another runner has claimed: the time of that claim. */
  readonly lost: Map<number, number>
}

/** The machines of a fleet, their database, and the game servers. */
export class SimulatedFleet {
  readonly world: World
  readonly database: DatabaseServer
  readonly audit: Audit
  readonly servers: GameServers
  readonly options: FleetOptions
  /** Runners with a running or frozen process. */
  active: ReadonlyArray<Runner> = []
  readonly events: Array<MonitorEvent & { readonly runner: string; readonly at: number }> = []
  private readonly plan: Plan
  private readonly group: Group
  /** The addresses of the targets, by slice. */
  private readonly addressesBySlice: ReadonlyArray<Array<string>> = ALL_SLICES.map(() => [])

  constructor(options: FleetOptions) {
    const { intervalMs, seed, targets } = options
    this.options = options
    this.world = new World(START, seed)
    this.database = new DatabaseServer(
      { now: () => this.world.now, schedule: (ms, run) => this.world.schedule(ms, run) },
      { ...COSTS }
    )
    this.audit = new Audit(this.world, this.database, targets, intervalMs)
    this.servers = new GameServers(this.world, targets, intervalMs, this.audit.onQuery)
    this.audit.setServers(this.servers)
    const addresses = Array.from({ length: targets }, (_, server) => this.servers.address(server))
    const plan = planFor({ groups: [{ name: "all", targets: addresses.slice(0, 1), intervalMs }] })
    const config = { groups: [] }
    this.group = plan.targets.get(addresses[0]!)!
    const wanted = addresses.map((address, server) => ({ address, group: "all", slice: this.audit.slices[server]! }))
    for (const { address, slice } of wanted) this.addressesBySlice[slice]!.push(address)
    this.plan = { ...plan, config }
    this.database.plan = { version: 1, config: JSON.stringify(config) }
    this.database.enter(wanted)
  }

  /** Starts a process. */
  start(name: string): Runner {
    const machine = new Machine(this.world, name)
    const link = new Link(this.world, machine, this.database)
    const stopped = Deferred.makeUnsafe<void>()
    let isWanted = true
    const runner: Runner = {
      name,
      machine,
      link,
      monitor: undefined,
      seen: new Set(),
      lost: new Map(),
      stop: () => {
        isWanted = false
        Deferred.doneUnsafe(stopped, Effect.void)
      }
    }
    const { options } = this
    const onEvent = (event: MonitorEvent): void => void this.events.push({ ...event, runner: name, at: this.world.now })
    const store = makeMemoryStore(this.database, link, {
      isFenced: options.without !== "fencing",
      onCommit: (rows) => this.audit.onCommit(link, rows),
      onClaim: (slices) => {
        this.audit.counts.moves += slices.length
        if (options.sees === "claimed") this.show(runner, slices)
      }
    })
    const watched = Effect.map(store.watched, (all) =>
      options.sees === "all" ? all : new Map(this.addressesSeen(runner).map((address) => [address, all.get(address)!]))
    )
    const storage = Layer.succeed(RunnerStorage, makeRunnerStorage(this.database, link))
    const plan = this.planOf(runner)
    const rules = { grace: { graceMs: 0 }, deadline: { answerMs: HOURS_MS }, fencing: {} }
    const changed = options.without === undefined ? {} : rules[options.without]
    const program = Effect.gen(function* () {
      runner.monitor = yield* makeMonitor({ plan, onEvent, ...changed })
      yield* Deferred.await(stopped)
    }).pipe(
      Effect.scoped,
      Effect.provide(layerOver(storage, { host: name, port: 1 }, onEvent)),
      Effect.provide([
        Layer.succeed(Store, { ...store, watched }),
        Layer.succeed(Datagrams, this.servers.datagramsOf(machine))
      ]),
      Effect.tapCause((cause) => Effect.sync(() => onEvent({ level: "error", event: "end", message: String(cause) }))),
      Effect.ensuring(
        Effect.sync(() => {
          this.kill(runner)
          if (!isWanted) return
          this.world.schedule(RESTART_MS, () => this.start(name))
        })
      )
    )
    this.active = [...this.active, runner]
    machine.fork(program as Effect.Effect<void>)
    return runner
  }

  private addressesSeen({ seen }: Runner): ReadonlyArray<string> {
    return [...seen].flatMap((slice) => this.addressesBySlice[slice]!)
  }

  private planOf(runner: Runner): Plan {
    const isAll = this.options.sees === "all"
    const addresses = isAll ? this.addressesBySlice.flat() : this.addressesSeen(runner)
    return { ...this.plan, targets: new Map(addresses.map((address) => [address, this.group])) }
  }

  /** Adds the targets of slices to the plan of a runner that is about to claim these slices. */
  private show(runner: Runner, slices: ReadonlyArray<number>): void {
    for (const slice of slices) {
      const owner = this.database.slices.get(slice)?.peer
      this.active.find(({ link }) => link === owner)?.lost.set(slice, this.world.now)
      runner.lost.delete(slice)
      runner.seen.add(slice)
    }
    this.follow(runner)
  }

  /** Removes targets from the plan of a runner if another runner has owned them for a long time. */
  forget(): void {
    for (const runner of this.active) {
      const lost = [...runner.lost].filter(([, at]) => at < this.world.now - FORGOTTEN_MS)
      if (lost.length === 0 || !runner.machine.isRunning) continue
      for (const [slice] of lost) {
        runner.lost.delete(slice)
        runner.seen.delete(slice)
      }
      this.follow(runner)
    }
  }

  private follow(runner: Runner): void {
    const { machine } = runner
    // The caller is still in the middle of the claim. Therefore the plan changes only one millisecond later.
    this.world.schedule(
      1,
      () => {
        const { monitor } = runner
        if (monitor === undefined) return
        const follow = Effect.suspend(() => monitor.follow(this.planOf(runner)))
        machine.fork(Effect.ignore(Effect.retry(follow, Schedule.spaced("250 millis"))))
      },
      machine
    )
  }

  /** Kills the process as with `kill -9`. The connections of the process end immediately. */
  kill(runner: Runner): void {
    this.powerOff(runner)
    this.database.drop(runner.link)
  }

  /** Switches the machine off. The database does not detect that the connections of the machine have ended. */
  powerOff(runner: Runner): void {
    runner.machine.kill()
    this.active = this.active.filter((other) => other !== runner)
  }

  /** Counts the slices that each runner has locked, and returns these counts in ascending order. */
  balance(): ReadonlyArray<number> {
    const counts = new Map(this.active.map(({ link }) => [link as unknown, 0]))
    for (const { peer } of this.database.locks.values()) counts.set(peer, (counts.get(peer) ?? 0) + 1)
    return [...counts.values()].sort((a, b) => a - b)
  }

  /** Number of targets whose state is in the memory of a runner although another runner owns the target's slice. */
  countStale(): number {
    const isOthers = (link: Link, slice: number): boolean => this.database.slices.get(slice)?.peer !== link
    const countStaleIn = ({ link, monitor }: Runner): number =>
      [...(monitor?.targets.values() ?? [])].filter(
        (one) => one.known.queriedAt !== undefined && isOthers(link, one.slice)
      ).length
    return this.active.reduce((sum, runner) => sum + countStaleIn(runner), 0)
  }

  /** Returns two maxima over all runners: the number of waiting targets, and the number of unwritten changes. */
  waiting(): { readonly asks: number; readonly writes: number } {
    const monitors = this.active.flatMap(({ monitor }) => (monitor === undefined ? [] : [monitor]))
    return {
      asks: Math.max(0, ...monitors.map((monitor) => monitor.waiting())),
      writes: Math.max(0, ...monitors.map(({ writer }) => writer.waiting))
    }
  }
}
