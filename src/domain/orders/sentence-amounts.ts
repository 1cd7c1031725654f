import type { Result } from '../../base/result.ts'
import {
  currencyOf,
  currencyProblem,
  isCurrencySign,
  multiples,
  readAmountText,
  splitCurrency,
  waysToRead,
} from '../amount-text.ts'
import { type Book, bestAsk, bestBid, midPrice } from '../market/book.ts'
import { formatPrice, roundToTick } from '../market/instrument.ts'
import { Decimal, parseAmount } from '../money.ts'
import type { Side } from '../side.ts'
import {
  instrumentMeant,
  isCounter,
  partOf,
  quoted,
  readSymbolWord,
  type SentenceContext,
  type SentencePart,
  type SentenceProblem,
  unfinished,
  type Word,
  wrong,
} from './sentence-words.ts'
import { readSizeText, type Size, shares } from './sizing.ts'

/** The words being read. */
type Reading = { words: readonly Word[]; text: string; context: SentenceContext }

/** Words for sizes, and patterns that distinguish sizes from plain numbers. */
const shareWords = Object.keys(shares)
const stopWords = ['stop', 'sl']

const startsAsNumber = (text: string): boolean => /^\p{Sc}|^[-−–]?\p{Sc}?[.,]?\d/u.test(text)

/**
 * Reads digits as an amount above zero; `name` is its purpose, `word` the place of an error, `suffix` the letter of a
 * multiple behind them.
 */
function amountOf(word: Word, digits: string, name: string, suffix = ''): Result<Decimal, SentenceProblem> {
  const read = readAmountText(digits.replace(/^[−–]/, '-'), { what: 'amount', unit: null, suffix })
  if (read.ok) return read.value.gt(0) ? read : wrong(word, `${name} must be above zero`)
  const plain = /^\d+(?:\.\d+)?e[+-]?\d{1,2}$/i.test(word.text) ? parseAmount(word.text)?.toFixed() : undefined
  if (plain !== undefined) return wrong(word, `${quoted(word)} is ${plain}: amounts have no exponent`, [], [plain])
  // An offer would lose the text after the digits.
  if (read.error.kind !== 'ambiguous' || !word.text.endsWith(`${digits}${suffix}`))
    return wrong(word, `${name} belongs here, not ${quoted(word)}`)
  return wrong(
    word,
    read.error.text,
    [],
    waysToRead(digits).map((way) => `${way}${suffix}`),
  )
}

/** The currency that a word next to a number gives it: a sign, or a code that is not a symbol. */
function currencyWord(word: Word | undefined, context: SentenceContext): string | null {
  if (word === undefined) return null
  if (isCurrencySign(word.text)) return currencyOf(word.text)
  return isCounter(word.lower, context) && readSymbolWord(word, context) === undefined ? currencyOf(word.text) : null
}

/** True when a size begins at the word: a number, money, a word such as `half`, or a risk. */
export function beginsSize({ words, context }: Reading, index: number): boolean {
  const word = words[index]
  if (word === undefined) return false
  if (startsAsNumber(word.text) || shareWords.includes(word.lower) || word.lower === 'risk') return true
  if (currencyWord(word, context) !== null) return /^[\d.]/.test(words[index + 1]?.text ?? '')
  return splitCurrency(word.text).currency !== null && readSymbolWord(word, context) === undefined
}

/** True when the word is a bare number, which may be a quantity or a price. */
export const isBareNumber = ({ words, context }: Reading, index: number): boolean =>
  /^[\d.,]+(?:[km]|e[+-]?\d+)?$/i.test(words[index]?.text ?? '') &&
  words[index + 1]?.text !== '%' &&
  currencyWord(words[index + 1], context) === null

/**
 * True when the sentence contains a size that cannot be a price: a share or a risk. A bare number is then the price.
 */
export const hasOwnSize = ({ words }: Reading): boolean =>
  words.some(({ lower }) => shareWords.includes(lower) || lower === '%' || lower === 'risk')

/** Reads a plain quantity of the base currency, such as a minimum fill. */
export function baseQuantityAt(reading: Reading, index: number, name: string): Result<Decimal, SentenceProblem> {
  const { words, text, context } = reading
  const word = words[index]
  if (word === undefined) return unfinished(text, `${name} comes next`)
  const after = words[index + 1]
  const unit = instrumentMeant(reading)?.base ?? null
  const money = (last: Word, currency: string) => {
    const { at, length } = partOf(word, last, '')
    const use = { what: 'quantity', unit } as const
    return wrong({ at, length }, currencyProblem(text.slice(at, at + length), currency, use).text)
  }
  const { digits, currency } = splitCurrency(word.text)
  if (currency !== null) return money(word, currency)
  const other = currencyWord(after, context)
  const amount = amountOf(word, digits, name)
  return !amount.ok || after === undefined || other === null ? amount : money(after, other)
}

