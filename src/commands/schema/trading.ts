import { symbolStatuses } from '../../domain/market/instrument.ts'
import { checkLevels } from '../../domain/orders/checks/check.ts'
import { orderStatuses, orderTypes, timesInForce } from '../../domain/orders/order.ts'
import { sides } from '../../domain/side.ts'
import type { fromLevel } from '../../wire/book.ts'
import type { fromFill, fromOrder } from '../../wire/order.ts'
import type { fromNewOrder } from '../../wire/order-requests.ts'
import type { fromInstrument } from '../../wire/symbol.ts'
import type { fromTicker } from '../../wire/ticker.ts'
import { amount, int64, listOf, maybe, rowOf, text, time, whole, word } from './kinds.ts'

type Names<From extends (...given: never[]) => object> = keyof ReturnType<From> & string

const symbolName = text('the symbol, such as BTC-USD')
const side = word(sides, 'BUY or SELL')
const orderType = word(orderTypes, 'the type of the order')

/** A symbol with its trading rules. */
export const symbol = rowOf<Names<typeof fromInstrument> | 'symbol'>({
  symbol: symbolName,
  id: maybe(int64("the exchange's number of the symbol")),
  status: word(symbolStatuses, 'whether it trades'),
  base_currency: maybe(text('what is bought and sold')),
  counter_currency: maybe(text('what it is paid in')),
  base_currency_scale: maybe(whole('decimals of the base currency')),
  counter_currency_scale: maybe(whole('decimals of the counter currency')),
  min_price_increment: maybe(int64('the tick, in units of its scale: 50 with scale 2 is 0.50')),
  min_price_increment_scale: maybe(whole('decimals of the tick')),
  lot_size: maybe(int64('the lot, in units of its scale')),
  lot_size_scale: maybe(whole('decimals of the lot')),
  min_order_size: maybe(int64('the least quantity of an order, in units of its scale')),
  min_order_size_scale: maybe(whole('decimals of the least quantity')),
  max_order_size: maybe(int64('the greatest quantity of an order, in units of its scale; 0: no limit')),
  max_order_size_scale: maybe(whole('decimals of the greatest quantity')),
  auction_price: maybe(amount('price of the auction, in the counter currency')),
  auction_size: maybe(amount('quantity of the auction, in the base currency')),
  auction_time: maybe(text('when the auction is, as the exchange writes it')),
  imbalance: maybe(amount('imbalance of the auction, in the base currency')),
})

const level = rowOf<Names<typeof fromLevel>>({
  px: amount('price, in the counter currency'),
  qty: amount('quantity, in the base currency'),
  num: maybe(int64('orders at the price; on level 3 the id of the one order')),
})

/** Both sides of a book. */
export const book = rowOf<'symbol' | 'bids' | 'asks'>({
  symbol: symbolName,
  bids: listOf(level, 'best first'),
  asks: listOf(level, 'best first'),
})

export const ticker = rowOf<Names<typeof fromTicker>>({
  symbol: symbolName,
  last_trade_price: maybe(amount('the last price, in the counter currency')),
  price_24h: maybe(amount('the price 24 hours ago, in the counter currency')),
  volume_24h: maybe(amount('what traded in 24 hours, in the base currency')),
})

const reportedOrder = {
  exOrdId: maybe(int64("the exchange's id; missing on an order that was refused before it had one")),
  clOrdId: text('the client order id'),
  ordType: orderType,
  ordStatus: word(orderStatuses, 'the state of the order'),
  side,
  price: maybe(amount('the limit price, in the counter currency')),
  text: maybe(text('why it ended, as the exchange says it')),
  symbol: symbolName,
  lastShares: maybe(amount('the last fill, in the base currency')),
  lastPx: maybe(amount('the price of the last fill, in the counter currency')),
  leavesQty: maybe(amount('what is left open, in the base currency')),
  cumQty: maybe(amount('what has filled, in the base currency')),
  avgPx: maybe(amount('the average price of the fills, in the counter currency')),
  timestamp: maybe(time('when the exchange last changed it')),
}

/** An order as the exchange reports it. */
export const plainOrder = rowOf<Names<typeof fromOrder>>(reportedOrder)

const ownTerms = {
  stopPx: maybe(amount('the stop trigger, in the counter currency: from the journal; missing where not known')),
  orderQty: maybe(amount('the whole quantity, in the base currency; missing where not known')),
}

/** The same with unreported terms, as far as they are on record here. */
export const orderWithTerms = rowOf<Names<typeof fromOrder> | keyof typeof ownTerms>({ ...reportedOrder, ...ownTerms })

const planId = text('the name of the plan, such as p1')

/** The same with the plan, where it is on record here. */
export const order = rowOf<Names<typeof fromOrder> | keyof typeof ownTerms | 'plan'>({
  ...reportedOrder,
  ...ownTerms,
  plan: maybe(planId),
})

/** The output of a command that places an order; for an earlier order only the recorded fields. */
export const placedOrder = rowOf<Names<typeof fromOrder> | keyof typeof ownTerms>({
  ...reportedOrder,
  ...ownTerms,
  ordStatus: maybe(word(orderStatuses, 'the state of the order')),
})

