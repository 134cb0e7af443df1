/**
 * The rules of the challenge within one query: which one to bring back, how often, and when to start over.
 *
 * - One that is kept from the query before is used while servers remember it. If it meets silence it has probably expired.
 * - One that comes is brought back at once, also if it is the same again, but not for ever.
 * - Silence after one: once more with it, then without (caches drop requests whose challenge has expired).
 */
import { CHALLENGE_KEPT_MS, MAX_CHALLENGE_ROUNDS, MAX_SAME_CHALLENGES } from "../Limits.ts"

/** A challenge that a server gave, and when: worth a round trip in the next query to it, for a while. */
export interface KeptChallenge {
  readonly challenge: number
  /** On the clock of the exchanges. */
  readonly givenAt: number
}

/** A request that brings the challenge back, in its last four bytes or from `at` on. A copy is far cheaper than encoding anew. */
export const withChallenge = (request: Uint8Array, challenge: number, at = request.length - 4): Uint8Array => {
  const packet = request.slice()
  // A DataView for each would cost as much as all the rest.
  packet[at] = challenge
  packet[at + 1] = challenge >> 8
  packet[at + 2] = challenge >> 16
  packet[at + 3] = challenge >> 24
  return packet
}

/** The challenges of one query. */
export class Challenges {
  /** The one in use; absent before the first and after starting over. */
  current: number | undefined = undefined
  /** Whether the server has given one in this query. */
  isGiven = false
  private before: KeptChallenge | undefined
  /** The last of this query, and when it came. */
  private last = 0
  private givenAt = 0
  private rounds = 0
  /** How often in a row the one in use has come again. */
  private sameAgain = 0
  /** Since the one in use was last given. One that is kept has no second try. */
  private silences = 1

  /** With the one of the query before. */
  constructor(before: KeptChallenge | undefined) {
    this.before = before
  }

  /** As new, without any. */
  reset(): void {
    this.current = this.before = undefined
    this.isGiven = false
    this.last = this.givenAt = this.rounds = this.sameAgain = 0
    this.silences = 1
  }

  /** The last of the server, for the next query to it. */
  get kept(): KeptChallenge | undefined {
    return this.isGiven ? { challenge: this.last, givenAt: this.givenAt } : this.before
  }

  /** The query begins: takes up what is kept, if that is young enough. */
  begin(now: number): void {
    const { before } = this
    if (before !== undefined && now - before.givenAt < CHALLENGE_KEPT_MS) this.current = before.challenge
  }

  /** The server gave one. What to do with it: bring it back, at once or not before the next transmission is due, or give up. */
  receive(challenge: number, now: number): "use" | "later" | "give up" {
    this.sameAgain = challenge === this.current ? this.sameAgain + 1 : 0
    if (this.sameAgain > MAX_SAME_CHALLENGES) return "later"
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) return "give up"
    this.isGiven = true
    this.current = this.last = challenge
    this.givenAt = now
    this.silences = 0
    return "use"
  }

  /** It was quiet. */
  afterSilence(): void {
    if (this.current === undefined || ++this.silences < 2) return
    this.current = undefined
    this.rounds = 0
  }
}
