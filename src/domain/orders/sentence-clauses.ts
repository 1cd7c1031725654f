import type { Result } from '../../base/result.ts'
import { type Decimal, parseAmount, zero } from '../money.ts'
import type { Side } from '../side.ts'
import type { TimeInForce } from './order.ts'
import { dayText, readLastDay } from './order-fields.ts'
import {
  baseQuantityAt,
  beginsSize,
  farFrom,
  hasOwnSize,
  isBareNumber,
  isBookPrice,
  midMeant,
  pricesOfAll,
  readPriceAt,
  readSize,
  sizeWords,
  usualFactor,
  waitingFactor,
  wordsBeforeBookPrice,
} from './sentence-amounts.ts'
import { foreignWord, readForeign } from './sentence-foreign.ts'
import {
  instrumentMeant,
  partOf,
  quoted,
  readSymbolWord,
  type SentenceContext,
  type SentencePart,
  type SentenceProblem,
  unfinished,
  unknownWord,
  type Word,
  wrong,
} from './sentence-words.ts'
import type { Size } from './sizing.ts'
import type { TicketForm } from './ticket.ts'

/** The kinds of clauses; each may occur once. */
export type Clause = 'quantity' | 'symbol' | 'price' | 'stop' | 'market' | 'time' | 'minimum' | 'post'

/**
 * The words that begin a clause; the first of each is offered. Quantity and symbol have none, because they are
 * recognized by their form.
 */
const clauseWords: Readonly<Record<string, Clause>> = {
  '@': 'price',
  at: 'price',
  limit: 'price',
  into: 'price',
  market: 'market',
  mkt: 'market',
  stop: 'stop',
  sl: 'stop',
  stoploss: 'stop',
  'stop-loss': 'stop',
  gtc: 'time',
  ioc: 'time',
  fok: 'time',
  gtd: 'time',
  until: 'time',
  till: 'time',
  min: 'minimum',
  post: 'post',
  'post-only': 'post',
  postonly: 'post',
  maker: 'post',
  day: 'time',
  alo: 'post',
}

/** Whether a lower-case word begins a clause of an order: `limit`, `gtd`, `post`. */
export const isClauseWord = (lower: string): boolean => Object.hasOwn(clauseWords, lower)

const timesAlone = ['gtc', 'ioc', 'fok', 'day']

/** Whether such a word is no clause without the one behind it: `stop`, and not `post`. */
export function needsWordBehind(lower: string): boolean {
  const clause = isClauseWord(lower) ? clauseWords[lower] : undefined
  return clause !== undefined && clause !== 'market' && clause !== 'post' && !timesAlone.includes(lower)
}

const names: Readonly<Record<Clause, string>> = {
  quantity: 'the quantity',
  symbol: 'the symbol',
  price: 'the price',
  stop: 'the stop price',
  market: 'market',
  time: 'the time in force',
  minimum: 'the minimum fill',
  post: 'post-only',
}

/** The clauses read so far. `words` has the start of each, for complaints at the end. */
export type Said = {
  side: Side
  size: Size | null
  /** The size is a bare number. */
  isBare: boolean
  /** It followed the symbol, where a price may also be. */
  isAfterSymbol: boolean
  symbol: string | null
  price: Decimal | null
  /** The first number, where `limit` or `stop` stands before it, and the word; null where the quantity came first. */
  announced: { word: Word; number: Word } | null
  /** Currencies named with prices, and where. */
  priceUnits: { word: Word; currency: string }[]
  stop: Decimal | null
  isMarket: boolean
  time: TimeInForce | null
  day: string | null
  minimum: Decimal | null
  isPostOnly: boolean
  words: Map<Clause, Word>
  /** How a price was computed. */
  notes: Map<Clause, string>
  parts: SentencePart[]
}

/** The words being read, with the clauses read so far. */
export type Reading = { words: readonly Word[]; text: string; context: SentenceContext; said: Said }

/** The number of words of a clause, or its problem. */
type Taken = Result<number, SentenceProblem>

const taken = (count: number): Taken => ({ ok: true, value: count })

