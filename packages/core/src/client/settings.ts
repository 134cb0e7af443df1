/**
 * The check that what a caller chooses makes sense: a port given as text or a timeout of `NaN` must be an error at once, not a query that
 * never answers.
 */
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { callable, duration, oneOf, optionsAre, readable, whole } from "../edge.ts"
import type { ExchangeSettings } from "../engine/Exchange.ts"
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import type { ClientOptions, InvalidOption, QueryOptions } from "./Options.ts"

/** The longest time that may be chosen: longer ones overflow timers, and nobody waits for them. */
export const MAX_TIMEOUT_MS = 600_000
const MAX_RETRIES = 100

/** A deadline that is not a number never comes. */
const inRange = (random: () => number) => (): number => {
  const share = random()
  return share >= 0 && share < 1 ? share : 0.5
}

/** What {@link settingsOf} gives where neither call nor client chooses anything. */
export const DEFAULT_SETTINGS: Result.Result<ExchangeSettings, InvalidOption> = /* @__PURE__ */ Result.succeed({
  timeoutMs: DEFAULT_TIMEOUT_MS,
  retries: DEFAULT_RETRIES,
  encoding: "auto",
  random: Math.random
})

/** The settings of an exchange, defaults filled in. */
export const settingsOf = (
  options: QueryOptions | undefined,
  client: ClientOptions | undefined
): Result.Result<ExchangeSettings, InvalidOption> =>
  readable(() => {
    const timeoutMs = options?.timeoutMs ?? client?.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const retries = options?.retries ?? client?.retries ?? DEFAULT_RETRIES
    const encoding = options?.encoding ?? client?.encoding ?? "auto"
    const random = client?.random === undefined ? Math.random : inRange(client.random)
    optionsAre(options)
    optionsAre(client)
    callable("onDatagram", client?.onDatagram)
    callable("random", client?.random)
    duration("timeoutMs", MAX_TIMEOUT_MS, timeoutMs)
    whole("retries", 0, MAX_RETRIES, retries)
    oneOf("encoding", ENCODINGS, encoding)
    oneOf("family", [4, 6], options?.family ?? client?.family)
    return { timeoutMs, retries, encoding, random }
  })