/** A size, its number of words, and whether it was a bare number. */
type SizeTaken = { size: Size; count: number; isBare: boolean }

/** Reads a size of any form that begins at the word. */
export function readSize(reading: Reading, index: number, word: Word): Result<SizeTaken, SentenceProblem> {
  const { words, text, context } = reading
  if (word.lower === 'risk') return readRisk(reading, index, word)
  if (words[index + 1]?.text === '%') return sizeOf(reading, index, 2)
  if (shareWords.includes(word.lower)) return sizeOf(reading, index, 1)
  if (isCurrencySign(word.text) && words[index + 1] === undefined) return unfinished(text, 'the quantity comes next')
  if (currencyWord(word, context) !== null || currencyWord(words[index + 1], context) !== null)
    return sizeOf(reading, index, 2)
  const { currency } = splitCurrency(word.text)
  if (currency !== null || /[km]$/i.test(word.text)) return sizeOf(reading, index, 1)
  const amount = amountOf(word, word.text, 'the quantity')
  if (!amount.ok) return amount
  if (words[index - 1]?.lower === 'worth' || words[index + 1]?.lower === 'worth') return moneyOfWhat(reading, word)
  return { ok: true, value: { size: { kind: 'base', quantity: amount.value }, count: 1, isBare: true } }
}

/** Asks for the currency of `500 worth of sol`: what something is worth is money, and never a quantity of it. */
function moneyOfWhat(reading: Reading, word: Word) {
  const counter = instrumentMeant(reading)?.counter.toLowerCase()
  const instead = counter === undefined ? [] : [`${word.text} ${counter}`]
  return wrong(word, `${quoted(word)} is what it is worth, in which currency?`, [], instead)
}

/** Reads `count` words from `index` as one size. */
function sizeOf(reading: Reading, index: number, count: number): Result<SizeTaken, SentenceProblem> {
  const { words, text } = reading
  const [word, last] = [words[index], words[index + count - 1]]
  const instrument = instrumentMeant(reading)
  if (word === undefined || last === undefined || instrument === undefined) return unfinished(text, 'which symbol?')
  const part = partOf(word, last, '')
  const span = words.slice(index, index + count).map((each) => each.text)
  const said = span.join(' ').replace(/(\p{Sc})\s+/gu, '$1')
  const read = readSizeText(said, instrument)
  if (read.ok) return { ok: true, value: { size: read.value, count, isBare: false } }
  const [, digits = '', suffix = ''] = /^([\d.]+)([km])$/i.exec(said) ?? []
  const multiple = suffix === '' ? undefined : multiples[suffix.toLowerCase()]
  const whole = readAmountText(digits, { what: 'amount', unit: null })
  // `1mbtc`: what is put in the place of the number must not run into the currency behind it.
  const gap = /^\S/.test(text.slice(part.at + part.length)) ? ' ' : ''
  // Thousands of a base currency may mean money: both are offered, the smaller one first.
  const instead =
    multiple !== undefined && whole.ok
      ? [
          `${whole.value.times(multiple).toFixed()} ${instrument.counter.toLowerCase()}${gap}`,
          whole.value.times(multiple).toFixed(),
        ]
      : eachWay(said)
  return wrong(part, sentenceOf(read.error), [], instead)
}

/** A size with an amount like `1,000` or `1,5k` read in each of its ways, what is around it kept; none for others. */
function eachWay(said: string): string[] {
  const [, sign = '', digits = '', behind = ''] =
    /^([^\d-]*)([1-9]\d{0,2},\d{3})$/.exec(said) ?? /^([^\d-]*)([\d.]*,\d+)([km](?![a-z]).*)$/i.exec(said) ?? []
  return waysToRead(digits).map((way) => sign + way + behind)
}

/** Words a size's problem like the other sentences. */
const sentenceOf = (text: string): string => text.replace(/^(quantity|share) /, 'the $1 ')

