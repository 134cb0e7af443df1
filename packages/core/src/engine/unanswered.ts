/**
 * Transmissions that have no reply yet, from when there are two at a time, and what a reply says of the round trip. One that several
 * transmissions can explain says nothing (Karn's rule), until all have been replied to and it is known which is whose.
 *
 * @module
 */

/** Those of one kind. */
export class OneKind {
  /** What they ask for. */
  asked: number
  /** How many. */
  count = 0
  /** Those of another kind. */
  next: OneKind | undefined = undefined
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
    // A list that begins empty gets room for seventeen.
    else if (this.later === undefined) this.later = [now]
    else this.later.push(now)
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

/** Those of all kinds. `asked` is what they ask for, or what a reply can be to, in bits. */
export class Unanswered {
  private first: OneKind | undefined = undefined

  /** How many. */
  get count(): number {
    let sum = 0
    for (let one = this.first; one !== undefined; one = one.next) sum += one.count
    return sum
  }

  /** As new: of none, with the memory that it has. */
  reset(): void {
    for (let one = this.first; one !== undefined; one = one.next) one.reset()
  }

  /** One more was sent. */
  add(now: number, asked: number): void {
    this.of(asked).add(now)
  }

  /** Whether one of that kind has no reply yet. */
  has(asked: number): boolean {
    return this.of(asked).count > 0
  }

  /** A reply came now that can be to this kind alone. Gives the round trip in ms if it is known for sure. */
  replyTo(now: number, asked: number): number | undefined {
    return this.of(asked).reply(now)
  }

  /** A reply came now. Gives the round trip in ms if it is known for sure. */
  reply(now: number, asked: number): number | undefined {
    let only: OneKind | undefined
    let kinds = 0
    for (let one = this.first; one !== undefined; one = one.next) {
      if (one.count === 0 || (one.asked & asked) === 0) continue
      kinds++
      if (only === undefined || one.asked < only.asked) only = one
    }
    const factMs = only?.reply(now)
    return kinds === 1 ? factMs : undefined
  }

  /** The likeliest round trip of a reply that came now: nearest to `likelyMs`, else of the latest transmission. */
  guess(now: number, asked: number, likelyMs: number): number | undefined {
    const off = (rttMs: number): number => Math.abs(rttMs - likelyMs)
    const guesses: Array<number> = []
    for (let one = this.first; one !== undefined; one = one.next) {
      if ((one.asked & asked) !== 0) guesses.push(...one.guesses(now))
    }
    return guesses.reduce<number | undefined>((a, b) => (a !== undefined && off(a) < off(b) ? a : b), undefined)
  }

  /** Those of one kind. What is left of a kind that has all its replies serves the next: most queries need no second. */
  private of(asked: number): OneKind {
    let free: OneKind | undefined
    for (let one = this.first; one !== undefined; one = one.next) {
      if (one.asked === asked) return one
      if (one.count === 0) free = one
    }
    if (free === undefined) {
      free = new OneKind(asked)
      free.next = this.first
      this.first = free
    }
    free.asked = asked
    return free
  }
}
