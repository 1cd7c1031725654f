import type { Balance, Fees } from '../../balance.ts'
import type { UnreadableEntry } from '../../listing.ts'
import { type Book, bestOpposite, takesNow } from '../../market/book.ts'
import { formatExactPrice, type Instrument } from '../../market/instrument.ts'
import type { Side } from '../../side.ts'
import type { OrderDraft } from '../order.ts'
import { lastPriceIn } from '../stop-trigger.ts'
import { balancesFor, block, type Check, freshnessCheck, type Known, pass, withRemedy } from './check.ts'
import { fillCheck, fundsCheck } from './funds-check.ts'
import { limitChecks, selfMatchCheck } from './limit-checks.ts'
import {
  fieldChecks,
  lotCheck,
  maximumCheck,
  minimumCheck,
  minimumLotCheck,
  statusCheck,
  stopChecks,
  tickCheck,
} from './rule-checks.ts'
import type { LimitContext } from './value-checks.ts'

/** The data available to the checks, the same for ticket, ladder, palette and script. */
export type CheckContext = LimitContext & {
  /** The exchange's time, by whose day orders expire. */
  exchangeNowMs: number
  instrument: Known<Instrument>
  book: Known<Book>
  balances: Known<readonly Balance[]>
  /** Entries of the account's balances that cannot be read; none unless given. */
  unreadBalances?: readonly UnreadableEntry[] | undefined
  fees: Known<Fees>
}

function postOnlyCheck(draft: OrderDraft, instrument: Instrument, book: Book): Check {
  if (!draft.postOnly || draft.limitPrice === null) return pass('postOnly')
  const touch = bestOpposite(book, draft.side)
  if (touch === null || !takesNow(book, draft.side, draft.limitPrice)) return pass('postOnly')
  const bound = draft.side === 'BUY' ? 'below' : 'above'
  const text = `would match at ${formatExactPrice(touch, instrument)}: a post-only price must be ${bound} it`
  const { tickSize } = instrument
  const beside = draft.side === 'BUY' ? touch.minus(tickSize) : touch.plus(tickSize)
  return withRemedy(block('postOnly', text), 'price', beside)
}

/** The balances, as far as that which an order of this side is paid with can be read. */
export function balancesOf(
  side: Side,
  { instrument, balances, unreadBalances }: Pick<CheckContext, 'instrument' | 'balances' | 'unreadBalances'>,
): CheckContext['balances'] {
  if (instrument.kind !== 'fresh') return balances
  const { base, counter } = instrument.value
  return balancesFor(side === 'SELL' ? base : counter, balances, unreadBalances)
}

/** All rules in the order of the ticket's lines. Rules that depend on stale data are not evaluated. */
export function preTradeChecks(draft: OrderDraft, context: CheckContext): Check[] {
  const { instrument, book, fees } = context
  const balances = balancesOf(draft.side, context)
  const freshness = freshnessCheck({ rules: instrument, book, balances, fees })
  if (instrument.kind !== 'fresh') return [freshness]
  const rules = instrument.value
  const lastPrice = lastPriceIn(context.tickers, draft.symbol)
  const checks: Check[] = [freshness, statusCheck(draft, rules)]
  if (draft.limitPrice !== null) checks.push(tickCheck('price', draft.limitPrice, rules, draft.side))
  if (draft.stopPrice !== null) checks.push(tickCheck('stop price', draft.stopPrice, rules, draft.side))
  checks.push(
    lotCheck(draft.orderQuantity, rules),
    minimumCheck(draft.orderQuantity, rules),
    maximumCheck(draft.orderQuantity, rules),
  )
  if (draft.minQuantity !== null) checks.push(minimumLotCheck(draft.minQuantity, rules))
  if (book.kind === 'fresh')
    checks.push(
      ...stopChecks(draft, rules, { book: book.value, lastPrice }),
      fillCheck(draft, rules, { book: book.value, lastPrice }),
      postOnlyCheck(draft, rules, book.value),
    )
  if (book.kind === 'fresh' && context.openOrders.kind === 'fresh')
    checks.push(selfMatchCheck(draft, rules, book.value, { ...context, openOrders: context.openOrders.value }))
  if (book.kind === 'fresh' && balances.kind === 'fresh' && fees.kind === 'fresh') {
    checks.push(
      fundsCheck(draft, rules, {
        book: book.value,
        lastPrice,
        balances: balances.value,
        fees: fees.value,
        orders: context.openOrders.kind === 'fresh' ? context.openOrders.value : [],
        drafts: context.ownDrafts,
      }),
    )
  }
  if (book.kind === 'fresh' && balances.kind === 'fresh')
    checks.push(...limitChecks(draft, { instrument: rules, book: book.value, balances: balances.value }, context))
  return checks
}

/** All checks before an order is sent: whether its fields go together, then all market and desk rules. */
export const orderChecks = (draft: OrderDraft, context: CheckContext): Check[] => [
  ...fieldChecks(draft, context.exchangeNowMs),
  ...preTradeChecks(draft, context),
]
