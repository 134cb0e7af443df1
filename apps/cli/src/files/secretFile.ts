/** Reads a file that contains one secret: a password or a token. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createReadStream } from "node:fs"
import { text } from "node:stream/consumers"
import { UsageError, reading } from "../exitCode.ts"

/** A longer file does not contain a secret. */
const MAX_BYTES = 4096

/** The only line of a file, without its line end; `what` names the secret, as in "password". */
export const readSecretFile = Effect.fnUntraced(function* (file: string, what: string) {
  // Reads only the beginning, because the file may be a pipe or a device without an end.
  const content = yield* reading(file, () => text(createReadStream(file, { end: MAX_BYTES })))
  const secret = content.replace(/^\ufeff/, "").replace(/\r?\n$/, "")
  if (secret === "") return yield* new UsageError(`${file} is empty. It must contain one line with the ${what}.`)
  if (content.length > MAX_BYTES || /[\r\n]/.test(secret)) {
    return yield* new UsageError(`${file} has more than one line. It must contain one line with the ${what}.`)
  }
  return Redacted.make(secret)
})
