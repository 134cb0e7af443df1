/**
 * Replaces `Intl.Segmenter` in the program with a class that creates the segmenter only when it is used. The creation takes 10 ms. The
 * parser of flags creates a segmenter when it is loaded, but needs it only to measure help texts, which are rarely shown.
 */
const Segmenter = Reflect.get(Intl, "Segmenter") as typeof Intl.Segmenter

/** The method of `Intl.Segmenter` that is needed to measure text. */
export class LazySegmenter {
  #made: Intl.Segmenter | undefined
  readonly #options: ConstructorParameters<typeof Intl.Segmenter>
  constructor(...options: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#options = options
  }
  segment(text: string): Intl.Segments {
    this.#made ??= new Segmenter(...this.#options)
    return this.#made.segment(text)
  }
}
