/** Emulated servers on a terminal of their own, until somebody leaves. */
import * as Effect from "effect/Effect"
import type { Canvas } from "../live/frame.ts"
import { show } from "../live/screen.ts"
import { Scrolling } from "../live/scrolling.ts"
import type { ServedLog } from "./ServedLog.ts"
import { type ListedServer, serveLines } from "./serveView.ts"

/** How often it is looked whether somebody has asked. */
const TICK_MS = 200

/** Shows the servers and the log. */
export const showServe = Effect.fnUntraced(function* (
  servers: ReadonlyArray<ListedServer>,
  log: ServedLog,
  warnings: ReadonlyArray<string>
) {
  const scrolling = new Scrolling()
  const onKey = (key: string): void => {
    if (key === "p") log.isPaused = !log.isPaused
    else if (key === "f") log.faultsOnly = !log.faultsOnly
    else if (key === "c") log.clear()
    else scrolling.takes(key)
  }
  const lines = (canvas: Canvas) => serveLines({ servers, log, scrolling, warnings }, canvas)
  yield* (yield* show({ lines, onKey }, TICK_MS)).left
})
