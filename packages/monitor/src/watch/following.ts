/**
 * What is watched: the plan of the configuration and what its sources have listed, entered in the store, and taken from there where
 * others say it.
 */
import { type Address, parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { type Plan, planOfJson } from "../config/Config.ts"
import { type FoundList, fromText, toText } from "../sources/FoundList.ts"
import { haveSame, withFound } from "../sources/merge.ts"
import { sliceOf } from "../store/slices.ts"
import type { NewTarget, Store, StoreFailed } from "../store/Store.ts"

/** Where the targets of a plan are. */
export const placesIn = ({ targets }: Plan): ReadonlyMap<string, Address> =>
  new Map(Array.from(targets.keys(), (address) => [address, Result.getOrThrow(parseAddress(address))]))

const entriesOf = (plan: Plan): ReadonlyArray<NewTarget> =>
  Array.from(placesIn(plan), ([address, where]) => {
    const { labels, name } = plan.targets.get(address)!
    return { address, labels, group: name, slice: sliceOf(where) }
  })

/** Who follows plans, and what he needs. */
interface Follower {
  readonly store: typeof Store.Service
  readonly isShared: boolean
  readonly now: () => number
  /** Watches those targets of a plan that the store knows. */
  readonly adopt: (plan: Plan) => Effect.Effect<void, StoreFailed>
}

/** Follows plans and lists, one at a time. */
export const makeFollowing = ({ adopt, isShared, now, store }: Follower) => {
  const turn = Semaphore.makeUnsafe(1)
  /** Without what its sources have listed. */
  let configured: Plan | undefined
  let version = -1
  const lists = new Map<string, FoundList>()
  let listsVersion = 0
  /** Whether there is something to watch that is not adopted yet; it stays so where the store fails in between. */
  let isBehind = false
  const catchUp = (plan: Plan) => Effect.tap(adopt(plan), () => Effect.sync(() => (isBehind = false)))

  /** Reads lists that others have stored. */
  const load = Effect.gen(function* () {
    for (const { source, text, version } of yield* store.lists(listsVersion)) {
      listsVersion = Math.max(listsVersion, version)
      const list = fromText(text)
      isBehind ||= !haveSame(list, lists.get(source))
      lists.set(source, list)
    }
  })

  const follow = Effect.fnUntraced(function* (next: Plan) {
    yield* load
    const full = withFound(next, lists)
    const entries = entriesOf(full)
    if (isShared) version = yield* store.publish(JSON.stringify(next.config), entries, now())
    else yield* store.enlist(entries, now())
    configured = next
    isBehind = true
    yield* catchUp(full)
  }, turn.withPermits(1))

  const followOthers = Effect.gen(function* () {
    const published = yield* store.published(version)
    yield* load
    if (published !== undefined) {
      version = published.version
      configured = yield* Effect.fromResult(planOfJson(published.config))
      isBehind = true
    }
    if (configured !== undefined && isBehind) yield* catchUp(withFound(configured, lists))
  }).pipe(turn.withPermits(1))

  const keepList = Effect.fnUntraced(function* (source: string, list: FoundList) {
    yield* load
    const full = withFound(configured!, new Map(lists).set(source, list))
    const watched = yield* store.watched
    const coming = entriesOf(full).filter(({ address }) => !watched.has(address))
    const leaving = [...watched.keys()].filter((address) => !full.targets.has(address))
    yield* store.keepList({ source, text: toText(list) }, coming, leaving, now())
    isBehind ||= !haveSame(list, lists.get(source)) || coming.length + leaving.length > 0
    lists.set(source, list)
    if (isBehind) yield* catchUp(full)
  }, turn.withPermits(1))

  return {
    /** Watches what a plan says, and tells those who share the store. */
    follow,
    /** Watches what others have published. */
    followOthers,
    /** What a source has given, and all that follows from it. */
    keepList,
    /** By the key of the source. */
    lists: lists as ReadonlyMap<string, FoundList>,
    /** Whether there is something to follow. */
    hasPlan: () => configured !== undefined
  }
}
