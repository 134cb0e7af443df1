/**
 * Transmissions of one kind of question that have no reply yet, and what a reply says of the round trip. One that several transmissions
 * can explain says nothing (Karn's rule), until all have been replied to and it is known which is whose.
 *
 * @module
 */

/** Those of one kind, from when there were two at a time. */
export class Unanswered {
  /** What they ask for. */
  asked: number
  /** How many. */
  count = 0
  /** Those of another kind. */
  next: Unanswered | undefined = undefined
  /** When the oldest was sent. A field, since there is hardly ever another one. */
  private oldest = Number.NaN
  /** When the others were. */
  private later: Array<number> | undefined = undefined
  /** The first reply that several could explain, the oldest of those, and the one that the last such reply was counted for. */
  private first: { readonly sentAt: number; readonly repliedAt: number; before: number } | undefined = undefined

  constructor(asked: number) {
    this.asked = asked
  }

  /** As new: of none, with the memory that it has. */
  reset(): void {
    for (; this.count > 1; this.count--) this.later!.pop()
    this.count = 0
    this.first = undefined
  }

  /** One more was sent. */
  add(now: number): void {
    if (this.count++ === 0) this.oldest = now
    else (this.later ??= []).push(now)
  }

  /** One of them has a reply, which came now. Gives the round trip in ms if it is known for sure. */
  reply(now: number): number | undefined {
    // The network has repeated a reply.
    if (this.count === 0) return undefined
    const { first, oldest: sentAt } = this
    if (--this.count > 0) {
      this.oldest = this.later!.shift()!
      if (first === undefined) this.first = { sentAt, repliedAt: now, before: sentAt }
      else first.before = sentAt
      return undefined
    }
    if (first === undefined) return now - sentAt
    this.first = undefined
    // As many replies as questions: each to its own, if they came as far apart as the questions went out. Otherwise the last question
    // was lost, and one of the replies repeated by the network: then it is off by as much as the last two were apart.
    const off = now - first.repliedAt - (sentAt - first.sentAt)
    return Math.abs(off) < (sentAt - first.before) / 2 ? now - sentAt : undefined
  }

  /** What a reply that came now may have taken, in ms, by the question that it is to. */
  guesses(now: number): ReadonlyArray<number> {
    if (this.count === 0) return []
    return [this.oldest, ...(this.later ?? [])].map((sentAt) => now - sentAt)
  }
}