export const fill = rowOf<Names<typeof fromFill> | 'feeCurrency'>({
  exOrdId: int64('the order that filled'),
  tradeId: int64('the trade'),
  execId: int64('the execution: one side of the trade'),
  side,
  symbol: symbolName,
  price: amount('price, in the counter currency'),
  qty: amount('quantity, in the base currency'),
  fee: amount('fee, in feeCurrency'),
  feeCurrency: maybe(text('the counter currency of the symbol, in which fees are charged')),
  timestamp: time('when it traded'),
})

/** The result of a check before a write. */
export const checks = listOf(
  rowOf<'rule' | 'level' | 'text'>({
    rule: text('which rule; rules may be added'),
    level: word(checkLevels, 'ok passes, warn and ask need agreement, block refuses'),
    text: text('what it says, a clause; empty where it only passes'),
  }),
)
export const accept = listOf(text('a word of --accept'), 'what a script would have to accept by name')

/** The terms of a requested order. */
const orderTerms = {
  ordType: orderType,
  symbol: symbolName,
  side,
  orderQty: amount('quantity, in the base currency'),
  timeInForce: maybe(word(timesInForce, 'how long it stays')),
  price: maybe(amount('the limit price, in the counter currency')),
  expireDate: maybe(whole('the last day of a GTD order, YYYYMMDD')),
  minQty: maybe(amount('the least quantity to fill, in the base currency')),
  stopPx: maybe(amount('the stop trigger, in the counter currency')),
  execInst: maybe(word(['ALO'], 'ALO: post-only')),
}

/** The output of a dry run. */
export const orderDryRun = rowOf<'request' | 'checks' | 'accept'>({
  request: rowOf<Names<typeof fromNewOrder>>(
    {
      clOrdId: maybe(text('the client order id, where one was given')),
      ...orderTerms,
    },
    'the request as it would be sent',
  ),
  checks,
  accept,
})

const draftFields = {
  draftId: text('the id of the draft'),
  state: word(
    ['draft', 'sending', 'unknown', 'sent', 'refused', 'notPlaced', 'notSent', 'dropped', 'expired'],
    'unknown: it may be live',
  ),
  by: text('who or what made it: person, script, or a program such as mcp NAME'),
  reason: maybe(text("why, in the maker's own words: text that nobody checked")),
  ...orderTerms,
  clOrdId: text('the client order id that it is sent under'),
  exOrdId: maybe(int64("the exchange's id of one that was sent")),
  why: maybe(text('why it was refused')),
  timestamp: time('when it was drafted'),
  expiresAt: time('it may be sent until then'),
}
/** An order draft, which the user sends or not. */
export const orderDraft = rowOf<keyof typeof draftFields>(draftFields)
export const orderDraftChecked = rowOf({ ...draftFields, checks, accept })

/** The outcome of a cancel. */
export const canceled = rowOf<'exOrdId' | 'outcome' | 'ordStatus'>({
  exOrdId: int64('the order'),
  outcome: word(
    ['canceled', 'ended', 'refused', 'notSent', 'unknown', 'working'],
    'canceled: seen to be; any other word stands beside an error',
  ),
  ordStatus: maybe(word(orderStatuses, 'its state as it was seen afterwards')),
})
export const canceledAll = rowOf<'symbol' | 'outcome'>({
  symbol: maybe({ ...symbolName, description: 'the one symbol; missing: every symbol' }),
  outcome: word(['canceled'], 'no order of the scope is working'),
})
export const cancelAllDryRun = rowOf<'symbol' | 'count'>({
  symbol: maybe({ ...symbolName, description: 'the one symbol; missing: every symbol' }),
  count: whole('orders that would be canceled'),
})

const planFields = {
  plan: planId,
  begun: time('when it was begun'),
  kind: text('which kind of plan'),
  terms: text('its terms in words'),
  state: text('where it stands, a word; states may be added'),
  why: text('what it waits for or does, a sentence'),
  refused: maybe(text('what stops the step that is due, a clause')),
  entered: amount('what it has bought or sold on entering, in the base currency'),
  left: amount('what of it is still held, in the base currency'),
  uncounted: maybe(text('which fills nobody has told, a clause: they are in neither entered nor left')),
  uncoveredSince: maybe(time('since when no stop rests for something it is to protect')),
  person: maybe(text('at a hub: who began it')),
}
export const plan = rowOf(planFields)
export const planShown = rowOf({
  ...planFields,
  swapsMs: listOf(whole('how long one leg took to stand in the place of the other, ms')),
  orders: listOf(
    rowOf({
      time: time('when it was sent'),
      role: text('what it is for in the plan'),
      clOrdId: text('the client order id'),
      exOrdId: maybe(int64("the exchange's id")),
      standing: text('what the plan knows of it'),
      status: maybe(word(orderStatuses, 'its last state')),
      ordType: orderType,
      side,
      orderQty: amount('quantity, in the base currency'),
      price: maybe(amount('the limit price, in the counter currency')),
      stopPx: maybe(amount('the stop trigger, in the counter currency')),
      cumQty: maybe(amount('what has filled, in the base currency; missing: not known')),
      text: maybe(text('why the exchange ended or refused it')),
    }),
  ),
})
export const planChanged = rowOf<'plan' | 'outcome' | 'why'>({
  plan: planId,
  outcome: word(['begun', 'ending', 'changed', 'goes on', 'ended'], 'what became of the request'),
  why: maybe(text('of one that has ended: how, and what stays without a stop')),
})
export const planDryRun = rowOf<'request' | 'checks' | 'accept'>({
  request: rowOf<'terms'>({ terms: text('the terms in words') }),
  checks,
  accept,
})
