/** Reads commands from arguments, `--command`, a file or standard input. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { open } from "node:fs/promises"
import { splitLines } from "../lines.ts"
import { cannotRead, reading } from "../exitCode.ts"
import { isQuit } from "./leave.ts"

/** Matches a blank line or a comment. A comment begins with `//`, as in the configuration files of the engines, or with `#`. */
const IDLE_LINE = /^\s*(?:\/\/|#|$)/

const readChunks = async (file: string): Promise<AsyncIterable<Uint8Array>> =>
  file === "-" ? process.stdin : (await open(file)).createReadStream()

/** The sources of commands, and settings for the commands `quit` and `exit`. */
export interface CommandSource {
  /** Commands from the command line. All of them are sent to the server, even `quit` and `exit`. */
  readonly given: ReadonlyArray<string>
  /** The file with further commands. `-` means standard input. If this text is empty, no file is read. */
  readonly file: string
  /** Whether `quit` and `exit` in the file are sent to the server. If the server receives one of these commands, it stops. */
  readonly allowQuit: boolean
  /** If `allowQuit` is false, the first `quit` or `exit` in the file ends the session, and this function is called. */
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
 * Yields the commands of the command line. After them, the stream yields each command in the file as soon as the line with this command has
 * been read. If `allowQuit` is false, the stream ends at the first `quit` or `exit` in the file. If the file cannot be opened, the effect
 * fails before the first command is sent.
 */
export const commandLines = Effect.fnUntraced(function* (source: CommandSource) {
  const { file } = source
  const chunks = file === "" ? undefined : yield* reading(file, () => readChunks(file))
  return Stream.fromAsyncIterable(readCommands(source, chunks), cannotRead(file))
})
