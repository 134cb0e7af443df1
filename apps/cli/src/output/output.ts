/**
 * The output of the program: results go to standard output, and all other text to standard error. Commands write to this service, not
 * directly to the streams of the process.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { type Palette, coloured, plain } from "./text.ts"

export interface Canvas {
  /**
   * Width of the views, in columns: the width of the terminal, but at least 40 and at most {@link MAX_COLUMNS} columns. Without a terminal,
   * the width comes from the environment variable `COLUMNS` (default: {@link DEFAULT_COLUMNS}).
   */
  readonly columns: number
  readonly palette: Palette
}

export interface Surface extends Canvas {
  readonly isTerminal: boolean
  /** Writes text, and waits if the reader is slow. */
  readonly write: (text: string) => Effect.Effect<void>
  readonly line: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
  /** Writes text without waiting, so that callbacks can use this function. If the reader is slow, Node buffers the text. */
  readonly writeNow: (text: string) => void
  /**
   * Writes as many bytes as possible without waiting or buffering, and returns the number of written bytes. Throws if it cannot write any
   * bytes.
   */
  readonly put: (bytes: Uint8Array) => number
}

/** Width of views if the output is not a terminal and `COLUMNS` is not set. */
export const DEFAULT_COLUMNS = 80

/** Maximum width of views, even on a wider terminal, because very wide tables are hard to read. */
const MAX_COLUMNS = 160

export class Output extends Context.Service<
  Output,
  {
    /** Standard output, for results only. */
    readonly out: Surface
    /** Standard error, for errors, warnings, traces and prompts. */
    readonly err: Surface
    /** Standard error, for progress, summaries and hints. With `--quiet`, this output is discarded. */
    readonly notes: Surface
  }
>()("sourcewire/Output") {}

const countColumns = (stream: NodeJS.WriteStream): number => {
  const columns = stream.columns ?? Number(process.env["COLUMNS"])
  return Number.isInteger(columns) && columns > 0 ? Math.min(MAX_COLUMNS, Math.max(40, columns)) : DEFAULT_COLUMNS
}

/** Output settings from the command line. */
export interface OutputStyle {
  /** The value of `--color` (default: `auto`). The flag `--no-color` means `--color=never`. */
  readonly color: "auto" | "always" | "never"
  readonly isQuiet: boolean
}

/**
 * Finds the output settings before the command line is parsed, because the error messages of the parser depend on these settings. Arguments
 * after `--` are ignored.
 */
export const styleIn = (args: ReadonlyArray<string>): OutputStyle => {
  const flags = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined)
  const last = flags.findLast((arg) => /^--(?:no-color|color(?:=.*)?)$/.test(arg))
  const at = last === undefined ? -1 : flags.lastIndexOf(last)
  const [, word = last === "--color" ? flags[at + 1] : "never"] = /=(.*)/.exec(last ?? "") ?? []
  const color = last === undefined || word === "auto" ? "auto" : word === "never" ? "never" : "always"
  return { color, isQuiet: flags.includes("--quiet") || flags.includes("-q") }
}

/**
 * Whether to colour the text that is written to a stream. The flag `--color` overrides `NO_COLOR` (https://no-color.org), which overrides
 * `FORCE_COLOR`.
 */
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
  // The width is read again for each view, because the user can resize the terminal.
  get columns() {
    return countColumns(stream)
  },
  isTerminal: stream.isTTY === true,
  palette: wantsColour(stream, color) ? coloured : plain,
  write: (text) => write(stream, text),
  writeNow: (text) => void stream.write(text),
  // If the stream is a pipe, the write does not wait, because Node makes pipes non-blocking.
  put: (bytes) => writeSync(stream.fd, bytes),
  line: (...lines) => (lines.length === 0 ? Effect.void : write(stream, `${lines.join("\n")}\n`))
})

/** Returns a surface that discards its output. */
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
