/**
 * What the program's build puts in the place of `Intl.Segmenter`: one that is made when it is first used. Making one takes 10 ms, and
 * the parser of flags makes one whenever it is loaded, to measure help that nobody may ask for.
 */
const Segmenter = Reflect.get(Intl, "Segmenter") as typeof Intl.Segmenter

/** As much of `Intl.Segmenter` as measures text. */
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
