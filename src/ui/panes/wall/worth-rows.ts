import { utcDayStart } from '../../../base/time-text.ts'
import type { Balance } from '../../../domain/balance.ts'
import type { EquityPoint } from '../../../domain/market/bar.ts'
import { compareAmounts, Decimal, exactPlus, exactProduct, exactSum, formatGrouped } from '../../../domain/money.ts'
import type { Deposit, Withdrawal } from '../../../domain/transfers/transfer.ts'
import { usdRate } from '../../../domain/usd-value.ts'
import { exchangeNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { percentText } from '../../text/amounts.ts'
import { nameText } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { createDotCanvas, type DotGlyphs } from '../chart/dot-canvas.ts'
import { type BigGlyphs, bigSizeIn, bigText } from './big-text.ts'
import { feedAge, fittingParts, labeled, type Size, type WallContent } from './market-rows.ts'

/** What is not known is said, and never zero. */
const notKnown = 'not known yet'

const noPoints: readonly EquityPoint[] = []

/** The recorded worth of the account, minute by minute; none on a desk that does not record it. */
export const equityPoints = (state: DeskState & { equity?: readonly EquityPoint[] }): readonly EquityPoint[] =>
  state.equity ?? noPoints

/** One currency's part of what is held; `share` is a fraction of what has a known value. */
export type ExposurePart = { currency: string; share: Decimal }

/** What is held is worth so much in USD; null where something held has no known rate. */
export function worthNow(balances: readonly Balance[]): { usd: Decimal | null; parts: readonly ExposurePart[] } {
  const held = balances.filter(({ balance }) => !balance.isZero())
  const valued = held.map(({ currency, balance }) => {
    const rate = usdRate(currency, balances)
    return { currency, usd: rate === null ? null : exactProduct(balance, rate) }
  })
  const isWhole = valued.every(({ usd }) => usd !== null)
  const known = valued.flatMap(({ currency, usd }) => (usd === null ? [] : [{ currency, usd }]))
  const total = exactSum(known.map(({ usd }) => usd))
  const parts = total.gt(0) ? known.map(({ currency, usd }) => ({ currency, share: new Decimal(usd).div(total) })) : []
  return {
    usd: isWhole ? total : null,
    parts: parts.toSorted((one, other) => compareAmounts(other.share, one.share)),
  }
}

/** Gain or loss of the UTC day. */
export type DayChange = { usd: Decimal; share: Decimal | null }

/** Whether money came in or left in the UTC day that began at `dayStartMs`, or may have. */
const hasMoved = (
  deposits: readonly Deposit[] | null,
  withdrawals: readonly Withdrawal[] | null,
  dayStartMs: number,
): boolean =>
  deposits === null ||
  withdrawals === null ||
  [...deposits, ...withdrawals].some(
    ({ state, timestampMs }) =>
      state !== 'REJECTED' && state !== 'FAILED' && (timestampMs === null || timestampMs >= dayStartMs),
  )

/**
 * What the UTC day brought: worth now less that of the day's first known minute. Null where that is not known, or where
 * a transfer of the day is in it, which is neither a gain nor a loss.
 */
export function dayChangeOf(
  points: readonly EquityPoint[],
  usd: Decimal | null,
  { deposits, withdrawals }: { deposits: readonly Deposit[] | null; withdrawals: readonly Withdrawal[] | null },
  nowMs: number,
): DayChange | null {
  const dayStartMs = utcDayStart(nowMs)
  const first = points.find((point) => point.startMs >= dayStartMs && point.equityUsd !== null)?.equityUsd ?? null
  if (usd === null || first === null || hasMoved(deposits, withdrawals, dayStartMs)) return null
  const gain = exactPlus(usd, first.neg())
  return { usd: gain, share: first.gt(0) ? new Decimal(gain).div(new Decimal(first)) : null }
}

export type WorthView = {
  points: readonly EquityPoint[]
  fromMs: number
  toMs: number
  /** `48,626`, `not known yet`; in private empty. */
  worth: string
  /** `+120 +0.25%`, in private the per cent alone. */
  day: string
  dayTone: Tone
  exposure: string
  old: string
  isPrivate: boolean
}

const shareText = (share: Decimal): string => percentText(share, share.abs().lt('0.1') ? 2 : 1)

function dayText(day: DayChange | null, isPrivate: boolean): string {
  if (day === null) return ''
  const share = day.share === null ? '' : shareText(day.share)
  if (isPrivate) return share
  const amount = formatGrouped(day.usd, 0)
  return `${day.usd.gt(0) && /[1-9]/.test(amount) ? '+' : ''}${amount}${share === '' ? '' : ` ${share}`}`
}

const minuteOf = (atMs: number): number => Math.floor(atMs / 60_000) * 60_000

export function worthView(state: DeskState): WorthView {
  const { balances, deposits, withdrawals, looks } = state
  const nowMs = exchangeNow(state)
  const points = equityPoints(state)
  const { usd, parts } = worthNow(balances.value ?? [])
  const day = dayChangeOf(points, usd, { deposits: deposits.value, withdrawals: withdrawals.value }, nowMs)
  const { isPrivate } = looks
  return {
    points,
    fromMs: utcDayStart(nowMs),
    toMs: minuteOf(nowMs) + 60_000,
    worth: isPrivate ? '' : balances.value === null || usd === null ? notKnown : formatGrouped(usd, 0),
    day: dayText(day, isPrivate),
    dayTone: day === null || day.usd.isZero() ? 'text' : day.usd.gt(0) ? 'bid' : 'ask',
    exposure: parts
      .map(({ currency, share }) => `${nameText(currency, 8)} ${percentText(share, 0).slice(1)}`)
      .join('|'),
    old: isStale(balances, 'balances', state.nowMs) ? `balances STALE ${feedAge(state, balances)}` : '',
    isPrivate,
  }
}

type CurveWindow = { fromMs: number; toMs: number }

/** Lowest and highest of the values. */
function scaleOf(values: readonly Decimal[]): { low: Decimal; high: Decimal } | null {
  const [first] = values
  if (first === undefined) return null
  let [low, high] = [first, first]
  for (const value of values) {
    if (compareAmounts(value, low) < 0) low = value
    if (compareAmounts(value, high) > 0) high = value
  }
  return { low, high }
}

/**
 * Worth over the window as dots, with its highest and lowest on the right: amounts, or in private per cent of the
 * first. Minutes in which something had no known value are gaps. None while nothing is known.
 */
export function equityRows(
  points: readonly EquityPoint[],
  { fromMs, toMs }: CurveWindow,
  { width, height }: Size,
  glyphs: DotGlyphs,
  isPrivate: boolean,
): Row[] {
  const known = points.flatMap(({ startMs, equityUsd }) =>
    equityUsd === null || startMs < fromMs || startMs >= toMs ? [] : [{ startMs, usd: equityUsd }],
  )
  const scale = scaleOf(known.map(({ usd }) => usd))
  const first = known[0]?.usd
  if (scale === null || first === undefined || height < 1) return []
  const text = (usd: Decimal): string =>
    isPrivate
      ? first.gt(0)
        ? shareText(new Decimal(usd.minus(first)).div(new Decimal(first)))
        : ''
      : formatGrouped(usd, 0)
  const labels = scale.high.eq(scale.low) || height < 2 ? [text(scale.high)] : [text(scale.high), text(scale.low)]
  const labelWidth = Math.max(...labels.map(({ length }) => length))
  const canvas = createDotCanvas(Math.max(1, width - labelWidth - 1), height, glyphs)
  const range = scale.high.minus(scale.low).toNumber()
  let before: { x: number; y: number; startMs: number } | null = null
  for (const { startMs, usd } of known) {
    const x = Math.min(canvas.width - 1, Math.floor(((startMs - fromMs) / (toMs - fromMs)) * canvas.width))
    const share = range === 0 ? 0.5 : scale.high.minus(usd).toNumber() / range
    const y = Math.round(share * (canvas.height - 1))
    const isNext: boolean = before !== null && startMs - before.startMs <= 60_000
    for (let column: number = isNext ? (before?.x ?? x) + 1 : x; column < x; column += 1) canvas.column(column, y, y)
    canvas.column(x, isNext ? (before?.y ?? y) : y, y)
    before = { x, y, startMs }
  }
  const lines = canvas.lines()
  return lines.map((line, at): Row => {
    const label = at === 0 ? labels[0] : at === lines.length - 1 ? labels[1] : undefined
    return [span(line, 'last'), span(` ${label ?? ''}`, 'label')]
  })
}

/** Worth and day in large digits where both fit beside each other, else in a line of words. */
function worthHead(view: WorthView, { width, height }: Size, glyphs: BigGlyphs): readonly Row[] {
  const { worth, day, dayTone } = view
  const shown = [worth === notKnown ? '' : worth, day].filter((text) => text !== '').join('  ')
  const dayWord = day === '' ? notKnown : day
  const words = fittingParts(
    [
      worth === '' ? [] : labeled('worth', worth === notKnown ? worth : `${worth} USD`),
      labeled('day', dayWord, dayTone),
    ],
    width,
  )
  // Large digits leave at least as many lines for the curve.
  const size = shown === '' || height < 12 ? 0 : bigSizeIn(shown, { width, height: 5 }, 2)
  if (size === 0) return [words]
  const names = [worth === '' || worth === notKnown ? '' : 'worth in USD', day === '' ? '' : 'P&L of the UTC day']
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

/** What the account is worth, what the day brought, what it is made of, and the day's curve. */
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
  const curve = equityRows(view.points, view, { width: inner, height: room }, dots, view.isPrivate)
  const picture = curve.length > 0 || room < 1 ? curve : [[span(`curve of the UTC day: ${notKnown}`, 'dim')]]
  const rows = [...head, made, ...picture].map((row): Row => [span(' '), ...row])
  const note: Row = view.old === '' ? [] : [span(`  ${view.old}`, 'bad')]
  return { title: view.isPrivate ? 'Account, per cent' : 'Account', note, rows, isStale: view.old !== '' }
}
