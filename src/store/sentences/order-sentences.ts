import { capital, withStop } from '../../base/text/plain-text.ts'
import { readTypedAmount } from '../../domain/amount-text.ts'
import { knownAvailable } from '../../domain/balance.ts'
import { midPrice } from '../../domain/market/book.ts'
import { exactPriceScale, formatQuantity } from '../../domain/market/instrument.ts'
import { formatGrouped } from '../../domain/money.ts'
import type { Order } from '../../domain/orders/order.ts'
import { dayOf, dayText, needsStopPrice } from '../../domain/orders/order-fields.ts'
import {
  boundsText,
  completeOrderSentence,
  explainIntent,
  kindName,
  readOrderSentence,
} from '../../domain/orders/sentence.ts'
import type { OrderIntent, TicketRequest } from '../../domain/orders/sentence-clauses.ts'
import type { SentenceContext, SentencePart } from '../../domain/orders/sentence-words.ts'
import { lessThanLotText, sizeName } from '../../domain/orders/sizing.ts'
import { isStopReached } from '../../domain/orders/stop-trigger.ts'
import type { TicketForm } from '../../domain/orders/ticket.ts'
import type { Side } from '../../domain/side.ts'
import { exchangeNow } from '../clock.ts'
import type { DeskState } from '../desk.ts'
import { emptyFeed, known } from '../feeds/feed.ts'
import { activeSymbol } from '../ladder/ladder.ts'
import { cancelRefusal, haltEnd } from '../mode.ts'
import { type CancelTarget, cancelTargetOf, isMeant, whyNoneNamed } from '../orders/cancel-question.ts'
import { openPlans } from '../plans/plans.ts'
import { requestedQuantity } from '../ticket/ticket-commands.ts'
import { asked, farWarning, type Reading, type SentenceReader, wordsOf, wrong } from './sentence.ts'

/** The names that sentences about orders may use on this desk. */
export const orderContext = (state: DeskState): SentenceContext => ({
  instruments: state.instruments.value ?? new Map(),
  symbol: activeSymbol(state),
  today: dayOf(exchangeNow(state)),
  bookOf(symbol) {
    const book = known(state.books.get(symbol) ?? emptyFeed, 'book', state.nowMs)
    return book.kind === 'fresh' ? book.value : null
  },
})

/** `1 working order`, `3 working buys in ETH-USD`. */
export function ordersWords(count: number, side: Side | null, symbol: string | null): string {
  return `${count} working ${kindName(side)}${count === 1 ? '' : 's'} in ${symbol ?? 'every symbol'}`
}

/** The number of orders a sentence means, as far as the list is loaded. */
function meantWords(orders: readonly Order[] | null, target: CancelTarget): string {
  if (orders === null) return 'Your orders are not loaded yet.'
  const count = orders.filter((order) => isMeant(target, order)).length
  return count === 1 ? 'This means 1 working order.' : `This means ${count === 0 ? 'no' : count} working orders.`
}

function cancelReading(target: CancelTarget, lines: readonly string[], state: DeskState): Reading {
  const { orders } = state
  const refusal = cancelRefusal(state)
  if (refusal !== null) return wrong(refusal)
  return {
    kind: 'understood',
    lines: target.kind === 'orders' ? lines : [...lines, meantWords(orders.value, target)],
    enter: 'asks once more before anything is sent',
    run: (commands) => commands.askCancel(target),
  }
}

type CancelIntent = Extract<OrderIntent, { kind: 'cancelSome' }>

/** The orders of a side, or the newest one: those of this moment, which the question lists. */
function cancelSomeReading(intent: CancelIntent, line: string, state: DeskState): Reading {
  const { side, symbol, isLast, isStops, isShown } = intent
  const target = cancelTargetOf(state, intent)
  const shown = isShown ? [`no symbol: ${symbol}, the one on screen; everywhere means every symbol`] : []
  if (target !== null) return cancelReading(target, [`${line}.`, ...shown, `That is ${target.words}.`], state)
  const reason = whyNoneNamed(state, [intent])
  if (reason !== null) return wrong(`${line}.`, reason)
  const names = `${kindName(side, isStops)}s`
  const bounds = boundsText(intent)
  const none = `You have no working ${names}${bounds} in ${symbol ?? 'any symbol'}`
  const elsewhere = cancelTargetOf(state, { ...intent, symbol: null, isLast: false })?.orderIds.length ?? 0
  if (elsewhere === 0 || !isShown) return wrong(`${none}.`)
  const others = `${none}; ${elsewhere} in other symbols.`
  const which = [isLast ? 'last' : '', names === 'orders' ? '' : names, bounds.trim(), 'everywhere']
  return asked([others], [`cancel ${which.filter((word) => word !== '').join(' ')}`])
}

