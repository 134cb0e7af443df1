/** The clock and the timers of the engine. They are plain functions, so that no Effect runs per datagram. */

/** A clock with timers. */
export interface Timing {
  /** Milliseconds since an arbitrary time, with fractions. The time never goes backwards. */
  readonly now: () => number
  /**
   * Calls `run` once after `delayMs`. The returned function cancels this call. A `background` timer does not keep the process running, if
   * the runtime supports such timers.
   */
  readonly schedule: (delayMs: number, run: () => void, background?: boolean) => () => void
  /**
   * Calls `run` after the runtime has read its sockets once more. A timer cannot replace this function: if several timers are late, a
   * runtime may run all of them before it reads its sockets. Absent if the runtime does not support this.
   */
  readonly afterReading?: (run: () => void) => () => void
}

/** Browsers do not have these functions. */
const { clearImmediate, setImmediate } = globalThis as {
  readonly clearImmediate?: (handle: unknown) => void
  readonly setImmediate?: (run: () => void) => unknown
}

/** The runtime's own clock and timers. */
export const live: Timing = {
  now: () => performance.now(),
  schedule: (delayMs, run, background) => {
    const timer: unknown = setTimeout(run, Math.ceil(delayMs))
    if (background === true && typeof timer === "object" && timer !== null && "unref" in timer) {
      ;(timer as { unref: () => void }).unref()
    }
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
  },
  ...(setImmediate === undefined
    ? {}
    : {
        afterReading: (run) => {
          const handle = setImmediate(run)
          return () => clearImmediate?.(handle)
        }
      })
}
