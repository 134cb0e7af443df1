/**
 * How much one address may get beyond what it sent: a token bucket per address, in a table of fixed size. A large answer counts as
 * several, so that bytes are bounded as well as answers.
 *
 * An IPv6 host has a whole /64 to ask from, so all of a /64 has one bucket, and all of a /48, which one party may have, has one that
 * is sixteen times as large.
 *
 * The responder asks it only for answers that are larger than their request. So it bounds what a proved client can cost, and what
 * anybody can have sent to a victim by a game that trusts everybody; and forged requests, which get no such answer, cannot
 * push honest clients out of the table.
 */
import { IpRanges } from "@sourcewire/core/machines"
import { demand } from "../edge.ts"
import { limit } from "../shapes.ts"
import { sipHash24, sipHashLow, sipKey, type SipKey } from "./siphash.ts"

/** What an address may get. */
export interface RateLimitOptions {
  /** Answers per second, in the long run. */
  readonly perSecond: number
  /** Answers at once, after a while of none. Default twice `perSecond`. */
  readonly burst?: number
  /** Size of an answer, in bytes; a larger one counts as so many times more. Default 4096, which few replies exceed. */
  readonly answerBytes?: number
  /** Addresses that are remembered, rounded up to a power of two of at least 8. Default 16 384, which take 256 kB. */
  readonly addresses?: number
}

/** Places that one address may stand in; the stalest of them makes room. */
const WAYS = 4

/** Longest text of an address that tells addresses apart. */
const MAX_ADDRESS_CHARS = 64

/** A /48 has 65 536 networks of a host each. Together they get as much as this many of them. */
const NETWORK_SHARE = 16

/** Token buckets by address. A forgotten address starts anew with a full bucket. */
export class RateLimiter {
  readonly #perMs: number
  readonly #burst: number
  readonly #answerBytes: number
  readonly #mask: number
  readonly #tags: Int32Array
  readonly #tokens: Float32Array
  readonly #times: Float64Array
  readonly #input = new Uint8Array(MAX_ADDRESS_CHARS)
  // Without a secret, an attacker could find addresses that share a client's places.
  readonly #key: SipKey = sipKey(crypto.getRandomValues(new Uint8Array(16)))

  constructor(options: RateLimitOptions) {
    demand(limit, options)
    const { perSecond, burst = 2 * perSecond, answerBytes = 4096, addresses = 16_384 } = options
    const sets = 2 ** Math.max(1, Math.ceil(Math.log2(addresses / WAYS)))
    this.#perMs = perSecond / 1000
    this.#burst = burst
    this.#answerBytes = answerBytes
    this.#mask = sets - 1
    this.#tags = new Int32Array(sets * WAYS)
    this.#tokens = new Float32Array(sets * WAYS)
    this.#times = new Float64Array(sets * WAYS).fill(Number.NEGATIVE_INFINITY)
  }

  /**
   * Takes an answer of so many bytes from what this address has left, if there is one left; a large answer leaves it in debt.
   * `now` is in milliseconds on a steady clock.
   */
  allows(address: string, now: number, bytes: number): boolean {
    const answers = Math.max(1, bytes / this.#answerBytes)
    if (!address.includes(":")) return this.#take(address, answers, now)
    const host = IpRanges.networkOf(address, 64)
    if (!this.#take(host, answers, now)) return false
    const network = IpRanges.networkOf(address, 48)
    return network === host || this.#take(network, answers / NETWORK_SHARE, now)
  }

  #take(who: string, answers: number, now: number): boolean {
    const slot = this.#slot(who)
    const filled = this.#tokens[slot]! + (now - this.#times[slot]!) * this.#perMs
    const tokens = Math.min(this.#burst, filled)
    const allowed = tokens >= Math.min(1, answers)
    this.#tokens[slot] = allowed ? tokens - answers : tokens
    this.#times[slot] = now
    return allowed
  }

  /** Where this address stands; a new one takes the place that was used longest ago, with a full bucket. */
  #slot(who: string): number {
    const length = Math.min(who.length, MAX_ADDRESS_CHARS)
    for (let i = 0; i < length; i++) this.#input[i] = who.charCodeAt(i)
    const first = (sipHash24(this.#key, this.#input, length) & this.#mask) * WAYS
    const tag = sipHashLow
    let stalest = first
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#tags[slot] === tag) return slot
      if (this.#times[slot]! < this.#times[stalest]!) stalest = slot
    }
    this.#tags[stalest] = tag
    this.#times[stalest] = Number.NEGATIVE_INFINITY
    return stalest
  }
}
