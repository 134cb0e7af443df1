/**
 * What the handlers of one bridge share.
 *
 * @module
 */
import * as Context from "effect/Context"
import type { ClientLimits } from "./ClientLimits.ts"
import type { Guard } from "./guard.ts"
import type { TargetPolicy } from "./targets.ts"

/** Fixed for the life of a bridge. */
export class Settings extends Context.Service<
  Settings,
  {
    readonly targets: TargetPolicy
    readonly rcon: boolean
    readonly emulate: boolean
    readonly limits: ClientLimits
    /** Known once the server listens. */
    readonly guard: () => Guard
  }
>()("@sourcewire/playground/Settings") {}
