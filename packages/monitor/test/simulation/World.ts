/**
 * Virtual time for several machines in one process. A machine has a clock and a scheduler. When a machine is stopped, as by SIGSTOP, its
 * events are postponed until the machine wakes. When a machine is killed, its events are dropped. The time advances when all machines
 * have finished their work for the current time.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"
import { seededRandom } from "@sourcewire/core/testing"

interface Due {
  readonly machine: Machine | undefined
  run: (() => void) | undefined
}

/** All machines, and their events in virtual time. */
export class World {
  /** The current time, in ms since 1970. */
  now: number
  readonly random: () => number
  /** Number of machines that have been created. */
  machines = 0
  /** The scheduled functions, by the millisecond in which they are due. */
  private readonly slots = new Map<number, Array<Due>>()
  /** Tasks of fibers that are due now. */
  private ready: Array<() => void> = []
  private readonly scheduler = new Scheduler.MixedScheduler("async", (run) => {
    const task = { run: run as (() => void) | undefined }
    this.ready.push(() => task.run?.())
    return () => (task.run = undefined)
  })

  constructor(now: number, seed: number) {
    this.now = now
    this.random = seededRandom(seed)
  }

  /**
   * Schedules a function, optionally on a machine, and returns a function that cancels the scheduled function. If the machine is stopped,
   * the scheduled function runs when the machine wakes. If the machine is dead, the scheduled function never runs.
   */
  schedule(delayMs: number, run: () => void, machine?: Machine): () => void {
    const at = this.now + Math.max(1, Math.ceil(delayMs))
    const due: Due = { machine, run }
    const slot = this.slots.get(at)
    if (slot === undefined) this.slots.set(at, [due])
    else slot.push(due)
    return () => (due.run = undefined)
  }

  /** Advances the time, and runs all functions that become due. */
  async pass(ms: number): Promise<void> {
    await this.settle()
    for (const end = this.now + ms; this.now < end;) {
      this.now++
      const slot = this.slots.get(this.now)
      if (slot === undefined) continue
      this.slots.delete(this.now)
      for (const { machine, run } of slot) {
        if (run === undefined) continue
        if (machine === undefined) run()
        else machine.run(run)
      }
      await this.settle()
    }
  }

  /** Runs all ready tasks, and then the callbacks of pending promises. Repeats both steps until no task is ready. */
  private async settle(): Promise<void> {
    do {
      const { ready } = this
      this.ready = []
      for (const run of ready) run()
      if (this.ready.length === 0) await new Promise((resolve) => setImmediate(resolve))
    } while (this.ready.length > 0)
  }

  /** The context for the effects of a machine: its clock and scheduler. */
  contextOf(machine: Machine): Context.Context<never> {
    const millis = (): number => this.now
    const nanos = (): bigint => BigInt(this.now) * 1_000_000n
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.callback((resume) => {
          const cancel = this.schedule(Duration.toMillis(duration), () => resume(Effect.void), machine)
          return Effect.sync(cancel)
        })
    }
    return Context.make(Clock.Clock, clock).pipe(Context.add(Scheduler.Scheduler, this.scheduler))
  }
}

/** A machine that runs one process. */
export class Machine {
  readonly name: string
  /** Machines are numbered from 1, in the order of their creation. */
  readonly number: number
  private state: "runs" | "stopped" | "dead" = "runs"
  private held: Array<() => void> = []
  private readonly context: Context.Context<never>

  constructor(world: World, name: string) {
    this.name = name
    this.number = ++world.machines
    this.context = world.contextOf(this)
  }

  get isDead(): boolean {
    return this.state === "dead"
  }

  get isRunning(): boolean {
    return this.state === "runs"
  }

  /**
   * Runs a function immediately. If the machine is stopped, the function runs when the machine wakes. If the machine is dead, the function
   * never runs.
   */
  run(work: () => void): void {
    if (this.state === "runs") work()
    else if (this.state === "stopped") this.held.push(work)
  }

  /** Postpones all events of this machine until {@link wake} is called. */
  stop(): void {
    this.state = "stopped"
  }

  /** Runs, in order, all events of this machine that became due after the call of {@link stop}. */
  wake(): void {
    const { held } = this
    this.held = []
    this.state = "runs"
    for (const work of held) work()
  }

  /** Drops all events, including finalizers. */
  kill(): void {
    this.state = "dead"
    this.held = []
  }

  /** Starts an effect on this machine. */
  fork<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    return Effect.runForkWith(this.context)(effect)
  }
}
