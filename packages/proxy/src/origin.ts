/**
 * Determines when the game server sent the replies that arrive from an upstream. If the upstream is the game server itself, it has just
 * sent these replies. If the upstream is another proxy, this other proxy reports the ages of the replies.
 */
import type { Ages } from "./age.ts"
import type { Part } from "./cache.ts"

/** If an upstream that was a proxy reports no ages in this number of consecutive cycles, this proxy treats it as a game server. */
const MAX_MISSES = 5

/** The ages that an upstream reports. All times are in ms of the same monotonic clock. */
export class Origin {
  private ages: Ages | undefined
  private misses = 0

  get isProxy(): boolean {
    return this.ages !== undefined
  }

  /** Stores the ages that the upstream reported after the request at `requestedAt`; `"none"` if the upstream does not report ages. */
  note(ages: Ages | "none", requestedAt: number): void {
    this.misses = 0
    this.ages = ages === "none" ? undefined : toReceiveTimes(ages, requestedAt)
  }

  /** Records that the upstream replied to a query, but not to the age request of the same cycle. */
  missed(): void {
    if (++this.misses === MAX_MISSES) this.note("none", 0)
  }

  /**
   * Returns the time at which the game server sent a reply that has just arrived from the upstream; `undefined` if this time is unknown. If
   * the upstream is a proxy, the time is calculated from the last ages that the proxy reported. If the ages were requested before this
   * query, the calculated time may be earlier than the actual time, but never later.
   */
  takenAt(part: Part, now: number): number | undefined {
    return this.ages === undefined ? now : this.ages[part]
  }
}

const toReceiveTimes = ({ info, players, rules }: Ages, requestedAt: number): Ages => {
  const before = (age: number | undefined): number | undefined => (age === undefined ? undefined : requestedAt - age)
  return { info: before(info), players: before(players), rules: before(rules) }
}
