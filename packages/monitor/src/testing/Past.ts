/**
 * Fills a store with history, as if the monitor had already monitored its targets for some time. The module is used in tests, and for
 * screenshots of pages that show history.
 *
 * @module
 */
import type { ScanResult } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import type { Plan } from "../config/Config.ts"
import { ALL_SLICES } from "../store/slices.ts"
import { Store } from "../store/Store.ts"
import { StoreWriter } from "../watch/StoreWriter.ts"
import { observe } from "../watch/observe.ts"
import { type Answer, unknown, Watched } from "../watch/Watched.ts"

/** A reply of a target, with its round-trip time. */
export interface PastAnswer extends Answer {
  readonly rttMs: number
}

/** Number of rounds whose results are written together. A round contains one query of each target. */
const ROUNDS_PER_WRITE = 200

/**
 * Stores history as if each target had been queried at all `times`. The times must be in ascending order. `answerAt` returns the reply of a
 * target to the query at a time, or `undefined` if this query timed out.
 */
export const givePast = Effect.fnUntraced(function* (
  plan: Plan,
  times: Iterable<number>,
  answerAt: (address: string, atMs: number) => PastAnswer | undefined
) {
  const store = yield* Store
  const writer = new StoreWriter({ store, onEvent: () => undefined, onLost: () => undefined })
  yield* store.claim("past", ALL_SLICES)
  const wanted = [...plan.targets].map(([address, { labels, name }]) => ({ address, labels, group: name, slice: 0 }))
  yield* store.enlist(wanted, 0)
  const all = [...times]
  // If the interval of a target were much shorter than the gap between two successive times, the store would show a part of the gap as not
  // monitored. Therefore the interval is at least as long as the largest gap.
  const gap = Math.max(0, ...all.slice(1).map((at, i) => at - all[i]!))
  const ids = yield* store.watched
  const stored = yield* store.known("targets", [...ids.values()])
  const targets = [...plan.targets].map(([address, group]) => {
    const id = ids.get(address)!
    return new Watched(
      id,
      address,
      { host: address.slice(0, address.lastIndexOf(":")), port: 1, family: 4 },
      { ...group, intervalMs: Math.max(group.intervalMs, gap), downIntervalMs: Math.max(group.downIntervalMs, gap) },
      stored.get(id) ?? unknown()
    )
  })
  let lastId = 0
  let round = 0
  for (const at of all) {
    for (const target of targets) {
      const answer = answerAt(target.address, at)
      const where = { target, address: target.host, port: 1, sent: 1, received: 1 }
      const error = { _tag: "Timeout", message: `No reply to A2S_INFO within 3000 ms, sent 5 times.` }
      const result =
        answer === undefined ? { _tag: "Failed", ...where, error } : { _tag: "Answered", ...where, ...answer }
      const { changes, finished, incident } = observe(target, result as ScanResult<"all">, at)
      for (const change of changes) {
        lastId = Math.max(lastId + 1, at * 1000)
        writer.addChange(target, { id: lastId, target: target.id, ...change })
      }
      for (const hour of finished) writer.addHour(target, hour)
      if (incident !== undefined) writer.addIncident(target, incident)
      writer.touch(target)
    }
    if (++round % ROUNDS_PER_WRITE === 0) yield* writer.flush
  }
  yield* writer.flush
})
