import type { Result } from '../../base/result.ts'
import { nearestNames, suggestion } from '../../base/text/nearest-name.ts'
import { bestAsk, bestBid } from '../market/book.ts'
import { formatPrice } from '../market/instrument.ts'
import type { Decimal } from '../money.ts'
import { type Side, sideNames } from '../side.ts'
import type { OrderType, TimeInForce } from './order.ts'
import { dayText, fieldWords, takesMinimum, takesPostOnly, timesInForceOf } from './order-fields.ts'
import { understandCancel } from './sentence-cancel.ts'
import {
  type Clause,
  isFiller,
  type OrderBounds,
  type OrderIntent,
  type Reading,
  readClause,
  type Said,
  type Understanding,
} from './sentence-clauses.ts'
import {
  partOf,
  quoted,
  type Refused,
  type SentenceContext,
  type SentenceProblem,
  symbolOffers,
  unfinished,
  type Word,
  wordsOf,
  wrong,
} from './sentence-words.ts'
import { emptyTicket } from './ticket.ts'

/** Longer texts are not an order sentence. */
const sentenceMax = 200

const firstWords = ['buy', 'sell', 'cancel'] as const

/** The words an order may begin with. */
const sideWords: Readonly<Record<string, Side>> = {
  buy: 'BUY',
  b: 'BUY',
  long: 'BUY',
  sell: 'SELL',
  s: 'SELL',
  short: 'SELL',
}
const cancelWords = ['cancel', 'cxl']

/** Reads a sentence as far as understood, with the words that may follow. Never throws, whatever the text. */
function understand(text: string, context: SentenceContext): Understanding {
  if (text.length > sentenceMax) {
    const problem = { at: sentenceMax, length: text.length - sentenceMax, text: 'this is too long for an order' }
    return { result: { ok: false, error: { kind: 'wrong', offers: [], instead: [], ...problem } }, next: [] }
  }
  const words = wordsOf(text, context)
  const [first] = words
  const side = Object.hasOwn(sideWords, first?.lower ?? '') ? sideWords[first?.lower ?? ''] : undefined
  if (first !== undefined && side !== undefined) return understandOrder(words, nothingSaid(first, side), text, context)
  if (cancelWords.includes(first?.lower ?? '')) return understandCancel(words, text, context)
  const isStart = first === undefined
  const problem: SentenceProblem = {
    kind: isStart ? 'unfinished' : 'wrong',
    at: first?.at ?? text.length,
    length: first?.length ?? 0,
    text: `an order begins with buy, sell or cancel${isStart ? '' : suggestion(first.text, firstWords)}`,
    offers: firstWords,
    instead: isStart ? [] : nearestNames(first.text, firstWords),
  }
  return { result: { ok: false, error: problem }, next: isStart ? firstWords : [] }
}

/**
 * Reads an order sentence: `buy 0.05 btc-usd @ 64209.5 gtd 20261231 post`, `sell 25% eth-usd market ioc`, `cancel all
 * eth-usd`, `cancel 9912041`. The words after side and quantity may be in any order and case. The checks of the ticket
 * decide whether the order can be placed.
 */
export const readOrderSentence = (text: string, context: SentenceContext): Result<OrderIntent, SentenceProblem> =>
  understand(text, context).result

function nothingSaid(verb: Word, side: Side): Said {
  // The account cannot borrow, so a short sells holdings.
  const meaning = verb.lower === 'short' ? 'SELL what you hold' : side
  return {
    side,
    size: null,
    isBare: false,
    isAfterSymbol: false,
    symbol: null,
    price: null,
    announced: null,
    priceUnits: [],
    stop: null,
    isMarket: false,
    time: null,
    day: null,
    minimum: null,
    isPostOnly: false,
    words: new Map(),
    notes: new Map(),
    parts: [partOf(verb, verb, meaning)],
  }
}

const typeOf = ({ isMarket, stop, price }: Said): OrderType =>
  isMarket ? 'MARKET' : stop === null ? 'LIMIT' : price === null ? 'STOP' : 'STOPLIMIT'

/** The time in force: as said, or else the type's default. */
const timeOf = (said: Said): TimeInForce => said.time ?? timesInForceOf(typeOf(said))[0]

const isPriced = ({ isMarket, price, stop }: Said): boolean => isMarket || price !== null || stop !== null

