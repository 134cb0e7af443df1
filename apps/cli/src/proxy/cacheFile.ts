/**
 * The proxy's memory across restarts: what it knew of the game servers, in a JSON file that is replaced
 * as a whole. What it says is checked like anything else that comes from outside.
 *
 * @module
 */
import type { SavedUpstream } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFile, stat } from "node:fs/promises"
import { replaceFile } from "../files/replaceFile.ts"
import { jsonLine } from "../output/json.ts"

const Reply = Schema.Struct({ takenAt: Schema.Finite, datagrams: Schema.Array(Schema.String) })

const CacheFile = Schema.Struct({
  version: Schema.Literal(1),
  servers: Schema.Array(
    Schema.Struct({
      upstream: Schema.String,
      address: Schema.optionalKey(Schema.String),
      oversize: Schema.optionalKey(
        Schema.Struct({
          how: Schema.Literals(["split", "whole", "cut"]),
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

const decodeFile = Schema.decodeUnknownResult(CacheFile)

/** 256 servers of 64 KiB of rules in hex; a larger file is none of ours. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** What a cache file holds: nothing when there is none, and a reason when it cannot be used. */
export const readCacheFile = (
  file: string
): Effect.Effect<{ readonly saved: ReadonlyArray<SavedUpstream>; readonly ignored?: string }> =>
  Effect.promise(async () => {
    try {
      if ((await stat(file)).size > MAX_FILE_BYTES) return { saved: [], ignored: "it is too large" }
      const decoded = decodeFile(JSON.parse(await readFile(file, "utf8")))
      return Result.isSuccess(decoded)
        ? { saved: decoded.success.servers }
        : { saved: [], ignored: "it does not hold what a proxy writes" }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === "ENOENT" ? { saved: [] } : { saved: [], ignored: message }
    }
  })

/** Writes what is known; gives what went wrong, if anything did. */
export const writeCacheFile = (
  file: string,
  servers: ReadonlyArray<SavedUpstream>
): Effect.Effect<string | undefined> =>
  Effect.promise(() =>
    replaceFile(file, `${jsonLine({ version: 1, servers })}\n`).then(
      () => undefined,
      (error: Error) => error.message
    )
  )
