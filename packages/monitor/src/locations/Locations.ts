/**
 * Where servers are asked from, and what was learned there. One machine, and a fleet whose runners have no locations, has none of this.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Ownership } from "../fleet/Ownership.ts"
import type { LocationReader } from "../store/locations.ts"
import type { Store, StoreFailed } from "../store/Store.ts"

/** The location of this runner: what it owns there, and where it keeps what it learns. */
export interface OwnLocation {
  readonly name: string
  readonly ownership: (typeof Ownership)["Service"]
  readonly store: Layer.Layer<Store, StoreFailed>
}

/** The locations of a fleet; none unless it is given. */
export const Locations = Context.Reference<
  | ({
      /** Those that have a runner, or had one a moment ago, as they were when that was last looked at. */
      readonly alive: () => ReadonlyArray<string>
      /** Looks at who is alive. */
      readonly refresh: Effect.Effect<void>
      readonly own: OwnLocation | undefined
    } & Pick<LocationReader, "views" | "hours" | "unreadable">)
  | undefined
>("@sourcewire/monitor/Locations", { defaultValue: () => undefined })
