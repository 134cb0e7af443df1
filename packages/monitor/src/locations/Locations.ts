/**
 * Where servers are asked from, and what was learned there. One machine, and a fleet whose runners have no locations, has none of this.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Ownership } from "../fleet/Ownership.ts"
import type { Store, StoredHour, StoreFailed } from "../store/Store.ts"
import type { Known } from "../watch/Watched.ts"

/** What one location knows of a target. */
export interface View {
  readonly location: string
  readonly known: Known
}

/** What the locations of a target say. */
export interface Views {
  readonly views: ReadonlyArray<View>
  /** What was told of their not agreeing, if they do not. */
  readonly disagreement: string | undefined
}

/** The location of this runner: what it owns there, and where it keeps what it learns. */
export interface OwnLocation {
  readonly name: string
  readonly ownership: (typeof Ownership)["Service"]
  readonly store: Layer.Layer<Store, StoreFailed>
}

/** The locations of a fleet; none unless it is given. */
export const Locations = Context.Reference<
  | {
      /** Those that have a runner, or had one a moment ago, as they were when that was last looked at. */
      readonly alive: () => ReadonlyArray<string>
      /** Looks at who is alive. */
      readonly refresh: Effect.Effect<void>
      /** What was learned of targets, wherever that was. */
      readonly views: (targets: ReadonlyArray<number>) => Effect.Effect<ReadonlyMap<number, Views>, StoreFailed>
      /** The hours of a target that are over, as a location had them. */
      readonly hours: (
        location: string,
        target: number,
        fromMs: number,
        toMs: number
      ) => Effect.Effect<ReadonlyArray<StoredHour>, StoreFailed>
      readonly own: OwnLocation | undefined
    }
  | undefined
>("@sourcewire/monitor/Locations", { defaultValue: () => undefined })
