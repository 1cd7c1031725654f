import { memo, useCallback, useMemo } from 'react'
import { clockText, utcDayStart } from '../../../base/text/time-text.ts'
import { sharedDecimals } from '../../../domain/balance.ts'
import { exactSum, formatGrouped } from '../../../domain/money.ts'
import type { Change, Drawdown, Exposure, Flow, Worth } from '../../../domain/positions/equity.ts'
import { unvaluedText } from '../../../domain/positions/equity.ts'
import { exchangeNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import {
  curvePoints,
  drawdowns,
  type EquitySlice,
  equityDay,
  equityNow,
  equityWindow,
  exposures,
  isEquityStale,
} from '../../../store/equity.ts'
import { alignOnPoint } from '../../text/amounts.ts'
import { cellText, nameText } from '../../text/cells.ts'
import { calmly, useTheme } from '../../text/desk-context.ts'
import { hiddenAmount } from '../../text/privacy.ts'
import { fitRow, fitWords, type Row, rowWidth, span } from '../../text/row.ts'
import { changeText, partText, signedUsd, sinceText, toneOfGain, worthText } from '../../text/worth.ts'
import type { DotGlyphs } from '../chart/dot-canvas.ts'
import { type ListContent, type PaneProps, PaneView, says, staleNote, waitingNote, words } from '../pane-view.tsx'
import { equityCurveRows } from './equity-curve.ts'

/** The pane's inputs, computed once per redraw. */
type EquityView = {
  balances: DeskState['balances']
  tickers: DeskState['tickers']
  points: EquitySlice['equity']
  span: EquitySlice['equitySpan']
  window: { fromMs: number; toMs: number }
  worth: Worth
  exposures: readonly Exposure[]
  day: Change
  drawdown: { day: Drawdown; kept: Drawdown }
  isPrivate: boolean
  isStale: boolean
  nowMs: number
  exchangeNowMs: number
}

export const equityView = (state: DeskState): EquityView => ({
  balances: state.balances,
  tickers: state.tickers,
  points: curvePoints(state),
  span: state.equitySpan,
  window: equityWindow(state),
  worth: equityNow(state).worth,
  exposures: exposures(state),
  day: equityDay(state),
  drawdown: drawdowns(state),
  isPrivate: state.looks.isPrivate,
  isStale: isEquityStale(state),
  nowMs: state.nowMs,
  exchangeNowMs: exchangeNow(state),
})

const nameWidth = 10
const named = (name: string, ...rest: Row): Row => [span(` ${name.padEnd(nameWidth)}`, 'label'), ...rest]

/** The time of day, preceded by the date if it is not today's (UTC). */
function momentOf(atMs: number, { exchangeNowMs }: EquityView): string {
  const time = clockText(atMs).slice(0, 5)
  return utcDayStart(atMs) === utcDayStart(exchangeNowMs)
    ? time
    : `${new Date(atMs).toISOString().slice(0, 10)} ${time}`
}

function worthRow({ worth, isPrivate }: EquityView): Row {
  const { unknown } = worth
  const why = unknown.length === 0 ? '' : `  ${cellText(unvaluedText(worth))}`
  if (isPrivate) return named('equity', span(hiddenAmount, 'title'), span(why, 'warn'))
  return named('equity', span(worthText(worth, 2), 'title'), span(why, 'warn'))
}

function dayRow(view: EquityView): Row {
  const { day, isPrivate } = view
  if (day.kind === 'unknown') return named('day P&L', span('?', 'warn'), span(`  ${cellText(day.why)}`, 'dim'))
  const since = sinceText(day)
  const gain = span(changeText(day, isPrivate), toneOfGain(day.usd))
  return named('day P&L', gain, ...(since === '' ? [] : [span(`  ${since}`, 'label')]))
}

/** A loss since the highest equity, with as much about that high and its time as fits `width` cells whole. */
function drawdownRow(name: string, drawdown: Drawdown, view: EquityView, width: number): Row {
  if (drawdown.kind === 'unknown') return named(name, span('?', 'warn'), span(`  ${cellText(drawdown.why)}`, 'dim'))
  const { usd, share, highUsd, atMs } = drawdown
  if (usd.isZero()) return named(name, span('at the highest'))
  const loss = changeText(
    { kind: 'known', usd: usd.neg(), share: share.neg(), sinceMs: atMs, moved: [] },
    view.isPrivate,
  )
  const high = view.isPrivate ? '' : ` below ${formatGrouped(highUsd, 0)}`
  const rows = [`${high} ${view.isPrivate ? 'since' : 'of'} ${momentOf(atMs, view)}`, high, ''].map((text) =>
    named(name, span(loss, 'ask'), span(text, 'label')),
  )
  return rows.find((row) => rowWidth(row) <= width) ?? named(name, span(loss, 'ask'))
}

/** Value that transfers moved during the day, which is not a gain, and the prices it is based on; empty if none did. */
function movedRows({ day, isPrivate }: EquityView): Row[] {
  if (day.kind === 'unknown' || day.moved.length === 0) return []
  const sum = exactSum(day.moved.flatMap(({ usd }) => usd ?? []))
  const amount = isPrivate ? hiddenAmount : signedUsd(sum)
  return [named('transfers', span(amount), span(`  by ${cellText(sourcesText(day.moved))}`, 'label'))]
}

/** `bar of BTC-USD, 12:03 UTC and 2 more` */
function sourcesText(moved: readonly Flow[]): string {
  const [first = '', ...others] = [...new Set(moved.flatMap(({ source }) => source ?? []))]
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

const numberRows = (view: EquityView, width: number, hasRoom: boolean): Row[] => [
  worthRow(view),
  dayRow(view),
  ...(hasRoom ? movedRows(view) : []),
  drawdownRow('day high', view.drawdown.day, view, width),
  drawdownRow('high', view.drawdown.kept, view, width),
]

const exposedText = (share: Exposure['share'], { unknown }: Worth): string =>
  share === null ? '?' : `${unknown.length > 0 ? '≤' : ''}${partText(share)}`

/** As many as fit, largest first: `BTC 54.8%  USD 24.6%`. */
function inOneRow(all: readonly Exposure[], width: number, worth: Worth): Row {
  const row: Row[number][] = []
  for (const { currency, share } of all) {
    const part: Row = [span(` ${nameText(currency, 8)} `, 'title'), span(`${exposedText(share, worth)} `, 'own')]
    if (rowWidth(row) + rowWidth(part) > width) break
    row.push(...part)
  }
  return row
}

/** Each currency's share of the whole: `BTC 0.4120 26,454 25.4%`. */
function exposureRows({ exposures: all, isPrivate, worth }: EquityView, width: number, most: number): Row[] {
  if (most < 1 || all.length === 0) return []
  if (all.length > most && most < 3) return [inOneRow(all, width, worth)]
  const shown = all.length > most ? all.slice(0, Math.max(0, most - 1)) : all
  const names = shown.map(({ currency }) => nameText(currency, 8))
  const quantities = alignOnPoint(
    shown.map(({ quantity }) => (isPrivate ? '' : formatGrouped(quantity, Math.min(8, sharedDecimals([quantity]))))),
  )
  const values = shown.map(({ usd }) => (usd === null ? '?' : isPrivate ? '' : formatGrouped(usd, 0)))
  const shares = shown.map(({ share }) => exposedText(share, worth))
  const widthOf = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length))
  const [nameCells, quantityCells, valueCells, shareCells] = [names, quantities, values, shares].map(widthOf)
  const whole = 1 + (nameCells ?? 0) + 2 + (quantityCells ?? 0) + 2 + (valueCells ?? 0) + 2 + (shareCells ?? 0)
  const rows = shown.map(({ usd }, at): Row => {
    const quantity = whole > width ? [] : [span(`  ${(quantities[at] ?? '').padEnd(quantityCells ?? 0)}`)]
    return [
      span(` ${(names[at] ?? '').padEnd(nameCells ?? 0)}`, 'title'),
      ...quantity,
      span(`  ${(values[at] ?? '').padStart(valueCells ?? 0)}`, usd === null ? 'warn' : 'text'),
      span(`  ${(shares[at] ?? '').padStart(shareCells ?? 0)}`, 'own'),
    ]
  })
  const more = all.length - shown.length
  return more === 0 ? rows : [...rows, [span(` ${more} more`, 'label')]]
}

