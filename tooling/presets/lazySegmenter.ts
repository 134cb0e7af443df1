/**
 * Replaces `Intl.Segmenter` in the program: it is created when it is first used. Creating one takes 10 ms, and the parser of flags creates
 * one when it is loaded, to measure help texts, which are rarely shown.
 */
const Segmenter = Reflect.get(Intl, "Segmenter") as typeof Intl.Segmenter

/** The method of `Intl.Segmenter` that is needed to measure text. */
export class LazySegmenter {
  #made: Intl.Segmenter | undefined
  readonly #options: ConstructorParameters<typeof Intl.Segmenter>
  constructor(...options: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#options = options
  }
  /** Splits a text into its parts. */
  segment(text: string): Intl.Segments {
    this.#made ??= new Segmenter(...this.#options)
    return this.#made.segment(text)
  }
}