/** Warnings about prices far off, and about a stop that triggers at once. The ticket's checks judge them too. */
function priceWarnings(
  { type, side, priceText, stopText, symbol }: TicketForm,
  state: DeskState,
): { far: readonly string[]; atOnce: readonly string[] } {
  const { bookOf } = orderContext(state)
  const book = bookOf(symbol)
  const market = (book === null ? null : midPrice(book)) ?? state.tickers.value?.get(symbol)?.lastPrice ?? null
  if (market === null || market.lte(0)) return { far: [], atOnce: [] }
  const scale = state.instruments.value?.get(symbol)?.priceScale ?? 2
  const stop = needsStopPrice(type) ? (readTypedAmount(stopText) ?? null) : null
  const isAtOnce = isStopReached({ side, stopPrice: stop }, market)
  const toProtect = type === 'STOPLIMIT' ? ' To protect what fills: bracket, with a target.' : ''
  const atOnce = `Look again: the stop triggers at once: the market is at ${formatGrouped(market, scale)}.${toProtect}`
  const far = [
    ['limit price', priceText],
    ['stop price', stopText],
  ].flatMap(([name = '', text = '']) => {
    const price = readTypedAmount(text)
    if (text === '' || price === undefined || price.lte(0)) return []
    return farWarning(name, price, market, scale)
  })
  return { far, atOnce: isAtOnce ? [atOnce] : [] }
}

/** Warnings about more than the available balance: the ticket's checks judge it exactly, including held amounts. */
function fundsWarnings(request: TicketRequest, state: DeskState): string[] {
  const { symbol, side, priceText, stopText } = request.form
  const instrument = state.instruments.value?.get(symbol)
  const typed = readTypedAmount(request.form.quantityText)
  if (instrument === undefined || typed === undefined) return []
  const { base, counter } = instrument
  const available = (currency: string) =>
    knownAvailable(currency, state.balances.value, state.unreadable.balances?.entries)
  if (side === 'SELL') {
    const held = available(base)
    return held === null || typed.lte(held)
      ? []
      : [`Look again: only ${formatQuantity(held, instrument)} ${base} is available.`]
  }
  const book = orderContext(state).bookOf(symbol)
  const market = book === null ? null : midPrice(book)
  const price = readTypedAmount(priceText === '' ? stopText : priceText) ?? market
  const money = available(counter)
  if (price === null || money === null || typed.times(price).lte(money)) return []
  const [costs, has] = [typed.times(price), money].map((each) => formatGrouped(each, instrument.counterScale))
  return [`Look again: it costs about ${costs} ${counter}, and ${has} ${counter} is available.`]
}

/** The size at present prices: `$1,000 = 0.0155 BTC at 64,209.50`. */
function sizeLines(request: TicketRequest, state: DeskState): { lines: readonly string[]; isTooSmall: boolean } {
  const { form, size } = request
  const instrument = state.instruments.value?.get(form.symbol)
  const quantity = instrument === undefined ? null : requestedQuantity(state, request)
  if (instrument === undefined || quantity === null || size === null || size.kind === 'base')
    return { lines: [], isTooSmall: false }
  const name = sizeName(size, instrument)
  if (!quantity.ok) {
    const { kind, check } = quantity.error
    const isTooSmall = kind === 'lessThanLot'
    const smallest = `${formatQuantity(instrument.minQuantity, instrument)} ${instrument.base}`
    const small = [`Too small: ${name} is ${lessThanLotText(instrument)}.`, `The smallest order is ${smallest}.`]
    return { lines: isTooSmall ? small : [`The ticket will ask for the quantity: ${check.text}.`], isTooSmall }
  }
  const price = readTypedAmount(form.priceText === '' ? form.stopText : form.priceText)
  const priced = price === undefined ? '' : ` at ${formatGrouped(price, exactPriceScale(price, instrument))}`
  const at = form.type === 'MARKET' ? ' at the market' : priced
  const base = `${formatQuantity(quantity.value, instrument)} ${instrument.base}`
  return { lines: [`${name} = ${base}${at}.`], isTooSmall: false }
}

