/** Where commands come from when nobody sits at a prompt: arguments, `--command`, a file, standard input. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { open } from "node:fs/promises"
import { linesOf } from "../lines.ts"
import { cannotRead, reading } from "../exitCode.ts"

/** Blank, or a comment: `//` as in the engines' own files, `#` as everywhere else. */
const IDLE_LINE = /^\s*(?:\/\/|#|$)/

const chunksOf = async (file: string): Promise<AsyncIterable<Uint8Array>> =>
  file === "-" ? process.stdin : (await open(file)).createReadStream()

async function* commandsOf(
  given: ReadonlyArray<string>,
  chunks: AsyncIterable<Uint8Array> | undefined
): AsyncGenerator<string> {
  yield* given
  if (chunks === undefined) return
  for await (const line of linesOf(chunks)) {
    if (line === undefined) throw new Error("a line is too long to be a command")
    if (!IDLE_LINE.test(line)) yield line.trim()
  }
}

/**
 * The commands `given`, then the lines of `file` (`-` is standard input), each as it comes. A file that is not there fails at
 * once, before anything is sent.
 */
export const commandLines = Effect.fnUntraced(function* (given: ReadonlyArray<string>, file = "") {
  const chunks = file === "" ? undefined : yield* reading(file, () => chunksOf(file))
  return Stream.fromAsyncIterable(commandsOf(given, chunks), cannotRead(file))
})
