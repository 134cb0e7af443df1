/** The pings of one target, and their statistics. */
import type { InvalidAddress, QueryError } from "@sourcewire/core"
import type { NotQueryable } from "@sourcewire/games"
import type { Target } from "../query/target.ts"
import type { PingTally } from "./statistics.ts"

export interface Series {
  readonly target: Target
  tally: PingTally
  /** The error of the last failed ping, or the reason why the target cannot be queried. */
  lastError: QueryError | NotQueryable | InvalidAddress | undefined
}
