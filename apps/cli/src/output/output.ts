/** Where the program writes: results to stdout, everything else to stderr. Commands know these two surfaces, not the process. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { type Palette, coloured, plain } from "./text.ts"

export interface Canvas {
  /** Columns of the terminal; {@link DEFAULT_COLUMNS} where there is none. */
  readonly columns: number
  readonly palette: Palette
}

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