/** Reads a price clause whose price begins at `index`. A named currency is checked later. */
function readPrice(reading: Reading, index: number, clause: 'price' | 'stop', before: number): Taken {
  const { said } = reading
  const read = readPriceAt({ ...reading, side: said.side }, index, names[clause])
  if (!read.ok) return read
  const { price, count, note, units } = read.value
  said[clause] = price
  said.notes.set(clause, note)
  said.priceUnits.push(...units)
  return taken(before + count)
}

/** Words that the last day of an order follows; behind `for` where it is one, as in `for 7d`. */
const lastDayWords = ['gtd', 'until', 'till', 'for']
const duration = /^\d{1,4}(d|days?|h|hrs?|hours?|min|mins|minutes?)$/

function readTime({ words, text, said, context }: Reading, index: number, word: Word): Taken {
  const isDay = word.lower === 'day'
  if (!isDay && !lastDayWords.includes(word.lower)) {
    said.time = word.lower === 'gtc' ? 'GTC' : word.lower === 'ioc' ? 'IOC' : 'FOK'
    return taken(1)
  }
  const day = isDay ? word : words[index + 1]
  if (day === undefined) return unfinished(text, `${word.lower} needs the last day, as 20261231`)
  const read = readLastDay(day.text, context.today)
  if (!read.ok) return wrong(day, `${quoted(day)} ${read.error}`)
  said.time = 'GTD'
  said.day = read.value
  return taken(isDay ? 1 : 2)
}

function readQuantity(reading: Reading, index: number, word: Word): Taken {
  const { said } = reading
  const read = readSize(reading, index, word)
  if (!read.ok) return read
  const { size, count, isBare } = read.value
  const isLast = !isBareNumber(reading, index + 1)
  const doubt = isBare && isLast && size.kind === 'base' ? doubtfulKind(reading, word, size.quantity) : null
  if (doubt !== null) return doubt
  said.size = size
  said.isBare = isBare
  said.isAfterSymbol = said.words.has('symbol')
  return taken(count)
}

/** Describes a clause in the words of the ticket. */
function meaningOf(clause: Clause, reading: Reading): string {
  const { size, symbol, price, stop, time, day, minimum, notes } = reading.said
  switch (clause) {
    case 'quantity':
      return size === null ? '' : sizeWords(size, instrumentMeant(reading) ?? { base: '', counter: '' })
    case 'symbol':
      return symbol ?? ''
    case 'price':
      return `limit price ${price?.toFixed() ?? ''}${notes.get('price') ?? ''}`
    case 'stop':
      return `stop price ${stop?.toFixed() ?? ''}${notes.get('stop') ?? ''}`
    case 'market':
      return 'at the market'
    case 'time':
      return day === null ? (time ?? '') : `GTD, until the end of ${dayText(day)} UTC`
    case 'minimum':
      return `at least ${minimum?.toFixed() ?? ''} at once`
    case 'post':
      return 'post only'
  }
}

function readBody(reading: Reading, index: number, word: Word, clause: Clause): Taken {
  const { said } = reading
  switch (clause) {
    case 'price': {
      // `bid` and a bare number are the price themselves; other words announce it.
      const said = Object.hasOwn(clauseWords, word.lower) ? 1 : 0
      const before = said + wordsBeforeBookPrice(reading.words, index + said)
      const doubt = before > 0 || isBookPrice(word) ? null : doubtfulPrice(reading, word)
      if (word.lower === 'limit') announce(reading, word, index + before)
      return doubt ?? readPrice(reading, index + before, clause, before)
    }
    case 'stop': {
      const before = word.lower === 'stop' && reading.words[index + 1]?.lower === 'loss' ? 2 : 1
      announce(reading, word, index + before)
      return readPrice(reading, index + before, clause, before)
    }
    case 'time':
      return readTime(reading, index, word)
    case 'minimum': {
      const amount = baseQuantityAt(reading, index + 1, names.minimum)
      if (!amount.ok) return amount
      said.minimum = amount.value
      return taken(2)
    }
    case 'market':
      said.isMarket = true
      return taken(marketWords.includes(word.lower) ? 1 : 2)
    case 'post':
      said.isPostOnly = true
      return taken(reading.words[index + 1]?.lower === 'only' ? 2 : 1)
    case 'quantity':
      return readQuantity(reading, index, word)
    case 'symbol':
      return taken(1)
  }
}