/** At this height or less, the drawdown from the recorded high and the transfers are omitted. */
const numbersAllFrom = 6

/** Cells of the table beside the curve, and the minimum size left for the curve. */
const tableWidth = 40
const curveWidthMin = 36
const curveHeightMin = 4

const beside = (left: readonly Row[], leftWidth: number, right: readonly Row[], height: number): Row[] =>
  Array.from({ length: height }, (_, row) => [...fitRow(left[row] ?? [], leftWidth), ...(right[row] ?? [])])

function curve(view: EquityView, size: { width: number; height: number }, glyphs: DotGlyphs): Row[] {
  const { points, window, isPrivate } = view
  const rows = equityCurveRows({ points, ...window, isPrivate }, size, glyphs)
  const drawnRows = rows ?? words('No data for this period yet: one point a minute once loaded.', size.width)
  return Array.from({ length: size.height }, (_, row) => drawnRows[row] ?? [])
}

/** The age of what the figures are made of, if it is stale. */
function oldNote({ balances, tickers, nowMs }: EquityView): Row {
  const stale = staleNote(balances, 'balances', nowMs)
  return stale.length > 0 ? stale : staleNote(tickers, 'tickers', nowMs)
}

/** Numbers, curve and exposure in `height` rows of `width` cells; short of room, the curve is dropped first. */
export function equityContent(view: EquityView, width: number, height: number, glyphs: DotGlyphs): ListContent {
  const { balances } = view
  const note = oldNote(view)
  if (balances.value === null) return says(waitingNote('your balances', balances), note, width)
  const title: Row = [span(`  ${view.span}`, 'label')]
  const hasRoom = height > numbersAllFrom
  const numbers = numberRows(view, width, hasRoom).slice(0, hasRoom ? 5 : Math.max(1, Math.min(3, height - 1)))
  const left = height - numbers.length
  const isWide = width >= tableWidth + curveWidthMin && left >= curveHeightMin
  const made = (): Row[] => {
    if (isWide) {
      const curveWidth = width - tableWidth
      return beside(
        curve(view, { width: curveWidth - 1, height: left }, glyphs),
        curveWidth,
        exposureRows(view, tableWidth, left),
        left,
      )
    }
    const table = exposureRows(view, width, Math.min(view.exposures.length, Math.max(left - 6, Math.ceil(left / 2))))
    const room = left - table.length
    if (room < curveHeightMin) return exposureRows(view, width, left)
    return [...curve(view, { width: width - 1, height: room }, glyphs), ...table]
  }
  const rows = [...numbers, ...made()].map((row) => (rowWidth(row) > width ? fitWords(row, width) : row))
  const dimmed = view.isStale ? rows.map((row): Row => row.map(({ text }) => span(text, 'dim'))) : rows
  return { note: [...title, ...note], rows: dimmed, isStale: view.isStale }
}

