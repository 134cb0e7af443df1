/**
 * Work that several want done at the same time and that is done once. Each of them may give up; the work is given up with the last.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** A copy of what is made of JSON's types; errors in it are shared. */
export const copyOf = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || value instanceof Error) return value
  if (Array.isArray(value)) return value.map(copyOf) as A
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copyOf(field)])) as A
}

/** A piece of work under way. */
interface Work<A, E> {
  fiber: Fiber.Fiber<A, E> | undefined
  /** Who waits for it. */
  waiting: number
  /** Whether it may be joined (still). */
  readonly isOpen: () => boolean
}

/** Work under way, by name. */
export class Joint {
  private readonly underWay = new Map<string, Work<unknown, unknown>>()
  private readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>

  constructor(fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>) {
    this.fork = fork
  }

  /**
   * Joins the work of that name, or begins it; a name stands for one kind of outcome. `isOpen` says whether others may still join what
   * is begun. All but the first get a copy of the outcome, so that each can do with it what he likes.
   */
  join<A, E>(name: string, work: Effect.Effect<A, E>, isOpen: () => boolean = () => true): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const found = this.underWay.get(name) as Work<A, E> | undefined
      const isJoined = found?.isOpen() === true
      const joined = isJoined ? found : this.begin(name, work, isOpen)
      joined.waiting++
      const outcome = Effect.ensuring(
        Fiber.join(joined.fiber!),
        Effect.suspend(() => this.leave(name, joined))
      )
      return isJoined ? Effect.map(outcome, copyOf) : outcome
    })
  }

  private begin<A, E>(name: string, work: Effect.Effect<A, E>, isOpen: () => boolean): Work<A, E> {
    const begun: Work<A, E> = { fiber: undefined, waiting: 0, isOpen }
    this.underWay.set(name, begun)
    const whole = Effect.ensuring(
      work,
      Effect.sync(() => this.forget(name, begun))
    )
    begun.fiber = this.fork(whole)
    return begun
  }

  private leave<A, E>(name: string, work: Work<A, E>): Effect.Effect<void> {
    if (--work.waiting > 0) return Effect.void
    this.forget(name, work)
    return Fiber.interrupt(work.fiber!)
  }

  private forget<A, E>(name: string, work: Work<A, E>): void {
    if (this.underWay.get(name) === work) this.underWay.delete(name)
  }
}
