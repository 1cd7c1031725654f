import type { ExchangeClient } from '../../api/exchange-client.ts'

/** When a hub or a cache got an answer from the exchange; null for a client without either. */
export type SeenClient = Partial<Pick<ExchangeClient, 'seenAtMs'>>

/** When an answer came from the exchange, in desk time: by a hub or cache, or now. Never later than now. */
export function seenAtMs(client: SeenClient, answer: unknown, nowMs: number): number {
  const atMs = client.seenAtMs?.(answer) ?? null
  return atMs === null ? nowMs : Math.min(atMs, nowMs)
}

/** The age of several answers together, which is that of the oldest. One look at a time. */
export type Look = {
  /** Begins a look. */
  begin(): void
  /** Passes on an answer of the look. */
  note<T>(answer: Promise<T>): Promise<T>
  /** When the oldest answer of the look came from the exchange. */
  seenAtMs(): number
}

/** Creates a look that consists of several calls: it is as old as the oldest answer among them. */
export function createLook(client: SeenClient, now: () => number): Look {
  let oldestMs = Number.POSITIVE_INFINITY
  return {
    begin() {
      oldestMs = Number.POSITIVE_INFINITY
    },
    async note(answer) {
      const value = await answer
      oldestMs = Math.min(oldestMs, client.seenAtMs?.(value) ?? Number.POSITIVE_INFINITY)
      return value
    },
    seenAtMs: () => Math.min(oldestMs, now()),
  }
}
