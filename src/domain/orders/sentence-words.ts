import type { Result } from '../../base/result.ts'
import { nearestNames, suggestionOf } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { Book } from '../market/book.ts'
import type { Instrument } from '../market/instrument.ts'
import { otherNameOf } from '../market/other-names.ts'

/** A word of a sentence with its place. `@` and `%` are separate words, however they are typed. */
export type Word = { text: string; lower: string; at: number; length: number }

/** A text that is one word, and all of its sentence. */
export const wordAlone = (text: string): Word => ({ text, lower: text.toLowerCase(), at: 0, length: text.length })

/** A part of the sentence and its meaning. `at` and `length` count characters of the typed text. */
export type SentencePart = { at: number; length: number; meaning: string }

/**
 * Why a sentence is not understood. `unfinished`: correct so far, but words are missing at `at`. `wrong`: the text at
 * `at` does not belong there. `offers` are correct words for that place, best first; empty when only the user knows.
 * `instead` are texts that may have been meant: one for a near miss, several for an ambiguity.
 */
export type SentenceProblem = {
  kind: 'unfinished' | 'wrong'
  at: number
  length: number
  text: string
  offers: readonly string[]
  instead: readonly string[]
}

/** The names sentences may use: the known symbols, and the default one. */
export type SentenceContext = {
  instruments: ReadonlyMap<string, Instrument>
  symbol: string
  /** A symbol's book while it is fresh; null otherwise. */
  bookOf(symbol: string): Book | null
  /** The UTC day of the exchange, as 20261231, for words such as `today`; unset: such words are asked to be dates. */
  today?: string
}

/** The words being read and the names they may use. */
type Read = { words: readonly Word[]; context: SentenceContext }

/** A sentence that is wrong or incomplete. */
export type Refused = { ok: false; error: SentenceProblem }

const refused = (error: SentenceProblem): Refused => ({ ok: false, error })

/** The failure of text that does not belong at its place. */
export const wrong = (
  { at, length }: Pick<Word, 'at' | 'length'>,
  text: string,
  offers: readonly string[] = [],
  instead: readonly string[] = [],
): Refused => refused({ kind: 'wrong', at, length, text, offers, instead })

/** The failure of a sentence that is correct so far but incomplete. */
export const unfinished = (sentence: string, text: string, offers: readonly string[] = []): Refused =>
  refused({ kind: 'unfinished', at: sentence.length, length: 0, text, offers, instead: [] })

/** The part from one word to another. */
export const partOf = (from: Word, to: Word, meaning: string): SentencePart => ({
  at: from.at,
  length: to.at + to.length - from.at,
  meaning,
})

/** A word of the sentence, quoted for a one-line message. */
export const quoted = ({ text }: Pick<Word, 'text'>): string => `"${plainText(text).slice(0, 24)}"`

const wordOf = (text: string, at: number): Word => ({ text, lower: text.toLowerCase(), at, length: text.length })

/** A number joined with its unit: `0.1btc`, `1kusd`. The shorter number is tried first. */
const glued = [/^([.,\d]+)([a-z][a-z/-]+)$/i, /^([.,\d]+[km])([a-z][a-z/-]+)$/i]

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The names that words may refer to, in lower case: symbols in full and by their letters only, and currencies. */
type Names = {
  symbols: ReadonlyMap<string, string>
  byLetters: ReadonlyMap<string, string>
  /** The symbols of each base, in their own order. */
  byBase: ReadonlyMap<string, readonly string[]>
  counters: ReadonlySet<string>
}

/** Cached per set of instruments, because it is looked up for each word at each key and each change of the desk. */
const known = new WeakMap<SentenceContext['instruments'], Names>()

function namesOf({ instruments }: SentenceContext): Names {
  const before = known.get(instruments)
  if (before !== undefined) return before
  const all = [...instruments.values()]
  // Of two with the same name the first one counts, as in their list.
  const byName = (nameOf: (symbol: string) => string) =>
    new Map(all.toReversed().map(({ symbol }) => [nameOf(symbol), symbol]))
  const byBase = Map.groupBy(all, ({ base }) => base.toLowerCase())
  const names = {
    symbols: byName((symbol) => symbol.toLowerCase()),
    byLetters: byName(letters),
    byBase: new Map([...byBase].map(([base, those]) => [base, those.map(({ symbol }) => symbol)])),
    counters: new Set(all.map(({ counter }) => counter.toLowerCase())),
  }
  known.set(instruments, names)
  return names
}

/** True when a lower-case word is a counter currency of symbols. */
export const isCounter = (lower: string, context: SentenceContext): boolean => namesOf(context).counters.has(lower)

function apart(word: Word, context: SentenceContext): Word[] {
  for (const pattern of glued) {
    const [, digits = '', name = ''] = pattern.exec(word.text) ?? []
    const second = wordOf(name, word.at + digits.length)
    const isKnown = name !== '' && (isCounter(second.lower, context) || readSymbolWord(second, context) !== undefined)
    if (isKnown) return [wordOf(digits, word.at), second]
  }
  return [word]
}

