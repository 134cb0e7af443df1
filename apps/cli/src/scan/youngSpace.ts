/**
 * Keeps V8's space for young objects small. V8 doubles it whenever as much has outlived its collections as it holds, which the results
 * of a long scan make it do sooner or later, up to 64 MB; small it takes no more of the processor (docs/adr/0005-scanner.md).
 */
import * as Effect from "effect/Effect"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** How large it may get, in bytes, both halves together. */
const MOST_BYTES = 8 * 2 ** 20
const LOOK_MS = 50

/** How many times as large V8 makes it at a time; read at each collection, so that it may change while the program runs. */
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
    // As it was: Node keeps what it has compiled for programs with the same flags.
    if (isLarge) growBy(2)
  }
}

/** For as long as the scope lasts. Other runtimes than Node do as they like. */
export const smallYoungSpace = /* @__PURE__ */ Effect.acquireRelease(Effect.sync(watch), (end) => Effect.sync(end))
