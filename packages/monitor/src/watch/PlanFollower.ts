/**
 * Updates the targets when the configuration or the list of a source changes. This module stores plans and lists, and reads plans and lists
 * that other instances have published.
 */
import { type Address, parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { type InvalidConfig, type Plan, parsePlan } from "../config/Config.ts"
import { type FoundList, fromText, toText } from "../sources/FoundList.ts"
import { haveSame, withFound } from "../sources/merge.ts"
import { findSlice } from "../store/slices.ts"
import type { NewTarget, Store, StoreFailed } from "../store/Store.ts"

/** Returns the parsed address of each target of a plan. */
export const placesIn = ({ targets }: Plan): ReadonlyMap<string, Address> =>
  new Map(Array.from(targets.keys(), (address) => [address, Result.getOrThrow(parseAddress(address))]))

const listEntries = (plan: Plan): ReadonlyArray<NewTarget> =>
  Array.from(placesIn(plan), ([address, where]) => {
    const { labels, name } = plan.targets.get(address)!
    return { address, labels, group: name, slice: findSlice(where) }
  })

/** The parts of the monitor that this class uses. */
interface Environment {
  readonly store: typeof Store.Service
  readonly isShared: boolean
  readonly now: () => number
  /** Monitors those targets of a plan that are in the store. */
  readonly adopt: (plan: Plan) => Effect.Effect<void, StoreFailed>
}

/** Applies changes of the plan and of the sources' lists to the monitored targets. Two such changes are never applied at the same time. */
export class PlanFollower {
  private readonly environment: Environment
  private readonly turn = Semaphore.makeUnsafe(1)
  /** The plan as configured: it does not contain the servers that its sources list. */
  private configured: Plan | undefined
  private version = -1
  private readonly found = new Map<string, FoundList>()
  private listsVersion = 0
  /**
   * Whether a plan or a list has not been adopted yet. If the store fails during an adoption, the value remains `true`, and the adoption is
   * repeated later.
   */
  private isBehind = false

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** The list of each source, by the key of the source. */
  get lists(): ReadonlyMap<string, FoundList> {
    return this.found
  }

  hasPlan(): boolean {
    return this.configured !== undefined
  }

  /** Adopts a plan. If other instances share the store, the plan is also published in the store. */
  readonly follow = (next: Plan): Effect.Effect<void, StoreFailed> =>
    Effect.gen({ self: this }, function* () {
      const { isShared, now, store } = this.environment
      yield* this.load()
      const full = withFound(next, this.found)
      const entries = listEntries(full)
      if (isShared) this.version = yield* store.publish(JSON.stringify(next.config), entries, now())
      else yield* store.enlist(entries, now())
      this.configured = next
      this.isBehind = true
      yield* this.catchUp(full)
    }).pipe(this.turn.withPermits(1))

  /** Adopts plans and lists that other instances have published. */
  readonly followOthers = (): Effect.Effect<void, StoreFailed | InvalidConfig> =>
    Effect.gen({ self: this }, function* () {
      const published = yield* this.environment.store.published(this.version)
      yield* this.load()
      if (published !== undefined) {
        this.version = published.version
        this.configured = yield* Effect.fromResult(parsePlan(published.config))
        this.isBehind = true
      }
      if (this.configured !== undefined && this.isBehind) {
        yield* this.catchUp(withFound(this.configured, this.found))
      }
    }).pipe(this.turn.withPermits(1))

  /** Stores the list of a source, and adopts this list. */
  readonly saveList = (source: string, list: FoundList): Effect.Effect<void, StoreFailed> =>
    Effect.gen({ self: this }, function* () {
      const { now, store } = this.environment
      yield* this.load()
      const full = withFound(this.configured!, new Map(this.found).set(source, list))
      const watched = yield* store.watched
      const coming = listEntries(full).filter(({ address }) => !watched.has(address))
      const leaving = [...watched.keys()].filter((address) => !full.targets.has(address))
      yield* store.saveList({ source, text: toText(list) }, coming, leaving, now())
      this.isBehind ||= !haveSame(list, this.found.get(source)) || coming.length + leaving.length > 0
      this.found.set(source, list)
      if (this.isBehind) yield* this.catchUp(full)
    }).pipe(this.turn.withPermits(1))

  private catchUp(plan: Plan): Effect.Effect<void, StoreFailed> {
    return Effect.tap(this.environment.adopt(plan), () => Effect.sync(() => (this.isBehind = false)))
  }

  /** Reads the lists that were stored since the last call. */
  private load(): Effect.Effect<void, StoreFailed> {
    const { store } = this.environment
    return Effect.map(
      Effect.suspend(() => store.lists(this.listsVersion)),
      (stored) => {
        for (const { source, text, version } of stored) {
          this.listsVersion = Math.max(this.listsVersion, version)
          const list = store.unreadable.guard("list", () => fromText(text), undefined)
          if (list === undefined) continue
          this.isBehind ||= !haveSame(list, this.found.get(source))
          this.found.set(source, list)
        }
      }
    )
  }
}
