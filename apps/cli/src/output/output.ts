/**
 * The output of the program: results on standard output, everything else on standard error. Commands do not use the process's streams
 * directly.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { type Palette, coloured, plain } from "./text.ts"

export interface Canvas {
  /** Columns of the terminal; {@link DEFAULT_COLUMNS} without a terminal. */
  readonly columns: number
  readonly palette: Palette
}

export interface Surface extends Canvas {
  readonly isTerminal: boolean
  /** Writes text, and waits if the reader is slow. */
  readonly write: (text: string) => Effect.Effect<void>
  readonly line: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
  /** {@link write} for callbacks, which cannot wait. */
  readonly writeNow: (text: string) => void
  /** Writes as many bytes as possible without waiting or buffering, and returns their number. Throws if it can write no byte. */
  readonly put: (bytes: Uint8Array) => number
}

/** Width of views without a terminal and without `COLUMNS`. */
export const DEFAULT_COLUMNS = 80

/** Wider tables are harder to read. */
const MAX_COLUMNS = 160

export class Output extends Context.Service<
  Output,
  {
    /** Results only. */
    readonly out: Surface
    /** Errors, warnings, traces and prompts. */
    readonly err: Surface
    /** Progress, summaries and hints: standard error, or nothing with `--quiet`. */
    readonly notes: Surface
  }
>()("sourcewire/Output") {}

const countColumns = (stream: NodeJS.WriteStream): number => {
  const columns = stream.columns ?? Number(process.env["COLUMNS"])
  return Number.isInteger(columns) && columns > 0 ? Math.min(MAX_COLUMNS, Math.max(40, columns)) : DEFAULT_COLUMNS
}

/** Output settings from the command line and the environment. */
export interface OutputStyle {
  /** The value of `--color` or `--no-color`. */
  readonly color: "auto" | "always" | "never"
  readonly isQuiet: boolean
}

/**
 * The output settings of a command line. They are determined before the line is parsed, because they also apply to errors of the parser.
 * Arguments after `--` are ignored.
 */
export const styleIn = (args: ReadonlyArray<string>): OutputStyle => {
  const flags = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined)
  const last = flags.findLast((arg) => /^--(?:no-color|color(?:=.*)?)$/.test(arg))
  const at = last === undefined ? -1 : flags.lastIndexOf(last)
  const [, word = last === "--color" ? flags[at + 1] : "never"] = /=(.*)/.exec(last ?? "") ?? []
  const color = last === undefined || word === "auto" ? "auto" : word === "never" ? "never" : "always"
  return { color, isQuiet: flags.includes("--quiet") || flags.includes("-q") }
}

/** Whether to colour a stream. The flag overrides `NO_COLOR` (https://no-color.org), which overrides `FORCE_COLOR`. */
const wantsColour = (stream: NodeJS.WriteStream, color: OutputStyle["color"]): boolean => {
  if (color !== "auto") return color === "always"
  if ((process.env["NO_COLOR"] ?? "") !== "") return false
  const force = process.env["FORCE_COLOR"] ?? ""
  if (force !== "") return !/^(?:0|false)$/i.test(force)
  return stream.isTTY === true && stream.hasColors()
}

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

const surface = (stream: NodeJS.WriteStream & { readonly fd: number }, color: OutputStyle["color"]): Surface => ({
  // The user may resize the terminal.
  get columns() {
    return countColumns(stream)
  },
  isTerminal: stream.isTTY === true,
  palette: wantsColour(stream, color) ? coloured : plain,
  write: (text) => write(stream, text),
  writeNow: (text) => void stream.write(text),
  // Node has made the pipe non-blocking.
  put: (bytes) => writeSync(stream.fd, bytes),
  line: (...lines) => (lines.length === 0 ? Effect.void : write(stream, `${lines.join("\n")}\n`))
})

/** A surface that discards its output. */
const silent = (surface: Surface): Surface => ({
  ...surface,
  isTerminal: false,
  write: () => Effect.void,
  line: () => Effect.void,
  writeNow: () => {},
  put: ({ length }) => length
})

export const ofProcess = ({ color, isQuiet }: OutputStyle): typeof Output.Service => {
  const err = surface(process.stderr, color)
  return { out: surface(process.stdout, color), err, notes: isQuiet ? silent(err) : err }
}
