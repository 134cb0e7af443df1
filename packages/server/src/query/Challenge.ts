/**
 * Challenges (S2C_CHALLENGE) without memory: the number is a keyed hash of who asks and when, so a server that is
 * flooded from a million forged addresses stores nothing for any of them, and still knows its own numbers again.
 *
 * A challenge proves that its holder can receive at the address it claims. It is 32 bits, as the protocol has it: enough
 * against guessing over a network within its lifetime, and not a secret that protects anything else.
 */
import { demand, must } from "../edge.ts"
import { challengeOptions } from "../shapes.ts"
import { sipHash24, sipHashLow, sipKey, type SipKey } from "../limits/siphash.ts"

/** How challenges are made. */
export interface ChallengeOptions {
  /**
   * What a challenge is bound to: `address` (as the GoldSource and Xash engines do: another port of the same host may use it)
   * or `endpoint`, address and port. Default `address`.
   */
  readonly bind?: "address" | "endpoint"
  /** A challenge is accepted for at least this long and less than twice this long, in milliseconds. Default 30 000. */
  readonly lifetimeMs?: number
  /** A new key is drawn at the first request after this long, in milliseconds. Default one hour. */
  readonly rotateMs?: number
  /** Where keys (16 bytes) come from; by default the runtime's cryptographic generator. */
  readonly makeKey?: () => Uint8Array
}

const randomKey = (): Uint8Array => crypto.getRandomValues(new Uint8Array(16))

const KEY = must("a function that gives 16 bytes", (key) => key instanceof Uint8Array && key.length >= 16)

/** Longest address that is hashed: 45 characters of IPv6 text with a zone stay below; a longer one is cut. */
const MAX_ADDRESS_CHARS = 64

/**
 * The number of a challenge: half a hash, as long as it is neither -1 (which asks for a challenge) nor 0 (which some clients take for
 * none); else of the other half.
 */
export const challengeNumber = (low: number, high: number): number =>
  low !== -1 && low !== 0 ? low : (high & 0x7fffffff) | 1

/** Issues and recognises challenges. Its state is two keys, whatever the number of askers. */
export class ChallengeIssuer {
  readonly #windowMs: number
  readonly #rotateWindows: number
  readonly #withPort: boolean
  readonly #makeKey: () => Uint8Array
  readonly #input = new Uint8Array(MAX_ADDRESS_CHARS + 8)
  #window = Number.NEGATIVE_INFINITY
  #keyWindow = Number.NEGATIVE_INFINITY
  #key: SipKey
  #previousKey: SipKey

  constructor(options: ChallengeOptions = {}) {
    demand(challengeOptions, options)
    this.#windowMs = options.lifetimeMs ?? 30_000
    this.#rotateWindows = Math.max(1, Math.round((options.rotateMs ?? 3_600_000) / this.#windowMs))
    this.#withPort = options.bind === "endpoint"
    this.#makeKey = options.makeKey ?? randomKey
    const key = this.#makeKey()
    demand(KEY, key, "makeKey")
    this.#key = sipKey(key)
    this.#previousKey = this.#key
  }

  /** The challenge of this asker at `now` (milliseconds on any steady clock). Never -1 (it asks for one) and never 0 (some clients take it for none). */
  issue(address: string, port: number, now: number): number {
    this.#advance(now)
    return this.#hash(this.#key, this.#window, address, port)
  }

  /** True for the challenge of this asker in the current time window or the one before. */
  accepts(challenge: number, address: string, port: number, now: number): boolean {
    this.#advance(now)
    return (
      challenge === this.#hash(this.#key, this.#window, address, port) ||
      challenge === this.#hash(this.#previousKey, this.#window - 1, address, port)
    )
  }

  #advance(now: number): void {
    const window = Math.floor(now / this.#windowMs)
    if (window === this.#window) return
    this.#previousKey = this.#key
    this.#window = window
    if (this.#keyWindow === Number.NEGATIVE_INFINITY) this.#keyWindow = window
    if (window - this.#keyWindow >= this.#rotateWindows) {
      this.#key = sipKey(this.#makeKey())
      this.#keyWindow = window
    }
  }

  #hash(key: SipKey, window: number, address: string, port: number): number {
    const input = this.#input
    const length = Math.min(address.length, MAX_ADDRESS_CHARS)
    for (let i = 0; i < length; i++) input[i] = address.charCodeAt(i)
    let at = length
    // Fixed width after the text, so that no address runs into the numbers.
    for (let i = 0, rest = window; i < 6; i++, rest = Math.floor(rest / 256)) input[at++] = rest & 0xff
    if (this.#withPort) {
      input[at++] = port & 0xff
      input[at++] = port >>> 8
    }
    const high = sipHash24(key, input, at)
    return challengeNumber(sipHashLow, high)
  }
}
