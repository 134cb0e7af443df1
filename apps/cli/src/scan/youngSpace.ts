/**
 * Limits the size of V8's young generation, so that a long scan needs less memory. Normally, V8 doubles the young generation again and
 * again, if enough objects in it survive. Without a limit, the young generation would reach 64 MB in a long scan. The limit does not
 * increase the processor time of a scan (docs/adr/0005-scanner.md).
 */
import * as Effect from "effect/Effect"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/**
 * If the young generation has at least this size (in bytes), it is not enlarged any more. Both halves of the young generation are included
 * in this size.
 */
const MOST_BYTES = 8 * 2 ** 20
const POLL_MS = 50

/**
 * Sets the factor by which V8 enlarges the young generation. V8 reads the factor at each garbage collection, so the factor can be changed
 * while the program runs.
 */
const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

const size = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0

const watch = (): (() => void) => {
  let isLarge = false
  const timer = setInterval(() => {
    isLarge = size() >= MOST_BYTES
    if (!isLarge) return
    clearInterval(timer)
    growBy(1)
  }, POLL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    // The factor is reset to V8's default, because Node's compile cache depends on the flags of V8.
    if (isLarge) growBy(2)
  }
}

/** Limits the young generation until the scope closes. The limit works only with Node. */
export const smallYoungSpace = /* @__PURE__ */ Effect.acquireRelease(Effect.sync(watch), (end) => Effect.sync(end))
