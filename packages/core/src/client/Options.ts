/**
 * What a caller may choose, and the check that it makes sense: a port given as text or a timeout of `NaN` must be an error at once,
 * not a query that never answers.
 */
import { InvalidOption, ENCODINGS } from "@sourcewire/protocol/machines"
import type { Encoding } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Family } from "../engine/Datagrams.ts"
import type { OnDatagram } from "../engine/traffic.ts"
import { callable, duration, oneOf, optionsAre, readable, whole } from "../edge.ts"
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