/** Splits a sentence into words; a number and the currency joined to it become two. */
export const wordsOf = (text: string, context: SentenceContext): Word[] =>
  [...text.matchAll(/@|%|[^\s@%]+/g)].flatMap(({ 0: word, index }) => apart(wordOf(word, index), context))

/** All symbols as sentences write them, the present one first. */
export const symbolOffers = ({ instruments, symbol }: SentenceContext): string[] =>
  [...new Set([symbol, ...instruments.keys()])]
    .filter((name) => instruments.has(name))
    .map((name) => name.toLowerCase())

/** The default counter currency when only the base is named. */
export const usualCounter = 'USD'

/**
 * The symbol named by a word: in full, with or without its dash, or by its base only: the present symbol if it has that
 * base, or else the only one, or else the one in dollars. Undefined when the word is not a symbol.
 */
export function readSymbolWord(word: Word, context: SentenceContext): Result<string, SentenceProblem> | undefined {
  const { symbols, byLetters, byBase } = namesOf(context)
  const plain = letters(word.text)
  const named = symbols.get(word.lower) ?? (plain === '' ? undefined : byLetters.get(plain))
  if (named !== undefined) return { ok: true, value: named }
  const names = byBase.get(word.lower) ?? []
  const usual = names.filter((name) => context.instruments.get(name)?.counter === usualCounter)
  const meant = names.includes(context.symbol) ? context.symbol : names.length === 1 ? names[0] : usual[0]
  if (meant !== undefined) return { ok: true, value: meant }
  if (names.length === 0) return undefined
  return wrong(
    word,
    `${quoted(word)} trades as ${names.join(', ')}: say which`,
    names.map((name) => name.toLowerCase()),
    names.map((name) => name.toLowerCase()),
  )
}

/**
 * The word that names a symbol by its base alone although several symbols have that base, and those symbols; null where
 * a word names the symbol in full, or no other has its base. What is read then depends on what else is listed.
 */
export function baseDoubt(symbol: string, { words, context }: Read): { word: Word; symbols: readonly string[] } | null {
  const { byBase } = namesOf(context)
  const symbols = byBase.get(context.instruments.get(symbol)?.base.toLowerCase() ?? '') ?? []
  if (symbols.length < 2 || words.some((word) => letters(word.text) === letters(symbol))) return null
  const word = words.find(({ lower }) => byBase.get(lower) === symbols)
  return word === undefined ? null : { word, symbols }
}

/** The symbol that a person called by this name, as a sentence reads it; null where it is none, or may be several. */
export function symbolCalled(name: string, instruments: SentenceContext['instruments']): string | null {
  const read = readSymbolWord(wordOf(name, 0), { instruments, symbol: '', bookOf: () => null })
  return read?.ok === true ? read.value : null
}

/**
 * True for a word of a symbol's base with another currency behind it, listed or not: `btc-usdc` is no slip for BTC-USD,
 * and `btc-usf` is.
 */
export function hasOtherCounter(
  word: string,
  symbol: string,
  { instruments }: Pick<Read['context'], 'instruments'>,
): boolean {
  const instrument = instruments.get(symbol.toUpperCase())
  const base = instrument?.base.toLowerCase() ?? ''
  const counter = instrument?.counter.toLowerCase() ?? ''
  const plain = letters(word)
  if (instrument === undefined || !plain.startsWith(base)) return false
  const behind = plain.slice(base.length)
  const isMoney = [...instruments.values()].some((each) =>
    [each.base, each.counter].some((currency) => currency.toLowerCase() === behind),
  )
  const isLonger = behind.startsWith(counter) && behind !== counter + counter.slice(-1)
  return behind !== counter && (isMoney || isLonger)
}

/** The failure of an unknown word where a symbol or other words are possible. */
export function unknownWord(word: Word, offers: readonly string[], context: SentenceContext): Refused {
  const bases = [...context.instruments.values()].map(({ base }) => base.toLowerCase())
  const other = otherNameOf(word.text)
  const isKnown = other !== null && readSymbolWord(wordOf(other, word.at), context) !== undefined
  // A currency is no slip for another one: USD is not USDC.
  const isMoney = isCounter(word.lower, context)
  const names = isMoney ? [] : [...offers, ...symbolOffers(context), ...bases]
  const near = isKnown
    ? [other]
    : nearestNames(word.text, names).filter((name) => !hasOtherCounter(word.text, name, context))
  return wrong(word, `${quoted(word)} is not understood here${suggestionOf(near)}`, offers, near)
}

/** The instrument named anywhere in the sentence, or else the present one. */
export function instrumentMeant({ words, context }: Read): Instrument | undefined {
  for (const word of words.slice(1)) {
    const symbol = readSymbolWord(word, context)
    if (symbol?.ok === true) return context.instruments.get(symbol.value)
  }
  return context.instruments.get(context.symbol)
}
