/**
 * A list in a file, read again when the file has changed. Looking at it works wherever files do, also where another file is put in its
 * place.
 */
import * as Effect from "effect/Effect"
import { readFile, stat } from "node:fs/promises"
import type { Reading } from "./FoundList.ts"
import { readList } from "./readList.ts"
import type { Source } from "./Source.ts"

const MAX_BYTES = 64 * 1024 * 1024

/** Differs when the file is another one or has been written to. */
const signatureOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
    () => "missing"
  )

const textOf = async (file: string): Promise<string> => {
  if ((await stat(file)).size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
  return readFile(file, "utf8")
}

const read = (file: string): Effect.Effect<Reading> =>
  Effect.tryPromise({ try: () => textOf(file), catch: (cause) => cause as Error }).pipe(
    Effect.matchEffect({
      onFailure: ({ message }) => Effect.succeed<Reading>({ _tag: "Failed", message }),
      onSuccess: (text) => readList(text, true)
    })
  )

/**
 * Reads a file, and from then on only if it has changed; `begin` runs before each reading. A file that is being written to is left for
 * the next look.
 */
export const fileReader = <E>(
  { where: file }: Pick<Source, "where">,
  begin: Effect.Effect<void, E>
): Effect.Effect<Reading | undefined, E> => {
  let known: string | undefined
  let seen: string | undefined
  return Effect.gen(function* () {
    const now = yield* Effect.promise(() => signatureOf(file))
    const isSettled = seen === undefined || seen === now
    seen = now
    if (now === known || !isSettled) return undefined
    known = now
    yield* begin
    return yield* read(file)
  })
}