/** The words that may follow, most needed first. */
function nextWords(said: Said, context: SentenceContext): string[] {
  const { words } = said
  if (said.size === null) return ['25%', '50%', '75%', '100%', 'half', 'all', 'risk']
  const symbols = words.has('symbol') ? [] : symbolOffers(context)
  if (!isPriced(said)) return [...symbols, '@', 'market', 'stop']
  const time = timeOf(said)
  return [
    ...symbols,
    ...(said.isMarket ? [] : [...(words.has('price') ? [] : ['limit']), ...(words.has('stop') ? [] : ['stop'])]),
    ...(words.has('time') ? [] : timesInForceOf(typeOf(said)).map((each) => each.toLowerCase())),
    ...(words.has('minimum') || !takesMinimum(time) ? [] : ['min']),
    ...(words.has('post') || !takesPostOnly(typeOf(said), time) ? [] : ['post']),
  ]
}

/** What is missing from the sentence. Without a price an order joins its own side of the book. */
function missing(said: Said, { text, context }: Reading): Refused | null {
  const offers = nextWords(said, context)
  if (said.size === null) return unfinished(text, 'how much? an amount, or a share such as 25%', offers)
  if (said.symbol === null && !context.instruments.has(context.symbol))
    return unfinished(text, 'which symbol?', symbolOffers(context))
  if (isPriced(said)) return null
  const number = said.words.get('quantity')
  const symbol = said.words.get('symbol')
  if (said.isBare && said.isAfterSymbol && number !== undefined && symbol !== undefined) {
    const problem = wrong(
      { at: symbol.at, length: number.at + number.length - symbol.at },
      `is ${quoted(number)} the quantity or the price?`,
      offers,
      [`${number.text} ${symbol.text}`, `${symbol.text} @ ${number.text}`],
    )
    return { ok: false, error: { ...problem.error, kind: 'unfinished', at: symbol.at } }
  }
  const isResting = said.time !== 'IOC' && said.time !== 'FOK'
  return isResting ? null : unfinished(text, 'at which price? @ PRICE, stop PRICE, or market', offers)
}

/** Complains about clauses that do not go together, at the one to remove or change. */
function misfit(said: Said, symbol: string, { context }: Reading): Refused | null {
  const type = typeOf(said)
  const time = timeOf(said)
  const complain = (clause: Clause, text: string, offers: readonly string[] = []) => {
    const word = said.words.get(clause)
    return word === undefined ? null : wrong(word, text, offers)
  }
  if (said.isMarket && said.price !== null) return complain('price', 'a market order has no limit price: leave one out')
  if (said.isMarket && said.stop !== null)
    return complain('market', 'a stop becomes a market order by itself: leave out market')
  const taken = timesInForceOf(type)
  if (!taken.includes(time)) {
    const offers = taken.map((each) => each.toLowerCase())
    return complain('time', fieldWords.times(type), offers)
  }
  if (said.minimum !== null && !takesMinimum(time))
    return complain('minimum', `${fieldWords.minimum}, which a ${type} order ${canBe(type, 'IOC')}`)
  if (said.isPostOnly && !takesPostOnly(type, time)) return complain('post', fieldWords.postOnly)
  const counter = context.instruments.get(symbol)?.counter ?? ''
  const other = said.priceUnits.find(({ currency }) => currency !== counter.toUpperCase())
  return other === undefined
    ? null
    : wrong(other.word, `prices of ${symbol} are in ${counter}`, [counter.toLowerCase()])
}

const canBe = (type: OrderType, time: TimeInForce): string =>
  timesInForceOf(type).includes(time) ? `can be: say ${time.toLowerCase()}` : 'cannot be'

/** The price that an order without one joins: the best of its own side, or null when unknown. */
function touchOf(side: Side, symbol: string, { bookOf }: SentenceContext): Decimal | null {
  const book = bookOf(symbol)
  if (book === null) return null
  return side === 'BUY' ? bestBid(book) : bestAsk(book)
}

function intentOf(said: Said, symbol: string, context: SentenceContext): OrderIntent {
  const { size, stop, day, minimum } = said
  const isJoining = !isPriced(said)
  const price = isJoining ? touchOf(said.side, symbol, context) : said.price
  const instrument = context.instruments.get(symbol)
  const isOfBook = isJoining || (said.notes.get('price') ?? '') !== ''
  const form = {
    ...emptyTicket({ symbol }, said.side),
    type: typeOf(said),
    timeInForce: timeOf(said),
    quantityText: size?.kind === 'base' ? size.quantity.toFixed() : '',
    priceText:
      price !== null && isOfBook && instrument !== undefined
        ? formatPrice(price, instrument)
        : (price?.toFixed() ?? ''),
    stopText: stop?.toFixed() ?? '',
    expireText: day ?? '',
    minimumText: minimum?.toFixed() ?? '',
    postOnly: said.isPostOnly,
  }
  return { kind: 'order', form, size: size?.kind === 'base' ? null : size, isJoining, parts: said.parts }
}

