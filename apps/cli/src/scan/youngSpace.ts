/**
 * Limits the size of V8's young generation. V8 doubles it whenever as much memory as its size has survived collections. In a long scan this
 * continues up to 64 MB. A small young generation does not need more processor time (docs/adr/0005-scanner.md).
 */
import * as Effect from "effect/Effect"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Maximum size in bytes, both halves together. */
const MOST_BYTES = 8 * 2 ** 20
const LOOK_MS = 50

/** The factor by which V8 enlarges it. V8 reads it at each collection, so that it can be changed while the program runs. */
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
  }, LOOK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    // Reset it, because Node's compile cache depends on the flags.
    if (isLarge) growBy(2)
  }
}

/** Limits it for the life of the scope. Has no effect on runtimes other than Node. */
export const smallYoungSpace = /* @__PURE__ */ Effect.acquireRelease(Effect.sync(watch), (end) => Effect.sync(end))
