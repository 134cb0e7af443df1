/**
 * A configuration file in JSON: read by a schema, and read again when it has changed or SIGHUP asks for it. Looking once a second works
 * wherever files do: on network drives, and where editors and orchestrators put another file in the place of the old one.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { readFile, stat } from "node:fs/promises"
import { UsageError } from "../exitCode.ts"
import type { Log } from "../output/log.ts"
import { atHangUp } from "../output/outlive.ts"

const LOOK_MS = 1000
/** Room for a million targets. */
const MAX_BYTES = 64 * 1024 * 1024

const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const pathText = (path: ReadonlyArray<unknown> | undefined): string =>
  (path ?? []).reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text === "" ? "" : "."}${String(key)}`),
    ""
  )

const issueText = (issue: { readonly message: string; readonly path?: ReadonlyArray<unknown> | undefined }): string => {
  const path = pathText(issue.path)
  if (/excess property/i.test(issue.message)) return `there is no setting ${path}`
  return `${path === "" ? "the file" : path}: ${issue.message.replace(/^Expected/, "expected")}`
}

/** What a text of JSON says by a schema. Keys that the schema does not name are errors: most of them are typing errors. */
export const decodeConfig = <A, I>(schema: Schema.Codec<A, I>, text: string): Result.Result<A, UsageError> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new UsageError(`it is no JSON: ${(cause as Error).message}`)
  }).pipe(
    Result.flatMap((json) =>
      Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(json).pipe(
        Result.mapError(({ issue }) => new UsageError(listIssues(issue).issues.map(issueText).join("; ")))
      )
    )
  )

/** Makes something of a file's text. */
export type Parse<A> = (text: string) => Result.Result<A, { readonly message: string }>

export const readConfig = <A>(file: string, parse: Parse<A>): Effect.Effect<A, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      if ((await stat(file)).size > MAX_BYTES) throw new Error("it is too large")
      return await readFile(file, "utf8")
    },
    catch: (cause) => new UsageError((cause as Error).message)
  }).pipe(
    Effect.flatMap((text) => Effect.fromResult(parse(text))),
    Effect.mapError(({ message }) => new UsageError(`${file}: ${message}`))
  )

/** Differs when the file is another one or has been written to. */
const signatureOf = (file: string): Effect.Effect<string> =>
  Effect.promise(() =>
    stat(file).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => "missing"
    )
  )

/**
 * Applies what a file says each time that it says something else, for the life of the scope; `apply` gives how much that is, for the
 * log. A file that makes no sense changes nothing, and the log says why.
 */
export const followConfig = Effect.fnUntraced(function* <A>(
  file: string,
  parse: Parse<A>,
  apply: (config: A) => Effect.Effect<string, { readonly message: string }>,
  log: Log
) {
  let isAsked = false
  yield* atHangUp(() => (isAsked = true))
  let known = yield* signatureOf(file)

  const reload = readConfig(file, parse).pipe(
    Effect.flatMap(apply),
    Effect.result,
    Effect.map((result) => {
      if (Result.isSuccess(result)) return log("info", "reloaded", `${file} is in force: ${result.success}`, { file })
      const { message } = result.failure
      return log("error", "reload-failed", `the configuration stays as it was. ${message}`, { file, reason: message })
    })
  )

  yield* Effect.gen(function* () {
    const now = yield* signatureOf(file)
    if (now === known && !isAsked) return
    known = now
    isAsked = false
    yield* reload
  }).pipe(Effect.delay(LOOK_MS), Effect.forever, Effect.forkScoped)
})
