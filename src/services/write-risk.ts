import type { ExchangeError } from '../api/exchange-error.ts'

/**
 * What a failed write means for the money. While it is open, the sentence says what to do, and nothing else is to be
 * done.
 */
export type Risk = { isOpen: boolean; sentence: string }

type Write = 'order' | 'cancel' | 'cancelAll' | 'withdrawal' | 'depositAddress' | 'other'

const sentences: Record<Write, { none: string; open: string }> = {
  order: {
    none: 'Nothing was placed.',
    open: 'It may be live: checking. Do not resubmit.',
  },
  cancel: {
    none: 'Nothing was cancelled.',
    open: 'The order may still be working: checking. Cancelling it again does no harm.',
  },
  cancelAll: {
    none: 'Nothing was cancelled.',
    open: 'Some orders may still be working: checking. Cancelling again does no harm.',
  },
  withdrawal: {
    none: 'No money was sent.',
    open: 'The money may be on its way: checking. Do not resubmit.',
  },
  depositAddress: {
    none: 'No address was made.',
    open: 'No money is at risk. Ask for the address again.',
  },
  other: {
    none: 'Nothing was changed.',
    open: 'It may have taken effect. Look before you do it again.',
  },
}

function writeOf({ method, path }: ExchangeError): Write {
  if (method === 'POST' && path === '/orders') return 'order'
  if (method === 'DELETE' && path === '/orders') return 'cancelAll'
  if (method === 'DELETE' && path.startsWith('/orders/')) return 'cancel'
  if (method === 'POST' && path === '/withdrawals') return 'withdrawal'
  if (method === 'POST' && path.startsWith('/deposits/')) return 'depositAddress'
  return 'other'
}

/** Null for a read: it moves no money. */
export function riskOf(error: ExchangeError): Risk | null {
  if (error.outcome === null) return null
  const { none, open } = sentences[writeOf(error)]
  return error.outcome === 'unknown' ? { isOpen: true, sentence: open } : { isOpen: false, sentence: none }
}
