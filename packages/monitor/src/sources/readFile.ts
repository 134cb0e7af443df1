/**
 * A list in a file, read again when the file has changed. Looking at it works wherever files do, also where another file is put in its
 * place.
 */
import * as Effect from "effect/Effect"
import { readFile, stat } from "node:fs/promises"
import type { Reading } from "./FoundList.ts"
import { readList } from "./readList.ts"

const MAX_BYTES = 64 * 1024 * 1024

/** Differs when the file is another one or has been written to. */
const signatureOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
    () => "missing"
  )

const read = async (file: string): Promise<Reading> => {
  try {
    if ((await stat(file)).size > MAX_BYTES) throw new Error("it is too large")
    return readList(await readFile(file, "utf8"), true)
  } catch (cause) {
    return { _tag: "Failed", message: (cause as Error).message }
  }
}

/** Gives what is in a file, and from then on that only where it has changed. What is being written to is left for the next look. */
export const fileReader = (file: string): Effect.Effect<Reading | undefined> => {
  let known: string | undefined
  let seen: string | undefined
  return Effect.promise(async () => {
    const now = await signatureOf(file)
    const isSettled = seen === undefined || seen === now
    seen = now
    if (now === known || !isSettled) return undefined
    known = now
    return read(file)
  })
}
