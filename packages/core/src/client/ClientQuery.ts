/** The queries that a client can run. */
import type * as Effect from "effect/Effect"
import type { Exchange, ExchangeSettings } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { RoundTrip } from "../engine/Retry.ts"
import type { QueryExchange } from "../query/QueryExchange.ts"
import type { AddressInput, Answer, ClientError } from "./ClientShape.ts"
import type { QueryOptions } from "./Options.ts"

/** The exchange of a call. `repeated` is true if a request was retransmitted. */
export type ClientExchange<A, E> = Exchange<A, E | QueryError> & { readonly repeated?: boolean }

/** Measures how long servers take to reply. `onReply` is called when a reply has arrived; `startedAt` is the start time of the query. */
export interface ReplyObserver {
  readonly onReply: (startedAt: number, wasRetransmitted: boolean) => void
}

/** A kind of query: how to make the exchange, and how to make the result of the call. */
export interface ClientQuery<A, E, X extends ClientExchange<A, E>, B> {
  /** The name of the call in spans and metrics. */
  readonly name: string
  /**
   * Identifies equal calls: if two calls have the same key, address and options, they share one query. If the key is absent, each call
   * sends its own query.
   */
  readonly joinKey?: string
  /** Names of the options that only this query has. */
  readonly ownOptions?: ReadonlyArray<string>
  /**
   * The name of the query in errors. If the name is present and the server does not reply, the client checks for signs of life (see
   * `Timeout.alive`).
   */
  readonly lifeSignsFor?: string | undefined
  readonly make: (settings: ExchangeSettings, roundTrip: RoundTrip, observer: ReplyObserver) => X
  /**
   * Whether the exchange itself calls the observer for each reply. If not (default), the client calls the observer once, at the end of a
   * successful query.
   */
  readonly reportsReplies?: boolean
  /** Makes the result of the call from the result of the exchange. `server` is the address of the server, for errors. */
  readonly read: (value: A, exchange: X, server: string) => B
}

export type SingleQuery<A> = ClientQuery<A, never, QueryExchange<A>, Answer<A>>

/** Runs a query. Interrupting the Effect cancels the query, unless another caller waits for the same query. */
export type RunQuery = <A, E, X extends ClientExchange<A, E>, B>(
  query: ClientQuery<A, E, X, B>,
  address: AddressInput,
  options: QueryOptions | undefined
) => Effect.Effect<B, E | ClientError>