const marketWords = ['market', 'mkt']
const fillers = ['of', 'my', 'the', 'worth']
const fillersOfMoney = ['for', 'with']

/** True for filler words: `half of my eth`, `$1000 worth of btc`, `btc for $1000`. */
export function isFiller(reading: Reading, index: number): boolean {
  const { words } = reading
  const lower = words[index]?.lower ?? ''
  if (fillers.includes(lower)) return wordsBeforeBookPrice(words, index) === 0
  const isTime = duration.test(words[index + 1]?.lower ?? '')
  const isMoney = !isTime && beginsSize(reading, index + 1) && !isBareNumber(reading, index + 1)
  return fillersOfMoney.includes(lower) && isMoney
}

/**
 * The clause of a number without an introducing word: the quantity, or the price once quantity and symbol are known.
 * After the symbol, it is the price if the size is a share or a risk.
 */
function clauseOfSize(reading: Reading, index: number): Clause {
  const { said } = reading
  if (!isBareNumber(reading, index)) return 'quantity'
  const isPriced = said.price !== null || said.isMarket
  if (said.size === null) return !isPriced && said.words.has('symbol') && hasOwnSize(reading) ? 'price' : 'quantity'
  const isSized = !said.isBare || (said.words.has('symbol') && !said.isAfterSymbol)
  return isPriced || isSized ? 'price' : 'quantity'
}

/** The clause that the word begins; records a symbol's name on the way. */
function clauseAt(
  reading: Reading,
  index: number,
  word: Word,
  offers: readonly string[],
): Result<Clause, SentenceProblem> {
  const { said, words, context } = reading
  const begun = Object.hasOwn(clauseWords, word.lower) ? clauseWords[word.lower] : undefined
  const isAt = word.lower === '@' || word.lower === 'at'
  if (word.lower === 'for' && duration.test(words[index + 1]?.lower ?? '')) return { ok: true, value: 'time' }
  if (isAt && marketWords.includes(words[index + 1]?.lower ?? '')) return { ok: true, value: 'market' }
  if (begun !== undefined) return { ok: true, value: begun }
  if (isBookPrice(word) || wordsBeforeBookPrice(words, index) > 0) return { ok: true, value: 'price' }
  if (beginsSize(reading, index)) return { ok: true, value: clauseOfSize(reading, index) }
  const symbol = readSymbolWord(word, context)
  if (symbol === undefined) return foreignWord(reading, index, word) ?? unknownWord(word, offers, context)
  if (!symbol.ok) return symbol
  if (said.symbol === null) said.symbol = symbol.value
  return { ok: true, value: 'symbol' }
}

/** The symbol named by a word; undefined when none or several are. */
function symbolOf(word: Word, context: SentenceContext): string | undefined {
  const read = readSymbolWord(word, context)
  return read?.ok === true ? read.value : undefined
}

/**
 * Asks about a bare number behind a size that is not one, `half of 3 eth` and `max 80 ltc`: it may be the price, or a
 * quantity in the place of the share, and all that there is would go at it. Behind money it is asked where the money is
 * nearer to the market, as in `$64000 0.1 btc`, and behind a quantity where only that is near it. Null where it is the
 * price.
 */
function doubtfulPrice(reading: Reading, word: Word): Taken | null {
  const { said, text } = reading
  const first = said.words.get('quantity')
  if (first === undefined || said.size === null) return null
  if (said.size.kind === 'base')
    return isTurned(said.size.quantity, word, reading) ? readBothWays(reading, first, word) : null
  const written = said.parts.find(({ at }) => at === first.at)
  const size = written === undefined ? first.text : text.slice(written.at, written.at + written.length)
  const ask = (instead: string[], what: string) => wrong(partOf(first, word, ''), what, [], instead)
  const which = `which is the price, ${quoted({ text: size })} or ${quoted(word)}?`
  if (said.size.kind === 'counter')
    return isNearer(said.size.amount, parseAmount(word.text), reading)
      ? ask([`${word.text} @ ${size}`, `${size} @ ${word.text}`], which)
      : null
  const isBehindSymbol = said.words.has('symbol') && !said.isAfterSymbol
  if (said.size.kind !== 'share' || isBehindSymbol) return null
  const either = `${quoted(word)} may be the price, or a quantity in the place of ${quoted({ text: size })}`
  return ask([`${size} @ ${word.text}`, word.text], either)
}

