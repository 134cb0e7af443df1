/**
 * Detects that this process was suspended, for example by SIGSTOP or because the machine was in sleep mode. During the suspension, other
 * instances may have claimed the slices of this process. Therefore this process queries no targets until the store has confirmed which
 * slices it still owns.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { StoreWriter } from "./StoreWriter.ts"

/** If more than this time has passed since the last run of {@link SuspensionGuard.check}, the process is treated as suspended. */
const SUSPENDED_MS = 2000
/**
 * Maximum wait for the confirmation from the store. After this time, the monitor queries its targets without a confirmation, as it does
 * while the store is unreachable.
 */
const CONFIRMATION = "10 seconds"

/** The parts of the monitor that this class uses. */
interface Environment {
  readonly isShared: boolean
  readonly clock: () => number
  readonly writer: StoreWriter
  readonly scope: Scope.Scope
  /** Called when targets may be queried again after a suspension. */
  readonly onResume: () => void
}

/** Decides whether targets may be queried after a suspension of the process. */
export class SuspensionGuard {
  private readonly environment: Environment
  private checkedAt: number
  private isConfirmed = true

  constructor(environment: Environment) {
    this.environment = environment
    this.checkedAt = environment.clock()
  }

  readonly isHeld = (): boolean => {
    const { clock, isShared } = this.environment
    return isShared && (!this.isConfirmed || clock() - this.checkedAt > SUSPENDED_MS)
  }

  /**
   * Checks once whether the process was suspended. After a suspension, the effect waits until the store has confirmed which slices this
   * process still owns. Run the effect every half second.
   */
  readonly check: Effect.Effect<void> = Effect.suspend(() => {
    const { clock, onResume, scope, writer } = this.environment
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