/** Reads `risk $200 stop 63000`, up to the price after `stop`. */
function readRisk(reading: Reading, index: number, word: Word): Result<SizeTaken, SentenceProblem> {
  const { words, text } = reading
  const stopAt = words.findIndex(({ lower }, at) => at > index && stopWords.includes(lower))
  const isNear = stopAt > index + 1 && stopAt <= index + 3
  const money = words[index + 1]
  if (money === undefined) return unfinished(text, 'risk how much? risk $200 stop PRICE')
  if (!isNear) {
    const offer = 'a risk needs the price where you would get out: risk $200 stop PRICE'
    const last = words.at(-1)
    const isOpen = last !== undefined && words.length <= index + 3 && startsAsNumber(money.text)
    return isOpen ? unfinished(text, offer, ['stop']) : wrong(word, offer)
  }
  const isSign = isCurrencySign(words[stopAt + 1]?.text ?? '')
  const count = stopAt - index + (isSign ? 3 : 2)
  if (words[index + count - 1] === undefined) return unfinished(text, 'the stop price comes next')
  return sizeOf(reading, index, count)
}

/** A price, its number of words, and how it was understood if it is more than a number. */
type PriceTaken = { price: Decimal; count: number; note: string; units: { word: Word; currency: string }[] }

const touches: Readonly<Record<string, (book: Book) => Decimal | null>> = {
  bid: bestBid,
  ask: bestAsk,
  offer: bestAsk,
  mid: midPrice,
}
const nearTouch = /^(bid|ask|offer|mid)([+−–-].*)?$/
/** Words behind a number that make it another distance than one of ticks. */
const notTicks = ['%', 'percent', 'pct', 'bp', 'bps', 'pip', 'pips', 'point', 'points']
const offsetPattern = /^([+−–-])(\d{1,6})(t|ticks?)?$/

/** True for a price of the book, such as `bid` or `ask-2t`. */
export const isBookPrice = ({ lower }: Word): boolean => nearTouch.test(lower)

const beforeBookPrice = ['the', 'best']

/** The words before a price of the book that mean no more than it, as in `the best bid`; 0 where none follows. */
export function wordsBeforeBookPrice(words: readonly Word[], index: number): number {
  let count = 0
  while (beforeBookPrice.includes(words[index + count]?.lower ?? '')) count += 1
  const word = words[index + count]
  return word !== undefined && isBookPrice(word) ? count : 0
}

/** Reads the price that begins at `index`; `name` is its purpose. */
export function readPriceAt(
  reading: Reading & { side: Side },
  index: number,
  name: string,
): Result<PriceTaken, SentenceProblem> {
  const { words, text, context } = reading
  const first = words[index]
  if (first === undefined) return unfinished(text, `${name} comes next`, ['bid', 'ask', 'mid'])
  if (isBookPrice(first)) return readBookPrice(reading, index, first)
  const isSign = isCurrencySign(first.text)
  const word = isSign ? words[index + 1] : first
  if (word === undefined) return unfinished(text, `${name} comes next`)
  const { digits, currency } = splitCurrency(isSign ? `${first.text}${word.text}` : word.text)
  const [, plain = digits, suffix = ''] = /^(.*\d\.?)([km])$/i.exec(digits) ?? []
  const amount = amountOf(word, plain, name, suffix)
  if (!amount.ok) return amount
  const price = amount.value.times(multiples[suffix.toLowerCase()] ?? 1)
  const count = isSign ? 2 : 1
  const unit = words[index + count]
  const units = currency === null ? [] : [{ word, currency }]
  if (unit === undefined || !isCounter(unit.lower, context))
    return { ok: true, value: { price, count, note: '', units } }
  const named = { word: unit, currency: unit.text.toUpperCase() }
  return { ok: true, value: { price, count: count + 1, note: '', units: [...units, named] } }
}

/** Reads an offset in ticks from a book price: `ask-2t`, `ask -2t`, `ask - 2 ticks`. */
function offsetAt(words: readonly Word[], index: number, first: Word): { text: string; last: Word; count: number } {
  const written = nearTouch.exec(first.lower)?.[2] ?? ''
  const after = words.slice(index + 1, index + 4)
  const isApart = written === '' ? /^[+−–-]/.test(after[0]?.text ?? '') : /^([+−–-]|.*\d)$/.test(written)
  let text = written
  let count = 1
  for (const word of isApart ? after : []) {
    if (offsetPattern.exec(text)?.[3] !== undefined || !/^[+−–-]?(\d{1,6})?(t|ticks?)?$/.test(word.lower)) break
    // A number after a complete offset is the next word of the sentence.
    if (/\d$/.test(text) && /^\d/.test(word.text)) break
    text += word.lower
    count += 1
  }
  return { text, last: words[index + count - 1] ?? first, count }
}

