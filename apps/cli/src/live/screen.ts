/**
 * Shows a view on the whole terminal: draws the lines that changed, reads keys, and restores the terminal at the end. This module does not
 * use a library for terminal interfaces, because such a library would be larger than the program.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type Key, emitKeypressEvents } from "node:readline"
import type { Palette } from "../output/text.ts"
import { Output } from "../output/output.ts"
import { type Frame, type ScreenCanvas, Scrolling, frameLines } from "./frame.ts"

export interface View {
  /** The current content of the view. No line may be wider than the canvas. */
  readonly frame: (canvas: ScreenCanvas) => Frame
  /** Handles a key. `key` is the name of a control key (`up`, `pagedown`, `return`), or the typed text. */
  readonly onKey?: (key: string, scrolling: Scrolling) => void
  /**
   * Whether the user is typing a text. While the user is not typing, `q` quits the view, `?` lists the keys, and the arrow keys and page
   * keys scroll.
   */
  readonly isTyping?: () => boolean
}

const CSI = "\u001b["
/** Switches to the alternate screen, hides the cursor, and disables line wrap. */
const ENTER = `${CSI}?1049h${CSI}?25l${CSI}?7l`
const LEAVE = `${CSI}?7h${CSI}?25h${CSI}?1049l`
/** If a terminal supports `BEGIN` and `END`, it shows the output between these two sequences in one step, without flicker. */
const BEGIN = `${CSI}?2026h`
const END = `${CSI}?2026l`

/** Interval in ms at which a view is redrawn. Only the lines that changed are written to the terminal. */
const FRAME_MS = 200

const terminalSize = (given: number | undefined, variable: string, otherwise: number): number =>
  [given, Number(process.env[variable])].find((size) => size !== undefined && size > 0) ?? otherwise

const makeScreen = (view: View, palette: Palette, onLeave: () => void) => {
  let drawn: ReadonlyArray<string> = []
  let timer: NodeJS.Timeout | undefined
  const scrolling = new Scrolling()
  let listsKeys = false

  const draw = (): void => {
    const columns = terminalSize(process.stdout.columns, "COLUMNS", 80)
    const rows = terminalSize(process.stdout.rows, "LINES", 24)
    const canvas = { columns, rows, palette, scrolling, listsKeys }
    const lines = frameLines(view.frame(canvas), canvas).slice(0, rows)
    const changed = lines.flatMap((line, i) => (line === drawn[i] ? [] : [`${CSI}${i + 1};1H${CSI}2K${line}`]))
    const below = lines.length < rows && lines.length < drawn.length ? `${CSI}${lines.length + 1};1H${CSI}J` : ""
    const whole = drawn.length === 0 ? `${CSI}2J` : ""
    if (whole + below !== "" || changed.length > 0) {
      process.stdout.write(BEGIN + whole + changed.join("") + below + END)
    }
    drawn = lines
  }

  const drawAnew = (): void => {
    drawn = []
    draw()
  }

  const suspend = (): void => {
    // Windows has no background jobs. Therefore the program cannot be suspended on Windows.
    if (process.platform === "win32") return
    leave()
    process.once("SIGCONT", enter)
    process.kill(process.pid, "SIGTSTP")
  }

  const onKeypress = (text: string | undefined, { ctrl, name, sequence = "" }: Key): void => {
    const isTyping = view.isTyping?.() === true
    if (ctrl === true && name === "c") process.kill(process.pid, "SIGINT")
    else if (ctrl === true && name === "z") suspend()
    else if (ctrl === true && name === "l") drawAnew()
    else if (sequence === "q" && !isTyping) onLeave()
    else if (sequence === "?" && !isTyping) {
      listsKeys = !listsKeys
      draw()
    } else {
      // For a control key, `key` is the name of the key, such as `up`. For any other key, `key` is the typed text.
      const key = name !== undefined && (text === undefined || /[^ -~]/.test(sequence)) ? name : sequence
      if (!isTyping) scrolling.take(key)
      view.onKey?.(key, scrolling)
      draw()
    }
  }

  const enter = (): void => {
    emitKeypressEvents(process.stdin)
    process.stdin.on("keypress", onKeypress).setRawMode(true).resume()
    process.stdout.on("resize", drawAnew).write(ENTER)
    // Restores the terminal even if the program exits while the view is shown.
    process.once("exit", leave)
    timer = setInterval(draw, FRAME_MS)
    drawAnew()
  }

  const leave = (): void => {
    clearInterval(timer)
    process.off("exit", leave)
    process.stdout.off("resize", drawAnew).write(LEAVE)
    process.stdin.off("keypress", onKeypress).setRawMode(false).pause()
  }

  return { enter, leave }
}

/** Shows a view while `work` runs. If the user quits the view, `work` is interrupted. */
export const runView = Effect.fnUntraced(function* <E, R>(view: View, work: Effect.Effect<void, E, R>) {
  const { out } = yield* Output
  const isLeft = yield* Deferred.make<void>()
  const { enter, leave } = makeScreen(view, out.palette, () => Deferred.doneUnsafe(isLeft, Effect.void))
  yield* Effect.acquireUseRelease(
    Effect.sync(enter),
    () => Effect.raceFirst(work, Deferred.await(isLeft)),
    () => Effect.sync(leave)
  )
})
