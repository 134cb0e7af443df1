/** The runtime's own clock and timers, for the engine. */
import type { Timing } from "./Timing.ts"

/** Browsers lack these. */
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
