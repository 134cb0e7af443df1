/** Determines since when the content of an upstream's reply is true: since now, unless the upstream is a proxy and reports an age. */
import type { Ages } from "./age.ts"
import type { Part } from "./cache.ts"

/** How often in a row a proxy may reply to a query without reporting an age, before it is treated as a game server. */
const MAX_MISSES = 5

/** The ages that one upstream reports. All times are ms of one steady clock. */
export class Origin {
  private ages: Ages | undefined
  private misses = 0

  get isProxy(): boolean {
    return this.ages !== undefined
  }

  /** The upstream's report of the query at `askedAt`; `"none"` if it does not know ages. */
  note(ages: Ages | "none", askedAt: number): void {
    this.misses = 0
    this.ages = ages === "none" ? undefined : takenAtOf(ages, askedAt)
  }

  /** It did not report, and replied to another request. */
  missed(): void {
    if (++this.misses === MAX_MISSES) this.note("none", 0)
  }

  /**
   * When the game server sent a reply that has arrived now; `undefined` if unknown. Never later than the true time if the ages were queried
   * before the reply.
   */
  takenAt(part: Part, now: number): number | undefined {
    return this.ages === undefined ? now : this.ages[part]
  }
}

const takenAtOf = ({ info, players, rules }: Ages, askedAt: number): Ages => {
  const before = (age: number | undefined): number | undefined => (age === undefined ? undefined : askedAt - age)
  return { info: before(info), players: before(players), rules: before(rules) }
}