/** True for `64000 btc 0.5`: only the quantity is near the market, and no order would wait for the price. */
function isTurned(quantity: Decimal, word: Word, reading: Reading): boolean {
  const [price, mid] = [parseAmount(word.text), midMeant(reading)]
  if (!reading.said.isBare || mid === null || price === undefined || price.lte(0)) return false
  const waits = reading.said.side === 'SELL' ? price.gt(mid) : price.lt(mid)
  return farFrom(quantity, mid).lte(usualFactor) && farFrom(price, mid).gt(waits ? waitingFactor : usualFactor)
}

/** Notes what `limit` or `stop` stands before, where that is the first number: the quantity may be meant. */
function announce({ said, words }: Reading, word: Word, index: number): void {
  const number = words[index]
  if (said.size === null && said.announced === null && number !== undefined && !isBookPrice(number))
    said.announced = { word, number }
}

/**
 * Asks about the numbers of `limit 0.5 btc 64000` and `stop 150 sol 140`: whoever names the kind of the order first
 * goes on with its quantity. Null where only the first one can be the price, or both prices are named.
 */
function doubtfulKind(reading: Reading, word: Word, quantity: Decimal): Taken | null {
  const { said, text } = reading
  const { announced, price, stop } = said
  const first = stop ?? price
  if (announced === null || first === null || (price !== null && stop !== null)) return null
  const mid = midMeant(reading)
  const isUsual = (one: Decimal) => mid !== null && farFrom(one, mid).lte(usualFactor)
  if (quantity.lte(0) || (isUsual(first) && !isUsual(quantity))) return null
  const { number } = announced
  const name = stop === null ? '@' : 'stop'
  const between = text.slice(number.at + number.length, word.at)
  const turned = `${number.text}${between}${name} ${word.text}`
  const asSaid = `${word.text}${between}${name} ${number.text}`
  const isFirstNearer = mid !== null && farFrom(first, mid).lt(farFrom(quantity, mid))
  const what = `which is the price, ${quoted(number)} or ${quoted(word)}?`
  return wrong(partOf(announced.word, word, ''), what, [], isFirstNearer ? [asSaid, turned] : [turned, asSaid])
}

/** True when the first of two amounts is certainly nearer to the market, so that it may be the price. */
function isNearer(one: Decimal, other: Decimal | undefined, reading: Reading): boolean {
  const mid = midMeant(reading)
  if (mid === null || other === undefined || other.lte(0)) return false
  return farFrom(one, mid).lt(farFrom(other, mid))
}

/**
 * Asks about two numbers of which each may be the price: offers both readings, the one nearer to the market first. Null
 * when that is the order typed.
 */
function readBothWays(reading: Reading, first: Word, second: Word): Taken | null {
  const { text } = reading
  const [one, other] = [parseAmount(first.text), parseAmount(second.text)]
  if (one === undefined || other === undefined || instrumentMeant(reading) === undefined) return null
  if (one.lte(0) || other.lte(0)) return null
  const mid = midMeant(reading)
  const far = (price: Decimal) => (mid === null ? zero : farFrom(price, mid))
  if (mid !== null && far(other).lte(far(one))) return null
  const between = text.slice(first.at + first.length, second.at)
  const [asSaid, turned] = [`${first.text}${between}@ ${second.text}`, `${second.text}${between}@ ${first.text}`]
  const instead = mid === null ? [asSaid, turned] : [turned, asSaid]
  return wrong(partOf(first, second, ''), `which is the price, ${quoted(first)} or ${quoted(second)}?`, [], instead)
}

