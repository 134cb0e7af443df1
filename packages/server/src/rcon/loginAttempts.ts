/**
 * Who has tried how many wrong passwords, and who is banned for it. The rule is that of Valve's servers (`sv_rcon_minfailures`,
 * `sv_rcon_minfailuretime`, `sv_rcon_banpenalty`): so many failures within so many seconds are answered, one more bans.
 */
import { TokenBucket } from "@sourcewire/core/machines"

/** When to ban, and for how long. */
export interface LoginAttemptsOptions {
  /** Failures within the window that are still answered; the next one bans. 5 unless told otherwise. */
  readonly maxFailures?: number
  /** In ms; 30 000 unless told otherwise. */
  readonly windowMs?: number
  /** In ms; one hour unless told otherwise. `Infinity` lasts until the server ends or {@link LoginAttempts.unban}. */
  readonly banMs?: number
}

/** Addresses remembered at once. Each has proved that it receives at its address, so there can't be a forged crowd of them. */
const MAX_ADDRESSES = 4096

/** Refusals told to a banned address per second, so that whoever forges its packets makes no flood of them. */
const TOLD_PER_SECOND = 5

interface Entry {
  failures: number
  bannedUntil: number
  readonly windowEndsAt: number
  readonly refusals: TokenBucket
}

/** Counts wrong passwords by address and bans. Its memory is bounded: the address whose failure is longest ago is forgotten first. */
export class LoginAttempts {
  readonly #options: Required<LoginAttemptsOptions>
  readonly #entries = new Map<string, Entry>()

  constructor({ banMs = 3_600_000, maxFailures = 5, windowMs = 30_000 }: LoginAttemptsOptions = {}) {
    this.#options = { banMs, maxFailures, windowMs }
  }

  /** Whether nothing but a refusal is due to `address`. */
  isBanned(address: string, now: number): boolean {
    const entry = this.#entries.get(address)
    return entry !== undefined && now < entry.bannedUntil
  }

  /** Whether a banned address is to be told so once more. */
  mayTell(address: string, now: number): boolean {
    return this.#entries.get(address)?.refusals.take(now) === 0
  }

  /** Takes in a wrong password; returns whether it led to a ban. */
  failed(address: string, now: number): boolean {
    const { banMs, maxFailures, windowMs } = this.#options
    const known = this.#entries.get(address)
    const refusals = known?.refusals ?? new TokenBucket(TOLD_PER_SECOND, TOLD_PER_SECOND)
    const entry =
      known !== undefined && now < known.windowEndsAt
        ? known
        : { failures: 0, bannedUntil: Number.NEGATIVE_INFINITY, windowEndsAt: now + windowMs, refusals }
    entry.failures += 1
    const banned = entry.failures > maxFailures
    if (banned) entry.bannedUntil = now + banMs
    // Set anew, so that the map's order is that of the last failures.
    this.#entries.delete(address)
    this.#entries.set(address, entry)
    if (this.#entries.size > MAX_ADDRESSES) this.#entries.delete(this.#entries.keys().next().value!)
    return banned
  }

  /** Forgives an address its failures and its ban. */
  unban(address: string): void {
    this.#entries.delete(address)
  }
}
