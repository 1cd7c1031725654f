import { withoutStop } from '../../../base/plain-text.ts'
import { clockText, minuteMs } from '../../../base/time-text.ts'
import { feeds } from '../../../domain/desk/feeds.ts'
import type { SymbolStatus } from '../../../domain/market/instrument.ts'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { failingSince } from '../../../store/feeds/feed-news.ts'
import { feedOf } from '../../../store/feeds/feeds.ts'
import { missedBehind, missedText } from '../../../store/frozen-view.ts'
import { dayUse, openUse } from '../../tables/limits-used.ts'
import { withoutNumbers } from '../../text/amounts.ts'
import { cellText, cutWords, nameText, wrapWords } from '../../text/cells.ts'
import { ageTime } from '../../text/desk-context.ts'
import { wholeAgeText } from '../../text/moment.ts'
import { type Row, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { type BigGlyphs, bandEdge, bandEdges, bigBand, bigSizeIn, bigText, bigTextSize } from './big-text.ts'
import { bigRows, centered, feedAge, type Size, type WallContent, watchedFeeds } from './market-rows.ts'

/**
 * Something that everybody in the room must see: a large word, and a sentence. `isNews`: the word says nothing of what
 * it is, so its letters are no larger than leaves room for the sentence.
 */
export type WallAlarm = { word: string; tone: Tone; text: string; isNews?: true }

function staleAlarm(state: DeskState): WallAlarm[] {
  const old = watchedFeeds.filter((name) => isStale(feedOf(state, name), name, state.nowMs))
  if (old.length > 0) {
    const text = old.map((name) => `${feeds[name].label} ${feedAge(state, feedOf(state, name))}`).join(', ')
    return [{ word: 'STALE', tone: 'bad', text }]
  }
  const failing = failingSince(state)
  return failing === null ? [] : [{ word: 'FAILING', tone: 'warn', text: cellText(failing.sentence) }]
}

function unknownAlarm({ unsettled, ahead, nowMs, looks }: DeskState): WallAlarm[] {
  if (unsettled.length === 0) return []
  const oldest = Math.min(...unsettled.map(({ atMs }) => atMs))
  const age = ageTime({ looks, nowMs }) + ahead.wallMs - oldest
  const count = unsettled.length === 1 ? '1 write' : `${unsettled.length} writes`
  const text = `${count} without answer for ${wholeAgeText(age)}: money may be at risk`
  return [{ word: 'UNKNOWN', tone: 'bad', text }]
}

function frozenAlarm(state: DeskState): WallAlarm[] {
  const { picture, ahead } = state
  if (picture.kind === 'moving') return []
  const missed = missedText(missedBehind(state))
  const since = `since ${clockText(picture.sinceMs + ahead.wallMs)}Z`
  return [{ word: 'FROZEN', tone: 'warn', text: missed === '' ? since : `${since}, ${missed} meanwhile` }]
}

/** A limit that is used up: the next order is refused. */
function limitAlarm(state: DeskState): WallAlarm[] {
  const used = [
    { name: 'open orders', use: openUse(state) },
    { name: 'value of the day', use: dayUse(state) },
  ].filter(({ use }) => use.tone === 'bad')
  if (used.length === 0) return []
  const amountOf = ({ text, share }: (typeof used)[number]['use']) => (state.looks.isPrivate ? share : text)
  return [{ word: 'LIMIT', tone: 'bad', text: used.map(({ name, use }) => `${name} ${amountOf(use)}`).join(', ') }]
}

/**
 * Symbols that are not open, by what they are instead: the one of the large price, and those with orders of one's own,
 * whichever is shown just now.
 */
function statusAlarms({ instruments, symbol, orders, unsettled }: DeskState): WallAlarm[] {
  const own = [...(orders.value ?? []), ...unsettled].map((each) => each.symbol)
  const symbols = [...new Set([symbol, ...own])].filter((each) => each !== null)
  const closed = Map.groupBy(symbols, (each): SymbolStatus => instruments.value?.get(each)?.status ?? 'open')
  closed.delete('open')
  if (closed.size === 0) return []
  const each = [...closed].map(
    ([status, names]) => `${names.map((name) => nameText(name)).join(', ')} ${tradingWords[status]}`,
  )
  // Not by the word of the status: the mode of a desk that is halted itself is HALTED.
  return [{ word: 'MARKET', tone: 'warn', text: `trading in ${each.join(', in ')} by the exchange` }]
}

const tradingWords: Readonly<Record<SymbolStatus, string>> = {
  open: 'open',
  close: 'closed',
  suspend: 'suspended',
  halt: 'halted',
  'halt-freeze': 'in halt-freeze',
}

/** Nobody takes an alert or a notice off a wall: so long they stand there in large words. */
const alertMs = 5 * minuteMs
const noticeMs = minuteMs

function alertAlarm({ alerts, nowMs }: DeskState): WallAlarm[] {
  const fired = alerts.fired.filter(({ atMs, isQuiet }) => !isQuiet && nowMs - atMs < alertMs)
  const [last] = fired
  if (last === undefined) return []
  // Prices beside it go on: what was true when it fired is told with its time.
  const text = `${clockText(last.atMs)} ${cellText(last.text)}`
  const others = fired.length - 1
  // Of alerts, and not of what the last one tells: `filled …, and 4 more` would be fills.
  const more = others === 0 ? text : `${withoutStop(text)}, and ${others} more ${others === 1 ? 'alert' : 'alerts'}`
  return [{ word: 'ALERT', tone: 'warn', text: more, isNews: true }]
}

function noticeAlarm({ notice, nowMs, ahead }: DeskState): WallAlarm[] {
  if (notice === null || nowMs + ahead.wallMs - notice.atMs >= noticeMs) return []
  const { level } = notice
  return level === 'bad' || level === 'warn'
    ? [{ word: 'NOTICE', tone: level, text: cellText(notice.text), isNews: true }]
    : []
}

/** What is wrong, the worst first; empty while all is well. Nothing of it depends on which symbol is shown. */
export function wallAlarms(state: DeskState): WallAlarm[] {
  const isHalted = state.mode.kind === 'HALTED'
  return [
    ...unknownAlarm(state),
    ...(isHalted ? [{ word: 'HALTED', tone: 'bad', text: 'no new orders, only cancels' } as const] : []),
    ...staleAlarm(state),
    ...limitAlarm(state),
    ...frozenAlarm(state),
    ...statusAlarms(state),
    ...alertAlarm(state),
    ...noticeAlarm(state),
  ]
}

/** What the state of the desk is drawn from. `alarms` is kept as text: what says the same draws nothing. */
export type StateView = { alarms: string; clock: string; day: string; notice: string; isLoaded: boolean }

export function stateView(state: DeskState): StateView {
  const line = state.notice ?? state.log.at(-1)
  const atMs = wallNow(state)
  const { isPrivate } = state.looks
  const alarms = wallAlarms(state).map((alarm) =>
    isPrivate && ['ALERT', 'NOTICE'].includes(alarm.word) ? { ...alarm, text: withoutNumbers(alarm.text) } : alarm,
  )
  const said = line === undefined ? '' : cellText(line.text)
  return {
    alarms: JSON.stringify(alarms),
    clock: clockText(atMs).slice(0, 5),
    day: new Date(atMs).toISOString().slice(0, 10),
    notice: line === undefined ? '' : `${clockText(line.atMs).slice(0, 5)} ${isPrivate ? withoutNumbers(said) : said}`,
    isLoaded: [state.tickers, state.orders, state.balances].every(({ value }) => value !== null),
  }
}

const alarmsOf = ({ alarms }: StateView): readonly WallAlarm[] => JSON.parse(alarms) as readonly WallAlarm[]

/** The largest dots of an alarm's letters: alone it has the whole place. */
const dotsMax = { alone: 4, among: 2 }

/** The first lines of a sentence, the last of them cut with a mark. */
function cutLines(text: string, width: number, count: number): string[] {
  const lines = wrapWords(text, width)
  return count < 1 ? [] : [...lines.slice(0, count - 1), cutWords(lines.slice(count - 1).join(' '), width)]
}

/**
 * Large words below each other, cut out of bands or between two lines of one where there is room, each with its
 * sentence; the title has them all.
 */
function alarmRows(alarms: readonly WallAlarm[], { width, height }: Size, glyphs: BigGlyphs): Row[] {
  const rows: Row[] = []
  const most = alarms.length === 1 ? dotsMax.alone : dotsMax.among
  for (const [at, { word, tone, text, isNews = false }] of alarms.entries()) {
    // Each of the others has a line at least.
    const free = () => height - rows.length - (alarms.length - at - 1)
    const lettersIn = (kept: number) => ({
      banded: bigSizeIn(word, { width: width - 2, height: free() - bandEdges - Math.max(1, kept) }, most),
      size: bigSizeIn(word, { width, height: free() - kept }, most),
    })
    const wanted = isNews ? wrapWords(text, width).length : 0
    const kept = Array.from({ length: wanted + 1 }, (_, less) => wanted - less).find(
      (lines) => lettersIn(lines).size > 0,
    )
    const { banded, size } = lettersIn(kept ?? 0)
    if (size === 0) {
      if (height > rows.length) rows.push([span(cutWords(`${word} ${text}`, width), tone)])
      continue
    }
    // Large letters are read from farther away than a band with small ones in it.
    const hasEdges = size > banded && bigTextSize(word, size).height + bandEdges + (kept ?? 0) < free()
    const lines = banded === size ? bigBand(word, size, glyphs, width) : bigText(word, size, glyphs)
    const edge = hasEdges ? bandEdge(glyphs, width) : []
    rows.push(...[...edge, ...lines, ...edge].map((line): Row => [span(line, tone)]))
    const left = isNews ? free() : Math.min(2, free())
    // The reason behind the colon gives way before a line is cut; of news it is what is new.
    const said = [text, ...(isNews ? [] : [text.split(': ')[0] ?? ''])].map((each) => wrapWords(each, width))
    const sentence = said.find(({ length }) => length <= left) ?? (isNews ? cutLines(text, width, left) : [])
    rows.push(...sentence.map((line): Row => [span(line, tone)]))
  }
  return rows
}

/** Clock and last notice while all is well; else what is not, in large words. */
export function stateContent(view: StateView, { width, height }: Size, glyphs: BigGlyphs): WallContent {
  const alarms = alarmsOf(view)
  const inner = { width: width - 1, height }
  const said = wrapWords(view.notice, inner.width).map((line): Row => [span(line)])
  const indented = (rows: readonly Row[]): Row[] => rows.map((row) => [span(' '), ...row])
  if (alarms.length > 0) {
    const note = alarms.flatMap(({ word, tone }): Row => [span(` ${word} `, tone)])
    const rows = alarmRows(alarms, inner, glyphs)
    const spare = height - rows.length - 1
    return { title: '', note, rows: indented(spare >= said.length ? [...rows, [], ...said] : rows), isStale: false }
  }
  const size = bigSizeIn(view.clock, { width: inner.width, height: Math.max(5, height - 4) }, 4)
  const clock = size === 0 ? [[span(view.clock, 'title')]] : bigRows(view.clock, size, glyphs, 'title')
  const shown: readonly Row[] = [...clock, [], [span(`UTC ${view.day}`, 'label')]]
  // A notice is told whole or not at all: it stands in its line below as well.
  const isRoom = said.length > 0 && shown.length + 1 + said.length <= height
  const rows = centered(isRoom ? [...shown, [], ...said] : shown, height)
  const title = view.isLoaded ? 'All well' : 'Waiting for data'
  return { title, note: [], rows: indented(rows), isStale: false }
}
