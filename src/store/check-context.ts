import type { CheckContext } from '../domain/pre-trade.ts'
import { emptyFeed, known } from './feed.ts'
import type { DeskState } from './state.ts'

/** What the checks of an order in `symbol` may rest on at `nowMs`, which is the state's clock unless a later one is given. */
export function checkContext(state: DeskState, symbol: string, nowMs: number = state.nowMs): CheckContext {
  const instruments = known(state.instruments, 'instruments', nowMs)
  const instrument = instruments.kind === 'fresh' ? instruments.value.get(symbol) : undefined
  return {
    instrument:
      instruments.kind !== 'fresh'
        ? instruments
        : instrument === undefined
          ? { kind: 'missing' }
          : { kind: 'fresh', value: instrument },
    book: known(state.books.get(symbol) ?? emptyFeed, 'book', nowMs),
    balances: known(state.balances, 'balances', nowMs),
    fees: known(state.fees, 'fees', nowMs),
  }
}
