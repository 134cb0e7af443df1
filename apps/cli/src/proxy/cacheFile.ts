/** Stores the proxy's cached replies in a JSON file, so that they are not lost at a restart. The file is validated like untrusted input. */
import type { SavedUpstream } from "@sourcewire/proxy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFile, stat } from "node:fs/promises"
import { findFault, ifExists, removeUnfinished, replaceFile } from "../files/replaceFile.ts"
import { jsonLine } from "../output/json.ts"
import { explainSystemError } from "../systemError.ts"

const VERSION = 1

const Reply = Schema.Struct({ takenAt: Schema.Finite, datagrams: Schema.Array(Schema.String) })

const CacheFile = Schema.Struct({
  version: Schema.Literal(VERSION),
  servers: Schema.Array(
    Schema.Struct({
      upstream: Schema.String,
      address: Schema.optionalKey(Schema.String),
      oversize: Schema.optionalKey(
        Schema.Struct({
          how: Schema.Literals(["split", "whole", "truncate"]),
          maxBytes: Schema.Int.check(Schema.isBetween({ minimum: 512, maximum: 65_507 })),
          layout: Schema.optionalKey(Schema.Literals(["source", "source-no-size", "goldsource"])),
          bzip2: Schema.optionalKey(Schema.Boolean)
        })
      ),
      replies: Schema.Struct({
        info: Schema.optionalKey(Reply),
        players: Schema.optionalKey(Reply),
        rules: Schema.optionalKey(Reply)
      })
    })
  )
})

/**
 * The cached replies that were read from a cache file. If the file was ignored, there are no cached replies, and `ignored` contains the
 * reason.
 */
export interface Remembered {
  readonly saved: ReadonlyArray<SavedUpstream>
  /** The reason why the file was ignored, for example `it is not JSON`. */
  readonly ignored?: string
}

const decodeFile = Schema.decodeUnknownResult(CacheFile)

/**
 * Maximum size of the file, in bytes. A file of this size has space for the cached replies of 256 servers, each with 64 KiB of rules.
 * (Replies are stored in hex, which doubles their size.)
 */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Returns the reason why a file cannot be used, for example `it is not the cache of a proxy`. */
const explainIgnored = (content: unknown): string => {
  const { version } = (content ?? {}) as { readonly version?: unknown }
  return typeof version === "number" && version !== VERSION
    ? `another version of this program wrote it (format ${version} instead of ${VERSION})`
    : "it is not the cache of a proxy"
}

const savedIn = async (file: string): Promise<Remembered> => {
  const ignored = (why: string): Remembered => ({ saved: [], ignored: why })
  await removeUnfinished(file)
  const found = await ifExists(stat(file))
  if (found === undefined) return { saved: [] }
  // A pipe or a device is not read, because reading might never end.
  if (!found.isFile()) return ignored("it is not a file")
  if (found.size > MAX_FILE_BYTES) return ignored("it is too large")
  const text = await readFile(file, "utf8")
  const content = Result.try((): unknown => JSON.parse(text))
  if (Result.isFailure(content)) return ignored("it is not JSON")
  const decoded = decodeFile(content.success)
  return Result.isSuccess(decoded) ? { saved: decoded.success.servers } : ignored(explainIgnored(content.success))
}

export const readCacheFile = (file: string): Effect.Effect<Remembered> =>
  Effect.promise(() => savedIn(file).catch((cause: unknown) => ({ saved: [], ignored: explainSystemError(cause) })))

/** Writes the cache file. If the file cannot be written, returns the reason, otherwise `undefined`. */
export const writeCacheFile = (file: string, servers: ReadonlyArray<SavedUpstream>) =>
  findFault(() => replaceFile(file, `${jsonLine({ version: VERSION, servers })}\n`))
