import { err, ok, type Result } from '../../base/result.ts'
import { symbolSuggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { durationText, readDuration } from '../../base/text/time-text.ts'
import { readAmountText } from '../amount-text.ts'
import type { Instrument } from '../market/instrument.ts'
import type { Decimal } from '../money.ts'
import { hasOtherCounter, readSymbolWord, symbolCalled, wordAlone } from '../orders/sentence-words.ts'
import {
  priceText,
  rearmAfterMs,
  type StandingKind,
  snoozeMaxMs,
  standingKinds,
  standingOf,
  standingWords,
  type Watch,
  type WatchedPrice,
  watchedPrices,
} from './watch.ts'

/** A requested watch, without a number or state. */
export type NewWatch = Omit<Watch, 'id' | 'state'>

/** The request of a sentence about alerts. */
export type AlertAct =
  | { kind: 'watch'; watch: NewWatch }
  | { kind: 'standing'; rule: StandingKind; isOn: boolean }
  | { kind: 'list' }
  | { kind: 'remove'; id: number }
  | { kind: 'rearm'; id: number }
  /** 0 ends a snooze. */
  | { kind: 'snooze'; forMs: number }

/** `lines` describe what was understood, before anything is done. */
type AlertReading = { act: AlertAct; lines: readonly string[] }

/** A comparison, and whether the level itself counts. */
type Way = Pick<Watch, 'comparison' | 'orAt'>

const wayOf: Readonly<Record<string, Way>> = {
  '>': { comparison: '>' },
  '<': { comparison: '<' },
  '>=': { comparison: '>', orAt: true },
  '<=': { comparison: '<', orAt: true },
  above: { comparison: '>' },
  over: { comparison: '>' },
  below: { comparison: '<' },
  under: { comparison: '<' },
}
const wayBy = (word = ''): Way | undefined => (Object.hasOwn(wayOf, word) ? wayOf[word] : undefined)

const example =
  'alert btc-usd > 70000, alert btc-usd bid < 64000, alert eth-usd spread > 2.50, alert fills, alert off 3'

const fillers = [
  ...['me', 'when', 'if', 'at', 'is', 'hits', 'reaches', 'touches', 'crosses', 'goes', 'to'],
  ...['on', 'my', 'the', 'price', 'once'],
]

/** What people say of a price that moves, and the sign for it. `falls 1000` is a distance, `of 3` a slip of `off`. */
const moves: readonly (readonly [said: RegExp, sign: string])[] = [
  [/\b(?:falls|drops|dips)\s+(?:below|under)\b/g, '<'],
  [/\b(?:falls|drops|dips)\s+to\b/g, '<='],
  [/\b(?:rises|climbs)\s+(?:above|over)\b/g, '>'],
  [/\b(?:rises|climbs)\s+to\b/g, '>='],
  [/\bprice\s+of\b/g, 'price'],
  [/\b(?:(?:an?|my|the|any)\s+)?orders?\s+(?:is\s+|are\s+|gets?\s+)?fill(?:s|ed)?\b/g, 'fills'],
]

/** True when the text is a sentence for `readAlertSentence`, valid or not. */
export const isAlertSentence = (text: string): boolean => /^\s*(alert|snooze)(\s|$)/i.test(text)

/**
 * Reads a sentence about alerts: `alert SYMBOL [last|bid|ask|mid|spread] [>|<|>=|<=] PRICE [now] [each]`,
 * `alert fills [off]`, `alert off N`, `alert rearm N`, `alert list`, `snooze 10m`, `snooze off`. Ignores case, and
 * spaces around the sign; `>=` and `<=` count the level itself. Without a sign the last price decides the direction,
 * and the alert is for a price that reaches the level; without a symbol `shown`, the one on screen, is meant, which
 * also decides between several symbols of one base.
 */
export function readAlertSentence(
  text: string,
  instruments: ReadonlyMap<string, Instrument> | null,
  lastOf: (symbol: string) => Decimal | null,
  shown: string,
): Result<AlertReading> {
  const typed = moves.reduce((line, [said, sign]) => line.replace(said, sign), plainText(text).toLowerCase())
  const words = typed
    .replace(/≥/g, '>=')
    .replace(/≤/g, '<=')
    .replace(/[<>]=?/g, ' $& ')
    .trim()
    .split(/\s+/)
  const [verb, first, ...rest] = words
  if (verb === 'snooze') return readSnooze(words.slice(1))
  if (verb !== 'alert') return err(`not a sentence about alerts: ${example}`)
  if (first === undefined || (first === 'list' && rest.length === 0))
    return ok({ act: { kind: 'list' }, lines: ['Show all alerts and what fired.'] })
  if (first === 'off' || first === 'rearm') return readAboutOne(first, rest)
  const said = [first, ...rest].filter((word) => !fillers.includes(word))
  const begin = said[0] ?? ''
  const rule = standingOf(standingOf(first) === undefined ? begin : first)
  if (rule !== undefined) return readStanding(rule, standingOf(first) === undefined ? said.slice(1) : rest)
  const isPrice = wayBy(begin) !== undefined || watchedPrices.some((each) => each === begin)
  const isSymbol = symbolCalled(begin, instruments ?? new Map()) !== null
  const isNameless = shown !== '' && ((isPrice && !isSymbol) || /^([<>$]|\.?\d)/.test(begin))
  const [name = '', ...others] = isNameless ? [shown.toLowerCase(), ...said] : said
  const instrument = instrumentNamed(name, shown, instruments)
  return instrument.ok ? readWatch(name, others, instrument.value, lastOf) : instrument
}

function readSnooze(words: readonly string[]): Result<AlertReading> {
  const [text = '10m', ...more] = words
  if (more.length > 0) return err('snooze takes one time: snooze 10m, snooze 1h30m, snooze off')
  if (text === 'off') return ok({ act: { kind: 'snooze', forMs: 0 }, lines: ['Alerts ring again from now on.'] })
  const forMs = readDuration(text)
  if (forMs === undefined) return err(`"${text}" is not a time: snooze 90s, snooze 10m, snooze 1h30m, snooze off`)
  if (forMs > snoozeMaxMs) return err(`a snooze lasts ${durationText(snoozeMaxMs)} at most`)
  const lines = [`No bell and no alert on screen for ${durationText(forMs)}.`, 'Alerts still fire and are listed.']
  return ok({ act: { kind: 'snooze', forMs }, lines })
}

function readAboutOne(verb: 'off' | 'rearm', [word = '', ...more]: readonly string[]): Result<AlertReading> {
  const rule = standingOf(word)
  if (verb === 'off' && rule !== undefined && more.length === 0) return standing(rule, false)
  const id = /^#?\d{1,9}$/.test(word) ? Number.parseInt(word.replace('#', ''), 10) : undefined
  if (id === undefined || more.length > 0) return err(`alert ${verb} takes the number of one alert: alert ${verb} 3`)
  return verb === 'off'
    ? ok({ act: { kind: 'remove', id }, lines: [`Delete alert ${id}.`] })
    : ok({ act: { kind: 'rearm', id }, lines: [`Arm alert ${id} again.`] })
}

function readStanding(rule: StandingKind, words: readonly string[]): Result<AlertReading> {
  const [word = 'on', ...more] = words
  if ((word !== 'on' && word !== 'off') || more.length > 0)
    return err(`alert ${standingWords[rule].word} takes on or off`)
  return standing(rule, word === 'on')
}

function standing(rule: StandingKind, isOn: boolean): Result<AlertReading> {
  const { meaning } = standingWords[rule]
  return ok({ act: { kind: 'standing', rule, isOn }, lines: [`${isOn ? 'Alert' : 'No alert'} when ${meaning}.`] })
}

/** The instrument that a word of an alert names; `shown` is the symbol on screen. */
function instrumentNamed(
  name: string,
  shown: string,
  instruments: ReadonlyMap<string, Instrument> | null,
): Result<Instrument> {
  if (name === '') return err(`say which price to watch: ${example}`)
  if (instruments === null) return err('the symbols are not loaded yet: wait')
  const called = readSymbolWord(wordAlone(name), { instruments, symbol: shown, bookOf: () => null })
  if (called?.ok === false) return err(called.error.text)
  const instrument = called === undefined ? undefined : instruments.get(called.value)
  if (instrument !== undefined) return ok(instrument)
  const kinds = standingKinds.map((kind) => standingWords[kind].word).join(', ')
  const symbols = [...instruments.keys()]
  const isOther = symbols.some((symbol) => hasOtherCounter(name, symbol, { instruments }))
  const near = isOther ? '' : symbolSuggestion(name.toUpperCase(), symbols)
  return err(`unknown symbol ${name.toUpperCase()}${near} (besides symbols: ${kinds}, list, off and rearm)`)
}

function readWatch(
  name: string,
  words: readonly string[],
  instrument: Instrument,
  lastOf: (symbol: string) => Decimal | null,
): Result<AlertReading> {
  const { symbol } = instrument
  const named = watchedPrices.find((each) => each === words[0])
  const others = named === undefined ? words : words.slice(1)
  const said = wayBy(others[0])
  const isSaid = said !== undefined
  const [amount = '', ...behind] = isSaid ? others.slice(1) : others
  // `70000 usd` is the price as it is.
  const options = behind[0] === instrument.counter.toLowerCase() ? behind.slice(1) : behind
  const read = readLevel(amount, instrument)
  if (!isSaid && (amount === '' || !/\d/.test(amount)))
    return err(`say above or below which price: alert ${name} > 70000`)
  if (!read.ok) {
    const isExact = read.error.kind === 'ambiguous' || read.error.kind === 'currency'
    return err(isExact ? read.error.text : `"${amount}" is not a price: ${example}`)
  }
  const last = named === undefined || named === 'last' ? lastOf(symbol) : null
  const way = said ?? wayFrom(last, read.value)
  if (way === null) {
    const watched = named === undefined ? name : `${name} ${named}`
    return err(`say which way: alert ${watched} > ${amount}, or alert ${watched} < ${amount}`)
  }
  const level = read.value
  if (level.lte(0)) return err('the price must be above zero')
  const unknown = options.find((word) => word !== 'now' && word !== 'each')
  if (unknown !== undefined) return err(`"${unknown}" is not understood here: after the price come now and each`)
  const watch: NewWatch = {
    symbol,
    price: named ?? 'last',
    ...way,
    level,
    priceScale: instrument.priceScale,
    isAtOnce: options.includes('now'),
    repeats: options.includes('each'),
  }
  const seen = isSaid || last === null ? [] : [wayLine(last, watch)]
  return ok({ act: { kind: 'watch', watch }, lines: [...watchLines(watch), ...seen] })
}

/** Reads a price; `k` means thousands. */
function readLevel(text: string, { counter }: Instrument) {
  const [, digits = text, thousands] = /^(.*\d\.?)(k)$/.exec(text) ?? []
  const read = readAmountText(digits, { what: 'price', unit: counter })
  return read.ok && thousands !== undefined ? ok(read.value.times(1_000)) : read
}

/** The way of the price to a level, which counts as reached at the level; null when unknown. */
const wayFrom = (last: Decimal | null, level: Decimal): Way | null =>
  last === null || last.eq(level) ? null : { comparison: level.gt(last) ? '>' : '<', orAt: true }

const wayLine = (last: Decimal, watch: NewWatch): string =>
  `The last price is ${priceText(last, watch)}: the alert waits for it to ` +
  `${watch.comparison === '>' ? 'rise' : 'fall'}.`

const priceNames: Readonly<Record<WatchedPrice, string>> = {
  last: 'the last price',
  bid: 'the best bid',
  ask: 'the best ask',
  mid: 'the price half-way between bid and ask',
  spread: 'the spread',
}

function watchLines(watch: NewWatch): string[] {
  const { symbol, price, comparison, orAt = false, isAtOnce, repeats } = watch
  const level = priceText(watch.level, watch)
  const [verb, past] = comparison === '>' ? ['rises', 'above'] : ['falls', 'below']
  return [
    `Alert when ${priceNames[price]} of ${symbol} ${verb} ${orAt ? `to ${level} or ${past}` : `${past} ${level}`}.`,
    isAtOnce
      ? 'If it is there already, it fires at once (now).'
      : 'If it is there already, it must come back first; "now" after the price changes that.',
    repeats
      ? `It rearms when the price is back, once in ${durationText(rearmAfterMs)} at most (each).`
      : 'It fires once, and can be rearmed; "each" after the price makes it repeat.',
  ]
}
