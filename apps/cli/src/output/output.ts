/** The output of the program: results to stdout, everything else to stderr. Commands do not use the process's streams directly. */
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
  /** Writes as many bytes as it can without waiting or buffering, and returns their number. Throws if it can write none. */
  readonly put: (bytes: Uint8Array) => number
}

/** Width of views without a terminal and without `COLUMNS`. */
export const DEFAULT_COLUMNS = 80

/** Wider tables are harder to read, not easier. */
const MAX_COLUMNS = 160

export class Output extends Context.Service<
  Output,
  {
    /** Results, nothing else. */
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

/** Settings of the output by command line and environment. */
export interface OutputStyle {
  /** What `--color` or `--no-color` says. */
  readonly color: "auto" | "always" | "never"
  readonly isQuiet: boolean
}

/**
 * The style that a command line asks for, read before the line is parsed: errors about the line follow it as well. Nothing behind `--`
 * counts.
 */
export const styleIn = (args: ReadonlyArray<string>): OutputStyle => {
  const flags = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined)
  const last = flags.findLast((arg) => /^--(?:no-color|color(?:=.*)?)$/.test(arg))
  const at = last === undefined ? -1 : flags.lastIndexOf(last)
  const [, word = last === "--color" ? flags[at + 1] : "never"] = /=(.*)/.exec(last ?? "") ?? []
  const color = last === undefined || word === "auto" ? "auto" : word === "never" ? "never" : "always"
  return { color, isQuiet: flags.includes("--quiet") || flags.includes("-q") }
}

/** Whether to colour a stream. The flag has priority over `NO_COLOR` (https://no-color.org), and that over `FORCE_COLOR`. */
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
  // The stream has made its pipe non-blocking.
  put: (bytes) => writeSync(stream.fd, bytes),
  line: (...lines) => (lines.length === 0 ? Effect.void : write(stream, `${lines.join("\n")}\n`))
})

/** The surface without its output. */
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
