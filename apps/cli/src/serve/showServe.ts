/** Emulated servers on a terminal of their own, until somebody leaves. */
import * as Effect from "effect/Effect"
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
  let leave = (): void => {}
  const left = Effect.callback<void>((resume) => {
    leave = () => resume(Effect.void)
  })
  const onKey = (key: string): void => {
    if (key === "q") leave()
    else if (key === "p") log.isPaused = !log.isPaused
    else if (key === "f") log.faultsOnly = !log.faultsOnly
    else if (key === "c") log.clear()
    else scrolling.takes(key)
  }
  const screen = yield* show({
    lines: (canvas) => serveLines({ servers, log, scrolling, warnings }, canvas),
    onKey
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.sync(screen.redraw), TICK_MS)))
  yield* left
})
