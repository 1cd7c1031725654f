import { nearestNames } from '../../base/text/nearest-name.ts'
import { plainText, withStop } from '../../base/text/plain-text.ts'
import { plainWidth, waysToRead } from '../../domain/amount-text.ts'
import { otherNameOf } from '../../domain/market/other-names.ts'
import { isClauseWord, needsWordBehind } from '../../domain/orders/sentence-clauses.ts'
import { hasOtherCounter, readSymbolWord, wordAlone } from '../../domain/orders/sentence-words.ts'
import { planWords } from '../../domain/plans/sentence.ts'
import type { DeskState } from '../desk.ts'
import { costSentence } from './cost-sentence.ts'
import {
  alertSentence,
  armSentence,
  chartSentence,
  exportSentence,
  freezeSentence,
  haltSentence,
  layoutSentence,
  pnlSentence,
  sessionSentence,
  showing,
  snoozeSentence,
  symbolSentence,
  themeSentence,
  zoomSentence,
} from './desk-sentences.ts'
import { gatewaySentence, inboxSentence, practiceSentence } from './gateway-sentences.ts'
import { buySentence, cancelSentence, orderContext, sellSentence } from './order-sentences.ts'
import { readOtherWord } from './other-words.ts'
import { planSentences } from './plan-sentences.ts'
import { readDistance, readFarPoints, readPoints, readWrongPoints } from './points.ts'
import { flattenSentence, reverseSentence } from './position-sentences.ts'
import { asked, type Reading, type SentenceReader, symbolsOf, wordsOf, wrong } from './sentence.ts'
import { isNameAlone, readShellLine } from './shell-words.ts'
import { readStopTarget } from './stop-target.ts'
import { depositSentence, statementSentence, withdrawSentence } from './trade-sentences.ts'

/** Every kind of sentence in the palette: a new one is a line here. */
export const sentenceReaders: readonly SentenceReader[] = [
  buySentence,
  sellSentence,
  ...planSentences,
  cancelSentence,
  flattenSentence,
  reverseSentence,
  withdrawSentence,
  depositSentence,
  symbolSentence,
  haltSentence,
  armSentence,
  alertSentence,
  snoozeSentence,
  themeSentence,
  layoutSentence,
  chartSentence,
  zoomSentence,
  freezeSentence,
  sessionSentence,
  exportSentence,
  statementSentence,
  pnlSentence,
  costSentence,
  gatewaySentence,
  inboxSentence,
  practiceSentence,
]

/** Those available on this desk. */
export const sentencesOf = (state: DeskState): SentenceReader[] =>
  sentenceReaders.filter(({ isOffered }) => isOffered?.(state) ?? true)

const mendedMax = 8
const nearMin = 3

/** The lines that are understood with one word replaced by a close one: `alert bct 70000`, `theme drak`. */
function mended(line: string, reader: SentenceReader, state: DeskState): string[] {
  const instruments = [...(state.instruments.value?.values() ?? [])]
  const symbols = [...symbolsOf(state), ...instruments.map(({ base }) => base)]
  const money = new Set(instruments.map(({ counter }) => counter.toLowerCase()))
  return [...line.matchAll(/\S+/g)].slice(1, mendedMax).flatMap(({ 0: word, index }) => {
    // A currency is never a slip for another one: USD is not USDC.
    if (word.length < nearMin || /\d/.test(word) || money.has(word.toLowerCase())) return []
    const before = line.slice(0, index)
    const names = [...(reader.words?.(before, state) ?? []), ...symbols].map((name) => name.toLowerCase())
    const other = otherNameOf(word)
    return (other === null ? nearestNames(word, names) : [other])
      .filter((name) => !hasOtherCounter(word, name, orderContext(state)))
      .map((name) => before + name + line.slice(index + word.length))
      .filter((candidate) => candidate !== line && reader.read(candidate, state)?.kind === 'understood')
  })
}

/** The possible lines for an amount like `70,000`, read in each way; none when that is not the line's fault. */
function eachWay(line: string, reader: SentenceReader, state: DeskState): string[] {
  const said = reader.read(line, state)?.lines.join() ?? ''
  const lines = [...line.matchAll(/\d[\d.,]*(?![\p{L}\d.,])/gu)].map(({ 0: digits, index }) =>
    waysToRead(digits).map((way) => line.slice(0, index) + way + line.slice(index + digits.length)),
  )
  return lines.find((ways) => ways.some((way) => reader.read(way, state)?.lines.join() !== said)) ?? []
}

