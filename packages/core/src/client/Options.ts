/**
 * What a caller may choose, and the check that it makes sense: a port given as text or a timeout of `NaN` must be an error at once,
 * not a query that never answers.
 *
 * @module
 */
import { InvalidOption } from "@sourcewire/protocol"
import type { Encoding } from "@sourcewire/protocol"
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { Family } from "../engine/Datagrams.ts"
import type { OnDatagram } from "../engine/Engine.ts"
import { isFunction, optional, optionsAre, readable } from "../edge.ts"
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import type { ExchangeSettings } from "../engine/Exchange.ts"

export { InvalidOption }

/** What a single query may choose. */
export interface QueryOptions {
  /**
   * From the call's own first datagram to the answer, in ms; 3000 unless given. Waiting for its turn, where many calls are made at once,
   * does not count. A name lookup has as much again, and so have faults of this machine.
   */
  readonly timeoutMs?: number | undefined
  /** Retransmissions in silence; 8 unless given, as far as they fit into the time. When, follows from the server's round trip. */
  readonly retries?: number | undefined
  /** How texts are read; `auto` unless given. */
  readonly encoding?: Encoding | undefined
  /** IP version to use for a host name; the system's preference unless given. */
  readonly family?: Family | undefined
}

/** What a client may choose. The query options are defaults for all its queries. */
export interface ClientOptions extends QueryOptions {
  /** Sees every datagram sent and received. What it throws is a defect of the call that the datagram belongs to, and it is not called again. */
  readonly onDatagram?: OnDatagram | undefined
  /** Source of jitter in [0, 1); `Math.random` unless given. */
  readonly random?: (() => number) | undefined
}

const MAX_TIMEOUT_MS = 600_000
const MAX_RETRIES = 100

const invalid = (option: string, must: string) =>
  Result.fail(new InvalidOption({ message: `${option} ${must}.`, option }))

const isWhole = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max

/** A deadline that is not a number never comes. */
const inRange = (random: () => number) => (): number => {
  const share = random()
  return share >= 0 && share < 1 ? share : 0.5
}

/** The settings of an exchange, defaults filled in. */
export const settingsOf = (
  options: QueryOptions | undefined,
  client: ClientOptions | undefined
): Result.Result<ExchangeSettings, InvalidOption> =>
  readable(() =>
    Result.gen(function* () {
      yield* optionsAre(options)
      yield* optionsAre(client)
      yield* optional("onDatagram", "a function", isFunction, client?.onDatagram)
      yield* optional("random", "a function", isFunction, client?.random)
      return yield* chosen(options, client)
    })
  )

const chosen = (
  options: QueryOptions | undefined,
  client: ClientOptions | undefined
): Result.Result<ExchangeSettings, InvalidOption> => {
  const timeoutMs = options?.timeoutMs ?? client?.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const retries = options?.retries ?? client?.retries ?? DEFAULT_RETRIES
  const encoding = options?.encoding ?? client?.encoding ?? "auto"
  const family = options?.family ?? client?.family
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    return invalid("timeoutMs", `must be a number of ms above 0 and up to ${MAX_TIMEOUT_MS}`)
  }
  if (!isWhole(retries, MAX_RETRIES)) return invalid("retries", `must be a whole number from 0 to ${MAX_RETRIES}`)
  if (!ENCODINGS.includes(encoding)) return invalid("encoding", `must be one of ${ENCODINGS.join(", ")}`)
  if (family !== undefined && family !== 4 && family !== 6) return invalid("family", "must be 4 or 6")
  return Result.succeed({
    timeoutMs,
    retries,
    encoding,
    random: client?.random === undefined ? Math.random : inRange(client.random)
  })
}
