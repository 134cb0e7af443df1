/** Reads a file with a secret: a password or a token. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createReadStream } from "node:fs"
import { buffer } from "node:stream/consumers"
import { UsageError, reading } from "../exitCode.ts"

/** Maximum size of a file with a secret, in bytes. */
const MAX_BYTES = 4096

/** Returns the only line of a file, without the line end. Error messages call the secret `what`. */
export const readSecretFile = Effect.fnUntraced(function* (file: string, what: string) {
  // Only the beginning of the file is read, because the file can be a pipe or a device without an end.
  const content = yield* reading(file, () => buffer(createReadStream(file, { end: MAX_BYTES })))
  const secret = content
    .toString()
    .replace(/^\ufeff/, "")
    .replace(/\r?\n$/, "")
  if (secret === "") return yield* new UsageError(`${file} is empty. It must contain one line with the ${what}.`)
  const hasLines = /[\r\n]/.test(secret)
  if (hasLines || content.length > MAX_BYTES) {
    const problem = hasLines ? "has more than one line" : `is larger than ${MAX_BYTES} bytes`
    return yield* new UsageError(`${file} ${problem}. It must contain one line with the ${what}.`)
  }
  return Redacted.make(secret)
})
