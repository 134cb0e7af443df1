/**
 * Limits how many replies an address can get. Each address has a token bucket in a table of fixed size. A large reply counts as several
 * replies, so that the limit also restricts the bytes that an address can get.
 *
 * An IPv6 host can use a whole /64, therefore all addresses of a /64 share a bucket. One owner can also have a whole /48. Therefore all
 * addresses of a /48 share a second bucket, which is sixteen times as large as the bucket of a /64.
 *
 * The responder applies the limit only to replies that are larger than their request. The limit restricts the load from a verified client.
 * It also limits the traffic that a profile of an old game can send to a victim. With any other profile, a spoofed request gets no reply
 * that is larger than the request. Therefore spoofed requests cannot remove valid clients from the table.
 */
import { IpRanges } from "@sourcewire/core/address"
import { demand } from "@sourcewire/inside/checks"
import { limit } from "../shapes.ts"
import { sipHash24, sipHashLow, sipKey, type SipKey } from "./siphash.ts"

/** Limits of one address. */
export interface RateLimitOptions {
  /** Replies per second on average. */
  readonly perSecond: number
  /** Maximum number of replies at once after a pause (default: twice `perSecond`). */
  readonly burst?: number
  /**
   * Maximum size of a reply that counts as one reply, in bytes. A larger reply counts as several replies (default: 4096, which few replies
   * exceed).
   */
  readonly answerBytes?: number
  /** Maximum number of stored addresses. It is rounded up to a power of two, at least 8 (default: 16 384, which need 256 kB). */
  readonly addresses?: number
}

/** Number of slots of the table that an address can use. A new address replaces the least recently used address in these slots. */
const WAYS = 4

/** Maximum number of hashed characters of an address. The hash ignores all characters after this number. */
const MAX_ADDRESS_CHARS = 64

/** The budget of a /48, as a multiple of the budget of one /64. A /48 contains 65 536 networks of the size /64. */
const NETWORK_SHARE = 16

/** Token buckets by address. An address that was removed from the table starts again with a full bucket. */
export class RateLimiter {
  private readonly perMs: number
  private readonly burst: number
  private readonly answerBytes: number
  private readonly mask: number
  private readonly tags: Int32Array
  private readonly tokens: Float32Array
  private readonly times: Float64Array
  private readonly input = new Uint8Array(MAX_ADDRESS_CHARS)
  // Without a secret, an attacker could find addresses that share a client's slots.
  readonly #key: SipKey = sipKey(crypto.getRandomValues(new Uint8Array(16)))

  constructor(options: RateLimitOptions) {
    demand(limit, options)
    const { perSecond, burst = 2 * perSecond, answerBytes = 4096, addresses = 16_384 } = options
    const sets = 2 ** Math.max(1, Math.ceil(Math.log2(addresses / WAYS)))
    this.perMs = perSecond / 1000
    this.burst = burst
    this.answerBytes = answerBytes
    this.mask = sets - 1
    this.tags = new Int32Array(sets * WAYS)
    this.tokens = new Float32Array(sets * WAYS)
    this.times = new Float64Array(sets * WAYS).fill(Number.NEGATIVE_INFINITY)
  }

  /**
   * Returns whether a reply of this size is allowed. If the reply is allowed, the method subtracts it from the budget of the address. A
   * large reply can make the budget negative. `now` is the time of a monotonic clock, in milliseconds.
   */
  allows(address: string, now: number, bytes: number): boolean {
    const answers = Math.max(1, bytes / this.answerBytes)
    if (!address.includes(":")) return this.take(address, answers, now)
    const host = IpRanges.network(address, 64)
    if (!this.take(host, answers, now)) return false
    const network = IpRanges.network(address, 48)
    return network === host || this.take(network, answers / NETWORK_SHARE, now)
  }

  private take(who: string, answers: number, now: number): boolean {
    const slot = this.slot(who)
    const filled = this.tokens[slot]! + (now - this.times[slot]!) * this.perMs
    const tokens = Math.min(this.burst, filled)
    const allowed = tokens >= Math.min(1, answers)
    this.tokens[slot] = allowed ? tokens - answers : tokens
    this.times[slot] = now
    return allowed
  }

  /** Returns the slot of an address. A new address replaces the least recently used entry and gets a full bucket. */
  private slot(who: string): number {
    const length = Math.min(who.length, MAX_ADDRESS_CHARS)
    for (let i = 0; i < length; i++) this.input[i] = who.charCodeAt(i)
    const first = (sipHash24(this.#key, this.input, length) & this.mask) * WAYS
    const tag = sipHashLow
    let stalest = first
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.tags[slot] === tag) return slot
      if (this.times[slot]! < this.times[stalest]!) stalest = slot
    }
    this.tags[stalest] = tag
    this.times[stalest] = Number.NEGATIVE_INFINITY
    return stalest
  }
}
