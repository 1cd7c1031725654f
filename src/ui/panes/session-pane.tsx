import { memo } from 'react'
import type { Balance } from '../../domain/balance.ts'
import type { WatchStatus } from '../../domain/desk/duties.ts'
import type { HangUpRule } from '../../domain/desk/mode.ts'
import { averageScaleUnknown } from '../../domain/market/amounts.ts'
import { averageScale, counterOf } from '../../domain/market/instrument.ts'
import { formatGrouped, zero } from '../../domain/money.ts'
import { averagePrice, fillSumsAt, type SumsBySymbol, type SymbolSum } from '../../domain/orders/fills.ts'
import type { Side } from '../../domain/side.ts'
import { usdRateAlone } from '../../domain/usd-worth.ts'
import { exchangeNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { readingText } from '../../store/positions.ts'
import { hangUpOf } from '../../store/terminal.ts'
import { compactAmount, rateText } from '../text/amounts.ts'
import { amount, left, nameText } from '../text/cells.ts'
import { shownFeed, staleTime } from '../text/desk-context.ts'
import { uptimeText } from '../text/moment.ts'
import { own } from '../text/privacy.ts'
import { type Row, rowWidth, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, staleNote } from './pane-view.tsx'

type SessionView = Pick<
  DeskState,
  'fees' | 'fillSums' | 'balances' | 'instruments' | 'symbol' | 'unknownWrites' | 'nowMs' | 'ahead' | 'looks'
> & {
  watch: WatchStatus | null
  reading: DeskState['positions']['reading']
  areFillsKnown: boolean
  startedAtMs: number
  rejectCount: number
  retryCount: number
  hangUp: HangUpRule
}

type UsdTotal = { count: string; turnover: string; fees: string }

/** Everything executed, in USD at current rates; `?` if a currency has no rate. */
function totalOf(sums: SumsBySymbol, balances: readonly Balance[]): UsdTotal {
  let count = 0
  let turnover: typeof zero | null = zero
  let fees: typeof zero | null = zero
  for (const [symbol, sides] of sums) {
    const rate = usdRateAlone(counterOf(symbol), balances)
    for (const { count: executions, notional, fees: paid } of [sides.BUY, sides.SELL]) {
      if (executions === 0) continue
      count += executions
      turnover = rate === null || turnover === null ? null : turnover.plus(notional.times(rate))
      fees = rate === null || fees === null ? null : fees.plus(paid.times(rate))
    }
  }
  const text = (value: typeof zero | null) => (value === null ? '?' : formatGrouped(value, 2))
  return { count: `${count}`, turnover: text(turnover), fees: text(fees) }
}

function feesRow({ fees, looks: { isPrivate } }: SessionView, width: number): Row {
  if (fees.value === null) return [span(' fees ', 'label'), span('not known yet', 'dim')]
  const { makerRate, takerRate, volumeUsd } = fees.value
  const rates = [
    span(' maker ', 'label'),
    span(rateText(makerRate)),
    span('  taker ', 'label'),
    span(rateText(takerRate)),
  ]
  const volume = span(`${own(compactAmount(volumeUsd), isPrivate)} USD`)
  const whole = [...rates, span('  volume ', 'label'), volume]
  return rowWidth(whole) <= width ? whole : [...rates, span('  vol ', 'label'), volume]
}

function averageText(view: SessionView, sum: SymbolSum | undefined, side: Side): string {
  const price = sum === undefined ? null : averagePrice(sum[side])
  const instrument = view.instruments.value?.get(view.symbol)
  const scale = instrument === undefined ? averageScaleUnknown : averageScale(instrument)
  return price === null ? '-' : own(formatGrouped(price, scale), view.looks.isPrivate)
}

function countersRow({ rejectCount, retryCount, unknownWrites }: SessionView): Row {
  const unknown = unknownWrites.filter(({ kind }) => kind === 'order' || kind === 'withdrawal').length
  return [
    span(' rejects ', 'label'),
    span(`${rejectCount}`, rejectCount === 0 ? 'text' : 'warn'),
    span('  unknown ', 'label'),
    span(`${unknown}`, unknown === 0 ? 'text' : 'bad'),
    span('  retries GET ', 'label'),
    span(`${retryCount}`),
  ]
}

/** What happens to working orders when the terminal hangs up. */
const hangUpRow = ({ hangUp }: SessionView): Row => [
  span(' hang-up ', 'label'),
  hangUp === 'cancel' ? span('cancels every order', 'warn') : span('orders stay'),
]

/** The watch process that is on duty, as it last reported: it keeps running when this desk closes. */
function watchRows({ watch, nowMs, ahead }: SessionView): Row[] {
  if (watch === null) return []
  const wallMs = nowMs + ahead.wallMs
  const up = [span(' watch ', 'label'), span(`up ${uptimeText(wallMs - watch.sinceMs)}, pid ${watch.pid}`)]
  const [trouble] = watch.troubles
  return [trouble === undefined ? up : [...up, span(` ${nameText(trouble)}`, 'warn')]]
}

const nameWidth = 9

/** One line of the table: a name, its value in this session, its value on this UTC day. */
function pairRow(name: string, session: string, day: string, width: number): Row {
  const cells = Math.min(18, Math.floor((width - nameWidth - 2) / 2))
  return [span(` ${left(name, nameWidth)}`, 'label'), span(amount(session, cells)), span(` ${amount(day, cells)}`)]
}

/** A line and its rank: the highest rank is dropped first. */
type Ranked = { row: Row; rank: number }

function withinRows(lines: readonly Ranked[], rowCount: number): Row[] {
  let kept = [...lines]
  while (kept.length > Math.max(0, rowCount)) {
    const rank = Math.max(...kept.map((line) => line.rank))
    kept = kept.toSpliced(
      kept.findLastIndex((line) => line.rank === rank),
      1,
    )
  }
  return kept.map(({ row }) => row)
}

/** Executions, their costs and what failed, since the desk started and on the UTC day, in `rowCount` lines. */
export function sessionRows(view: SessionView, width: number, rowCount: number): Row[] {
  const sums = fillSumsAt(view.fillSums, exchangeNow(view))
  const balances = view.balances.value ?? []
  // Until the fills have loaded, their count is unknown, not zero.
  const totals = (of: SumsBySymbol): UsdTotal =>
    view.areFillsKnown ? totalOf(of, balances) : { count: '-', turnover: '-', fees: '-' }
  const session = totals(sums.session)
  const day = totals(sums.day)
  const ofSymbol = { session: sums.session.get(view.symbol), day: sums.day.get(view.symbol) }
  const average = (side: Side, name: string) =>
    pairRow(name, averageText(view, ofSymbol.session, side), averageText(view, ofSymbol.day, side), width)
  const money = (of: 'turnover' | 'fees') =>
    pairRow(of, own(session[of], view.looks.isPrivate), own(day[of], view.looks.isPrivate), width)
  const head = pairRow('', 'session', 'today', width).map(({ text }) => span(text, 'label'))
  const lines: Ranked[] = [
    { row: feesRow(view, width), rank: 1 },
    // Dropped late: without the heads, the two columns of numbers mean nothing.
    { row: head, rank: 1 },
    { row: pairRow('fills', session.count, day.count, width), rank: 2 },
    { row: money('turnover'), rank: 2 },
    { row: money('fees'), rank: 5 },
    { row: average('BUY', 'avg buy'), rank: 3 },
    { row: average('SELL', 'avg sell'), rank: 3 },
    { row: countersRow(view), rank: 1 },
    ...(view.reading === null ? [] : [{ row: [span(` ${readingText(view.reading)}`, 'warn')], rank: 3 }]),
    { row: hangUpRow(view), rank: 4 },
    ...watchRows(view).map((row) => ({ row, rank: 3 })),
    { row: [span(` averages of ${nameText(view.symbol)}, sums in USD`, 'dim')], rank: 6 },
    { row: [span(' up ', 'label'), span(uptimeText(view.nowMs - view.startedAtMs))], rank: 7 },
  ]
  return withinRows(lines, rowCount)
}

type SessionSource = SessionView & { staleMs: number }

function selectSession(state: DeskState): SessionSource {
  const { fillSums, symbol, unknownWrites, ahead, session, nowMs } = state
  const fees = shownFeed(state.fees, 'fees', nowMs)
  return {
    fees,
    balances: shownFeed(state.balances, 'balances', nowMs),
    instruments: shownFeed(state.instruments, 'instruments', nowMs),
    ...{ fillSums, symbol, unknownWrites, ahead },
    looks: state.looks,
    reading: state.positions.reading,
    areFillsKnown: state.fills.value !== null,
    startedAtMs: session.startedAtMs,
    rejectCount: session.rejectCount,
    retryCount: session.calls?.retryCount ?? 0,
    watch: state.duties.watch,
    hangUp: hangUpOf(state),
    // The time is shown in whole minutes: changes within one cause no redraw.
    nowMs: Math.floor(nowMs / 60_000) * 60_000,
    staleMs: staleTime([fees], nowMs),
  }
}

const sessionContent = ({ staleMs, ...view }: SessionSource, width: number, rowCount: number): ListContent => ({
  note: staleNote(view.fees, 'fees', staleMs),
  rows: sessionRows(view, width, rowCount),
  isStale: false,
})

/** Fee rates, totals of the session and the day, and what failed. */
export const SessionPane = memo(function SessionPane(props: PaneProps) {
  return <PaneView {...props} pane="session" select={selectSession} content={sessionContent} />
})
