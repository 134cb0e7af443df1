/**
 * The locations from which servers are queried, and the results of these locations. A fleet has locations only if its runners are
 * configured with locations.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Ownership } from "../fleet/Ownership.ts"
import type { LocationReader } from "../store/locations.ts"
import type { Store, StoreFailed } from "../store/Store.ts"

/** The location of this runner, the ownership of slices in this location, and the store for the results of the location. */
export interface OwnLocation {
  readonly name: string
  readonly ownership: (typeof Ownership)["Service"]
  readonly store: Layer.Layer<Store, StoreFailed>
}

/** The locations of a fleet (default: none). */
export const Locations = Context.Reference<
  | ({
      /**
       * The locations that had a runner at the last refresh. A location remains in this list for a short time after its last runner has
       * stopped.
       */
      readonly alive: () => ReadonlyArray<string>
      /** Updates the list of locations that have a runner. */
      readonly refresh: Effect.Effect<void>
      readonly own: OwnLocation | undefined
    } & Pick<LocationReader, "views" | "hours" | "unreadable">)
  | undefined
>("@sourcewire/monitor/Locations", { defaultValue: () => undefined })
