/** Functions that are called on an event, in the order they were added. */
export type Listeners<News extends readonly unknown[]> = {
  /** Adds a listener, also when the same function was added before. Returns a function that removes this entry. */
  add(listener: (...news: News) => void): () => void
  /** Calls every listener present at the start of the call; changes during the call do not affect it. */
  tell(...news: News): void
  readonly size: number
  clear(): void
}

export function createListeners<News extends readonly unknown[] = []>(): Listeners<News> {
  // The list is replaced, never changed, so that `tell` needs no copy.
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
