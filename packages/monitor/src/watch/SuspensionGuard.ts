/**
 * Notices that this process was suspended, as by SIGSTOP or by a machine that sleeps. Other instances may have claimed its slices
 * meanwhile, so nothing is queried until the store has confirmed which ones are still ours.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { StoreWriter } from "./StoreWriter.ts"

/** The process was suspended if this much time passes between two checks. */
const SUSPENDED_MS = 2000
/** How long it waits for the store. Then it continues, as it does while the store is away. */
const CONFIRMATION = "10 seconds"

/** What it needs. */
interface Surroundings {
  readonly isShared: boolean
  readonly clock: () => number
  readonly writer: StoreWriter
  readonly scope: Scope.Scope
  /** Called when targets may be queried again. */
  readonly onResume: () => void
}

/** Whether targets may be queried, as far as suspension is concerned. */
export class SuspensionGuard {
  private readonly surroundings: Surroundings
  private checkedAt: number
  private isConfirmed = true

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
    this.checkedAt = surroundings.clock()
  }

  /** Whether nothing may be queried now. */
  readonly isHeld = (): boolean => {
    const { clock, isShared } = this.surroundings
    return isShared && (!this.isConfirmed || clock() - this.checkedAt > SUSPENDED_MS)
  }

  /** Checks once, and after a suspension waits for the store. To be run every half a second. */
  readonly check: Effect.Effect<void> = Effect.suspend(() => {
    const { clock, onResume, scope, writer } = this.surroundings
    this.isConfirmed = clock() - this.checkedAt <= SUSPENDED_MS
    this.checkedAt = clock()
    if (this.isConfirmed) return Effect.void
    return Effect.forkIn(writer.flush, scope).pipe(
      Effect.flatMap((writing) => Effect.timeoutOption(Fiber.await(writing), CONFIRMATION)),
      Effect.map(() => {
        this.isConfirmed = true
        this.checkedAt = clock()
        onResume()
      })
    )
  })
}
