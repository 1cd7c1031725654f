import type { ExchangeClient } from '../../api/exchange-client.ts'

/** Tells when a hub or a cache had an answer from the exchange; a client without either says null. */
export type SeenClient = Partial<Pick<ExchangeClient, 'seenAtMs'>>

/**
 * When an answer was seen at the exchange, in desk time: through a hub or a cache when that had it, else now. Never
 * after now.
 */
export function seenAtMs(client: SeenClient, answer: unknown, nowMs: number): number {
  const atMs = client.seenAtMs?.(answer) ?? null
  return atMs === null ? nowMs : Math.min(atMs, nowMs)
}

/** The age of what several answers tell together: that of the oldest. One look at a time. */
export type Look = {
  /** A look begins. */
  begin(): void
  /** Hands on an answer of it. */
  note<T>(answer: Promise<T>): Promise<T>
  /** When the oldest answer of the look was seen at the exchange. */
  seenAtMs(): number
}

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
