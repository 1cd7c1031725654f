// The first `Intl.Segmenter` of a program costs 8 ms, most of it for tables that are read in. Ink's packages and the
// screen make theirs as they are loaded, and the first screen is drawn without one: in the bundle each is made when it
// is first asked.

const { Segmenter } = globalThis.Intl

/** What the program uses of a segmenter. */
export default class LazySegmenter {
  #given
  #real = null

  constructor(...given) {
    this.#given = given
  }

  segment(text) {
    this.#real ??= new Segmenter(...this.#given)
    return this.#real.segment(text)
  }
}
