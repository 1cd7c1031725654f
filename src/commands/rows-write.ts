import type { CommandRow } from './command.ts'
import { formFlags, profileFlag } from './flags.ts'

/** One-shot commands about single orders and withdrawals. */
export const writeRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'order show',
    summary: 'one order by its id',
    words: 'ID',
    wordsMost: 1,
    flags: [...formFlags, profileFlag],
    notes: [],
    load: async () => (await import('./order-reads.ts')).runOrderShow,
  },
]
