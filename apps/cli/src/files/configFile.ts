/**
 * Reads a configuration file according to a schema. Reloads the file if it changes, or on SIGHUP. The program checks once a second whether
 * the file has changed. The program does not rely on change notifications of the file system. These notifications can be lost if the file
 * is on a network drive, or if an editor or an orchestrator replaces the file.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFile, stat } from "node:fs/promises"
import { UsageError } from "../exitCode.ts"
import type { Log } from "../output/log.ts"
import { onHangUp } from "../output/keepRunning.ts"
import { explainSystemError } from "../systemError.ts"
import { schemaProblems } from "./schemaProblems.ts"

const POLL_MS = 1000
/** Maximum size of a configuration file, in bytes. A file with a million targets is smaller. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Describes where a text is not valid JSON. The position is read from the message of the JSON parser's error, because the error has no
 * property with the position.
 */
const locateJsonError = (text: string, message: string): string => {
  const [, position] = /position (\d+)/.exec(message) ?? []
  const [, token] = /Unexpected token:? '?(.+?)'?(?:,|$)/.exec(message) ?? []
  if (text.trim() === "") return "the file is empty"
  if (position === undefined && token !== undefined) return `unexpected ${JSON.stringify(token)}`
  if (position === undefined) return /end of|EOF/.test(message) ? "the text ends too early" : "it has a syntax error"
  const before = text.slice(0, Number(position)).split("\n")
  const found = text.slice(Number(position), Number(position) + 1)
  const what = found === "" ? "the text ends too early" : `unexpected ${JSON.stringify(found)}`
  return `${what} in line ${before.length}, column ${before.at(-1)!.length + 1}`
}

/** Decodes JSON according to a schema. Unknown keys are errors, because most of them are misspelt. */
export const decodeConfig = <A, I>(schema: Schema.Codec<A, I>, text: string): Result.Result<A, UsageError> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new UsageError(`it is not JSON: ${locateJsonError(text, (cause as Error).message)}`)
  }).pipe(
    Result.flatMap((json) =>
      Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(json).pipe(
        Result.mapError(({ issue }) => new UsageError(schemaProblems(issue, json)))
      )
    )
  )

export type Parse<A> = (text: string) => Result.Result<A, { readonly message: string }>

export const readConfig = <A>(file: string, parse: Parse<A>): Effect.Effect<A, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      if ((await stat(file)).size > MAX_BYTES) throw new Error("it is too large")
      return await readFile(file, "utf8")
    },
    catch: (cause) => new UsageError(`Cannot read ${file}: ${explainSystemError(cause)}.`)
  }).pipe(
    Effect.flatMap((text) =>
      Result.match(parse(text), {
        onSuccess: Effect.succeed,
        onFailure: ({ message }) => Effect.fail(new UsageError(`${file} is not valid: ${message.replace(/\.$/, "")}.`))
      })
    )
  )

/**
 * Returns a text that identifies the current version of the file. If the file was changed or replaced since the previous call, this
 * function returns a different text than in that call.
 */
const readSignature = (file: string): Effect.Effect<string> =>
  Effect.promise(() =>
    stat(file).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => "missing"
    )
  )

/**
 * Follows a configuration file until the scope closes. Whenever the file changes, and on SIGHUP, this function reads the file and calls
 * `apply`. `apply` returns a summary for the log. If the file is invalid, the old settings stay in use and the error is logged.
 */
export const followConfig = Effect.fnUntraced(function* <A>(
  file: string,
  parse: Parse<A>,
  apply: (config: A) => Effect.Effect<string, { readonly message: string }>,
  log: Log
) {
  let isReloadRequested = false
  yield* onHangUp(() => (isReloadRequested = true))
  let known = yield* readSignature(file)

  const reload = readConfig(file, parse).pipe(
    Effect.flatMap(apply),
    Effect.result,
    Effect.map((result) => {
      if (Result.isSuccess(result)) return log("info", "reloaded", `${file} was reloaded: ${result.success}`, { file })
      const { message } = result.failure
      return log("error", "reload-failed", `the old configuration stays in use. ${message}`, { file, reason: message })
    })
  )

  yield* Effect.gen(function* () {
    const now = yield* readSignature(file)
    if (now === known && !isReloadRequested) return
    known = now
    isReloadRequested = false
    yield* reload
  }).pipe(Effect.delay(POLL_MS), Effect.forever, Effect.forkScoped)
})
