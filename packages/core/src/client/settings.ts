/** Checks options. Without these checks, a query could run forever, for example if the port is a text or the timeout is `NaN`. */
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

/** Maximum time limit, in ms. Much longer limits would overflow timers, and are not useful. */
export const MAX_TIMEOUT_MS = 600_000
const MAX_RETRIES = 100

/** The names of the options of a single query. */
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

/** Validates the options of a client. */
export const checkedClientOptions = (
  options: ClientOptions | undefined
): Result.Result<ClientOptions | undefined, InvalidOption> =>
  readable(() => {
    checkedOptions(CLIENT_OPTIONS, options)
    demandRandom(options?.random)
    return options
  })

/**
 * Validates the options and adds defaults. `more` contains the names of further valid options. If `more` is present, any option that is
 * neither a query option nor in `more` is an error.
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