/** Reads an order; its first word is a side. */
function understandOrder(words: readonly Word[], said: Said, text: string, context: SentenceContext): Understanding {
  const reading: Reading = { words, text, context, said }
  let index = 1
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (isFiller(reading, index)) {
      index += 1
      continue
    }
    const read = readClause(reading, index, word, nextWords(said, context))
    if (!read.ok) return { result: read, next: [] }
    index += read.value
  }
  const gap = missing(said, reading)
  if (gap !== null) return { result: gap, next: gap.error.offers }
  const symbol = said.symbol ?? context.symbol
  const clash = misfit(said, symbol, reading)
  if (clash !== null) return { result: clash, next: [] }
  return { result: { ok: true, value: intentOf(said, symbol, context) }, next: nextWords(said, context) }
}

const typeWords = {
  MARKET: 'at the market',
  LIMIT: 'with a limit price of',
  STOP: 'at the market once the last trade reaches',
  STOPLIMIT: 'with a limit price of',
} as const

const timeWords = {
  GTC: 'good till canceled',
  IOC: 'what does not fill at once is canceled',
  FOK: 'all at once or nothing',
} as const

/** Describes the order's quantity and symbol, before the price. */
function explainQuantity({ form, size }: Extract<OrderIntent, { kind: 'order' }>): string {
  const { symbol, quantityText } = form
  if (size === null || size.kind === 'base') return `${quantityText} ${symbol}`
  if (size.kind === 'share') return `${size.percent.toFixed()}% of the available balance: ${symbol}`
  const counter = symbol.split('-').at(-1) ?? ''
  if (size.kind === 'counter') return `${size.amount.toFixed()} ${counter} worth of ${symbol}`
  return `as much ${symbol} as loses ${size.amount.toFixed()} ${counter} at ${size.stopPrice.toFixed()},`
}

/** What one of several orders is called: `order`, `buy`, `stop`, `sell stop`. */
export const kindName = (side: Side | null, isStops = false): string =>
  [...(side === null ? [] : [sideNames[side]]), ...(isStops ? ['stop'] : [])].join(' ') || 'order'

/** ` above 65000`, of the limit price. */
export const boundsText = ({ above, below }: Pick<OrderBounds, 'above' | 'below'>): string =>
  `${above === null ? '' : ` above ${above.toFixed()}`}${below === null ? '' : ` below ${below.toFixed()}`}`

/** Describes an intent in a few clauses: what will be requested, not whether it can be placed. */
export function explainIntent(intent: OrderIntent): string {
  if (intent.kind === 'cancelOrder') return `Cancel the order ${intent.orderId}`
  if (intent.kind !== 'order') {
    const where = intent.symbol ?? 'every symbol'
    if (intent.kind === 'cancelAll') return `Cancel every order of ${where}`
    const { side, isLast, isStops } = intent
    const name = kindName(side, isStops)
    const which = name === 'order' ? name : `${name} order`
    return `Cancel ${isLast ? 'the newest' : 'every'} ${which}${boundsText(intent)} of ${where}`
  }
  const { form, isJoining } = intent
  const price = form.type === 'STOP' ? form.stopText : form.priceText
  const best = form.side === 'BUY' ? 'bid' : 'ask'
  const joins = form.priceText === '' ? 'at a price that the ticket asks for' : `joining the best ${best} at ${price}`
  const verb = `${form.side === 'BUY' ? 'Buy' : 'Sell'} ${explainQuantity(intent)}`
  const clauses = [
    isJoining ? `${verb} ${joins}` : `${verb} ${typeWords[form.type]} ${price}`.trimEnd(),
    form.type === 'STOPLIMIT' ? `once the last trade reaches ${form.stopText}` : '',
    form.timeInForce === 'GTD' ? `until the end of ${dayText(form.expireText)} UTC` : timeWords[form.timeInForce],
    form.minimumText === '' ? '' : `at least ${form.minimumText} at once`,
    form.postOnly ? 'post only' : '',
  ]
  return clauses.filter((clause) => clause !== '').join(', ')
}

/** A word that may follow; it replaces the text from `from` to its end. */
type SentenceCompletion = { word: string; from: number }

/** Words that complete the last, partly typed word, or follow the text when it ends with a space; best first. */
export function completeOrderSentence(text: string, context: SentenceContext): SentenceCompletion[] {
  const typed = /[^\s@%]*$/.exec(text)?.[0] ?? ''
  const from = text.length - typed.length
  const { result, next } = understand(text.slice(0, from), context)
  const words = result.ok ? next : result.error.kind === 'unfinished' ? result.error.offers : []
  return words
    .filter((word) => word.startsWith(typed.toLowerCase()) && word !== typed.toLowerCase())
    .map((word) => ({ word, from }))
}
