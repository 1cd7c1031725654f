import { nearestNames, suggestionOf } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import type { Result } from '../../base/result.ts'
import type { Book } from '../market/book.ts'
import type { Instrument } from '../market/instrument.ts'

/** One word of a sentence with its place. `@` and `%` are words of their own, however they are written. */
export type Word = { text: string; lower: string; at: number; length: number }

/** A piece of the sentence and what it was taken for. `at` and `length` are in characters of the text as typed. */
export type SentencePart = { at: number; length: number; meaning: string }

/**
 * Why a sentence is not understood. `unfinished`: right so far, words are missing at `at`. `wrong`: what stands at `at`
 * is not what belongs there. `offers` are words that would be right there, best first; empty where only the person
 * knows. `instead` are texts that may have been meant by what stands there: one for a near miss, several where it can
 * be read in several ways.
 */
export type SentenceProblem = {
  kind: 'unfinished' | 'wrong'
  at: number
  length: number
  text: string
  offers: readonly string[]
  instead: readonly string[]
}

/** What sentences may name: the symbols known, and the one that is meant when none is named. */
export type SentenceContext = {
  instruments: ReadonlyMap<string, Instrument>
  symbol: string
  /** A symbol's book while it is fresh; null where none can be relied on. */
  bookOf(symbol: string): Book | null
}

type Refused = { ok: false; error: SentenceProblem }

const refused = (error: SentenceProblem): Refused => ({ ok: false, error })

/** What stands there does not belong there. */
export const wrong = (
  { at, length }: Pick<Word, 'at' | 'length'>,
  text: string,
  offers: readonly string[] = [],
  instead: readonly string[] = [],
): Refused => refused({ kind: 'wrong', at, length, text, offers, instead })

/** All is right so far, and more has to come. */
export const unfinished = (sentence: string, text: string, offers: readonly string[] = []): Refused =>
  refused({ kind: 'unfinished', at: sentence.length, length: 0, text, offers, instead: [] })

/** The part that reaches from one word to another. */
export const partOf = (from: Word, to: Word, meaning: string): SentencePart => ({
  at: from.at,
  length: to.at + to.length - from.at,
  meaning,
})

/** A word of the sentence as it may be quoted in a line of its own. */
export const quoted = ({ text }: Pick<Word, 'text'>): string => `"${plainText(text).slice(0, 24)}"`

const wordOf = (text: string, at: number): Word => ({ text, lower: text.toLowerCase(), at, length: text.length })

/** A number written together with what it is an amount of: `0.1btc`, `1kusd`. The shorter number comes first. */
const glued = [/^([.,\d]+)([a-z][a-z/-]+)$/i, /^([.,\d]+[km])([a-z][a-z/-]+)$/i]

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** What words of a sentence may name, in lower case: each symbol in full and by its letters alone, and currencies. */
type Names = {
  symbols: ReadonlyMap<string, string>
  byLetters: ReadonlyMap<string, string>
  /** The symbols that have a base, in their own order. */
  byBase: ReadonlyMap<string, readonly string[]>
  counters: ReadonlySet<string>
}

/** Looked up for each word of a line, at each key and each change of the desk: made once for the symbols there are. */
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

/** Whether a word, in lower case, is a currency that symbols are priced in. */
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

/** The words of a sentence; a number and the currency that it is written together with are two. */
export const wordsOf = (text: string, context: SentenceContext): Word[] =>
  [...text.matchAll(/@|%|[^\s@%]+/g)].flatMap(({ 0: word, index }) => apart(wordOf(word, index), context))

/** Every symbol, the present one first, as sentences write them. */
export const symbolOffers = ({ instruments, symbol }: SentenceContext): string[] =>
  [...new Set([symbol, ...instruments.keys()])]
    .filter((name) => instruments.has(name))
    .map((name) => name.toLowerCase())

/** What a base is traded in where a person names the base alone. */
export const usualCounter = 'USD'

/**
 * The symbol a word names: in full, with or without its dash, or by its base alone: the present symbol where it has
 * that base, else the only one, else the one in dollars. Undefined when the word is not a symbol at all.
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

/** What is said about a word that is neither a symbol nor anything else that may stand there. */
export function unknownWord(word: Word, offers: readonly string[], context: SentenceContext): Refused {
  const bases = [...context.instruments.values()].map(({ base }) => base.toLowerCase())
  const near = nearestNames(word.text, [...offers, ...symbolOffers(context), ...bases])
  return wrong(word, `${quoted(word)} is not understood here${suggestionOf(near)}`, offers, near)
}

/** The words being read and what they may name. */
type Read = { words: readonly Word[]; context: SentenceContext }

/** The rules of the symbol that is named anywhere in the sentence, else of the present one. */
export function instrumentMeant({ words, context }: Read): Instrument | undefined {
  for (const word of words.slice(1)) {
    const symbol = readSymbolWord(word, context)
    if (symbol?.ok === true) return context.instruments.get(symbol.value)
  }
  return context.instruments.get(context.symbol)
}
