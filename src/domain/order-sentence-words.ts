import { suggestion } from './nearest-name.ts'
import type { OrderIntent, SentenceContext, SentencePart, SentenceProblem } from './order-sentence.ts'
import { plainText } from './plain-text.ts'
import type { Result } from './result.ts'

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
