/**
 * A view on the whole terminal, drawn anew when something changes: its lines, the keys that are pressed, the terminal as it was when it
 * ends. What the views need is a few control sequences; a library of widgets would be larger than the program (`docs/adr/0018-live-views.md`).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type Key, emitKeypressEvents } from "node:readline"
import type { Palette } from "../output/text.ts"
import { Output } from "../output/output.ts"
import { type Frame, type ScreenCanvas, Scrolling, linesOf } from "./frame.ts"

export interface View {
  /** What is to be seen now. No line is wider than the canvas. */
  readonly frame: (canvas: ScreenCanvas) => Frame
  /** A key: the name of one that writes nothing (`up`, `pagedown`, `return`), of others what it writes. */
  readonly onKey?: (key: string) => void
  /** Whether letters are being typed; else `q` leaves, and others scroll. */
  readonly isTyping?: () => boolean
}

const CSI = "\u001b["
/** The other screen, without cursor and line wrap. */
const ENTER = `${CSI}?1049h${CSI}?25l${CSI}?7l`
const LEAVE = `${CSI}?7h${CSI}?25h${CSI}?1049l`
/** Terminals that know these show what stands between them at once. */
const BEGIN = `${CSI}?2026h`
const END = `${CSI}?2026l`

/** How often a view is drawn, in ms; of its lines, those are written that have changed. */
const FRAME_MS = 200

const sizeOf = (given: number | undefined, variable: string, otherwise: number): number =>
  [given, Number(process.env[variable])].find((size) => size !== undefined && size > 0) ?? otherwise

const screenOf = (view: View, palette: Palette, onLeave: () => void) => {
  let drawn: ReadonlyArray<string> = []
  let timer: NodeJS.Timeout | undefined
  const scrolling = new Scrolling()

  const draw = (): void => {
    const columns = sizeOf(process.stdout.columns, "COLUMNS", 80)
    const rows = sizeOf(process.stdout.rows, "LINES", 24)
    const canvas = { columns, rows, palette, scrolling }
    const lines = linesOf(view.frame(canvas), canvas).slice(0, rows)
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
    // Windows has no jobs.
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
    else {
      // Of keys that write nothing, only the name tells them apart.
      const key = name !== undefined && (text === undefined || /[^ -~]/.test(sequence)) ? name : sequence
      if (!isTyping) scrolling.take(key)
      view.onKey?.(key)
      draw()
    }
  }

  const enter = (): void => {
    emitKeypressEvents(process.stdin)
    process.stdin.on("keypress", onKeypress).setRawMode(true).resume()
    process.stdout.on("resize", drawAnew).write(ENTER)
    // However the program ends.
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

/** Shows a view while the work goes on that it is about; that ends when somebody leaves. */
export const showing = Effect.fnUntraced(function* <E, R>(view: View, work: Effect.Effect<void, E, R>) {
  const { out } = yield* Output
  const isLeft = yield* Deferred.make<void>()
  const { enter, leave } = screenOf(view, out.palette, () => Deferred.doneUnsafe(isLeft, Effect.void))
  yield* Effect.acquireUseRelease(
    Effect.sync(enter),
    () => Effect.raceFirst(work, Deferred.await(isLeft)),
    () => Effect.sync(leave)
  )
})