/** Refuses a repeated clause. A second amount may be meant as the price, which is asked. */
function saidTwice(reading: Reading, index: number, word: Word, clause: Clause): Taken {
  const { said, words, text, context } = reading
  const first = said.words.get('symbol')
  if (clause === 'symbol' && first !== undefined) {
    const isSame = symbolOf(word, context) === said.symbol
    const between = text.slice(first.at + first.length, word.at).trimEnd()
    const instead = (isSame ? [first] : [first, word]).map((each) => each.text + between)
    const what = `two symbols are named, ${quoted(first)} and ${quoted(word)}: leave one out`
    return wrong(partOf(first, word, ''), isSame ? 'the symbol is named twice: leave one out' : what, [], instead)
  }
  const read = clause === 'quantity' ? readSize(reading, index, word) : null
  const isAmount = read?.ok === true && (read.value.size.kind === 'base' || read.value.size.kind === 'counter')
  if (!isAmount || said.price !== null || said.isMarket)
    return wrong(word, `${names[clause]} was said before: leave one out`)
  const quantity = said.words.get('quantity')
  const both = quantity === undefined || !read.value.isBare ? null : readBothWays(reading, quantity, word)
  if (both !== null) return both
  const { at, length } = partOf(word, words[index + read.value.count - 1] ?? word, '')
  const price = text.slice(at, at + length)
  const before = words[index - 1]
  // `for $6400` as a whole becomes `@ $6400`.
  const from = before !== undefined && isFiller(reading, index - 1) ? before.at : at
  const place = { at: from, length: at + length - from }
  const [size, other] = [said.size, read.value.size]
  const isForAll = before?.lower === 'for' && size?.kind === 'base' && other.kind === 'counter'
  const all = isForAll ? { text: price, total: other.amount, quantity: size.quantity } : null
  const prices = all === null ? [price] : pricesOfAll({ ...reading, side: said.side }, all)
  const what = `is ${quoted({ text: price })} the price${prices.length > 1 ? ' of each, or of all of it' : ''}?`
  const instead = prices.map((each) => `@ ${each}`)
  return wrong(place, `the quantity was said before: ${what}`, [], instead)
}

/** Reads the clause that begins at `index` and returns its number of words; `offers` are words that would fit there. */
export function readClause(reading: Reading, index: number, word: Word, offers: readonly string[]): Taken {
  const { said, words } = reading
  const foreign = readForeign(reading, index, word)
  if (foreign !== null) return foreign
  const clause = clauseAt(reading, index, word, offers)
  if (!clause.ok) return clause
  if (said.words.has(clause.value)) return saidTwice(reading, index, word, clause.value)
  const read = readBody(reading, index, word, clause.value)
  if (!read.ok) return read
  said.words.set(clause.value, word)
  const last = words[index + read.value - 1] ?? word
  said.parts.push(partOf(word, last, meaningOf(clause.value, reading)))
  return read
}

/** Which of several orders are meant: only those that wait for a price, or those on one side of a price. */
export type OrderBounds = { isStops: boolean; above: Decimal | null; below: Decimal | null }

/** The request of a sentence, and the parts it was understood from, not checked or sent yet. */
export type OrderIntent = { parts: readonly SentencePart[] } & (
  | ({ kind: 'order'; isJoining: boolean } & TicketRequest)
  /** Null for every symbol. */
  | { kind: 'cancelAll'; symbol: string | null }
  /**
   * `side` null for both; `isLast` for the newest only, `isStops` for those that wait for a price; `above` and `below`
   * bound the price. `isShown` when no symbol is named and the one on screen is meant.
   */
  | ({ kind: 'cancelSome'; side: Side | null; isLast: boolean; symbol: string | null; isShown: boolean } & OrderBounds)
  | { kind: 'cancelOrder'; orderId: string }
)

/**
 * The contents of a ticket to open. A size other than a quantity is kept as typed until the ticket computes it, with an
 * empty quantity in the form.
 */
export type TicketRequest = { form: TicketForm; size: Size | null }

/** The result of reading a sentence, and words that may follow. */
export type Understanding = { result: Result<OrderIntent, SentenceProblem>; next: readonly string[] }