/** A ticket filled from the sentence. */
export function ticketReading(request: TicketRequest, lines: readonly string[], state: DeskState): Reading {
  const sized = sizeLines(request, state)
  if (sized.isTooSmall) return wrong(...sized.lines)
  const { far, atOnce } = priceWarnings(request.form, state)
  return {
    kind: 'understood',
    lines: [...lines, ...sized.lines],
    warnings: [...far, ...atOnce, ...fundsWarnings(request, state)],
    isFarOff: far.length > 0,
    enter: 'fills the ticket; nothing is sent',
    run: (commands) => commands.openTicketWith(request),
  }
}

/** Other symbols with this base, if only the base was named and the symbol on screen did not decide. */
function otherSymbols(symbol: string, parts: readonly SentencePart[], line: string, state: DeskState): string[] {
  const { instruments, symbol: shown } = orderContext(state)
  const base = instruments.get(symbol)?.base
  const part = parts.find(({ meaning }) => meaning === symbol)
  const isByBase = part !== undefined && line.slice(part.at, part.at + part.length).toUpperCase() === base
  const others = [...instruments.values()].filter((each) => each.base === base && each.symbol !== symbol)
  if (!isByBase || symbol === shown || others.length === 0) return []
  return [`${base} also trades as ${others.map((each) => each.symbol).join(', ')}: name it in full for that`]
}

/** An order by its id. A number that is no id may be the price of a resting order. */
function cancelOneReading(orderId: string, meaning: string, state: DeskState): Reading {
  const target = { kind: 'one', orderId } as const
  const working = state.orders.value
  if (working === null || working.some((order) => order.orderId === orderId))
    return cancelReading(target, [`${meaning}.`], state)
  const atPrice = working.filter(({ limitPrice }) => limitPrice?.eq(orderId) === true)
  const ids = atPrice.flatMap((order) => order.orderId ?? [])
  const none = `None of your working orders has the id ${orderId}`
  if (ids.length > 0)
    return asked(
      [`${none}; ${ids.length === 1 ? 'one rests' : `${ids.length} rest`} at that price.`],
      ids.map((id) => `cancel ${id}`),
    )
  const reading = cancelReading(target, [`${meaning}.`], state)
  const warnings = [`${none}: it may have ended.`]
  return reading.kind === 'wrong' ? reading : { ...reading, lines: [`${meaning}.`], warnings }
}

function orderReading(intent: OrderIntent, line: string, state: DeskState): Reading {
  const meaning = explainIntent(intent)
  if (intent.kind === 'cancelAll') return cancelReading({ kind: 'all', symbol: intent.symbol }, [`${meaning}.`], state)
  if (intent.kind === 'cancelOrder') return cancelOneReading(intent.orderId, meaning, state)
  if (intent.kind !== 'order') return cancelSomeReading(intent, meaning, state)
  const { form, size, isJoining } = intent
  const today = dayOf(exchangeNow(state))
  if (form.timeInForce === 'GTD' && form.expireText < today)
    return wrong(`The day ${dayText(form.expireText)} is over: today is ${dayText(today)} UTC.`)
  const parts = intent.parts.map(({ at, length, meaning: part }) => `${line.slice(at, at + length)}: ${part}`)
  const symbol = intent.parts.some(({ meaning: part }) => part === form.symbol)
    ? []
    : [`no symbol: ${form.symbol}, the one shown`]
  const others = otherSymbols(form.symbol, intent.parts, line, state)
  const best = form.side === 'BUY' ? 'bid' : 'ask'
  const price = !isJoining
    ? []
    : [
        form.priceText === ''
          ? `no price: no ${best} is known to join`
          : `no price: joins the best ${best}, ${form.priceText}`,
      ]
  return ticketReading({ form, size }, [`${meaning}.`, ...parts, ...symbol, ...others, ...price], state)
}

