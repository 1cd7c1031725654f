import { withoutStop } from '../../../base/text/plain-text.ts'
import { clockText, minuteMs } from '../../../base/text/time-text.ts'
import { feeds } from '../../../domain/desk/feeds.ts'
import type { SymbolStatus } from '../../../domain/market/instrument.ts'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { failingSince } from '../../../store/feeds/feed-news.ts'
import { feedOf } from '../../../store/feeds/feeds.ts'
import { missedBehind, missedText } from '../../../store/frozen-view.ts'
import { saidAgoMs } from '../../../store/log.ts'
import { dayUse, openUse } from '../../tables/limits-used.ts'
import { withoutNumbers } from '../../text/amounts.ts'
import { cellText, cutWords, nameText, wrapWords } from '../../text/cells.ts'
import { ageTime } from '../../text/desk-context.ts'
import { shortPastText, wholeAgeText } from '../../text/moment.ts'
import { type Row, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { type BigGlyphs, bandEdge, bandEdges, bigBand, bigSizeIn, bigText, bigTextSize } from './big-text.ts'
import { bigRows, centered, feedAge, type Size, type WallContent, watchedFeeds } from './market-rows.ts'

/**
 * Something that everyone in the room must see: a large word, and a sentence. `isNews`: the word alone does not say
 * what happened, so its letters leave room for the sentence.
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

function unknownAlarm({ unknownWrites, ahead, nowMs, looks }: DeskState): WallAlarm[] {
  if (unknownWrites.length === 0) return []
  const oldest = Math.min(...unknownWrites.map(({ atMs }) => atMs))
  const age = ageTime({ looks, nowMs }) + ahead.wallMs - oldest
  const count = unknownWrites.length === 1 ? '1 write' : `${unknownWrites.length} writes`
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

/** A limit that is used up: the next order will be refused. */
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
 * Symbols that are not open, grouped by status: that of the large price, and those with the user's orders, whichever
 * symbol is shown.
 */
function statusAlarms({ instruments, symbol, orders, unknownWrites }: DeskState): WallAlarm[] {
  const own = [...(orders.value ?? []), ...unknownWrites].map((each) => each.symbol)
  const symbols = [...new Set([symbol, ...own])].filter((each) => each !== null)
  const closed = Map.groupBy(symbols, (each): SymbolStatus => instruments.value?.get(each)?.status ?? 'open')
  closed.delete('open')
  if (closed.size === 0) return []
  const each = [...closed].map(
    ([status, names]) => `${names.map((name) => nameText(name)).join(', ')} ${tradingWords[status]}`,
  )
  // Not named by its status: `HALTED` is the mode of a halted desk.
  return [{ word: 'MARKET', tone: 'warn', text: `trading in ${each.join(', in ')} by the exchange` }]
}

const tradingWords: Readonly<Record<SymbolStatus, string>> = {
  open: 'open',
  close: 'closed',
  suspend: 'suspended',
  halt: 'halted',
  'halt-freeze': 'in halt-freeze',
}

/** No one dismisses an alert or a notice on a wall: they stay in large letters for this long. */
const alertMs = 5 * minuteMs
const noticeMs = minuteMs

function alertAlarm({ alerts, nowMs, ahead }: DeskState): WallAlarm[] {
  // One that is later than now is of a run whose clock was ahead.
  const fired = alerts.fired.filter(({ atMs, isQuiet }) => !isQuiet && Math.abs(nowMs - atMs) < alertMs)
  const [last] = fired
  if (last === undefined) return []
  // Prices move on meanwhile, so the text carries the time when the alert fired.
  const text = `${clockText(last.atMs + ahead.wallMs)} ${cellText(last.text)}`
  const others = fired.length - 1
  // Names them as alerts: `filled …, and 4 more` would read as fills.
  const more = others === 0 ? text : `${withoutStop(text)}, and ${others} more ${others === 1 ? 'alert' : 'alerts'}`
  return [{ word: 'ALERT', tone: 'warn', text: more, isNews: true }]
}

function noticeAlarm({ notice, nowMs, ahead }: DeskState): WallAlarm[] {
  if (notice === null || saidAgoMs(notice, ahead, nowMs) >= noticeMs) return []
  const { level } = notice
  return level === 'bad' || level === 'warn'
    ? [{ word: 'NOTICE', tone: level, text: cellText(notice.text), isNews: true }]
    : []
}

/** Everything that is wrong, worst first; empty if nothing is. Independent of the symbol shown. */
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

/** Inputs of the desk's state part. `alarms` is text, so that equal alarms cause no redraw. */
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
    notice: line === undefined ? '' : `${shortPastText(line.atMs, atMs)} ${isPrivate ? withoutNumbers(said) : said}`,
    isLoaded: [state.tickers, state.orders, state.balances].every(({ value }) => value !== null),
  }
}

const alarmsOf = ({ alarms }: StateView): readonly WallAlarm[] => JSON.parse(alarms) as readonly WallAlarm[]

/** The largest dots of an alarm's letters; a single alarm has the whole place. */
const dotsMax = { alone: 4, among: 2 }

/** The first lines of a sentence, the last of them cut with a mark. */
function cutLines(text: string, width: number, count: number): string[] {
  const lines = wrapWords(text, width)
  return count < 1 ? [] : [...lines.slice(0, count - 1), cutWords(lines.slice(count - 1).join(' '), width)]
}

/**
 * Large words stacked, each cut out of a band, or between two band lines if there is room, and followed by its
 * sentence. The title lists all the words.
 */
function alarmRows(alarms: readonly WallAlarm[], { width, height }: Size, glyphs: BigGlyphs): Row[] {
  const rows: Row[] = []
  const most = alarms.length === 1 ? dotsMax.alone : dotsMax.among
  for (const [at, { word, tone, text, isNews = false }] of alarms.entries()) {
    // Reserve at least a line for each of the remaining alarms.
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
    // Large letters are readable from farther away than small ones cut out of a band.
    const hasEdges = size > banded && bigTextSize(word, size).height + bandEdges + (kept ?? 0) < free()
    const lines = banded === size ? bigBand(word, size, glyphs, width) : bigText(word, size, glyphs)
    const edge = hasEdges ? bandEdge(glyphs, width) : []
    rows.push(...[...edge, ...lines, ...edge].map((line): Row => [span(line, tone)]))
    const left = isNews ? free() : Math.min(2, free())
    // The reason after the colon is dropped before a line is cut; for news, that reason is the news.
    const said = [text, ...(isNews ? [] : [text.split(': ')[0] ?? ''])].map((each) => wrapWords(each, width))
    const sentence = said.find(({ length }) => length <= left) ?? (isNews ? cutLines(text, width, left) : [])
    rows.push(...sentence.map((line): Row => [span(line, tone)]))
  }
  return rows
}

/** Clock and last notice while all is well; otherwise the alarms in large words. */
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
  // A notice is shown whole or not at all: its line below has it as well.
  const isRoom = said.length > 0 && shown.length + 1 + said.length <= height
  const rows = centered(isRoom ? [...shown, [], ...said] : shown, height)
  const title = view.isLoaded ? 'All well' : 'Waiting for data'
  return { title, note: [], rows: indented(rows), isStale: false }
}
