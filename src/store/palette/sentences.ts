import type { DeskState } from '../desk.ts'
import {
  alertSentence,
  exportSentence,
  freezeSentence,
  haltSentence,
  layoutSentence,
  sessionSentence,
  snoozeSentence,
  symbolSentence,
  themeSentence,
  zoomSentence,
} from './desk-sentences.ts'
import { gatewaySentence, inboxSentence, practiceSentence } from './gateway-sentences.ts'
import { type Reading, type SentenceReader, symbolsOf } from './sentence.ts'
import {
  buySentence,
  cancelSentence,
  depositSentence,
  sellSentence,
  statementSentence,
  withdrawSentence,
} from './trade-sentences.ts'

/** Every kind of sentence that the palette takes: a new one is a line here. */
export const sentenceReaders: readonly SentenceReader[] = [
  buySentence,
  sellSentence,
  cancelSentence,
  withdrawSentence,
  depositSentence,
  symbolSentence,
  haltSentence,
  alertSentence,
  snoozeSentence,
  themeSentence,
  layoutSentence,
  zoomSentence,
  freezeSentence,
  sessionSentence,
  exportSentence,
  statementSentence,
  gatewaySentence,
  inboxSentence,
  practiceSentence,
]

/** Those that there are on this desk. */
export const sentencesOf = (state: DeskState): SentenceReader[] =>
  sentenceReaders.filter(({ isOffered }) => isOffered?.(state) ?? true)

/** What a line means; null when it is no sentence. The first reader that takes it for its own decides. */
export function readSentence(line: string, state: DeskState): Reading | null {
  if (line.trim() === '') return null
  for (const reader of sentencesOf(state)) {
    const reading = reader.read(line, state)
    if (reading !== null) return reading
  }
  return null
}

/** The beginning that all of the words share. */
function sharedStart(words: readonly string[]): string {
  const [first = '', ...others] = words
  let length = first.length
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

/**
 * Where the last word begins, and the words that it may become: a sentence's beginning first, later what that sentence
 * takes there.
 */
function fitting(line: string, state: DeskState): { before: string; begun: string; words: readonly string[] } {
  const at = line.lastIndexOf(' ') + 1
  const before = line.slice(0, at)
  const begun = line.slice(at).toLowerCase()
  const first = line.trimStart().split(/\s+/)[0]?.toLowerCase() ?? ''
  const readers = sentencesOf(state)
  const reader = readers.find(({ starts }) => starts.includes(first))
  const known =
    before.trim() === '' ? readers.flatMap(({ starts }) => starts) : (reader?.words?.(line, state) ?? symbolsOf(state))
  const words = [...new Set(known.map((word) => word.toLowerCase()))].filter((word) => word.startsWith(begun))
  return { before, begun, words }
}

/** The lines that this one may become by one more word, at most `most`. */
export function sentenceOffers(line: string, state: DeskState, most: number): string[] {
  const { before, begun, words } = fitting(line, state)
  return words
    .filter((word) => word !== begun)
    .slice(0, most)
    .map((word) => `${before}${word} `)
}

/**
 * The line with its last word completed as far as it can only go one way, with a blank behind a word that is whole;
 * null for nothing new.
 */
export function completeSentence(line: string, state: DeskState): string | null {
  const { before, begun, words } = fitting(line, state)
  if (words.length === 0 || begun === '') return null
  const completed = before + sharedStart(words) + (words.length === 1 ? ' ' : '')
  return completed === line ? null : completed
}
