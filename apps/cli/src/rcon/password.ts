/** Reads the RCON password from a file, the environment or the terminal. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { UsageError } from "../exitCode.ts"
import { readSecretFile } from "../files/secretFile.ts"

export const PASSWORD_VARIABLE = "SOURCEWIRE_RCON_PASSWORD"

export const readPasswordFile = (file: string) =>
  file === "-"
    ? Effect.fail(new UsageError("--password-file cannot be standard input, which is for commands. Give a file."))
    : readSecretFile(file, "password")

export const environmentPassword = (): Redacted.Redacted<string> | undefined => {
  const password = process.env[PASSWORD_VARIABLE] ?? ""
  return password === "" ? undefined : Redacted.make(password)
}

/** Prompts for a password. The typed characters are not shown. Ctrl-C and Ctrl-D interrupt the command. */
export const promptPassword = (question: string): Effect.Effect<Redacted.Redacted<string>> =>
  Effect.callback((resume) => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
    const end = (answer: Effect.Effect<Redacted.Redacted<string>>) => {
      lines.removeAllListeners().close()
      process.stderr.write("\n")
      resume(answer)
    }
    process.stderr.write(question)
    lines.on("line", (text) => end(Effect.succeed(Redacted.make(text))))
    lines.on("close", () => end(Effect.interrupt))
    return Effect.sync(() => lines.close())
  })
