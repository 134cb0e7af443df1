/**
 * Transmissions of a question that have no reply yet, from when there are two at a time, and what a reply says of the round trip. One that
 * several transmissions can explain says nothing (Karn's rule), until all have been replied to and it is known which is whose.
 *
 * @module
 */

/** What a transmission asks for, and a reply is to. Bits, since an answer can be to several. */
export const Asked = {
  /** Without a challenge of this query; a challenge is the reply, or the answer where none is wanted. */
  Opening: 1,
  /** With a challenge of this query; the answer is the reply. */
  Challenged: 2,
  /** Something else, whose replies are of another type. */
  Alternate: 4
} as const

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
  /** Replies that may still come to the exchange before. */
  owed = 0
  private first: OneKind | undefined = undefined
  /** What the round trip may be, in ms, where nothing is known of the server; 0 for no idea. */
  private hintMs = 0

  /** How many there are, with those of the exchange before. */
  get count(): number {
    let sum = this.owed
    for (let one = this.first; one !== undefined; one = one.next) sum += one.count
    return sum
  }

  /** As new: of none, with the memory that it has. */
  reset(): void {
    this.owed = this.hintMs = 0
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

  /** Takes what came for a reply to the exchange before, if one may still come. */
  takeOwed(): boolean {
    if (this.owed === 0) return false
    this.owed--
    return true
  }

  /**
   * The challenge in use has come again: asked for by an opening before it was there, or repeated by the network, or by a server that
   * wants it twice. That is good for a guess at most.
   */
  repeated(now: number): void {
    this.hintMs = this.of(Asked.Opening).reply(now) ?? this.hintMs
  }

  /** A reply came now. What it says of the round trip, which is about `knownMs`, unless that is 0; a guess is `elseMs` at worst. */
  measure(
    now: number,
    asked: number,
    knownMs: number,
    elseMs: number
  ): { readonly rttMs: number; readonly isFact: boolean } {
    // The reply itself leaves less to guess from.
    const guessMs = this.guess(now, asked, knownMs || this.hintMs) ?? elseMs
    const factMs = this.reply(now, asked)
    const isFact = factMs !== undefined && this.owed === 0
    return { rttMs: isFact ? factMs : guessMs, isFact }
  }

  /** Gives the round trip in ms if it is known for sure. */
  private reply(now: number, asked: number): number | undefined {
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
  private guess(now: number, asked: number, likelyMs: number): number | undefined {
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
