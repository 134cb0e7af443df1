/**
 * Stateless challenges (S2C_CHALLENGE): a challenge is a keyed hash of the client's address and the time. To verify a challenge, the server
 * computes the hash again. Therefore the server stores no data per client, and spoofed sources cannot fill its memory.
 *
 * A client that returns its challenge proves that it receives datagrams at its address. A challenge has 32 bits, as the protocol requires.
 * Before a challenge expires, an attacker cannot send enough guesses over a network to find it. Use challenges only to verify addresses,
 * not in place of a password.
 */
import { demand, must } from "@sourcewire/inside/checks"
import { challengeOptions } from "../shapes.ts"
import type { ChallengeOptions } from "./Profile.ts"
import { sipHash24, sipHashLow, sipKey, type SipKey } from "../limits/siphash.ts"

const randomKey = (): Uint8Array => crypto.getRandomValues(new Uint8Array(16))

const KEY = must("a function that returns 16 bytes", (key) => key instanceof Uint8Array && key.length >= 16)

/**
 * Maximum number of characters of an address that are hashed; further characters are ignored. This is enough for every IPv6 address (at
 * most 45 characters) with a short zone.
 */
const MAX_ADDRESS_CHARS = 64

/**
 * Returns the challenge for a hash of 64 bits: the low half of the hash. If this half is −1 (which requests a challenge) or 0 (which some
 * clients treat as a missing challenge), the challenge is computed from the high half.
 */
export const challengeNumber = (low: number, high: number): number =>
  low !== -1 && low !== 0 ? low : (high & 0x7fffffff) | 1

/** Issues and verifies challenges. For any number of clients, the issuer stores only two keys. */
export class ChallengeIssuer {
  private readonly windowMs: number
  private readonly rotateWindows: number
  private readonly withPort: boolean
  private readonly makeKey: () => Uint8Array
  private readonly input = new Uint8Array(MAX_ADDRESS_CHARS + 8)
  private window = Number.NEGATIVE_INFINITY
  private keyWindow = Number.NEGATIVE_INFINITY
  #key: SipKey
  #previousKey: SipKey

  constructor(options: ChallengeOptions = {}) {
    demand(challengeOptions, options)
    this.windowMs = options.lifetimeMs ?? 30_000
    this.rotateWindows = Math.max(1, Math.round((options.rotateMs ?? 3_600_000) / this.windowMs))
    this.withPort = options.bind === "endpoint"
    this.makeKey = options.makeKey ?? randomKey
    const key = this.makeKey()
    demand(KEY, key, "makeKey")
    this.#key = sipKey(key)
    this.#previousKey = this.#key
  }

  /**
   * Returns the client's challenge of the current time window. `now` is the time of a monotonic clock in milliseconds. A challenge is never
   * −1 (which requests a challenge) or 0 (which some clients treat as a missing challenge).
   */
  issue(address: string, port: number, now: number): number {
    this.advance(now)
    return this.hash(this.#key, this.window, address, port)
  }

  /** Whether `challenge` is the client's challenge of the current or the previous time window. */
  accepts(challenge: number, address: string, port: number, now: number): boolean {
    this.advance(now)
    return (
      challenge === this.hash(this.#key, this.window, address, port) ||
      challenge === this.hash(this.#previousKey, this.window - 1, address, port)
    )
  }

  private advance(now: number): void {
    const window = Math.floor(now / this.windowMs)
    if (window === this.window) return
    this.#previousKey = this.#key
    this.window = window
    if (this.keyWindow === Number.NEGATIVE_INFINITY) this.keyWindow = window
    if (window - this.keyWindow >= this.rotateWindows) {
      this.#key = sipKey(this.makeKey())
      this.keyWindow = window
    }
  }

  private hash(key: SipKey, window: number, address: string, port: number): number {
    const input = this.input
    const length = Math.min(address.length, MAX_ADDRESS_CHARS)
    for (let i = 0; i < length; i++) input[i] = address.charCodeAt(i)
    let at = length
    // The window number has a fixed width and follows the address. Therefore two different addresses never have the same hash input.
    for (let i = 0, rest = window; i < 6; i++, rest = Math.floor(rest / 256)) input[at++] = rest & 0xff
    if (this.withPort) {
      input[at++] = port & 0xff
      input[at++] = port >>> 8
    }
    const high = sipHash24(key, input, at)
    return challengeNumber(sipHashLow, high)
  }
}
