/**
 * A fleet in virtual time. Real: the monitor with its schedule, rhythm, keeper and scan, the slices, and the engine that says who owns
 * them. In memory: the database (its rules are tested like the real ones'), the way to it, the game servers.
 */
import { Datagrams } from "@sourcewire/core/transport"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { parseAddress } from "@sourcewire/core"
import * as Result from "effect/Result"
import type { Group, Plan } from "../../src/config/Config.ts"
import { layerOver } from "../../src/fleet/Fleet.ts"
import { sliceOf } from "../../src/store/slices.ts"
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
/** What the database takes for a statement, and for a row of it, in ms. */
export const COSTS = { statementMs: 1, rowMs: 0.02 } as const

/** Who ends without being told is started again after so long, by whatever looks after processes. */
const RESTART_MS = 5000

/** What is simulated. */
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
  readonly without?: "fencing" | "grace"
}

/** A process of the fleet. */
export interface Runner {
  readonly name: string
  readonly machine: Machine
  readonly link: Link
  readonly stop: () => void
  monitor: typeof Monitor.Service | undefined
  /** The targets that it knows of, where it does not know of all. */
  seen: ReadonlyMap<string, Group>
}

/** Machines, their database, and the servers that they ask. */
export class SimulatedFleet {
  readonly world: World
  readonly database: DatabaseServer
  readonly audit: Audit
  readonly servers: GameServers
  readonly options: FleetOptions
  /** All that were ever started. */
  readonly runners: Array<Runner> = []
  readonly events: Array<MonitorEvent & { readonly runner: string; readonly at: number }> = []
  private readonly plan: Plan
  private readonly addressesOf = new Map<number, Array<string>>()

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
    const plan = planFor({ groups: [{ name: "all", targets: addresses, intervalMs }] })
    const config = { groups: [] }
    this.plan = { ...plan, config }
    const wanted = addresses.map((address) => ({
      address,
      slice: sliceOf(Result.getOrThrow(parseAddress(address)))
    }))
    for (const { address, slice } of wanted) {
      const some = this.addressesOf.get(slice)
      if (some === undefined) this.addressesOf.set(slice, [address])
      else some.push(address)
    }
    this.database.plan = { version: 1, config: JSON.stringify(config) }
    this.database.enter(wanted)
  }

  /** Those whose processes run or are stopped. */
  get living(): ReadonlyArray<Runner> {
    return this.runners.filter(({ machine }) => !machine.isDead)
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
      seen: new Map(),
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
    const storage = Layer.succeed(RunnerStorage, makeRunnerStorage(this.database, link))
    const plan = options.sees === "claimed" ? { ...this.plan, targets: runner.seen } : this.plan
    const grace = options.without === "grace" ? { graceMs: 0 } : {}
    const program = Effect.gen(function* () {
      runner.monitor = yield* makeMonitor({ plan, onEvent, ...grace })
      yield* Deferred.await(stopped)
    }).pipe(
      Effect.scoped,
      Effect.provide(layerOver(storage, { host: name, port: 1 }, onEvent)),
      Effect.provide([Layer.succeed(Store, store), Layer.succeed(Datagrams, this.servers.datagramsOf(machine))]),
      Effect.tapCause((cause) => Effect.sync(() => onEvent({ level: "error", event: "end", message: String(cause) }))),
      Effect.ensuring(
        Effect.sync(() => {
          machine.kill()
          this.database.drop(link)
          if (!isWanted) return
          this.world.schedule(RESTART_MS, () => this.start(name))
        })
      )
    )
    this.runners.push(runner)
    machine.fork(program as Effect.Effect<void>)
    return runner
  }

  /** Has a runner know of the targets of more slices. */
  private show(runner: Runner, slices: ReadonlyArray<number>): void {
    const seen = new Map(runner.seen)
    for (const slice of slices) {
      for (const address of this.addressesOf.get(slice) ?? []) seen.set(address, this.plan.targets.get(address)!)
    }
    if (seen.size === runner.seen.size) return
    runner.seen = seen
    // Behind the taking of them, which is under way.
    this.world.schedule(
      1,
      () => {
        const { machine, monitor } = runner
        if (monitor === undefined) return
        const follow = Effect.suspend(() => monitor.follow({ ...this.plan, targets: runner.seen }))
        machine.fork(Effect.ignore(Effect.retry(follow, Schedule.spaced("250 millis"))))
      },
      runner.machine
    )
  }

  /** `kill -9`: the connections break at once. */
  kill({ link, machine }: Runner): void {
    machine.kill()
    this.database.drop(link)
  }

  /** The machine is gone, and its connections do not know it. */
  powerOff({ machine }: Runner): void {
    machine.kill()
  }

  /** Slices by their lock's holder, of those that run. */
  balance(): ReadonlyArray<number> {
    const counts = new Map(this.living.map(({ link }) => [link as unknown, 0]))
    for (const { peer } of this.database.locks.values()) counts.set(peer, (counts.get(peer) ?? 0) + 1)
    return [...counts.values()].sort((a, b) => a - b)
  }

  /** Most that waits in one of them: targets to be asked, changes to be written. */
  waiting(): { readonly asks: number; readonly writes: number } {
    const monitors = this.living.flatMap(({ monitor }) => (monitor === undefined ? [] : [monitor]))
    return {
      asks: Math.max(0, ...monitors.map((monitor) => monitor.waiting())),
      writes: Math.max(0, ...monitors.map(({ keeper }) => keeper.waiting))
    }
  }
}
