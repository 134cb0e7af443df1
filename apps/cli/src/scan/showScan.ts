/** Shows `scan --watch` as a live view. The view ends when the user quits, or after the number of rounds in `--rounds`. */
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import { type Scrolling, isMove } from "../live/frame.ts"
import { type View, runView } from "../live/screen.ts"
import { Output } from "../output/output.ts"
import { explainNotQueried } from "./report.ts"
import { resultLine } from "./resultLine.ts"
import type { Rounds } from "./round.ts"
import type { ScanSettings } from "./flags.ts"
import { openServer } from "./openServer.ts"
import { type OpenedServer, type WatchState, watchFrame } from "./watchView.ts"
import { SORT_KEYS, Watched } from "./watched.ts"
import type { Predicate } from "./where.ts"

/** Number of lines in the summary of a round that caused no warnings. */
const DEFAULT_LINES = 2

const isEnter = (key: string): boolean => key === "return" || key === "enter"

/** Handles the keys that sort and filter the table. */
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

/** Handles keys while the user types the filter. */
const typed = (key: string, { watched }: WatchState): WatchState["typing"] => {
  if (isEnter(key)) return undefined
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
    intervalMs: (settings.watch ?? 0) * 1000,
    progress: "",
    nextAt: 0,
    warning: undefined,
    typing: undefined,
    selected: undefined,
    opened: undefined
  }
  let summary: ReadonlyArray<string> = []
  let startRound = (): void => {}
  const runQuery = yield* FiberHandle.makeRuntime<Output>()

  /**
   * Opens the card of a server, and queries INFO, PLAYER and RULES. If this card is open already, it shows the previous replies until the
   * query ends.
   */
  const open = (address: string): void => {
    const known = state.opened?.address === address ? state.opened.card : () => ["", "  No reply yet."]
    state.opened = { address, queriedAt: undefined, card: known }
    runQuery(
      Effect.map(openServer(address, settings), (card) => {
        if (state.opened?.address === address) state.opened = { address, queriedAt: Date.now(), card }
      })
    )
  }

  const onServerKey = (key: string, { address }: OpenedServer): void => {
    if (["escape", "backspace", "left"].includes(key)) state.opened = undefined
    else if (key === "n") open(address)
  }

  const onTableKey = (key: string, scrolling: Scrolling): void => {
    const { list } = state.watched
    if (isMove(key)) state.selected = list[scrolling.cursor ?? 0]?.address
    else if (isEnter(key)) {
      const server = list[scrolling.cursor ?? 0]
      if (server === undefined) return
      state.selected = server.address
      scrolling.toTop()
      open(server.address)
    } else if (key === "/") state.typing = { problem: undefined }
    else if (key === "n") startRound()
    else steer(key, state)
  }

  const onKey = (key: string, scrolling: Scrolling): void => {
    if (state.typing !== undefined) state.typing = typed(key, state)
    else if (state.opened !== undefined) onServerKey(key, state.opened)
    else onTableKey(key, scrolling)
  }
  const by: Rounds = {
    print: (round) => {
      state.watched.set({ round })
      return (result) => {
        // If this host could not send all requests, the state of the server is unknown. Therefore the table keeps the previous result.
        if (explainNotQueried(result) === undefined) state.watched.take(resultLine(result), Date.now())
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
      const requested = Effect.callback<void>((resume) => {
        startRound = () => resume(Effect.void)
      })
      return Effect.raceFirst(Effect.sleep(Math.max(0, ms)), requested)
    }
  }
  const notices = {
    ...err,
    line: (...lines: ReadonlyArray<string>) =>
      Effect.sync(() => {
        if (lines.length === 0) return
        summary = lines
        state.warning = lines[DEFAULT_LINES]
      })
  }
  const view: View = {
    frame: (canvas) => watchFrame(state, canvas, Date.now()),
    onKey,
    isTyping: () => state.typing !== undefined
  }
  const work = rounds(by).pipe(Effect.provideService(Output, { out, err: notices, notes: notices }))
  yield* Effect.ensuring(
    runView(view, work),
    Effect.suspend(() => err.line(...summary))
  )
}, Effect.scoped)
