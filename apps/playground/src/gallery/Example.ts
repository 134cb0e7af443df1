/**
 * What the gallery shows of an example.
 *
 * @module
 */

/** One example. */
export interface Example {
  /** Key in `samples.json`. */
  readonly id: string
  readonly title: string
  /** What to look at, in a sentence or two. */
  readonly look: string
  /** Document, recording, or that we made it. */
  readonly source: string
}
