/** A file that holds one secret: a password, a token. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { open } from "node:fs/promises"
import { type ProgramError, UsageError, cannotRead } from "../exitCode.ts"

/** Longer than any secret; a file beyond it is something else. */
const MAX_BYTES = 4096

/** The beginning of a file, whatever the file is: also a pipe, also one without an end. */
const readStart = async (file: string): Promise<string> => {
  await using handle = await open(file)
  const bytes = Buffer.alloc(MAX_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.toString("utf8", 0, length)
}

/** The one line of a file, whose end does not belong to it; `what` is what it holds, as in "password". */
export const readSecretFile = Effect.fnUntraced(function* (
  file: string,
  what: string
): Effect.fn.Return<Redacted.Redacted<string>, ProgramError | UsageError> {
  const text = yield* Effect.tryPromise({ try: () => readStart(file), catch: cannotRead(file) })
  const secret = text.replace(/^\ufeff/, "").replace(/\r?\n$/, "")
  if (secret === "") return yield* new UsageError(`There is no ${what} in ${file}.`)
  if (text.length > MAX_BYTES || /[\r\n]/.test(secret)) {
    return yield* new UsageError(`${file} holds more than one line, which is no ${what}.`)
  }
  return Redacted.make(secret)
})
