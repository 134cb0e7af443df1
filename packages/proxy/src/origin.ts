/**
 * Since when that is true which an upstream answers: since now, unless the upstream is a proxy as well and says how old its answers
 * are.
 */
import type { Ages } from "./age.ts"
import type { Part } from "./cache.ts"

/** So often in a row a proxy may answer a query and not say how old the answer is, before it is taken for a game server. */
const MAX_MISSES = 5

/** What is known of how old the answers of one upstream are. All times are ms of one steady clock. */
export class Origin {
  #takenAt: Ages | undefined
  #misses = 0

  get isProxy(): boolean {
    return this.#takenAt !== undefined
  }

  /** What the upstream said when asked at `askedAt` how old its answers are; `"none"` where it knows of no ages. */
  note(ages: Ages | "none", askedAt: number): void {
    this.#misses = 0
    this.#takenAt = ages === "none" ? undefined : takenAtOf(ages, askedAt)
  }

  /** It did not say, and answered another question. */
  missed(): void {
    if (++this.#misses === MAX_MISSES) this.note("none", 0)
  }

  /**
   * When the game server gave an answer that has come now; `undefined` when nobody knows. Never later than the truth where the ages were
   * asked for before the answer was.
   */
  takenAt(part: Part, now: number): number | undefined {
    return this.#takenAt === undefined ? now : this.#takenAt[part]
  }
}

const takenAtOf = ({ info, players, rules }: Ages, askedAt: number): Ages => {
  const before = (age: number | undefined): number | undefined => (age === undefined ? undefined : askedAt - age)
  return { info: before(info), players: before(players), rules: before(rules) }
}
