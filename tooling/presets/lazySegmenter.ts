/**
 * Replaces `Intl.Segmenter` in the program with a class that creates the real segmenter only when it is needed. Creating the real segmenter
 * takes 10 ms. The parser of flags creates a segmenter when the parser is loaded, but uses this segmenter only for help texts, which are
 * rarely shown.
 */
const Segmenter = Reflect.get(Intl, "Segmenter") as typeof Intl.Segmenter

/** A segmenter that has only one method, because the parser of flags calls only this method. */
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
