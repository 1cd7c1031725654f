import { minuteMs, utcDayStart } from '../../../base/text/time-text.ts'
import type { EquityPoint } from '../../../domain/market/bar.ts'
import type { Decimal } from '../../../domain/money.ts'
import { exchangeNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { curvePoints, equityDay, equityNow, exposures } from '../../../store/equity.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { portionText } from '../../text/amounts.ts'
import { nameText } from '../../text/cells.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { changeText, sinceText, toneOfGain, worthAmount } from '../../text/worth.ts'
import type { DotGlyphs } from '../chart/dot-canvas.ts'
import { equityCurveRows } from '../equity/equity-curve.ts'
import { type BigGlyphs, bigSizeIn, bigText } from './big-text.ts'
import { feedAge, fittingParts, labeled, type Size, type WallContent } from './market-rows.ts'

/** Shown for an unknown value, which is never shown as zero. */
const notKnown = 'not known yet'

export type WorthView = {
  points: readonly EquityPoint[]
  fromMs: number
  toMs: number
  /** `48,626`, or `not known yet`; empty in privacy mode. */
  worth: string
  /** `+120 +0.25%`; in privacy mode only the percentage. */
  day: string
  /** `since 01:22` if that is less than the UTC day so far. */
  since: string
  dayTone: Tone
  exposure: string
  old: string
  isPrivate: boolean
}

const minuteOf = (atMs: number): number => Math.floor(atMs / minuteMs) * minuteMs

/** A part of the whole in whole per cent; what is held is never `0%`. */
function wholeShare(share: Decimal): string {
  const text = portionText(share, 0)
  return share.gt(0) && text === '0%' ? '<1%' : text
}

export function worthView(state: DeskState): WorthView {
  const { balances, looks } = state
  const { isPrivate } = looks
  const nowMs = exchangeNow(state)
  const day = equityDay(state)
  return {
    points: curvePoints(state),
    fromMs: utcDayStart(nowMs),
    toMs: minuteOf(nowMs) + minuteMs,
    worth: isPrivate ? '' : balances.value === null ? notKnown : worthAmount(equityNow(state).worth),
    day: day.kind === 'known' ? changeText(day, isPrivate, 0) : '',
    since: sinceText(day),
    dayTone: toneOfGain(day.kind === 'known' ? day.usd : null),
    exposure: exposures(state)
      .flatMap(({ currency, share }) => (share === null ? [] : `${nameText(currency, 8)} ${wholeShare(share)}`))
      .join('|'),
    old: isStale(balances, 'balances', state.nowMs) ? `balances STALE ${feedAge(state, balances)}` : '',
    isPrivate,
  }
}

/** Equity and day in large digits if both fit side by side, otherwise as a line of words. */
function worthHead(view: WorthView, { width, height }: Size, glyphs: BigGlyphs): readonly Row[] {
  const { worth, day, since, dayTone } = view
  const shown = [worth === notKnown ? '' : worth, day].filter((text) => text !== '').join('  ')
  const dayWord = day === '' ? notKnown : day
  const worthPart = worth === '' ? [] : labeled('worth', worth === notKnown ? worth : `${worth} USD`)
  const dayPart: Row = [...labeled('day', dayWord, dayTone), ...(since === '' ? [] : [span(` ${since}`, 'label')])]
  const words = fittingParts([worthPart, dayPart], width)
  const whole = rowWidth(fittingParts([worthPart, dayPart], Number.POSITIVE_INFINITY))
  // The start time is worth a line of its own; the curve gets a line less.
  const isWhole = since === '' || whole <= width
  // Large digits must leave at least as many lines for the curve.
  const size = shown === '' || height < 12 ? 0 : bigSizeIn(shown, { width, height: 5 }, 2)
  if (size === 0) return isWhole ? [words] : [fittingParts([worthPart], width), fittingParts([dayPart], width)]
  const dayName = day === '' ? '' : `P&L ${since === '' ? 'of the UTC day' : since}`
  const names = [worth === '' || worth === notKnown ? '' : 'worth in USD', dayName]
  const unknown = [worth === notKnown ? labeled('worth', notKnown) : [], day === '' ? labeled('day', notKnown) : []]
  const named = names.filter((name) => name !== '').join(', ')
  const [left, right] = [worth === notKnown ? [] : bigText(worth, size, glyphs), bigText(day, size, glyphs)]
  const gap = left.length === 0 ? '' : ' '.repeat(size * 4)
  const lines = Math.max(left.length, right.length)
  const big = Array.from(
    { length: lines },
    (_, at): Row => [span(left[at] ?? '', 'title'), span(gap), span(right[at] ?? '', dayTone)],
  )
  return [fittingParts([[span(named, 'label')], ...unknown], width), [], ...big, []]
}

/** The account's equity, the day's change, the exposure, and the day's curve. */
export function worthContent(view: WorthView, { width, height }: Size, glyphs: BigGlyphs): WallContent {
  const inner = width - 2
  const head = worthHead(view, { width: inner, height }, glyphs)
  const parts = view.exposure === '' ? [] : view.exposure.split('|')
  const made = fittingParts(
    parts.length === 0 ? [labeled('held', notKnown)] : parts.map((part): Row => [span(part)]),
    inner,
    '  ',
  )
  const room = height - head.length - 1
  const dots: DotGlyphs = glyphs === 'ascii' ? 'ascii' : 'braille'
  const curve = room < 1 ? [] : (equityCurveRows(view, { width: inner, height: room }, dots) ?? [])
  const picture = curve.length > 0 || room < 1 ? curve : [[span(`curve of the UTC day: ${notKnown}`, 'dim')]]
  const rows = [...head, made, ...picture].map((row): Row => [span(' '), ...row])
  const note: Row = view.old === '' ? [] : [span(`  ${view.old}`, 'bad')]
  return { title: view.isPrivate ? 'Account, per cent' : 'Account', note, rows, isStale: view.old !== '' }
}
