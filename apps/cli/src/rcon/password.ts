/** Where a password for RCON comes from when nobody types it: a flag, a file, the environment. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { open } from "node:fs/promises"
import { type ProgramError, UsageError, cannotRead } from "../exitCode.ts"

/** The environment variable that holds a password. */
export const PASSWORD_VARIABLE = "SOURCEWIRE_RCON_PASSWORD"

/** Longer than any server's password; a file beyond it is something else. */
const MAX_FILE_BYTES = 4096

/** The beginning of a file, whatever the file is: also a pipe, also one without an end. */
const readStart = async (file: string): Promise<string> => {
  await using handle = await open(file)
  const bytes = Buffer.alloc(MAX_FILE_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.toString("utf8", 0, length)
}

/** The one line of a file; its line end does not belong to the password. */
export const readPasswordFile = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<Redacted.Redacted<string>, ProgramError | UsageError> {
  if (file === "-") {
    return yield* new UsageError({ message: "The password cannot come from standard input, which is for commands." })
  }
  const text = yield* Effect.tryPromise({
    try: () => readStart(file),
    catch: cannotRead(file)
  })
  const password = text.replace(/^\ufeff/, "").replace(/\r?\n$/, "")
  if (password === "") return yield* new UsageError({ message: `There is no password in ${file}.` })
  if (text.length > MAX_FILE_BYTES || /[\r\n]/.test(password)) {
    return yield* new UsageError({ message: `${file} holds more than one line, which is no password.` })
  }
  return Redacted.make(password)
})

/** The password of the environment, if one stands there. */
export const environmentPassword = (): Option.Option<Redacted.Redacted<string>> => {
  const password = process.env[PASSWORD_VARIABLE] ?? ""
  return password === "" ? Option.none() : Option.some(Redacted.make(password))
}