/** Equity in sentences, for the screen reader mode. */
export function equitySentences(view: EquityView, width: number): ListContent {
  const { balances, worth, day, isPrivate } = view
  const note = oldNote(view)
  if (balances.value === null) return says(waitingNote('your balances', balances), note, width)
  const worthSentence = isPrivate ? 'Equity is hidden: privacy is on.' : `Equity ${worthText(worth, 2)}.`
  const daySentence =
    day.kind === 'unknown'
      ? `The day's gain is unknown: ${day.why}.`
      : `Day ${[changeText(day, isPrivate), sinceText(day)].filter((text) => text !== '').join(' ')}.`
  const moved =
    day.kind === 'unknown' || day.moved.length === 0
      ? []
      : [`Today's transfers are excluded, by ${sourcesText(day.moved)}.`]
  const parts = view.exposures.map(({ currency, share }) => `${currency} ${partText(share) || '?'}`)
  const rows = [worthSentence, daySentence, ...moved, `Of it ${parts.join(', ')}.`].flatMap((sentence) =>
    words(sentence, width),
  )
  return { note, rows, isStale: view.isStale }
}

const beatMs = 1_000

/** Equity, its curve, the day's gain, drawdown, and exposure by currency. */
export const EquityPane = memo(function EquityPane(props: PaneProps) {
  const theme = useTheme()
  const select = useMemo(() => {
    // Everything here moves with every price: once a second is enough to read.
    const view = calmly(equityView, beatMs, (state) => `${state.equitySpan} ${state.balances.value === null}`)
    return (state: DeskState) => ({ view: view(state), isSpoken: state.looks.isSpoken })
  }, [])
  const content = useCallback(
    ({ view, isSpoken }: ReturnType<typeof select>, width: number, height: number): ListContent =>
      isSpoken
        ? equitySentences(view, width)
        : equityContent(view, width, height, theme.glyphs.isAscii ? 'ascii' : 'braille'),
    [theme],
  )
  return <PaneView {...props} pane="equity" select={select} content={content} />
})
