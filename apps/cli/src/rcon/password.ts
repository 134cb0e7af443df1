/** Where a password for RCON comes from when nobody types it: a flag, a file, the environment. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../exitCode.ts"
import { readSecretFile } from "../files/secretFile.ts"

/** The environment variable that holds a password. */
export const PASSWORD_VARIABLE = "SOURCEWIRE_RCON_PASSWORD"

/** The password in a file. */
export const readPasswordFile = (file: string) =>
  file === "-"
    ? Effect.fail(new UsageError("The password cannot come from standard input, which is for commands."))
    : readSecretFile(file, "password")

/** The password of the environment, if one stands there. */
export const environmentPassword = (): Redacted.Redacted<string> | undefined => {
  const password = process.env[PASSWORD_VARIABLE] ?? ""
  return password === "" ? undefined : Redacted.make(password)
}
