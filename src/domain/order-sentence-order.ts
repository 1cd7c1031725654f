import { zero } from './money.ts'
import type { OrderType, TimeInForce } from './order.ts'
import { takesMinimum, takesPostOnly, timesInForceOf } from './order-fields.ts'
import type { OrderIntent, SentenceContext, SentenceProblem } from './order-sentence.ts'
import { type Clause, type Reading, readClause, type Said } from './order-sentence-clauses.ts'
import { partOf, symbolOffers, type Understanding, unfinished, type Word, wrong } from './order-sentence-words.ts'
import { emptyTicket } from './ticket.ts'

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
const timeOf = (said: Said): TimeInForce => said.time ?? timesInForceOf(typeOf(said))[0] ?? 'GTC'

const isPriced = ({ isMarket, price, stop }: Said): boolean => isMarket || price !== null || stop !== null

/** The words that may come next, most needed first. */
export function nextWords(said: Said, context: SentenceContext): string[] {
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
    return complain('time', `a ${type} order takes ${taken.join(', ')}`, offers)
  }
  if (said.minimum !== null && !takesMinimum(time))
    return complain('minimum', `a minimum fill goes with IOC only, which a ${type} order ${canBe(type, 'IOC')}`)
  if (said.isPostOnly && !takesPostOnly(type, time))
    return complain('post', 'post-only goes with LIMIT orders that can rest: GTC or GTD')
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
export function understandOrder(words: readonly Word[], text: string, context: SentenceContext): Understanding {
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
