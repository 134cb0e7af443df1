/** Reads commands from arguments, `--command`, a file or standard input. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { open } from "node:fs/promises"
import { splitLines } from "../lines.ts"
import { cannotRead, reading } from "../exitCode.ts"
import { isQuit } from "./leave.ts"

/** Blank, or a comment: `//` as in the engines' own files, `#` as everywhere else. */
const IDLE_LINE = /^\s*(?:\/\/|#|$)/

const readChunks = async (file: string): Promise<AsyncIterable<Uint8Array>> =>
  file === "-" ? process.stdin : (await open(file)).createReadStream()

/** Where commands come from, and how a file or standard input ends. */
export interface CommandSource {
  /** Commands of the command line. They are sent whatever they are. */
  readonly given: ReadonlyArray<string>
  /** `-` is standard input; empty for no file. */
  readonly file: string
  /** Whether a line `quit` or `exit` of the file is sent to the server, which stops it. */
  readonly allowQuit: boolean
  /** Called when such a line ends the session instead. */
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
 * The commands of the command line, then the lines of the file, each as it comes, up to the first `quit` or `exit`. A file that is
 * not there fails at once, before anything is sent.
 */
export const commandLines = Effect.fnUntraced(function* (source: CommandSource) {
  const { file } = source
  const chunks = file === "" ? undefined : yield* reading(file, () => readChunks(file))
  return Stream.fromAsyncIterable(readCommands(source, chunks), cannotRead(file))
})
