/**
 * How much one client may ask for, in a table of fixed size: whoever comes from ever new addresses only pushes out the oldest.
 *
 * @module
 */

/** Limits of one client. */
export interface ClientLimitOptions {
  /** Requests that may come at once; they come back at {@link perSecond}. */
  readonly burst: number
  readonly perSecond: number
  /** Streams that are open at a time. */
  readonly streams: number
}

/** For one reader with several tabs, and far above what a page needs. */
export const DEFAULT_CLIENT_LIMITS: ClientLimitOptions = { burst: 60, perSecond: 15, streams: 12 }

/** Clients that are remembered. */
const MAX_CLIENTS = 1024

interface Client {
  tokens: number
  at: number
  streams: number
}

/** See the module. */
export class ClientLimits {
  readonly #options: ClientLimitOptions
  readonly #clients = new Map<string, Client>()

  constructor(options: ClientLimitOptions = DEFAULT_CLIENT_LIMITS) {
    this.#options = options
  }

  /** Counts a request at `now` ms; `false` when it is one too many. */
  request(client: string, now: number): boolean {
    const { burst, perSecond } = this.#options
    const entry = this.#entry(client, now)
    entry.tokens = Math.min(burst, entry.tokens + ((now - entry.at) / 1000) * perSecond)
    entry.at = now
    if (entry.tokens < 1) return false
    entry.tokens -= 1
    return true
  }

  /** Counts a stream that opens; `undefined` when it is one too many, else what to call when it closes. */
  open(client: string, now: number): (() => void) | undefined {
    const entry = this.#entry(client, now)
    if (entry.streams >= this.#options.streams) return undefined
    entry.streams++
    let open = true
    return () => {
      if (open) entry.streams--
      open = false
    }
  }

  #entry(client: string, now: number): Client {
    const known = this.#clients.get(client)
    // Set again, so that the order of the table is that of the last use.
    const entry = known ?? { tokens: this.#options.burst, at: now, streams: 0 }
    this.#clients.delete(client)
    this.#clients.set(client, entry)
    if (this.#clients.size > MAX_CLIENTS) {
      for (const [oldest, { streams }] of this.#clients) {
        if (streams > 0) continue
        this.#clients.delete(oldest)
        break
      }
    }
    return entry
  }
}
