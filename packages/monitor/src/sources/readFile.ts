/**
 * Reads a list from a file, and reads the file again after it has changed. The file is polled, because file watchers miss some changes, for
 * example on network disks, or when another file is moved to the path.
 */
import * as Effect from "effect/Effect"
import { readFile, stat } from "node:fs/promises"
import type { Reading } from "./FoundList.ts"
import { readList } from "./readList.ts"
import type { Source } from "./Source.ts"

const MAX_BYTES = 64 * 1024 * 1024

/**
 * Reasons why a file cannot be read, by the operating system's error code. All users of the dashboard can read these texts. The operating
 * system's own messages are not used, because they contain the path of the file and an error code.
 */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "the monitor is not permitted to read it",
  EPERM: "the monitor is not permitted to read it",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "the monitor has too many open files",
  ENFILE: "the system has too many open files",
  EIO: "the disk reports an error"
}

/** Returns a text that changes when the file is replaced or written to. */
export const readSignature = (file: string): Promise<string> =>
  stat(file).then(
    ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
    () => "missing"
  )

const failed = (reason: string): Reading => ({ _tag: "Failed", message: `the file cannot be read: ${reason}` })

const read = (file: string): Effect.Effect<Reading> =>
  Effect.promise(async (): Promise<string | Reading> => {
    try {
      if ((await stat(file)).size > MAX_BYTES) return failed(`it has more than ${MAX_BYTES} bytes`)
      return await readFile(file, "utf8")
    } catch (cause) {
      return failed(REASONS[(cause as NodeJS.ErrnoException).code ?? ""] ?? "the operating system reports an error")
    }
  }).pipe(Effect.flatMap((text) => (typeof text === "string" ? readList(text, true) : Effect.succeed(text))))

/**
 * Polls a file, and reads the file if it has changed since the last reading. `begin` runs before each reading. If the file has changed
 * since the last poll, a program may still be writing to the file. Therefore the file is read only when the next poll finds no further
 * change.
 */
export const fileReader = <E>(
  { where: file }: Pick<Source, "where">,
  begin: Effect.Effect<void, E>
): Effect.Effect<Reading | undefined, E> => {
  let known: string | undefined
  let seen: string | undefined
  return Effect.gen(function* () {
    const now = yield* Effect.promise(() => readSignature(file))
    const isSettled = seen === undefined || seen === now
    seen = now
    if (now === known || !isSettled) return undefined
    known = now
    yield* begin
    return yield* read(file)
  })
}
