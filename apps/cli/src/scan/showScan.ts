/** A watched scan on a terminal of its own: the rounds go on until somebody leaves. */
import * as Effect from "effect/Effect"
import { type View, showing } from "../live/screen.ts"
import { Output } from "../output/output.ts"
import { whyUnasked } from "./report.ts"
import { resultLine } from "./resultLine.ts"
import type { Rounds } from "./runScan.ts"
import type { ScanSettings } from "./command.ts"
import { type WatchState, watchFrame } from "./watchView.ts"
import { SORT_KEYS, Watched } from "./watched.ts"
import type { Predicate } from "./where.ts"

/** Lines of a round's summary that say nothing but how it went. */
const USUAL_LINES = 2

/** Keys while nothing is typed. */
const steer = (key: string, { watched }: WatchState): void => {
  const at = SORT_KEYS.indexOf(watched.sortKey)
  if (key === "left" || key === "right") {
    const sortKey = SORT_KEYS.at((at + (key === "left" ? -1 : 1)) % SORT_KEYS.length)!
    watched.set({ sortKey, descending: ["players", "changed"].includes(sortKey) })
  } else if (key === "r") watched.set({ descending: !watched.descending })
  else if (key === "c") watched.set({ changedOnly: !watched.changedOnly })
  else if (key === "s") watched.set({ silentToo: !watched.silentToo })
  else if (key === "escape") watched.setFilter("")
}

/** Keys while the filter is typed; what the filter is then. */
const typed = (key: string, { watched }: WatchState): WatchState["typing"] => {
  if (key === "return" || key === "enter") return undefined
  if (key === "escape") {
    watched.setFilter("")
    return undefined
  }
  const writes = [...key].length === 1
  const filter = key === "backspace" ? [...watched.filter].slice(0, -1).join("") : watched.filter + (writes ? key : "")
  return { problem: watched.setFilter(filter) }
}

export const showScan = Effect.fnUntraced(function* <E, R>(
  settings: ScanSettings,
  where: Predicate | undefined,
  rounds: (by: Rounds) => Effect.Effect<void, E, R | Output>
) {
  const { err, out } = yield* Output
  const state: WatchState = {
    watched: new Watched(where),
    everyMs: (settings.watch ?? 0) * 1000,
    progress: "",
    nextAt: 0,
    warning: undefined,
    typing: undefined
  }
  let summary: ReadonlyArray<string> = []
  let askNow = (): void => {}
  const onKey = (key: string): void => {
    if (state.typing !== undefined) state.typing = typed(key, state)
    else if (key === "/") state.typing = { problem: undefined }
    else if (key === "n") askNow()
    else steer(key, state)
  }
  const by: Rounds = {
    print: (round) => {
      state.watched.set({ round })
      return (result) => {
        // Nobody is gone because this machine has no network.
        if (whyUnasked(result) === undefined) state.watched.take(resultLine(result), Date.now())
        return []
      }
    },
    progressOn: (describe) =>
      Effect.succeed({
        around: (print) =>
          Effect.andThen(
            Effect.sync(() => (state.progress = describe())),
            print
          )
      }),
    wait: (ms) => {
      state.progress = undefined
      state.nextAt = Date.now() + ms
      const asked = Effect.callback<void>((resume) => {
        askNow = () => resume(Effect.void)
      })
      return Effect.raceFirst(Effect.sleep(Math.max(0, ms)), asked)
    }
  }
  const told = {
    ...err,
    line: (...lines: ReadonlyArray<string>) =>
      Effect.sync(() => {
        summary = lines
        state.warning = lines[USUAL_LINES]
      })
  }
  const view: View = {
    frame: (canvas) => watchFrame(state, canvas, Date.now()),
    onKey,
    isTyping: () => state.typing !== undefined
  }
  const work = rounds(by).pipe(Effect.provideService(Output, { out, err: told }))
  yield* Effect.ensuring(
    showing(view, work),
    Effect.suspend(() => err.line(...summary))
  )
})
