/**
 * A fleet in virtual time. Real: the monitor with its schedule, rhythm, writer and scan, the slices, and the engine that says who owns
 * them. In memory: the database (its rules are tested like the real ones'), the way to it, the game servers.
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
/** The time that the database takes for a statement, and for a row of it, in ms. */
export const COSTS = { statementMs: 1, rowMs: 0.02 } as const

/** Longer than a simulation takes. */
const HOURS_MS = 100_000_000

/** What another runner has had for so long is forgotten: longer than anybody is kept from learning that. */
const FORGOTTEN_MS = 90_000

/** A process that ends unexpectedly is started again after this time, in ms. */
const RESTART_MS = 5000

/** The options of a simulated fleet. */
export interface FleetOptions {
  readonly seed: number
  readonly targets: number
  readonly intervalMs: number
  /**
   * Whether a runner knows of all targets, as it does in fact, or of those in slices that it has claimed: 32 times a million targets
   * take more memory than one process should have.
   */
  readonly sees: "all" | "claimed"
  /** Rules that are taken out, to see that it is noticed. */
  readonly without?: "fencing" | "grace" | "deadline"
}

/** A process of the fleet. */
export interface Runner {
  readonly name: string
  readonly machine: Machine
  readonly link: Link
  readonly stop: () => void
  monitor: typeof Monitor.Service | undefined
  /** The slices of whose targets it knows, where it does not know of all. */
  readonly seen: Set<number>
  /** Those of them that somebody else has taken, and when. */
  readonly lost: Map<number, number>
}

/** Machines, their database, and the servers that they query. */
export class SimulatedFleet {
  readonly world: World
  readonly database: DatabaseServer
  readonly audit: Audit
  readonly servers: GameServers
  readonly options: FleetOptions
  /** Those whose processes run or are stopped. */
  living: ReadonlyArray<Runner> = []
  readonly events: Array<MonitorEvent & { readonly runner: string; readonly at: number }> = []
  private readonly plan: Plan
  private readonly group: Group
  /** By slice. */
  private readonly addressesOf: ReadonlyArray<Array<string>> = ALL_SLICES.map(() => [])

  constructor(options: FleetOptions) {
    const { intervalMs, seed, targets } = options
    this.options = options
    this.world = new World(START, seed)
    this.database = new DatabaseServer(
      { now: () => this.world.now, schedule: (ms, run) => this.world.schedule(ms, run) },
      { ...COSTS }
    )
    this.audit = new Audit(this.world, this.database, targets, intervalMs)
    this.servers = new GameServers(this.world, targets, intervalMs, this.audit.onAsked)
    this.audit.attend(this.servers)
    const addresses = Array.from({ length: targets }, (_, server) => this.servers.address(server))
    const plan = planFor({ groups: [{ name: "all", targets: addresses.slice(0, 1), intervalMs }] })
    const config = { groups: [] }
    this.group = plan.targets.get(addresses[0]!)!
    const wanted = addresses.map((address, server) => ({ address, group: "all", slice: this.audit.slices[server]! }))
    for (const { address, slice } of wanted) this.addressesOf[slice]!.push(address)
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
    this.living = [...this.living, runner]
    machine.fork(program as Effect.Effect<void>)
    return runner
  }

  private addressesSeen({ seen }: Runner): ReadonlyArray<string> {
    return [...seen].flatMap((slice) => this.addressesOf[slice]!)
  }

  private planOf(runner: Runner): Plan {
    const isAll = this.options.sees === "all"
    const addresses = isAll ? this.addressesOf.flat() : this.addressesSeen(runner)
    return { ...this.plan, targets: new Map(addresses.map((address) => [address, this.group])) }
  }

  /** Has a runner know of the targets of more slices, which it is about to take. */
  private show(runner: Runner, slices: ReadonlyArray<number>): void {
    for (const slice of slices) {
      const owner = this.database.slices.get(slice)?.peer
      this.living.find(({ link }) => link === owner)?.lost.set(slice, this.world.now)
      runner.lost.delete(slice)
      runner.seen.add(slice)
    }
    this.follow(runner)
  }

  /** Has runners know no longer of the targets that others have long had. */
  forget(): void {
    for (const runner of this.living) {
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
    // Behind the taking of them, which is under way.
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

  /** `kill -9`: the connections break at once. */
  kill(runner: Runner): void {
    this.powerOff(runner)
    this.database.drop(runner.link)
  }

  /** The machine is gone, and its connections do not know it. */
  powerOff(runner: Runner): void {
    runner.machine.kill()
    this.living = this.living.filter((other) => other !== runner)
  }

  /** Slices by their lock's holder, of those that run. */
  balance(): ReadonlyArray<number> {
    const counts = new Map(this.living.map(({ link }) => [link as unknown, 0]))
    for (const { peer } of this.database.locks.values()) counts.set(peer, (counts.get(peer) ?? 0) + 1)
    return [...counts.values()].sort((a, b) => a - b)
  }

  /** Targets of which somebody still knows something, though others have long asked them. */
  kept(): number {
    const isOthers = (link: Link, slice: number): boolean => this.database.slices.get(slice)?.peer !== link
    const keptBy = ({ link, monitor }: Runner): number =>
      [...(monitor?.targets.values() ?? [])].filter(
        (one) => one.known.askedAt !== undefined && isOthers(link, one.slice)
      ).length
    return this.living.reduce((sum, runner) => sum + keptBy(runner), 0)
  }

  /** Most that waits in one of them: targets to be asked, changes to be written. */
  waiting(): { readonly asks: number; readonly writes: number } {
    const monitors = this.living.flatMap(({ monitor }) => (monitor === undefined ? [] : [monitor]))
    return {
      asks: Math.max(0, ...monitors.map((monitor) => monitor.waiting())),
      writes: Math.max(0, ...monitors.map(({ writer }) => writer.waiting))
    }
  }
}
