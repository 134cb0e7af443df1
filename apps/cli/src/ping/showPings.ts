/** Pings on a terminal of its own, until they are done or somebody leaves. */
import * as Effect from "effect/Effect"
import type { Canvas } from "../live/frame.ts"
import { Scrolling } from "../live/scrolling.ts"
import { show } from "../live/screen.ts"
import { pingLines } from "./pingView.ts"
import type { AfterPing, Series } from "./runPing.ts"
import { PingTally } from "./statistics.ts"

const TICK_MS = 1000
/** How often it is looked whether a pause is over. */
const PAUSE_MS = 100

/** Shows what `pings` does. */
export const showPings = Effect.fnUntraced(function* <E, R>(
  all: ReadonlyArray<Series>,
  pings: (after: AfterPing) => Effect.Effect<void, E, R>
) {
  const scrolling = new Scrolling()
  const begun = Date.now()
  let isPaused = false
  const onKey = (key: string): void => {
    if (key === "p") isPaused = !isPaused
    else if (key === "r") for (const series of all) series.tally = new PingTally()
    else scrolling.takes(key)
  }
  const lines = (canvas: Canvas) => pingLines({ rows: all, scrolling, elapsedMs: Date.now() - begun, isPaused }, canvas)
  const screen = yield* show({ lines, onKey }, TICK_MS)
  const pause: Effect.Effect<void> = Effect.suspend(() =>
    isPaused ? Effect.andThen(Effect.sleep(PAUSE_MS), pause) : Effect.void
  )
  const after: AfterPing = () => Effect.andThen(Effect.sync(screen.redraw), pause)
  yield* Effect.raceFirst(pings(after), screen.left)
})
