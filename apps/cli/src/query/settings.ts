/**
 * What every query command takes, as its parser gives it.
 *
 * @module
 */
import type { QueryOptions } from "@sourcewire/core"
import type { Encoding } from "@sourcewire/protocol"
import type * as Option from "effect/Option"

/** The values of `options.query` and `options.addresses`. */
export interface QuerySettings {
  readonly addresses: ReadonlyArray<string>
  readonly file: Option.Option<string>
  readonly json: boolean
  readonly trace: boolean
  readonly timeout: number
  readonly retries: number
  readonly encoding: Encoding
  readonly concurrency: number
}

/** The part of them that the client wants. */
export const clientOptions = ({ encoding, retries, timeout }: QuerySettings): QueryOptions => ({
  timeoutMs: timeout,
  retries,
  encoding
})
