/** Reads commands from arguments, `--command`, a file or standard input. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { open } from "node:fs/promises"
import { splitLines } from "../lines.ts"
import { cannotRead, reading } from "../exitCode.ts"
import { isQuit } from "./leave.ts"

/** A blank line, or a comment: `//` like in the engines' files, or `#`. */
const IDLE_LINE = /^\s*(?:\/\/|#|$)/

const readChunks = async (file: string): Promise<AsyncIterable<Uint8Array>> =>
  file === "-" ? process.stdin : (await open(file)).createReadStream()

/** The source of commands, and how a file or standard input ends. */
export interface CommandSource {
  /** Commands from the command line. They are sent even if they are `quit` or `exit`. */
  readonly given: ReadonlyArray<string>
  /** File name; `-` is standard input, and empty means no file. */
  readonly file: string
  /** Whether `quit` and `exit` in the file are sent to the server. They stop the server. */
  readonly allowQuit: boolean
  /** Called when `quit` or `exit` ends the session. */
  readonly onLeave: () => void
}

async function* readCommands(
  { allowQuit, given, onLeave }: CommandSource,
  chunks: AsyncIterable<Uint8Array> | undefined
): AsyncGenerator<string> {
  yield* given
  if (chunks === undefined) return
  for await (const line of splitLines(chunks)) {
    if (line === undefined) throw new Error("a line is too long for a command")
    if (IDLE_LINE.test(line)) continue
    if (isQuit(line) && !allowQuit) return onLeave()
    yield line.trim()
  }
}

/**
 * Yields the commands of the command line, then the lines of the file as they arrive, up to the first `quit` or `exit`. If the file does
 * not exist, the effect fails before anything is sent.
 */
export const commandLines = Effect.fnUntraced(function* (source: CommandSource) {
  const { file } = source
  const chunks = file === "" ? undefined : yield* reading(file, () => readChunks(file))
  return Stream.fromAsyncIterable(readCommands(source, chunks), cannotRead(file))
})
