import { suggestion } from '../../base/nearest-name.ts'
import type { Result } from '../../base/result.ts'
import { zero } from '../money.ts'
import type { OrderType, TimeInForce } from './order.ts'
import { dayText, fieldWords, takesMinimum, takesPostOnly, timesInForceOf } from './order-fields.ts'
import {
  type Clause,
  type OrderIntent,
  partOf,
  quoted,
  type Reading,
  readClause,
  readSymbolWord,
  type Said,
  type SentenceContext,
  type SentenceProblem,
  symbolOffers,
  type Understanding,
  unfinished,
  unknownWord,
  type Word,
  wordsOf,
  wrong,
} from './sentence-clauses.ts'
import { emptyTicket } from './ticket.ts'

/** Longer texts are no sentence of one order. */
const sentenceMost = 200

const firstWords = ['buy', 'sell', 'cancel'] as const

/** The sentence as far as it is understood, with the words that may come next. Never throws, whatever the text. */
function understand(text: string, context: SentenceContext): Understanding {
  if (text.length > sentenceMost) {
    const problem = { at: sentenceMost, length: text.length - sentenceMost, text: 'this is too long for an order' }
    return { result: { ok: false, error: { kind: 'wrong', offers: [], ...problem } }, next: [] }
  }
  const words = wordsOf(text)
  const [first] = words
  const verb = first?.lower
  if (verb === 'buy' || verb === 'b' || verb === 'sell' || verb === 's') return understandOrder(words, text, context)
  if (verb === 'cancel') return understandCancel(words, text, context)
  const isStart = first === undefined
  const problem: SentenceProblem = {
    kind: isStart ? 'unfinished' : 'wrong',
    at: first?.at ?? text.length,
    length: first?.length ?? 0,
    text: `an order begins with buy, sell or cancel${isStart ? '' : suggestion(first.text, firstWords)}`,
    offers: firstWords,
  }
  return { result: { ok: false, error: problem }, next: isStart ? firstWords : [] }
}

/**
 * Reads an order as a sentence: `buy 0.05 btc-usd @ 64209.5 gtd 20261231 post`, `sell 25% eth-usd market ioc`, `cancel
 * all eth-usd`, `cancel 9912041`. The words after side and quantity may stand in any order, in capitals or not. Whether
 * such an order can be placed is for the checks of the ticket it fills to say.
 */
export const readOrderSentence = (text: string, context: SentenceContext): Result<OrderIntent, SentenceProblem> =>
  understand(text, context).result

const isOrderId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text)

/** `cancel all`, `cancel all eth-usd`, `cancel 9912041`. The first word is known to be `cancel`. */
function understandCancel(words: readonly Word[], text: string, context: SentenceContext): Understanding {
  const [verb, what, which, more] = words
  const symbols = symbolOffers(context)
  if (verb === undefined || what === undefined)
    return { result: unfinished(text, 'cancel what? all, all of a symbol, or an order id', ['all']), next: ['all'] }
  const extra = what.lower === 'all' ? more : which
  if (extra !== undefined)
    return { result: wrong(extra, `nothing comes after that: leave out ${quoted(extra)}`), next: [] }
  if (isOrderId(what.text)) {
    const parts = [partOf(verb, what, `cancel order ${what.text}`)]
    return { result: { ok: true, value: { kind: 'cancelOrder', orderId: what.text, parts } }, next: [] }
  }
  if (what.lower !== 'all') return { result: notCancellable(what, context), next: [] }
  if (which === undefined) {
    const parts = [partOf(verb, what, 'cancel every order of every symbol')]
    return { result: { ok: true, value: { kind: 'cancelAll', symbol: null, parts } }, next: symbols }
  }
  const symbol = readSymbolWord(which, context)
  if (symbol === undefined) return { result: unknownWord(which, [], context), next: [] }
  if (!symbol.ok) return { result: symbol, next: [] }
  const parts = [partOf(verb, what, 'cancel every order'), partOf(which, which, `of ${symbol.value}`)]
  return { result: { ok: true, value: { kind: 'cancelAll', symbol: symbol.value, parts } }, next: [] }
}

/** A symbol by itself may mean all of its orders, or be a slip: it is asked for in full. */
function notCancellable(what: Word, context: SentenceContext) {
  const symbol = readSymbolWord(what, context)
  if (symbol?.ok === true) {
    const offer = `all ${symbol.value.toLowerCase()}`
    return wrong(what, `to cancel every order of ${symbol.value} say: cancel ${offer}`, [offer])
  }
  return wrong(what, `${quoted(what)} is not an order id: cancel all, cancel all SYMBOL, or cancel an order id`, [
    'all',
  ])
}

type Failure = { ok: false; error: SentenceProblem }

function nothingSaid(verb: Word): Said {
  const side = verb.lower.startsWith('b') ? 'BUY' : 'SELL'
  return {
    side,
    quantity: null,
    symbol: null,
    price: null,
    priceUnits: [],
    stop: null,
    isMarket: false,
    time: null,
    day: null,
    minimum: null,
    isPostOnly: false,
    words: new Map(),
    parts: [partOf(verb, verb, side)],
  }
}

