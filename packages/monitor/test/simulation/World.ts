/**
 * Virtual time for several machines in one process. A machine is a clock, a scheduler and whatever arrives for it; it can be stopped
 * (what is due waits until it wakes, as with SIGSTOP) and killed (nothing of it ever runs again). Time goes on when all machines wait.
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
  /** In ms since 1970. */
  now: number
  readonly random: () => number
  /** Number of machines created so far. */
  machines = 0
  /** The functions that are due, by millisecond. */
  private readonly slots = new Map<number, Array<Due>>()
  /** What fibres have yet to do at this moment. */
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

  /** Runs something later, on a machine that may then be stopped or dead, or on none; the result cancels it. */
  schedule(delayMs: number, run: () => void, machine?: Machine): () => void {
    const at = this.now + Math.max(1, Math.ceil(delayMs))
    const due: Due = { machine, run }
    const slot = this.slots.get(at)
    if (slot === undefined) this.slots.set(at, [due])
    else slot.push(due)
    return () => (due.run = undefined)
  }

  /** Lets so much time go by. */
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

  /** Machines wait for promises too, which none but the runtime can tell to be done. */
  private async settle(): Promise<void> {
    do {
      const { ready } = this
      this.ready = []
      for (const run of ready) run()
      if (this.ready.length === 0) await new Promise((resolve) => setImmediate(resolve))
    } while (this.ready.length > 0)
  }

  /** What effects of a machine run in. */
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

/** A machine on which a process of ours runs. */
export class Machine {
  readonly name: string
  /** From 1 on, in the order in which they are made. */
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

  /** Runs something now, or when it wakes, or never. */
  run(work: () => void): void {
    if (this.state === "runs") work()
    else if (this.state === "stopped") this.held.push(work)
  }

  /** Nothing runs until it wakes. */
  stop(): void {
    this.state = "stopped"
  }

  /** All that was due meanwhile runs, in order. */
  wake(): void {
    const { held } = this
    this.held = []
    this.state = "runs"
    for (const work of held) work()
  }

  /** Nothing runs any more, no finalizer either. */
  kill(): void {
    this.state = "dead"
    this.held = []
  }

  /** Starts an effect on it. */
  fork<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    return Effect.runForkWith(this.context)(effect)
  }
}
