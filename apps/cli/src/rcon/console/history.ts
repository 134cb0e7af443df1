/**
 * Reads and writes the history file, which contains the lines that the user typed in earlier sessions. The console adds no lines with
 * passwords.
 */
import * as Effect from "effect/Effect"
import { constants } from "node:fs"
import { appendFile, open } from "node:fs/promises"
import { ProgramError } from "../../exitCode.ts"
import { explainSystemError } from "../../systemError.ts"

export const HISTORY_LINES = 500

/** If the file is larger than this number of bytes, only its end is read. */
const MAX_BYTES = 64 * 1024

const readEnd = async (file: string): Promise<ReadonlyArray<string>> => {
  // If the file does not exist, it is created, and only its owner can read it. The file is opened for reading and writing. Therefore, if
  // the file is not writable, the user sees an error before the first command is sent.
  await using handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
  const { size } = await handle.stat()
  const start = Math.max(0, size - MAX_BYTES)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  const lines = buffer.toString("utf8", 0, bytesRead).split("\n")
  // If only the end of the file was read, the first line can be incomplete. Therefore it is dropped.
  return (start === 0 ? lines : lines.slice(1)).filter((line) => line !== "").slice(-HISTORY_LINES)
}

/** Reads the lines of earlier sessions, oldest first. */
export const readHistory = (file: string): Effect.Effect<ReadonlyArray<string>, ProgramError> =>
  Effect.tryPromise({
    try: () => readEnd(file),
    catch: (cause) => new ProgramError(`Cannot use ${file} for the history: ${explainSystemError(cause)}.`)
  })

/** Adds a line to the file. Errors are ignored, because a full disk must not prevent commands. */
export const addToHistory = (file: string, line: string): Effect.Effect<void> =>
  Effect.promise(() => appendFile(file, `${line}\n`, { mode: 0o600 }).catch(() => {}))