const typeOf = ({ isMarket, stop, price }: Said): OrderType =>
  isMarket ? 'MARKET' : stop === null ? 'LIMIT' : price === null ? 'STOP' : 'STOPLIMIT'

/** The time in force that is meant: what is said, else the first one the type takes. */
const timeOf = (said: Said): TimeInForce => said.time ?? timesInForceOf(typeOf(said))[0]

const isPriced = ({ isMarket, price, stop }: Said): boolean => isMarket || price !== null || stop !== null

/** The words that may come next, most needed first. */
function nextWords(said: Said, context: SentenceContext): string[] {
  const { words } = said
  if (said.quantity === null) return ['25%', '50%', '75%', '100%']
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

/** What is still missing, as the sentence stands. */
function missing(said: Said, { text, context }: Reading): Failure | null {
  const offers = nextWords(said, context)
  if (said.quantity === null) return unfinished(text, 'how much? an amount, or a share such as 25%', offers)
  if (said.symbol === null && !context.instruments.has(context.symbol))
    return unfinished(text, 'which symbol?', symbolOffers(context))
  return isPriced(said) ? null : unfinished(text, 'at which price? @ PRICE, stop PRICE, or market', offers)
}

/** Clauses that do not go together: the complaint stands at the one to leave out or to change. */
function misfit(said: Said, symbol: string, { context }: Reading): Failure | null {
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

function intentOf(said: Said, symbol: string): OrderIntent {
  const { quantity, price, stop, day, minimum } = said
  const isShare = quantity?.isShare === true
  const form = {
    ...emptyTicket({ symbol }, said.side),
    type: typeOf(said),
    timeInForce: timeOf(said),
    quantityText: isShare ? '' : (quantity?.value ?? zero).toFixed(),
    priceText: price?.toFixed() ?? '',
    stopText: stop?.toFixed() ?? '',
    expireText: day ?? '',
    minimumText: minimum?.toFixed() ?? '',
    postOnly: said.isPostOnly,
  }
  return { kind: 'order', form, sharePercent: isShare ? quantity.value : null, parts: said.parts }
}

/** `buy 0.05 btc-usd @ 64209.5 gtd 20261231 post` and its like. The first word is known to be the side. */
function understandOrder(words: readonly Word[], text: string, context: SentenceContext): Understanding {
  const [verb] = words
  if (verb === undefined) return { result: unfinished(text, 'buy or sell?', ['buy', 'sell']), next: [] }
  const said = nothingSaid(verb)
  const reading: Reading = { words, text, context, said }
  let index = 1
  for (let word = words[index]; word !== undefined; word = words[index]) {
    const read = readClause(reading, index, word, nextWords(said, context))
    if (!read.ok) return { result: read, next: [] }
    index += read.value
  }
  const gap = missing(said, reading)
  if (gap !== null) return { result: gap, next: gap.error.offers }
  const symbol = said.symbol ?? context.symbol
  const clash = misfit(said, symbol, reading)
  if (clash !== null) return { result: clash, next: [] }
  return { result: { ok: true, value: intentOf(said, symbol) }, next: nextWords(said, context) }
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

/**
 * What an intent means, in a few clauses for a person. It says what will be asked for, not whether it can be placed.
 */
export function explainIntent(intent: OrderIntent): string {
  if (intent.kind === 'cancelOrder') return `Cancel the order ${intent.orderId}`
  if (intent.kind === 'cancelAll')
    return intent.symbol === null ? 'Cancel every order of every symbol' : `Cancel every order of ${intent.symbol}`
  const { form, sharePercent } = intent
  const quantity = sharePercent === null ? form.quantityText : `${sharePercent.toFixed()}% of the available balance:`
  const price = form.type === 'STOP' ? form.stopText : form.priceText
  const clauses = [
    `${form.side === 'BUY' ? 'Buy' : 'Sell'} ${quantity} ${form.symbol} ${typeWords[form.type]} ${price}`.trimEnd(),
    form.type === 'STOPLIMIT' ? `once the last trade reaches ${form.stopText}` : '',
    form.timeInForce === 'GTD' ? `until the end of ${dayText(form.expireText)} UTC` : timeWords[form.timeInForce],
    form.minimumText === '' ? '' : `at least ${form.minimumText} at once`,
    form.postOnly ? 'post only' : '',
  ]
  return clauses.filter((clause) => clause !== '').join(', ')
}

/** A word that may come next: `from` is where in the text it goes, up to the text's end. */
type SentenceCompletion = { word: string; from: number }

/** Words that would complete the last, half-typed word, or follow the text when it ends in a space; best first. */
export function completeOrderSentence(text: string, context: SentenceContext): SentenceCompletion[] {
  const typed = /[^\s@%]*$/.exec(text)?.[0] ?? ''
  const from = text.length - typed.length
  const { result, next } = understand(text.slice(0, from), context)
  const words = result.ok ? next : result.error.kind === 'unfinished' ? result.error.offers : []
  return words
    .filter((word) => word.startsWith(typed.toLowerCase()) && word !== typed.toLowerCase())
    .map((word) => ({ word, from }))
}
