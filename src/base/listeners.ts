/** Functions that are told of something, in the order in which they came. */
export type Listeners<News extends readonly unknown[]> = {
  /** Adds one, also where the same function is there already; the function returned takes that one off. */
  add(listener: (...news: News) => void): () => void
  /** Calls all that were there when it began: what comes or goes meanwhile changes nothing. */
  tell(...news: News): void
  readonly size: number
  clear(): void
}

export function createListeners<News extends readonly unknown[] = []>(): Listeners<News> {
  // The list is replaced and never changed, so that telling needs no copy of it.
  let entries: ReadonlyArray<{ call: (...news: News) => void }> = []
  return {
    add: (call) => {
      const entry = { call }
      entries = [...entries, entry]
      return () => {
        entries = entries.filter((each) => each !== entry)
      }
    },
    tell: (...news) => {
      for (const { call } of entries) call(...news)
    },
    get size() {
      return entries.length
    },
    clear: () => {
      entries = []
    },
  }
}
