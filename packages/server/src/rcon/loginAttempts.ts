/**
 * Counts wrong passwords and bans addresses, by the rule of Valve's servers (`sv_rcon_minfailures`, `sv_rcon_minfailuretime`,
 * `sv_rcon_banpenalty`): an address may send a limited number of wrong passwords within a time window. The next wrong password causes a
 * ban.
 */
import { TokenBucket } from "@sourcewire/core/engine"

/** When an address is banned, and for how long. */
export interface LoginAttemptsOptions {
  /** Number of wrong passwords within the window that do not cause a ban (default: 5). The next wrong password causes a ban. */
  readonly maxFailures?: number
  /** Duration of the window, which begins with the first wrong password, in ms (default: 30 000). */
  readonly windowMs?: number
  /**
   * Duration of the ban in ms (default: one hour). If the duration is `Infinity`, the ban lasts until the server stops or {@link
   * LoginAttempts.unban} is called.
   */
  readonly banMs?: number
}

/** Maximum number of stored addresses. Only verified addresses are stored. Therefore spoofed sources cannot fill the table. */
const MAX_ADDRESSES = 4096

/** Maximum number of replies per second to a banned address. This limit is necessary, because the source of a request may be spoofed. */
const REFUSALS_PER_SECOND = 5

interface Entry {
  failures: number
  bannedUntil: number
  readonly windowEndsAt: number
  readonly refusals: TokenBucket
}

/**
 * Counts wrong passwords by address and bans addresses. The number of stored addresses is limited. Above the limit, the address that has
 * sent no wrong password for the longest time is removed.
 */
export class LoginAttempts {
  private readonly options: Required<LoginAttemptsOptions>
  private readonly entries = new Map<string, Entry>()

  constructor({ banMs = 3_600_000, maxFailures = 5, windowMs = 30_000 }: LoginAttemptsOptions = {}) {
    this.options = { banMs, maxFailures, windowMs }
  }

  /** Whether `address` is banned. */
  isBanned(address: string, now: number): boolean {
    const entry = this.entries.get(address)
    return entry !== undefined && now < entry.bannedUntil
  }

  /** Whether the rate limit permits a reply to a banned address now. */
  mayRefuse(address: string, now: number): boolean {
    return this.entries.get(address)?.refusals.take(now) === 0
  }

  /** Counts a wrong password. Returns whether the address is now banned. A wrong password during a ban extends the ban. */
  failed(address: string, now: number): boolean {
    const { banMs, maxFailures, windowMs } = this.options
    const known = this.entries.get(address)
    const refusals = known?.refusals ?? new TokenBucket(REFUSALS_PER_SECOND, REFUSALS_PER_SECOND)
    // During a ban, wrong passwords can still arrive on connections that were open before the ban. They must not end the ban.
    const entry =
      known !== undefined && (now < known.windowEndsAt || now < known.bannedUntil)
        ? known
        : { failures: 0, bannedUntil: Number.NEGATIVE_INFINITY, windowEndsAt: now + windowMs, refusals }
    entry.failures += 1
    const banned = entry.failures > maxFailures
    if (banned) entry.bannedUntil = now + banMs
    // Delete and set the entry, so that the map is ordered by the time of the last wrong password.
    this.entries.delete(address)
    this.entries.set(address, entry)
    if (this.entries.size > MAX_ADDRESSES) this.entries.delete(this.entries.keys().next().value!)
    return banned
  }

  /** Forgets the wrong passwords of an address, and removes its ban. */
  unban(address: string): void {
    this.entries.delete(address)
  }
}
