import { bestAsk, bestBid } from '../../domain/market/book.ts'
import { exactPriceScale } from '../../domain/market/instrument.ts'
import { type Decimal, formatGrouped } from '../../domain/money.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { lastPriceIn } from '../../domain/orders/stop-trigger.ts'
import { ticketSummary } from '../../domain/orders/ticket-summary.ts'
import { summaryRows } from '../../ui/panes/ticket/order-rows.ts'
import { valueRow } from '../../ui/panes/ticket/ticket-layout.ts'
import { rowText } from '../../ui/text/row.ts'
import { currencyScales } from '../../ui/text/trade-words.ts'

/** Fits every terminal, and the longer words of a ticket. */
const width = 78

/**
 * The preview of an order before its confirmation: the best prices now, and a ticket's lines (immediate fills and their
 * average, maximum cost, remaining balance, fee). Empty unless the symbol's rules, the book, the balances and the fees
 * are known.
 */
export function outlookLines(draft: OrderDraft, context: CheckContext): string[] {
  const { instrument, book, balances, unreadBalances, fees } = context
  if (instrument.kind !== 'fresh' || book.kind !== 'fresh' || balances.kind !== 'fresh' || fees.kind !== 'fresh')
    return []
  const rules = instrument.value
  const price = (value: Decimal | null) =>
    value === null ? 'none' : formatGrouped(value, exactPriceScale(value, rules))
  const touch = `best bid ${price(bestBid(book.value))}, best ask ${price(bestAsk(book.value))}`
  const lastPrice = lastPriceIn(context.tickers, draft.symbol)
  const held = { balances: balances.value, unreadBalances }
  const market = { book: book.value, fees: fees.value, ...held, instrument: rules, lastPrice }
  const summary = ticketSummary(draft, market)
  const scales = currencyScales(new Map([[draft.symbol, rules]]))
  const comesTo =
    summary === null ? [] : summaryRows({ draft, summary, instrument: rules, scales, width, isPrivate: false })
  return [valueRow('market', touch), ...comesTo].map(rowText)
}
