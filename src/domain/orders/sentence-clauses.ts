import { suggestion } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import type { Result } from '../../base/result.ts'
import { currencyOf, currencyProblem, isCurrencySign, readAmountText, splitCurrency } from '../amount-text.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import type { Side, TimeInForce } from './order.ts'
import { dayText, readDay } from './order-fields.ts'
import type { TicketForm } from './ticket.ts'

/** One word of a sentence with its place. `@` and `%` are words of their own, however they are written. */
export type Word = { text: string; lower: string; at: number; length: number }

/** What became of a sentence, and the words that may come after it. */
export type Understanding = { result: Result<OrderIntent, SentenceProblem>; next: readonly string[] }

export const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/@|%|[^\s@%]+/g)].map(({ 0: word, index }) => ({
    text: word,
    lower: word.toLowerCase(),
    at: index,
    length: word.length,
  }))

/** A word of the sentence as it may be quoted in a line of its own. */
export const quoted = ({ text }: Word): string => `"${plainText(text).slice(0, 24)}"`

const refused = (error: SentenceProblem): { ok: false; error: SentenceProblem } => ({ ok: false, error })

/** What stands there does not belong there. */
export const wrong = ({ at, length }: Word, text: string, offers: readonly string[] = []) =>
  refused({ kind: 'wrong', at, length, text, offers })

/** All is right so far, and more has to come. */
export const unfinished = (sentence: string, text: string, offers: readonly string[] = []) =>
  refused({ kind: 'unfinished', at: sentence.length, length: 0, text, offers })

/** The part that reaches from one word to another. */
export const partOf = (from: Word, to: Word, meaning: string): SentencePart => ({
  at: from.at,
  length: to.at + to.length - from.at,
  meaning,
})

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Every symbol, the present one first, as sentences write them. */
export const symbolOffers = ({ instruments, symbol }: SentenceContext): string[] =>
  [...new Set([symbol, ...instruments.keys()])]
    .filter((name) => instruments.has(name))
    .map((name) => name.toLowerCase())

/**
 * The symbol a word names: in full, with or without its dash, or by its base alone where only one symbol has it or the
 * present one does. Undefined when the word is no symbol at all.
 */
export function readSymbolWord(word: Word, context: SentenceContext): Result<string, SentenceProblem> | undefined {
  const { instruments, symbol: present } = context
  const all = [...instruments.values()]
  const plain = letters(word.text)
  const exact = all.find(({ symbol }) => symbol.toLowerCase() === word.lower)
  const named = exact ?? all.find(({ symbol }) => plain !== '' && letters(symbol) === plain)
  if (named !== undefined) return { ok: true, value: named.symbol }
  const withBase = all.filter(({ base }) => base.toLowerCase() === word.lower)
  const meant = withBase.find(({ symbol }) => symbol === present) ?? (withBase.length === 1 ? withBase[0] : undefined)
  if (meant !== undefined) return { ok: true, value: meant.symbol }
  if (withBase.length === 0) return undefined
  const names = withBase.map(({ symbol }) => symbol)
  return wrong(
    word,
    `${quoted(word)} trades as ${names.join(', ')}: say which`,
    names.map((name) => name.toLowerCase()),
  )
}

/** What is said about a word that is neither a symbol nor anything else that may stand there. */
export function unknownWord(word: Word, offers: readonly string[], context: SentenceContext) {
  const names = [...offers, ...symbolOffers(context)]
  return wrong(word, `${quoted(word)} is not understood here${suggestion(word.text, names)}`, offers)
}

/** What a clause says; each may be said once. */
export type Clause = 'quantity' | 'symbol' | 'price' | 'stop' | 'market' | 'time' | 'minimum' | 'post'

/**
 * The words that begin a clause, the one to offer first. A quantity and a symbol have none: they are known by their
 * form.
 */
