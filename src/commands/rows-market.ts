import type { CommandRow } from './command.ts'
import { readFlags, symbolFlag } from './flags.ts'

/** One-shot reads of the market. */
export const marketRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'symbols',
    summary: 'the symbols with their trading rules and states',
    words: '[SYMBOL]',
    wordsMost: 1,
    flags: [symbolFlag, ...readFlags],
    notes: ['Sizes are whole numbers with a scale, as the exchange writes them: 50 with scale 2 is 0.50.'],
    load: async () => (await import('./market-reads.ts')).runSymbols,
  },
  {
    kind: 'parsed',
    name: 'book',
    summary: 'the order book of a symbol',
    words: 'SYMBOL',
    wordsMost: 1,
    flags: [
      symbolFlag,
      { name: 'level', placeholder: 'LEVEL', meaning: 'by price (2) or order by order (3)', choices: ['2', '3'] },
      { name: 'depth', placeholder: 'COUNT', meaning: 'at most this many entries a side (all)' },
      ...readFlags,
    ],
    notes: ['num is how many orders stand at a price; on level 3 it is the id of the one order.'],
    load: async () => (await import('./market-reads.ts')).runBook,
  },
  {
    kind: 'parsed',
    name: 'tickers',
    summary: 'last prices and what was traded in 24 hours',
    words: '[SYMBOL]',
    wordsMost: 1,
    flags: [symbolFlag, ...readFlags],
    notes: [],
    load: async () => (await import('./market-reads.ts')).runTickers,
  },
]