/** Digits grouped as in other countries: `64 000`, `1'000.50`, `1_000 000`. */
const groups = /(?<![\p{L}\d.,])[1-9]\d{0,2}(?:[\s'’_]\d{3})+(?:\.\d+)?(?![\p{L}\d.,])/gu

/**
 * Asks about a line that is not understood because of such numbers, offering it with the digits joined, beside other
 * offers, since `1 500` may be a quantity and a price. Null when that is not a sentence, and for cancels: `15 116` may
 * be two ids.
 */
function readGroups(line: string, reader: SentenceReader, state: DeskState): Reading | null {
  if (reader === cancelSentence) return null
  const numbers: string[] = []
  const joined = line.replace(groups, (written) => {
    const number = written.replace(/[\s'’_]/g, '')
    numbers.push(number)
    return number
  })
  if (numbers.length === 0 || reader.read(joined, state)?.kind !== 'understood') return null
  const before = reader.read(line, state)
  const instead = before?.kind === 'wrong' ? (before.instead ?? []) : []
  const rule = `A number takes no space or sign between its digits: ${numbers.join(', ')}.`
  return asked([...(instead.length === 0 ? [] : (before?.lines ?? [])), rule], [...instead, joined])
}

/** Words for a target of an order's fills, which an order's sentence does not take. */
const targetWord = /(?<!\S)(target|tp|take[\s-]?profit)(?!\S)/i

const stopWord = /(?<!\S)(stop|sl|stop[\s-]?loss)(?!\S)/i

/**
 * An order with a stop and a target, as on other desks: offers the likely plans. A target alone is a limit order at
 * that price.
 */
function readWithTarget(line: string, state: DeskState): Reading | null {
  if (!targetWord.test(line)) return null
  const isUnderstood = (each: string) => readKnown(each, state)?.kind === 'understood'
  const plans = ['bracket', 'oco'].map((kind) => `${kind} ${line.trim()}`).filter(isUnderstood)
  const [plan] = plans
  const rule = 'A stop and a target together are a plan, which is reviewed first.'
  if (plan !== undefined) return asked([rule], [plan])
  // The plan is incomplete or wrong: reading its target as a limit would be another order, not half of it.
  if (stopWord.test(line)) {
    const bracket = readKnown(`bracket ${line.trim()}`, state)
    return bracket?.kind === 'wrong' ? asked([rule, ...bracket.lines], bracket.instead ?? []) : null
  }
  const limit = line.trim().replace(targetWord, '@')
  return isUnderstood(limit) ? asked(['A target alone is a limit order: it rests at that price.'], [limit]) : null
}

/** Those in whose sentences an amount like `10.000` is asked about by what it is. */
const withPoints: ReadonlySet<SentenceReader> = new Set([
  ...[buySentence, sellSentence, cancelSentence, withdrawSentence, costSentence],
  ...planSentences,
])

/** Asks about a line that is understood and may have been meant otherwise; the reading itself where it was not. */
function doubted(line: string, reader: SentenceReader, reading: Reading, state: DeskState): Reading {
  const isPlan = (plan: string) => readKnown(plan, state)?.kind === 'understood'
  const target = readStopTarget(line, reading.intent, state, isPlan)
  if (target !== null) return target
  const far = readFarPoints(line, reader, reading, state)
  if (far !== null || !withPoints.has(reader)) return far ?? reading
  const isDistance = reader.name === 'trail' || reader.name === 'edit'
  return readPoints(line, reader, reading, state) ?? (isDistance ? readDistance(line, reader, state) : null) ?? reading
}

/** What the readers make of a line: the first one that takes it for its own decides. */
function readKnown(line: string, state: DeskState): Reading | null {
  for (const reader of sentencesOf(state)) {
    const reading = reader.read(line, state)
    if (reading === null) continue
    if (reading.kind === 'understood') return doubted(line, reader, reading, state)
    const isOrder = reader === buySentence || reader === sellSentence
    const meant = isOrder ? (readPlanBehind(line, state) ?? readWithTarget(line, state)) : null
    if (meant !== null) return meant
    const grouped = readGroups(line, reader, state)
    if (grouped !== null) return grouped
    if ((reading.instead ?? []).length > 0) return reading
    const points = withPoints.has(reader) ? readWrongPoints(line, reader, reading, state) : null
    if (points !== null) return points
    const ways = eachWay(line, reader, state)
    return { ...reading, instead: ways.length > 0 ? ways : mended(line, reader, state) }
  }
  return null
}

/** The likely lines for one taken as a sentence: itself, even if still wrong or incomplete, or its only correction. */
function meantBy(line: string, state: DeskState): readonly string[] {
  const reading = readKnown(line, state)
  if (reading === null) return []
  const instead = reading.kind === 'wrong' ? (reading.instead ?? []) : []
  // Another sentence would answer its question, and the question comes first.
  const isMended = instead.length === 1 && wordsOf(instead[0] ?? '')[0] === wordsOf(line)[0]
  return isMended ? instead : [line]
}

/** From this length on, a longer word is another word: `alerts`, `themes`. */
const longStart = 5

/** A line whose first word only resembles a sentence's beginning: `byu .1 btc`, `canel all`, `buy0.1btc`. */
function readNearMiss(line: string, state: DeskState): Reading | null {
  const text = line.trim()
  const [first = ''] = text.split(/\s+/)
  const rest = text.slice(first.length)
  const apart = /^(buy|sell)(?:-?(stop|limit|market)$|([.$\d].*)$)/i.exec(first)
  const starts = sentencesOf(state).flatMap((reader) => reader.starts.filter(({ length }) => length >= nearMin))
  const lower = first.toLowerCase()
  // One missing letter is a slip; more means a word still being typed.
  const isBegun = rest === '' && starts.some((start) => start.startsWith(lower) && start.length > lower.length + 1)
  // A letter twice is a slip: `cancell`.
  const isLonger = starts.some(
    (start) => start.length >= longStart && lower.startsWith(start) && lower !== start + start.slice(-1),
  )
  const isName = rest === '' && isNameAlone(first)
  // `uncancel` is the opposite. Of those that go both ways, `unfreeze` is the word itself.
  const isOpposite = starts.includes(lower.slice(2)) && /^un(?!freeze|zoom)/.test(lower)
  if (first.length < nearMin || isBegun || isLonger || isName || isOpposite) return null
  const heads = apart === null ? nearestNames(first, starts) : [`${apart[1] ?? ''} ${apart[2] ?? apart[3] ?? ''}`]
  const instead = heads.flatMap((head) => meantBy(head + rest, state))
  const [only, ...others] = instead
  if (only === undefined) return null
  const which = others.length === 0 ? `Did you mean "${plainText(only)}"?` : 'Which one did you mean?'
  return asked([`Nothing begins with "${plainText(first)}". ${which}`], instead)
}

/** A line that begins with an amount: `0.1btc`, `$5`, `half my btc`. Asks for the side. */
function readAmount(line: string, state: DeskState): Reading | null {
  if (!/^\s*([-−–]?\p{Sc}?\s*[.,]?\d|half(?!\S))/iu.test(line)) return null
  const orders = ['buy', 'sell'].map((verb) => `${verb} ${line.trim()}`)
  const readings = orders.map((order) => ({ order, reading: readKnown(order, state) }))
  const instead = readings.flatMap(({ order, reading }) =>
    reading?.kind === 'wrong' ? (reading.instead ?? []) : [order],
  )
  const [first] = readings
  const why = first?.reading?.kind === 'wrong' ? first.reading.lines.slice(0, 1) : []
  return asked([...why, 'Buy or sell? An order says which.'], instead)
}

const sideStarts = [...buySentence.starts, ...sellSentence.starts].filter(({ length }) => length >= nearMin)
const planStarts = Object.keys(planWords)

/** Further words that may stand before the verb, besides amounts, symbols and an order's words. */
const otherFirstWords = [
  ...['all', 'everything', 'everywhere', 'buys', 'sells', 'stops', 'last', 'above', 'below'],
  ...['half', 'my', 'to', 'target', 'tp'],
]

/** True when a line that begins with this word may have its verb later: an amount, a symbol, `gtd`. */
const mayBeginTurned = (text: string, state: DeskState): boolean =>
  /^@|^\p{Sc}?[.,]?\d/u.test(text) ||
  isClauseWord(text.toLowerCase()) ||
  otherFirstWords.includes(text.toLowerCase()) ||
  readSymbolWord(wordAlone(text), orderContext(state)) !== undefined

/** The place of the line's only verb; -1 for none or several. For a plan it is the kind, not the side. */
function verbPlace(words: readonly string[], state: DeskState): number {
  const starts = new Set(
    sentencesOf(state).flatMap((reader) => reader.starts.filter(({ length }) => length >= nearMin)),
  )
  const verbs = words.filter((word) => starts.has(word.toLowerCase()))
  const isOf = (list: readonly string[]) => (word: string) => list.includes(word.toLowerCase())
  const meant = verbs.some(isOf(planStarts)) ? verbs.filter((word) => !isOf(sideStarts)(word)) : verbs
  const [verb = '', ...others] = meant
  return others.length > 0 ? -1 : words.indexOf(verb)
}

/**
 * A line with its only verb after other words, as in a list's row or on another desk: `btc-usd buy 0.05 64,000.00`,
 * `gtd 20261231 buy 0.1 btc`, `btc alert 70000`. Offers the line that begins with it, unless that would separate a word
 * from its complement, as in `stop buy 0.1`.
 */
function readVerbBehind(line: string, state: DeskState): Reading | null {
  const words = line.trim().split(/\s+/)
  const at = verbPlace(words, state)
  const verb = words[at]?.toLowerCase() ?? ''
  const [first = ''] = words
  const isSideFirst = planStarts.includes(verb) && sideStarts.includes(first.toLowerCase())
  if (at < 1 || !(isSideFirst || mayBeginTurned(first, state))) return null
  const isOrder = sideStarts.includes(verb)
  const rule = isOrder ? 'An order begins with buy or sell.' : `A line begins with what it does: ${verb}.`
  const example = sentencesOf(state).find(({ starts }) => starts.includes(verb))?.example ?? ''
  const turned = [verb, ...words.slice(0, at), ...words.slice(at + 1)].join(' ')
  const reading = readKnown(turned, state)
  if (reading === null) return null
  // `stop the halt` says the opposite of halt.
  const before = wordsOf(line).findLast((word, index) => index < at && word !== 'the')
  if (needsWordBehind(before ?? ''))
    return isOrder || planStarts.includes(verb) ? wrong(rule, `Say: ${example}.`) : null
  const instead = reading.kind === 'wrong' ? (reading.instead ?? []) : [turned]
  const why = reading.kind === 'wrong' ? reading.lines.slice(0, 1) : []
  return asked([rule, ...why], instead)
}

/** `buy bracket 0.1 btc …`: a plan whose kind follows its side. */
const readPlanBehind = (line: string, state: DeskState): Reading | null =>
  wordsOf(line).some((word) => planStarts.includes(word)) ? readVerbBehind(line, state) : null

/** Why a line would be refused, at once or whatever answers its question; null when it can be taken or completed. */
function refusalOf(line: string, state: DeskState, questions = 0): readonly string[] | null {
  const taken = readKnown(line, state)
  if (taken?.kind !== 'wrong' || taken.isIncomplete === true || questions > 2) return null
  const [answer, ...others] = taken.instead ?? []
  if (answer === undefined) return taken.lines
  const isOpen = others.some((other) => refusalOf(other, state, questions + 1) === null)
  return isOpen ? null : refusalOf(answer, state, questions + 1)
}

/** Another desk's word at the line's beginning, without equivalents that would be refused; of the only one, why. */
function readElsewhere(line: string, state: DeskState): Reading | null {
  const reading = readOtherWord(line, state)
  if (reading?.kind !== 'wrong') return reading
  const offers = (reading.instead ?? []).map((offer) => ({ offer, refusal: refusalOf(offer, state) }))
  const taken = offers.filter(({ refusal }) => refusal === null).map(({ offer }) => offer)
  const why = taken.length > 0 ? [] : (offers[0]?.refusal ?? [])
  return asked([...reading.lines, ...why], taken)
}

/** What people say before what they mean: `please`, `can you`, `i want to`, `what is my`. */
const leadIn = new RegExp(
  `^(?:(?:${[
    ...['please', 'pls', 'plz', 'ok(?:ay)?', 'hey', 'hi', 'now', 'just', 'kindly', 'my', 'the', 'our'],
    ...['(?:can|could|would|will) (?:you|i|we)', "(?:i|we)(?:['’]d| would)? (?:like|want|need)(?: to)?", 'i wanna'],
    ...['go', 'get(?: me)?', '(?:set|put|place)(?: an?| my)?'],
    ...["let(?:['’]?s| us| me)", '(?:show|tell|give)(?: me)?', "what(?:['’]?s| is| are)", 'how (?:much|many|is|are)'],
  ].join('|')})(?:[\\s,]+))+`,
  'i',
)

/** A line as one asks a person: `pls sell 0.5 eth`, `what is my pnl`. Offers what stands behind the first words. */
function readAsked(line: string, state: DeskState): Reading | null {
  const text = line.trim()
  const before = leadIn.exec(text)?.[0] ?? ''
  const rest = text.slice(before.length)
  const reading = before === '' ? null : readSentence(rest, state)
  if (reading === null) return null
  const rule = `A line begins with what it does, without "${before.replace(/[\s,]+$/, '')}".`
  if (reading.kind === 'understood') return asked([rule], [rest])
  return asked([rule, ...reading.lines.slice(0, 1)], reading.instead ?? [])
}

/** A symbol's name alone: shows it. */
function readBareSymbol(line: string, state: DeskState): Reading | null {
  const text = line.trim()
  if (/\s/.test(text)) return null
  const read = readSymbolWord(wordAlone(text), orderContext(state))
  if (read === undefined) return null
  if (!read.ok) return asked([withStop(read.error.text)], read.error.instead)
  return showing(read.value)
}

/** A command of the shell, which is told from a sentence by its flags; else it is asked about after all sentences. */
const readShell = (line: string, state: DeskState): Reading | null =>
  readShellLine(line, state, (text) => readKnown(text, state) !== null)
const flag = /\s--[a-z]/i

/** What a line that is no sentence may have been meant as; null when it resembles none. */
function readResembling(line: string, state: DeskState): Reading | null {
  const elsewhere = readElsewhere(line, state)
  // Another desk's word with nothing to offer comes after what is known here.
  if (elsewhere?.kind === 'wrong' && (elsewhere.instead ?? []).length > 0) return elsewhere
  return (
    readVerbBehind(line, state) ??
    readAmount(line, state) ??
    elsewhere ??
    readNearMiss(line, state) ??
    readAsked(line, state)
  )
}

/** The meaning of a line; null when it neither is nor resembles a sentence. */
export function readSentence(typed: string, state: DeskState): Reading | null {
  // In a panic lines end with marks: `HALT!!!` is a halt. What is pasted may be quoted, or end as in a program.
  const plain = plainWidth(typed)
  const unquoted = plain.replace(/^\s*["“”„«]+/, '')
  // A quote at the end alone is of a name.
  const line = unquoted.replace(unquoted === plain ? /[!?;]+\s*$/ : /["“”»!?;]+\s*$/, '')
  if (line.trim() === '') return null
  return (
    (flag.test(line) ? readShell(line, state) : null) ??
    readKnown(line, state) ??
    readBareSymbol(line, state) ??
    readShell(line, state) ??
    readResembling(line, state)
  )
}

/** The common beginning of all the words. */
function sharedStart(words: readonly string[]): string {
  const [first = '', ...others] = words
  let length = first.length
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

/**
 * The start of the last word, and its possible completions: first a sentence's beginning, then the words that sentence
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

/** The lines with one more word, at most `most`. */
export function sentenceOffers(line: string, state: DeskState, most: number): string[] {
  const { before, begun, words } = fitting(line, state)
  // A complete word is meant as it is: USD is not the beginning of USDC, which Enter would replace it with.
  if (before.trim() !== '' && words.includes(begun)) return []
  return words
    .filter((word) => word !== begun)
    .slice(0, most)
    .map((word) => `${before}${word} `)
}

/**
 * The line with its last word completed as far as that is unambiguous, and a space after a complete word; null for no
 * change.
 */
export function completeSentence(line: string, state: DeskState): string | null {
  const { before, begun, words } = fitting(line, state)
  if (words.length === 0 || (begun === '' && before.trim() === '')) return null
  const completed = before + sharedStart(words) + (words.length === 1 ? ' ' : '')
  return completed === line ? null : completed
}
