/**
 * Replaces `Intl.Segmenter` in the program: it is created when it is first used. Creating one takes 10 ms, and the parser of flags creates
 * one when it is loaded, to measure help texts that are seldom shown.
 */
const Segmenter = Reflect.get(Intl, "Segmenter") as typeof Intl.Segmenter

/** The part of `Intl.Segmenter` that measuring text needs. */
export class LazySegmenter {
  #made: Intl.Segmenter | undefined
  readonly #options: ConstructorParameters<typeof Intl.Segmenter>
  constructor(...options: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#options = options
  }
  /** The parts of a text. */
  segment(text: string): Intl.Segments {
    this.#made ??= new Segmenter(...this.#options)
    return this.#made.segment(text)
  }
}
