import type { DepositOverlay } from '../../src/store/transfers/transfers.ts'

type Shown = Extract<DepositOverlay, { kind: 'deposit' }>

const shown = (currency: string, address: string): Shown => ({
  kind: 'deposit',
  currency,
  answer: { kind: 'known', deposit: { type: 'CRYPTO', address } },
  isInverted: false,
  nextCopy: 'address',
  copySentence: '',
})

/** Deposit addresses as the overlay shows them. */
export const depositOverlays = {
  plain: shown('BTC', 'bc1q6r3xk0q8v9p5dyjz2n4m7w0cfh8ta5ls3gue2y'),
  tagged: shown('XRP', 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe:4021'),
  asking: { ...shown('BTC', ''), answer: { kind: 'asking' } },
  failed: {
    ...shown('USD', ''),
    answer: { kind: 'failed', sentence: 'Only crypto currencies have deposit addresses.' },
  },
} as const satisfies Record<string, Shown>
