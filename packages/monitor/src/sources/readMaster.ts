/** Reads lists of game servers from master servers. */
import { Client } from "@sourcewire/core"
import { masterPages, type PagingEnd } from "@sourcewire/core/master"
import type { Datagrams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Reading } from "./FoundList.ts"
import { parseList } from "./readList.ts"
import type { Source } from "./Source.ts"

/** If the paging ends for one of these reasons, the list is treated as complete. */
const COMPLETE: ReadonlySet<PagingEnd> = new Set(["complete", "empty", "silence"])

/**
 * Reads a list of game servers from a master server. If the request for a page fails, the servers of the earlier pages form a partial list.
 * The monitor does not remove a known server that is missing from a partial list.
 */
export const masterReader = (source: Source): Effect.Effect<Reading, never, Datagrams> =>
  Effect.gen(function* () {
    const { allowLocal, filter, max, region, where } = source
    const found: Array<string> = []
    let end: PagingEnd | undefined
    const trouble = yield* masterPages(where, { filter, region, maxServers: max }).pipe(
      Stream.runForEach((page) =>
        Effect.sync(() => {
          for (const server of page.servers) found.push(server)
          end = page.end
        })
      ),
      Effect.provide(Client.layer()),
      Effect.match({ onFailure: ({ message }) => message, onSuccess: () => undefined })
    )
    if (trouble !== undefined && found.length === 0) return { _tag: "Failed", message: trouble }
    const isWhole = trouble === undefined && end !== undefined && COMPLETE.has(end)
    const partial = isWhole ? undefined : (trouble ?? `the end of the list is not confirmed (${end ?? "none"})`)
    return yield* Effect.match(parseList(found, allowLocal), {
      onFailure: ({ message }): Reading => ({ _tag: "Failed", message }),
      onSuccess: (list): Reading => ({ _tag: "Listed", ...list, partial })
    })
  })
