/**
 * Counts wrong passwords and bans addresses, by the rule of Valve's servers (`sv_rcon_minfailures`, `sv_rcon_minfailuretime`,
 * `sv_rcon_banpenalty`): this many failures within a period get a reply, one more bans.
 */
import { TokenBucket } from "@sourcewire/core/engine"

/** When to ban, and for how long. */
export interface LoginAttemptsOptions {
  /** Failures within the window that get a reply; the next one bans (default: 5). */
  readonly maxFailures?: number
  /** The window in ms (default: 30 000). */
  readonly windowMs?: number
  /** The ban in ms (default: one hour). `Infinity` lasts until the server ends or {@link LoginAttempts.unban}. */
  readonly banMs?: number
}

/** Addresses that are stored. Each has proved that it receives at its address, so spoofed sources cannot fill the table. */
const MAX_ADDRESSES = 4096

/** Refusals per second to a banned address, so that spoofed datagrams cannot cause a flood. */
const TOLD_PER_SECOND = 5

interface Entry {
  failures: number
  bannedUntil: number
  readonly windowEndsAt: number
  readonly refusals: TokenBucket
}

/** Counts wrong passwords by address and bans. Its memory is limited: the address whose failure is longest ago is dropped first. */
export class LoginAttempts {
  private readonly options: Required<LoginAttemptsOptions>
  private readonly entries = new Map<string, Entry>()

  constructor({ banMs = 3_600_000, maxFailures = 5, windowMs = 30_000 }: LoginAttemptsOptions = {}) {
    this.options = { banMs, maxFailures, windowMs }
  }

  /** Whether `address` gets only refusals. */
  isBanned(address: string, now: number): boolean {
    const entry = this.entries.get(address)
    return entry !== undefined && now < entry.bannedUntil
  }

  /** Whether a banned address gets another refusal now. */
  mayTell(address: string, now: number): boolean {
    return this.entries.get(address)?.refusals.take(now) === 0
  }

  /** Counts a wrong password; returns whether it led to a ban. */
  failed(address: string, now: number): boolean {
    const { banMs, maxFailures, windowMs } = this.options
    const known = this.entries.get(address)
    const refusals = known?.refusals ?? new TokenBucket(TOLD_PER_SECOND, TOLD_PER_SECOND)
    const entry =
      known !== undefined && now < known.windowEndsAt
        ? known
        : { failures: 0, bannedUntil: Number.NEGATIVE_INFINITY, windowEndsAt: now + windowMs, refusals }
    entry.failures += 1
    const banned = entry.failures > maxFailures
    if (banned) entry.bannedUntil = now + banMs
    // Set again, so that the map's order is that of the last failures.
    this.entries.delete(address)
    this.entries.set(address, entry)
    if (this.entries.size > MAX_ADDRESSES) this.entries.delete(this.entries.keys().next().value!)
    return banned
  }

  /** Removes the failures and the ban of an address. */
  unban(address: string): void {
    this.entries.delete(address)
  }
}
