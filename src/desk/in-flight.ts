export type InFlight = {
  /** Tracks a user's promise until it settles; a rejection is a bug and goes to onBug. */
  track: (work: Promise<unknown>) => void
  /** The number of tracked promises that are open. */
  count(): number
  /** Resolves when all of them have settled, with those that they led to. */
  ended(): Promise<void>
}

/** Tracks the user's actions: the desk closes only when all have settled. */
export function createInFlight(onBug: (error: unknown) => void): InFlight {
  const inFlight = new Set<Promise<unknown>>()
  return {
    track(work) {
      const tracked = work.catch(onBug).finally(() => inFlight.delete(tracked))
      inFlight.add(tracked)
    },
    count: () => inFlight.size,
    async ended() {
      // What ends may track more: who was paid by the last withdrawal is remembered after it.
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
