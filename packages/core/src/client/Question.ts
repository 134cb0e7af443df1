/** What a client can be made to ask. */
import type * as Effect from "effect/Effect"
import type { Exchange, ExchangeSettings } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { RoundTrip } from "../engine/Retry.ts"
import type { QueryExchange } from "../query/QueryExchange.ts"
import type { AddressInput, Answer, ClientError } from "./ClientShape.ts"
import type { QueryOptions } from "./Options.ts"

/** `repeated`: whether it had to ask again in silence. */
export type Asking<A, E> = Exchange<A, E | QueryError> & { readonly repeated?: boolean }

/** Learns of each answer how long it took. */
export interface AnswerObserver {
  /** See `Servers`. */
  readonly onAnswer: (startedAt: number, wasRepeated: boolean) => void
}

/** What a call runs, and what it makes of the end. */
export interface Question<A, E, X extends Asking<A, E>, B> {
  /** The call, as observers know it. */
  readonly name: string
  /** Calls that join under the same name, to the same address with the same options, are made once. */
  readonly joinsAs?: string
  /** Names of the options that it has besides those of every query. */
  readonly takes?: ReadonlyArray<string>
  /** The name of the query, if its silence is worth a check whether the server exists at all. */
  readonly signsFor?: string | undefined
  readonly make: (settings: ExchangeSettings, roundTrip: RoundTrip, observer: AnswerObserver) => X
  /** The exchange itself tells how long each of its answers took. */
  readonly tellsAnswers?: boolean
  /** `whom` is who was asked, for people. */
  readonly read: (value: A, exchange: X, whom: string) => B
}

/** One query. */
export type QueryQuestion<A> = Question<A, never, QueryExchange<A>, Answer<A>>

/** Asks, for as long as somebody waits for the answer. */
export type Ask = <A, E, X extends Asking<A, E>, B>(
  question: Question<A, E, X, B>,
  address: AddressInput,
  options: QueryOptions | undefined
) => Effect.Effect<B, E | ClientError>
