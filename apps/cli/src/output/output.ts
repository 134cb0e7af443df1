/**
 * Where the program writes: results to stdout, everything else to stderr, and on a terminal one line at its bottom while a command works:
 * how far it has come, or that it waits. Commands know these two surfaces, not the process.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { readFileSync, writeSync } from "node:fs"
import { type Palette, coloured, plain, fit, flow, safe } from "./text.ts"

/** Where a view is drawn. */
export interface Canvas {
  /** Columns of the terminal; {@link DEFAULT_COLUMNS} where there is none. */
  readonly columns: number
  readonly palette: Palette
}

/** One of the process's two streams. */
export interface Surface extends Canvas {
  readonly isTerminal: boolean
  /** Writes text as it is; waits while the reader lags behind. */
  readonly write: (text: string) => Effect.Effect<void>
  readonly line: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
  /** {@link write} for callbacks, which cannot wait for anybody. */
  readonly writeNow: (text: string) => void
  /** Writes at once what it can, gives how many bytes that were, and throws when it can write none: it neither waits nor keeps anything. */
  readonly put: (bytes: Uint8Array) => number
}

/** Width of views when nobody looks, unless `COLUMNS` says otherwise. */
export const DEFAULT_COLUMNS = 80

/** Wider tables are harder to read, not easier. */
const MAX_COLUMNS = 160

export class Output extends Context.Service<
  Output,
  {
    /** Results, nothing else. */
    readonly out: Surface
    /** Progress, warnings, traces, errors that concern no single target. */
    readonly err: Surface
  }
>()("sourcewire/Output") {}

const columnsOf = (stream: NodeJS.WriteStream): number => {
  const columns = stream.columns ?? Number(process.env["COLUMNS"])
  return Number.isInteger(columns) && columns > 0 ? Math.min(MAX_COLUMNS, Math.max(40, columns)) : DEFAULT_COLUMNS
}

// https://no-color.org: present and not empty, whatever its value.
const wantsColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (process.env["NO_COLOR"] ?? "") === "" && stream.hasColors()

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.suspend(() =>
    stream.write(text)
      ? Effect.void
      : Effect.callback<void>((resume) => {
          const drained = () => resume(Effect.void)
          stream.once("drain", drained)
          return Effect.sync(() => stream.off("drain", drained))
        })
  )

const surface = (stream: NodeJS.WriteStream & { readonly fd: number }): Surface => ({
  // Somebody may resize the terminal.
  get columns() {
    return columnsOf(stream)
  },
  isTerminal: stream.isTTY === true,
  palette: wantsColour(stream) ? coloured : plain,
  write: (text) => write(stream, text),
  writeNow: (text) => void stream.write(text),
  // Of a pipe the stream has made one that does not block.
  put: (bytes) => writeSync(stream.fd, bytes),
  line: (...lines) => (lines.length === 0 ? Effect.void : write(stream, `${lines.join("\n")}\n`))
})

export const ofProcess = (): typeof Output.Service => ({ out: surface(process.stdout), err: surface(process.stderr) })

/** A sentence behind a head: on a terminal in lines that end at words, elsewhere in one, as programs read it. */
export const told = (
  { columns, isTerminal }: Pick<Surface, "columns" | "isTerminal">,
  head: string,
  sentence: string
): string => (isTerminal ? flow(head, sentence, columns).join("\n") : head + sentence)

/** What the program says when it cannot do what it is asked for. */
export const complaint = (surface: Surface, message: string): string =>
  message
    .split("\n")
    .map((line, i) => told(surface, i === 0 ? `${surface.palette.bad("sourcewire:")} ` : "", safe(line)))
    .join("\n")

/** Whether this runs in front: changing a terminal stops what runs behind (`&`). Where the system does not tell, it is taken to be. */
const isInFront = (): boolean => {
  try {
    const [, , group, , , front] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    return group === front
  } catch {
    return true
  }
}

/** Whether there is a terminal that a view can be shown on, and keys be read from. */
export const canShow = (): boolean =>
  process.stdout.isTTY && process.stdin.isTTY && process.env["TERM"] !== "dumb" && isInFront()

/** The line; there is none where no terminal is. */
export interface Progress {
  /** Prints something with the line out of its way. */
  readonly around: <A, E, R>(print: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const NONE: Progress = { around: (print) => print }

const ERASE = "\r\u001b[K"

/** A line whose text `describe` gives, until the scope closes. */
export const progress = (surface: Surface, describe: () => string): Effect.Effect<Progress, never, Scope.Scope> => {
  if (!surface.isTerminal) return Effect.succeed(NONE)
  const draw = Effect.suspend(() => surface.write(surface.palette.faint(fit(describe(), surface.columns - 1))))
  const erase = surface.write(ERASE)
  return Effect.as(
    Effect.acquireRelease(draw, () => erase),
    { around: (print) => Effect.ensuring(Effect.andThen(erase, print), draw) }
  )
}

const TURNS = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const TURN_MS = 80
/** What comes sooner needs no sign that it is waited for. */
const SPIN_AFTER_MS = 300

/** A line that says that `name` has not answered, until the first print or the end of the scope. */
export const spinner = Effect.fnUntraced(function* (surface: Surface, name: string) {
  if (!surface.isTerminal) return NONE
  const begun = Date.now()
  let turns = 0
  const draw = Effect.suspend(() => {
    const turn = surface.palette.accent(TURNS[turns++ % TURNS.length]!)
    const text = `${name} has not answered for ${((Date.now() - begun) / 1000).toFixed(1)} s`
    return surface.write(`\r${turn} ${surface.palette.faint(fit(text, surface.columns - 3))}`)
  })
  const erase = Effect.suspend(() => {
    const isDrawn = turns > 0
    turns = 0
    return isDrawn ? surface.write(ERASE) : Effect.void
  })
  yield* Effect.addFinalizer(() => erase)
  const turning = Effect.forever(Effect.andThen(draw, Effect.sleep(TURN_MS)))
  const fiber = yield* Effect.forkScoped(Effect.delay(turning, SPIN_AFTER_MS))
  const stopped: Progress = {
    around: (print) => Effect.andThen(Effect.andThen(Fiber.interrupt(fiber), erase), print)
  }
  return stopped
})

/** The surface without such lines, for what writes there meanwhile. */
export const unmoving = (surface: Surface): Surface => ({ ...surface, isTerminal: false })