/** The failure of an offset without its unit; only where ticks may be meant some are offered. */
function offsetWithoutUnit({ context }: Reading, said: string, text: string, place: SentencePart, behind: string) {
  // `-50bps`, `-50 usd` and `- 0.5%` are not ticks, and none are offered for them.
  const isOther = notTicks.includes(behind) || isCounter(behind, context) || startsAsNumber(behind)
  const isTicks = /^[+−–-]\d*$/.test(text) && !isOther
  const offset = isTicks ? (/\d+/.exec(text)?.[0] ?? '2') : '2'
  const offer = `${said}${text.startsWith('+') ? '+' : '-'}${offset}t`
  return wrong(place, `say how many ticks, as ${offer}, or type the price`, [], isTicks ? [offer] : [])
}

/** Reads a price relative to the book's best prices: rounded to the tick on the passive side, plus the offset. */
function readBookPrice(
  reading: Reading & { side: Side },
  index: number,
  first: Word,
): Result<PriceTaken, SentenceProblem> {
  const { words, context, side } = reading
  const instrument = instrumentMeant(reading)
  const book = instrument === undefined ? null : context.bookOf(instrument.symbol)
  const said = nearTouch.exec(first.lower)?.[1] ?? 'bid'
  const name = said === 'offer' ? 'ask' : said
  const { text, last, count } = offsetAt(words, index, first)
  const [, sign = '+', digits = '0', unit] = offsetPattern.exec(text) ?? []
  const place = partOf(first, last, '')
  if (text !== '' && unit === undefined)
    return offsetWithoutUnit(reading, said, text, place, words[index + count]?.lower ?? '')
  const best = book === null ? null : (touches[said]?.(book) ?? null)
  if (instrument === undefined || best === null)
    return wrong(
      place,
      `no ${name} of ${instrument?.symbol ?? 'the symbol'} to go by: show it first, or type the price`,
    )
  const base = roundToTick(best, side, instrument)
  const ticks = new Decimal(digits).times(sign === '+' ? 1 : -1)
  const price = base.plus(instrument.tickSize.times(ticks))
  if (price.lte(0)) return wrong(place, 'the price must be above zero')
  const from = `the ${name} ${base.eq(best) ? formatPrice(best, instrument) : best.toFixed()}`
  const moved = ticks.isZero() ? '' : ` ${ticks.gt(0) ? 'plus' : 'less'} ${digits} ${digits === '1' ? 'tick' : 'ticks'}`
  const rounded = base.eq(best) ? '' : ', on the tick'
  return { ok: true, value: { price, count, note: ` (${from}${rounded}${moved})`, units: [] } }
}

/** A price at most so many times the market, or a part of it, is a usual one; what an order waits for, so many. */
export const [usualFactor, waitingFactor] = [2, 10]

/** How many times a price is the other, the larger over the smaller. */
export const farFrom = (price: Decimal, mid: Decimal): Decimal => Decimal.max(price.div(mid), mid.div(price))

/** The mid of the symbol meant; null while unknown. */
export function midMeant(reading: Reading): Decimal | null {
  const instrument = instrumentMeant(reading)
  const book = instrument === undefined ? null : reading.context.bookOf(instrument.symbol)
  return book === null ? null : midPrice(book)
}

/** The prices that `2 eth for $6000` may mean, the nearer to the market first: $6000 for each, or for all of it. */
export function pricesOfAll(
  reading: Reading & { side: Side },
  { text, total, quantity }: { text: string; total: Decimal; quantity: Decimal },
): string[] {
  const [instrument, mid] = [instrumentMeant(reading), midMeant(reading)]
  const each = instrument === undefined ? total : roundToTick(total.div(quantity), reading.side, instrument)
  if (each.eq(total) || each.lte(0)) return [text]
  const isNearer = mid !== null && farFrom(each, mid).lt(farFrom(total, mid))
  return isNearer ? [each.toFixed(), text] : [text, each.toFixed()]
}

/** Describes a size in the words of the ticket. */
export function sizeWords(size: Size, { base, counter }: { base: string; counter: string }): string {
  if (size.kind === 'base') return `quantity ${size.quantity.toFixed()}`
  if (size.kind === 'counter') return `${size.amount.toFixed()} ${counter} worth of ${base}`
  if (size.kind === 'share') return `${size.percent.toFixed()}% of the available balance`
  const loss = `${size.amount.toFixed()} ${counter}`
  return `as much as loses ${loss} when closed at ${size.stopPrice.toFixed()}; no stop is placed`
}
