import type { Instrument } from '../../domain/market/instrument.ts'
import { Decimal } from '../../domain/money.ts'
import {
  instrumentMeant,
  isCounter,
  type SentenceContext,
  wordsOf as wordsOfSentence,
} from '../../domain/orders/sentence-words.ts'
import { nearestShare } from '../../domain/plans/sentence.ts'
import type { DeskState } from '../desk.ts'
import { outlookMarket } from '../plans/plan-checks.ts'
import { orderContext } from './order-sentences.ts'
import { asked, isFar, type Reading, type SentenceReader } from './sentence.ts'

/** `10.000`: ten thousand to whoever groups by points, and ten here. */
const groupedByPoints = /(?<![\p{L}\d.,-])[1-9]\d{0,2}\.\d{3}(?!\d|[.,]\d|[km]\b)/giu

/** The same where nothing is written behind it: a price of its own. */
const groupedAlone = /(?<![\p{L}\d.,-])[1-9]\d{0,2}\.\d{3}(?![\p{L}\d.,])/u

/** The two amounts that a grouped one may be, and the sentence that asks which. */
function twoWays(text: string): { small: string; large: string; what: string } {
  const [small, large] = [text.replace(/\.?0+$/, ''), text.replace('.', '')]
  return { small, large, what: `"${text}" can be read in two ways: write ${large} or ${small}.` }
}

/**
 * Asks about a price like `64.000` where it would be far off the market, and a thousand times it would not. Null where
 * that is not so.
 */
export function readFarPoints(
  line: string,
  reader: SentenceReader,
  reading: Reading,
  state: DeskState,
): Reading | null {
  const [written] = groupedAlone.exec(line) ?? []
  if (written === undefined || reading.kind !== 'understood' || reading.isFarOff !== true) return null
  const { small, large, what } = twoWays(written)
  const turned = line.replace(groupedAlone, large)
  const grouped = reader.read(turned, state)
  if (grouped?.kind !== 'understood' || grouped.isFarOff === true) return null
  return asked([what], [line.replace(groupedAlone, small), turned])
}

/** Who writes more decimals than these groups thousands. */
const groupLength = 3

const priceWords = new Set([
  ...['@', 'at', 'limit', 'stop', 'sl', 'stop-loss', 'loss', 'target', 'tp', 'profit', 'take-profit', 'from', 'to'],
  ...['between', 'above', 'below', 'over', 'under', 'near', 'entry', 'price'],
])
const distanceWords = new Set(['by', 'step'])

/** A number of a line, and what it is by the words around it. */
type Token = { text: string; role: 'price' | 'distance' | 'money' | 'quantity' | 'share' }

function roleOf(line: string, index: number, length: number, isMoneyWord: (word: string) => boolean): Token['role'] {
  const behind = /^\s*(%|\p{Sc}|[\p{L}-]+)?/u.exec(line.slice(index + length))?.[1]?.toLowerCase() ?? ''
  const words =
    line
      .slice(0, index)
      .toLowerCase()
      .match(/@|\p{Sc}|[^\s@\p{Sc}]+/gu) ?? []
  const last = words.at(-1) ?? ''
  const isSigned = /^\p{Sc}$/u.test(last) || isMoneyWord(last)
  const before = (isSigned ? words.at(-2) : last) ?? ''
  if (behind === '%') return 'share'
  if (priceWords.has(before)) return 'price'
  if (distanceWords.has(before)) return 'distance'
  if (isSigned || /^\p{Sc}$/u.test(behind) || isMoneyWord(behind)) return 'money'
  return words.some((word) => /^\d/.test(word)) ? 'price' : 'quantity'
}

/** Whether nobody writes such a number with that many decimals, so that its point is one of thousands to its writer. */
function isDoubtful({ text, role }: Token, instrument: Instrument | undefined, market: Decimal | null): boolean {
  switch (role) {
    case 'money':
      return true
    case 'quantity':
      return instrument !== undefined && instrument.lotSize.decimalPlaces() < groupLength
    case 'distance':
      return instrument !== undefined && instrument.tickSize.decimalPlaces() < groupLength
    case 'price':
      return market !== null && isFar(new Decimal(text), market) && !isFar(new Decimal(text).times(1_000), market)
    case 'share':
      return false
  }
}

/** What a doubt about a line needs to know, at a desk or in a command. */
export type Doubts = {
  context: SentenceContext
  /** The market price of a symbol; null where it is not known. */
  priceOf(symbol: string): Decimal | null
  /** True for a line that is a whole sentence. */
  isUnderstood(line: string): boolean
}

/** Why `text` may have been meant otherwise, and the lines that are not in doubt; `words`: what to write instead. */
export type Doubt = { text: string; what: string; ways: readonly string[]; words: readonly string[] }

