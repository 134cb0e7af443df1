/**
 * The check that what a caller chooses makes sense: a port given as text or a timeout of `NaN` must be an error at once, not a query that
 * never answers.
 */
import { ENCODINGS } from "@sourcewire/protocol/wire"
import type * as Result from "effect/Result"
import {
  callable,
  demandRandom,
  duration,
  jitter,
  oneOf,
  optionsAre,
  checkedOptions,
  readable,
  whole
} from "../edge.ts"
import type { ExchangeSettings } from "../engine/Exchange.ts"
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import type { ClientOptions, InvalidOption, QueryOptions } from "./Options.ts"

/** The longest time that may be chosen: longer ones overflow timers, and nobody waits for them. */
export const MAX_TIMEOUT_MS = 600_000
const MAX_RETRIES = 100

/** The names of what a single query may choose. */
const QUERY_OPTIONS: ReadonlyArray<string> = /* @__PURE__ */ Object.keys({
  timeoutMs: true,
  retries: true,
  encoding: true,
  family: true
} satisfies Readonly<Record<keyof QueryOptions, true>>)

const CLIENT_OPTIONS = /* @__PURE__ */ Object.keys({
  timeoutMs: true,
  retries: true,
  encoding: true,
  family: true,
  onDatagram: true,
  random: true
} satisfies Readonly<Record<keyof ClientOptions, true>>)

/** Refuses what a client cannot be told. */
export const checkedClientOptions = (
  options: ClientOptions | undefined
): Result.Result<ClientOptions | undefined, InvalidOption> =>
  readable(() => {
    checkedOptions(CLIENT_OPTIONS, options)
    demandRandom(options?.random)
    return options
  })

/**
 * The settings of an exchange, defaults filled in. With `more`, the names of the options that the call has besides those of every
 * query, a call with any other is refused.
 */
export const readSettings = (
  options: QueryOptions | undefined,
  client: ClientOptions | undefined,
  more?: ReadonlyArray<string>
): Result.Result<ExchangeSettings, InvalidOption> =>
  readable(() => {
    const timeoutMs = options?.timeoutMs ?? client?.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const retries = options?.retries ?? client?.retries ?? DEFAULT_RETRIES
    const encoding = options?.encoding ?? client?.encoding ?? "auto"
    const random = jitter(client?.random)
    if (more === undefined) optionsAre(options)
    else checkedOptions(more.length === 0 ? QUERY_OPTIONS : [...QUERY_OPTIONS, ...more], options)
    optionsAre(client)
    callable("onDatagram", client?.onDatagram)
    callable("random", client?.random)
    duration("timeoutMs", MAX_TIMEOUT_MS, timeoutMs)
    whole("retries", 0, MAX_RETRIES, retries)
    oneOf("encoding", ENCODINGS, encoding)
    oneOf("family", [4, 6], options?.family ?? client?.family)
    return { timeoutMs, retries, encoding, random }
  })
