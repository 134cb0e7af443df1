/** A file that holds one secret: a password, a token. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createReadStream } from "node:fs"
import { text } from "node:stream/consumers"
import { UsageError, reading } from "../exitCode.ts"

/** Longer than any secret; a file beyond it is something else. */
const MAX_BYTES = 4096

/** The one line of a file, whose end does not belong to it; `what` is what it holds, as in "password". */
export const readSecretFile = Effect.fnUntraced(function* (file: string, what: string) {
  // Of its beginning, whatever the file is: also a pipe, also one without an end.
  const content = yield* reading(file, () => text(createReadStream(file, { end: MAX_BYTES })))
  const secret = content.replace(/^\ufeff/, "").replace(/\r?\n$/, "")
  if (secret === "") return yield* new UsageError(`There is no ${what} in ${file}.`)
  if (content.length > MAX_BYTES || /[\r\n]/.test(secret)) {
    return yield* new UsageError(`${file} holds more than one line, which is no ${what}.`)
  }
  return Redacted.make(secret)
})
