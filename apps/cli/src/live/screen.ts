/**
 * A view on the whole terminal, drawn anew when something changes: its lines, the keys that are pressed, the terminal as it was when it
 * ends. What the views need is a few control sequences; a library of widgets would be larger than the program (`docs/adr/0018-live-views.md`).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type Key, emitKeypressEvents } from "node:readline"
import type { Palette } from "../output/text.ts"
import { Output } from "../output/output.ts"
import { type ScreenCanvas, Scrolling } from "./frame.ts"

export interface View {
  /** Lines from the top, none wider than the canvas, and not more. */
  readonly lines: (canvas: ScreenCanvas) => ReadonlyArray<string>
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

/** Longest that a change waits to be drawn, in ms. */
const FRAME_MS = 100

const sizeOf = (given: number | undefined, variable: string, otherwise: number): number =>
  [given, Number(process.env[variable])].find((size) => size !== undefined && size > 0) ?? otherwise

class Screen {
  readonly #view: View
  readonly #palette: Palette
  readonly #onLeave: () => void
  #drawn: ReadonlyArray<string> = []
  #timer: NodeJS.Timeout | undefined
  #isShown = false
  readonly #scrolling = new Scrolling()

  constructor(view: View, palette: Palette, onLeave: () => void) {
    this.#view = view
    this.#palette = palette
    this.#onLeave = onLeave
  }

  /** Draws soon, once for all changes until then. */
  readonly redraw = (): void => {
    if (this.#isShown) this.#timer ??= setTimeout(this.#draw, FRAME_MS)
  }

  /** Takes the terminal. */
  readonly enter = (): void => {
    emitKeypressEvents(process.stdin)
    process.stdin.on("keypress", this.#onKeypress).setRawMode(true).resume()
    process.stdout.on("resize", this.#onResize).write(ENTER)
    // However the program ends.
    process.once("exit", this.leave)
    this.#isShown = true
    this.#drawn = []
    this.#draw()
  }

  /** Gives it back. */
  readonly leave = (): void => {
    this.#isShown = false
    clearTimeout(this.#timer)
    process.off("exit", this.leave)
    process.stdout.off("resize", this.#onResize).write(LEAVE)
    process.stdin.off("keypress", this.#onKeypress).setRawMode(false).pause()
  }

  readonly #onResize = (): void => {
    this.#drawn = []
    this.redraw()
  }

  readonly #onKeypress = (text: string | undefined, { ctrl, name, sequence = "" }: Key): void => {
    const isTyping = this.#view.isTyping?.() === true
    if (ctrl === true && name === "c") process.kill(process.pid, "SIGINT")
    else if (ctrl === true && name === "z") this.#suspend()
    else if (ctrl === true && name === "l") this.#onResize()
    else if (sequence === "q" && !isTyping) this.#onLeave()
    else {
      // Of keys that write nothing, only the name tells them apart.
      const key = name !== undefined && (text === undefined || /[^ -~]/.test(sequence)) ? name : sequence
      if (!isTyping) this.#scrolling.take(key)
      this.#view.onKey?.(key)
      this.#draw()
    }
  }

  #suspend(): void {
    // Windows has no jobs.
    if (process.platform === "win32") return
    this.leave()
    process.once("SIGCONT", this.enter)
    process.kill(process.pid, "SIGTSTP")
  }

  readonly #draw = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const columns = sizeOf(process.stdout.columns, "COLUMNS", 80)
    const rows = sizeOf(process.stdout.rows, "LINES", 24)
    const lines = this.#view.lines({ columns, rows, palette: this.#palette, scrolling: this.#scrolling }).slice(0, rows)
    const changed = lines.flatMap((line, i) => (line === this.#drawn[i] ? [] : [`${CSI}${i + 1};1H${CSI}2K${line}`]))
    const below = lines.length < rows && lines.length < this.#drawn.length ? `${CSI}${lines.length + 1};1H${CSI}J` : ""
    const whole = this.#drawn.length === 0 ? `${CSI}2J` : ""
    if (whole + below !== "" || changed.length > 0) {
      process.stdout.write(BEGIN + whole + changed.join("") + below + END)
    }
    this.#drawn = lines
  }
}

export interface Shown {
  readonly redraw: () => void
  /** Ends when somebody leaves. */
  readonly left: Effect.Effect<void>
}

/** Shows a view until the scope closes, and draws it anew every `everyMs`. */
export const show = Effect.fnUntraced(function* (view: View, everyMs: number) {
  const { out } = yield* Output
  const isLeft = yield* Deferred.make<void>()
  const screen = new Screen(view, out.palette, () => Deferred.doneUnsafe(isLeft, Effect.void))
  yield* Effect.acquireRelease(Effect.sync(screen.enter), () => Effect.sync(screen.leave))
  yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.sync(screen.redraw), everyMs)))
  const shown: Shown = { redraw: screen.redraw, left: Deferred.await(isLeft) }
  return shown
})