const clauseWords: Readonly<Record<string, Clause>> = {
  '@': 'price',
  at: 'price',
  limit: 'price',
  market: 'market',
  mkt: 'market',
  stop: 'stop',
  gtc: 'time',
  ioc: 'time',
  fok: 'time',
  gtd: 'time',
  until: 'time',
  min: 'minimum',
  post: 'post',
  'post-only': 'post',
  postonly: 'post',
  alo: 'post',
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

/** What has been said so far. `words` keeps where each clause began, for what turns out not to fit at the end. */
export type Said = {
  side: Side
  quantity: { value: Decimal; isShare: boolean } | null
  symbol: string | null
  price: Decimal | null
  /** The currencies that prices were said to be in, and where. */
  priceUnits: { word: Word; currency: string }[]
  stop: Decimal | null
  isMarket: boolean
  time: TimeInForce | null
  day: string | null
  minimum: Decimal | null
  isPostOnly: boolean
  words: Map<Clause, Word>
  parts: SentencePart[]
}

/** The words being read, where the reading stands, and what has been said before. */
export type Reading = { words: readonly Word[]; text: string; context: SentenceContext; said: Said }

/** How many words a clause took, or what is wrong with it. */
type Taken = Result<number, SentenceProblem>

const taken = (count: number): Taken => ({ ok: true, value: count })
const hundred = new Decimal(100)

/** Digits as an amount above zero; `name` says what it is for, `word` is where they stand. */
function amountOf(word: Word, digits: string, name: string): Result<Decimal, SentenceProblem> {
  const read = readAmountText(digits, { what: 'amount', unit: null })
  if (read.ok) return read.value.gt(0) ? read : wrong(word, `${name} must be above zero`)
  return wrong(word, read.error.kind === 'ambiguous' ? read.error.text : `${name} belongs here, not ${quoted(word)}`)
}

const counters = ({ instruments }: SentenceContext): string[] => [...instruments.values()].map(({ counter }) => counter)

/**
 * The base currency that quantities are in: that of the symbol which is named anywhere in the sentence, else of the
 * present one.
 */
function baseMeant({ words, context }: Reading): string | null {
  for (const word of words.slice(1)) {
    const symbol = readSymbolWord(word, context)
    if (symbol?.ok === true) return context.instruments.get(symbol.value)?.base ?? null
  }
  return context.instruments.get(context.symbol)?.base ?? null
}

/** Money in the place of a quantity, at the words from `word` to `last`. */
function money(reading: Reading, word: Word, last: Word, currency: string) {
  const { at, length } = partOf(word, last, '')
  const use = { what: 'quantity', unit: baseMeant(reading) } as const
  return wrong({ ...word, length }, currencyProblem(reading.text.slice(at, at + length), currency, use).text)
}

/** The currency that a word after a quantity makes money of it: a sign, or a code that no symbol goes by. */
function currencyWord(word: Word, context: SentenceContext): string | null {
  if (isCurrencySign(word.text)) return currencyOf(word.text)
  const isCounter = counters(context).some((each) => each.toLowerCase() === word.lower)
  return isCounter && readSymbolWord(word, context) === undefined ? currencyOf(word.text) : null
}

/** A quantity of the base currency: an amount of any other currency beside it is money, and not so many of anything. */
function quantityAt(reading: Reading, index: number, name: string): Result<Decimal, SentenceProblem> {
  const { words, text, context } = reading
  const word = words[index]
  if (word === undefined) return unfinished(text, `${name} comes next`)
  const after = words[index + 1]
  if (isCurrencySign(word.text)) {
    const last = after !== undefined && /^[\d.,]/.test(after.text) ? after : word
    return money(reading, word, last, currencyOf(word.text))
  }
  const { digits, currency } = splitCurrency(word.text)
  if (currency !== null && currency === baseMeant(reading)?.toUpperCase()) {
    const apart = `${digits} ${currency.toLowerCase()}`
    return wrong(word, `write the quantity and the symbol apart: ${apart}`, [apart])
  }
  if (currency !== null) return money(reading, word, word, currency)
  const amount = amountOf(word, digits, name)
  const other = after === undefined ? null : currencyWord(after, context)
  return !amount.ok || after === undefined || other === null ? amount : money(reading, word, after, other)
}

/**
 * A price's clause: its word, the amount, and perhaps the currency before or after it, which is looked at once the
 * symbol is known.
 */
function readPrice(reading: Reading, index: number, clause: 'price' | 'stop'): Taken {
  const { words, text, said, context } = reading
  const first = words[index + 1]
  if (first === undefined) return unfinished(text, `${names[clause]} comes next`)
  const isSign = isCurrencySign(first.text)
  const word = isSign ? words[index + 2] : first
  if (word === undefined) return unfinished(text, `${names[clause]} comes next`)
  const { digits, currency } = splitCurrency(isSign ? `${first.text}${word.text}` : word.text)
  const amount = amountOf(word, digits, names[clause])
  if (!amount.ok) return amount
  said[clause] = amount.value
  if (currency !== null) said.priceUnits.push({ word, currency })
  const count = isSign ? 3 : 2
  const unit = words[index + count]
  const named = counters(context).find((each) => each.toLowerCase() === unit?.lower)
  if (unit === undefined || named === undefined) return taken(count)
  said.priceUnits.push({ word: unit, currency: named.toUpperCase() })
  return taken(count + 1)
}

function readTime({ words, text, said }: Reading, index: number, word: Word): Taken {
  if (word.lower !== 'gtd' && word.lower !== 'until') {
    said.time = word.lower === 'gtc' ? 'GTC' : word.lower === 'ioc' ? 'IOC' : 'FOK'
    return taken(1)
  }
  const day = words[index + 1]
  if (day === undefined) return unfinished(text, `${word.lower} needs the last day, as 20261231`)
  const read = readDay(day.text)
  if (!read.ok) return wrong(day, `${quoted(day)} is not a valid date: write it as 20261231`)
  said.time = 'GTD'
  said.day = read.value
  return taken(2)
}

function readQuantity(reading: Reading, index: number, word: Word): Taken {
  const { words, said } = reading
  const isShare = words[index + 1]?.text === '%'
  const amount = isShare
    ? amountOf(word, word.text, 'the share of the available balance')
    : quantityAt(reading, index, names.quantity)
  if (!amount.ok) return amount
  if (isShare && amount.value.gt(hundred)) return wrong(word, 'at most 100% of the available balance')
  said.quantity = { value: amount.value, isShare }
  return taken(isShare ? 2 : 1)
}

/** What a clause means, in the words of the ticket, once it has been read. */
function meaningOf(clause: Clause, { quantity, symbol, price, stop, time, day, minimum }: Said): string {
  switch (clause) {
    case 'quantity':
      return quantity?.isShare === true
        ? `${quantity.value}% of the available balance`
        : `quantity ${quantity?.value ?? ''}`
    case 'symbol':
      return symbol ?? ''
    case 'price':
      return `limit price ${price ?? ''}`
    case 'stop':
      return `stop price ${stop ?? ''}`
    case 'market':
      return 'at the market'
    case 'time':
      return day === null ? (time ?? '') : `GTD, until the end of ${dayText(day)} UTC`
    case 'minimum':
      return `at least ${minimum ?? ''} at once`
    case 'post':
      return 'post only'
  }
}

function readBody(reading: Reading, index: number, word: Word, clause: Clause): Taken {
  const { said } = reading
  switch (clause) {
    case 'price':
    case 'stop':
      return readPrice(reading, index, clause)
    case 'time':
      return readTime(reading, index, word)
    case 'minimum': {
      const amount = quantityAt(reading, index + 1, names.minimum)
      if (!amount.ok) return amount
      said.minimum = amount.value
      return taken(2)
    }
    case 'market':
      said.isMarket = true
      return taken(1)
    case 'post':
      said.isPostOnly = true
      return taken(1)
    case 'quantity':
      return readQuantity(reading, index, word)
    case 'symbol':
      return taken(1)
  }
}

/** Which clause the word begins; a symbol's name is kept on the way. */
function clauseAt({ said, context }: Reading, word: Word, offers: readonly string[]): Result<Clause, SentenceProblem> {
  const begun = Object.hasOwn(clauseWords, word.lower) ? clauseWords[word.lower] : undefined
  if (begun !== undefined) return { ok: true, value: begun }
  // Also an amount of money: what is wrong with it is said there.
  if (/^\p{Sc}|^-?\p{Sc}?[.,]?\d/u.test(word.text)) return { ok: true, value: 'quantity' }
  const symbol = readSymbolWord(word, context)
  if (symbol === undefined && splitCurrency(word.text).currency !== null) return { ok: true, value: 'quantity' }
  if (symbol === undefined) return unknownWord(word, offers, context)
  if (!symbol.ok) return symbol
  if (said.symbol === null) said.symbol = symbol.value
  return { ok: true, value: 'symbol' }
}

/**
 * Reads the clause that begins at `index` and says how many words it took; `offers` are the words that would fit there.
 */
export function readClause(reading: Reading, index: number, word: Word, offers: readonly string[]): Taken {
  const { said, words } = reading
  const clause = clauseAt(reading, word, offers)
  if (!clause.ok) return clause
  if (said.words.has(clause.value)) {
    if (clause.value === 'quantity' && said.price === null && !said.isMarket)
      return wrong(word, `the quantity was said before: is ${quoted(word)} the price?`, [`@ ${word.text}`])
    return wrong(word, `${names[clause.value]} was said before: leave one out`)
  }
  said.words.set(clause.value, word)
  const read = readBody(reading, index, word, clause.value)
  if (!read.ok) return read
  const last = words[index + read.value - 1] ?? word
  said.parts.push(partOf(word, last, meaningOf(clause.value, said)))
  return read
}

/** A piece of the sentence and what it was taken for. `at` and `length` are in characters of the text as typed. */
type SentencePart = { at: number; length: number; meaning: string }

/** What a sentence asks for, and the parts it was understood from. None of these has been checked or sent. */
export type OrderIntent = { parts: readonly SentencePart[] } & (
  | ({ kind: 'order' } & TicketRequest)
  /** Null: every symbol. */
  | { kind: 'cancelAll'; symbol: string | null }
  | { kind: 'cancelOrder'; orderId: string }
)

/**
 * Why a sentence is not understood. `unfinished`: right so far, words are missing at `at`. `wrong`: what stands at `at`
 * is not what belongs there. `offers` are words that would be right there, best first; empty where only the person
 * knows.
 */
export type SentenceProblem = {
  kind: 'unfinished' | 'wrong'
  at: number
  length: number
  text: string
  offers: readonly string[]
}

/** What sentences may name: the symbols known, and the one that is meant when none is named. */
export type SentenceContext = {
  instruments: ReadonlyMap<string, Pick<Instrument, 'symbol' | 'base' | 'counter'>>
  symbol: string
}

/**
 * What a ticket is to be opened with. A quantity that was said as a share of what is available stays a share (above 0,
 * at most 100) until the balances are asked, and the form's quantity is empty.
 */
export type TicketRequest = { form: TicketForm; sharePercent: Decimal | null }
