/** A pause of a poller that may end a little early. */
type Pause = {
  /** When it is to end, by the monotonic clock. */
  readonly endsAtMs: number
  /** By how much it may end before that. */
  readonly earlyMs: number
  /** Ends it now. */
  join(): void
}

/**
 * Pollers that begin together: when one of them asks, those whose pauses have nearly passed ask as well. What they
 * bring is then drawn once, not each for itself, and the desk wakes less often. Pauses that are multiples of each other
 * fall into step by themselves.
 */
export class SharedBeat {
  readonly #pauses = new Set<Pause>()

  /** Takes part in the beat with a pause; the function returned ends that, once the pause is over. */
  rest(pause: Pause): () => void {
    this.#pauses.add(pause)
    return () => void this.#pauses.delete(pause)
  }

  /** One of them asks now. */
  begin(nowMs: number): void {
    for (const pause of [...this.#pauses]) {
      const leftMs = pause.endsAtMs - nowMs
      if (leftMs > pause.earlyMs) continue
      this.#pauses.delete(pause)
      pause.join()
    }
  }
}
