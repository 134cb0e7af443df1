/**
 * The locations from which servers are queried, and their results. A single instance has no locations, and neither has a fleet whose
 * runners are configured without them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Ownership } from "../fleet/Ownership.ts"
import type { LocationReader } from "../store/locations.ts"
import type { Store, StoreFailed } from "../store/Store.ts"

/** The location of this runner, with the slices that it owns there and the store for its results. */
export interface OwnLocation {
  readonly name: string
  readonly ownership: (typeof Ownership)["Service"]
  readonly store: Layer.Layer<Store, StoreFailed>
}

/** The locations of a fleet (default: none). */
export const Locations = Context.Reference<
  | ({
      /** Locations with a runner, as of the last refresh. A location remains for a short time after its last runner has stopped. */
      readonly alive: () => ReadonlyArray<string>
      /** Reads again which locations have a runner. */
      readonly refresh: Effect.Effect<void>
      readonly own: OwnLocation | undefined
    } & Pick<LocationReader, "views" | "hours" | "unreadable">)
  | undefined
>("@sourcewire/monitor/Locations", { defaultValue: () => undefined })