function doubtsOf(line: string, reader: SentenceReader, state: DeskState): Doubts {
  const context = orderContext(state)
  return {
    context: { ...context, symbol: reader.symbolOf?.(line, state) ?? context.symbol },
    priceOf: (symbol) => outlookMarket(state, symbol).price,
    isUnderstood: (way) => reader.read(way, state)?.kind === 'understood',
  }
}

/**
 * A doubt about amounts like `10.000` that stand where no such decimals are usual, or where a thousand times as much is
 * near the market. Null where there are none.
 */
export function pointsDoubt(line: string, { context, priceOf, isUnderstood }: Doubts): Doubt | null {
  const isMoneyWord = (word: string) => isCounter(word, context)
  const found = [...line.matchAll(groupedByPoints)]
  if (found.length === 0) return null
  const instrument = instrumentMeant({ words: wordsOfSentence(line, context), context })
  const market = instrument === undefined ? null : priceOf(instrument.symbol)
  const tokens = found.flatMap(({ 0: text, index }) => {
    const token = { text, role: roleOf(line, index, text.length, isMoneyWord) }
    return isDoubtful(token, instrument, market) ? [{ ...token, index }] : []
  })
  const [first] = tokens
  if (first === undefined) return null
  const each = (way: 'small' | 'large') =>
    tokens.reduceRight(
      (all, { text, index }) => all.slice(0, index) + twoWays(text)[way] + all.slice(index + text.length),
      line,
    )
  const { what, small, large } = twoWays(first.text)
  return { text: first.text, what, ways: [each('small'), each('large')].filter(isUnderstood), words: [small, large] }
}

/** The symbols of the orders that a line cancels in every symbol; null for a line about one symbol. */
const everySymbol = ({ intent }: Reading, state: DeskState): readonly string[] | null =>
  intent?.kind === 'cancelSome' && intent.symbol === null
    ? [...new Set(state.orders.value?.map(({ symbol }) => symbol))]
    : null

/** The first doubt about a line at this desk, for one of the symbols it is about. */
function doubtOf(line: string, reader: SentenceReader, reading: Reading, state: DeskState): Doubt | null {
  const doubts = doubtsOf(line, reader, state)
  for (const symbol of everySymbol(reading, state) ?? [doubts.context.symbol]) {
    const doubt = pointsDoubt(line, { ...doubts, context: { ...doubts.context, symbol } })
    if (doubt !== null) return doubt
  }
  return null
}

/** Asks about amounts of a line that is read so: see `pointsDoubt`. */
export function readPoints(line: string, reader: SentenceReader, reading: Reading, state: DeskState): Reading | null {
  const doubt = doubtOf(line, reader, reading, state)
  return doubt === null ? null : asked([doubt.what], doubt.ways)
}

/** Offers the other reading of such amounts where a line is not understood: `buy $1.000 btc`, too small for a lot. */
export function readWrongPoints(
  line: string,
  reader: SentenceReader,
  reading: Reading,
  state: DeskState,
): Reading | null {
  const doubt = doubtOf(line, reader, reading, state)
  return doubt === null || doubt.ways.length === 0 ? null : asked([...reading.lines, doubt.what], doubt.ways)
}

/** A distance of a trailing stop that would be a usual share of the price, and is next to nothing as an amount. */
const bareDistance = /(?<!\S)by\s+(\d+(?:\.\d+)?|\.\d+)(?=\s*$|\s+(?!%|\p{Sc})\S)/iu
const shareMax = 20

/** Whether the distance of a trailing stop is a share: `by 1` would rest a dollar behind 64,000. Null for no doubt. */
export function distanceDoubt(line: string, { context, priceOf }: Omit<Doubts, 'isUnderstood'>): Doubt | null {
  const [written, digits = ''] = bareDistance.exec(line) ?? []
  const instrument = instrumentMeant({ words: wordsOfSentence(line, context), context })
  if (written === undefined || instrument === undefined) return null
  const { counter, symbol } = instrument
  const behind =
    line
      .slice(line.indexOf(written) + written.length)
      .trim()
      .split(/\s+/)[0] ?? ''
  const distance = new Decimal(digits)
  if (isCounter(behind.toLowerCase(), context) || distance.isZero() || distance.gt(shareMax)) return null
  const price = priceOf(symbol)
  if (price === null || distance.gte(price.times(nearestShare))) return null
  const words = [`by ${digits}%`, `by ${digits} ${counter.toLowerCase()}`]
  return {
    text: written,
    what: `"${written}" may be ${digits}% of the price, or ${digits} ${counter} behind it: which?`,
    ways: words.map((way) => line.replace(written, way)),
    words,
  }
}

/** Asks about the distance of a trailing stop: see `distanceDoubt`. */
export function readDistance(line: string, reader: SentenceReader, state: DeskState): Reading | null {
  const doubt = distanceDoubt(line, doubtsOf(line, reader, state))
  return doubt === null ? null : asked([doubt.what], doubt.ways)
}
