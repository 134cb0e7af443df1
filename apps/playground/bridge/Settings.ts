/** Settings that all handlers of one bridge share. */
import type { RateLimiter } from "@sourcewire/server"
import * as Context from "effect/Context"
import type { boundedServer } from "./connections.ts"
import type { Guard } from "./guard.ts"
import type { BridgeLimits } from "./Limits.ts"
import type { streamPlaces } from "./streamPlaces.ts"
import type { TargetPolicy } from "./targets.ts"

export class Settings extends Context.Service<
  Settings,
  {
    readonly targets: TargetPolicy
    readonly rcon: boolean
    readonly emulate: boolean
    readonly limits: BridgeLimits
    readonly requests: RateLimiter
    readonly openStream: ReturnType<typeof streamPlaces>
    readonly keep: ReturnType<typeof boundedServer>["keep"]
    /** Returns the guard. Its names are complete as soon as the server listens. */
    readonly guard: () => Guard
  }
>()("@sourcewire/playground/Settings") {}