function readOrders(line: string, state: DeskState): Reading {
  const read = readOrderSentence(line, orderContext(state))
  if (read.ok) return { ...orderReading(read.value, line, state), intent: read.value }
  const { kind, at, length, text, offers, instead } = read.error
  const more = offers.length === 0 ? [] : [`Next: ${offers.slice(0, 6).join(', ')}`]
  const isOpen = kind === 'unfinished' && instead.length === 0
  const lines = [isOpen ? `Incomplete: ${withStop(text)}` : capital(withStop(text)), ...more]
  const whole = instead.map((each) => line.slice(0, at) + each + line.slice(at + length))
  return { ...asked(lines, whole), isIncomplete: isOpen }
}

const orderReader = (starts: readonly string[]) => ({
  starts,
  read: (line: string, state: DeskState) => (starts.includes(wordsOf(line)[0] ?? '') ? readOrders(line, state) : null),
  words: (line: string, state: DeskState) => completeOrderSentence(line, orderContext(state)).map(({ word }) => word),
})

export const buySentence: SentenceReader = {
  ...orderReader(['buy', 'b', 'long']),
  name: 'buy',
  help: 'fills the ticket, sends nothing',
  example: 'buy 0.05 btc-usd @ 64209.5 gtd 20261231 post',
}

export const sellSentence: SentenceReader = {
  ...orderReader(['sell', 's', 'short']),
  name: 'sell',
  help: 'fills the ticket, sends nothing',
  example: 'sell half my eth market',
}

const cancelReader = orderReader(['cancel', 'cxl'])

/** `alert 3`, `#3` or nothing behind it. */
const ofAlert = /^(?:the )?alerts?(?: #?(\d{1,9}))?$/

/** The line that deletes an alert, for words that take it back; the list where no number says which. */
export function alertLine(rest: string): string | null {
  const found = ofAlert.exec(rest)
  if (found === null) return null
  return found[1] === undefined ? 'alert list' : `alert off ${found[1]}`
}

/** A cancel of what is no order and has an end of its own: an alert, a snooze, a halt, all plans. */
function notOrders(line: string, state: DeskState): Reading | null {
  const rest = wordsOf(line).slice(1).join(' ')
  const alert = alertLine(rest)
  if (alert !== null) return asked(['An alert is deleted by its number: alert off 3.'], [alert])
  if (/^(?:the )?snooze$/.test(rest)) return asked(['A snooze ends with snooze off.'], ['snooze off'])
  if (/^(?:the )?halt$/.test(rest)) return wrong(`The end of a halt is ${haltEnd(state)}`)
  const plans = /^(?:all )?(?:my )?plans$/.test(rest) ? openPlans(state) : []
  if (plans.length === 0) return null
  return asked(
    ['Plans are canceled one by one.'],
    plans.map(({ plan }) => `cancel plan ${plan.planId}`),
  )
}

export const cancelSentence: SentenceReader = {
  ...cancelReader,
  read(line, state) {
    const reading = cancelReader.read(line, state)
    const other = reading?.kind === 'wrong' ? notOrders(line, state) : null
    if (other !== null) return other
    const isBare = wordsOf(line).length === 1
    if (reading?.kind !== 'wrong' || !isBare || openPlans(state).length === 0) return reading
    return asked(reading.lines, [...(reading.instead ?? []), 'cancel all', 'cancel plan'])
  },
  // The sentence that ends a plan begins like this one.
  words(line, state) {
    const plans = openPlans(state).map(({ plan }) => plan.planId)
    if (/^\s*\S+\s+plan\s/i.test(line)) return plans
    const words = cancelReader.words(line, state)
    return plans.length > 0 && /^\s*\S+\s+\S*$/.test(line) ? [...words, 'plan'] : words
  },
  name: 'cancel',
  help: 'all, buys, sells, stops, last, or one by its id (asks)',
  example: 'cancel all eth-usd',
}
