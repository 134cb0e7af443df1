/**
 * The results of a scan. The result of a target is a small plain object.
 *
 * @example
 * import { Excluded, TargetsFailed } from "@sourcewire/core/scan"
 * import { scan } from "@sourcewire/transport-node"
 * const explain = (error: unknown): string => (error instanceof TargetsFailed ? String(error.cause) : String(error))
 * try {
 *   for await (const result of scan(["127.0.0.1:27015"])) {
 *     if (result._tag === "Answered") console.log(result.info.name)
 *     else if (!(result.error instanceof Excluded)) console.log(result.target, result.error.message)
 *   }
 * } catch (error) {
 *   console.log(explain(error))
 * }
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import type { PlayersReply, RulesReply } from "@sourcewire/protocol"
import type { InvalidAddress } from "../address/Address.ts"
import type { AddressInput } from "../client/ClientShape.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { ServerQuery, ServerReplies } from "../query/ServerExchange.ts"
import type { MeasuredRoundTrip } from "../engine/Exchange.ts"

/** The query that a scan sends to each target. `all` is INFO, followed by PLAYER and RULES if the server replied to INFO. */
export type ScanQuery = ServerQuery

/** The target is in an excluded range. Nothing was sent to the target. */
export class Excluded extends /* @__PURE__ */ TaggedError("Excluded")<{ readonly message: string }> {}

/**
 * The source of the targets threw an error. The scan reads no further targets, and ends when each target that it has already read has a
 * result.
 */
export class TargetsFailed
  extends /* @__PURE__ */ TaggedError("TargetsFailed")<{
    readonly message: string
    /** The error that the source threw. */
    readonly cause: unknown
  }> {}

/** The replies in a result, in one field per query. */
export interface ScanParts {
  readonly info: Pick<ServerReplies, "info" | "legacy">
  readonly players: { readonly players: PlayersReply }
  readonly rules: { readonly rules: RulesReply }
  readonly all: ServerReplies
}

/**
 * The result of a target that replied. The round-trip time is measured with the first query. If this measurement is ambiguous, a later
 * query with an exact round-trip time replaces it.
 */
export type Answered<Q extends ScanQuery = "info"> = {
  readonly _tag: "Answered"
  /** The target as you passed it. */
  readonly target: AddressInput
  /** Numeric address in canonical form. */
  readonly address: string
  readonly port: number
  /** Datagrams sent and received, including challenges and retransmissions. */
  readonly sent: number
  readonly received: number
} & MeasuredRoundTrip &
  ScanParts[Q]

/** The result of a target that sent no valid reply, or was not queried. */
export interface Failed {
  readonly _tag: "Failed"
  /** The target as you passed it. */
  readonly target: AddressInput
  /** Numeric address in canonical form; absent if the target has no valid address. */
  readonly address?: string
  readonly port?: number
  readonly error: QueryError | InvalidAddress | Excluded
  readonly sent: number
  readonly received: number
}

/** The replies of a target, or its error. */
export type ScanResult<Q extends ScanQuery = "info"> = Answered<Q> | Failed
