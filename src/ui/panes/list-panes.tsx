import { memo } from 'react'
import { utcDayStart } from '../../base/time-text.ts'
import { exchangeNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import type { FillHistory } from '../../store/history/history.ts'
import type { LogLine } from '../../store/log.ts'
import type { TableView } from '../../store/tables/tables.ts'
import { type BalancesContext, balanceItems, balancesContext, balancesList } from '../tables/balances-table.ts'
import { sessionFoot, sumLineCount, sumsRows } from '../tables/fills-sums.ts'
import { fillItems, fillsList } from '../tables/fills-table.ts'
import { levelLook, logContext, logItems, logList, wholeTextLines } from '../tables/log-table.ts'
import { symbolsContext } from '../tables/symbols-context.ts'
import { statusLetter, type TickerItem, tickerItems, tickersContext, tickersList } from '../tables/tickers-table.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { useDesk, useDeskCalmly, useFeed, useStaleTime } from '../text/desk-context.ts'
import { clockText } from '../text/moment.ts'
import { type Row, rowWidth, span } from '../text/row.ts'
import { auctionParts } from '../text/trade-words.ts'
import {
  type ListContent,
  type PaneProps,
  PaneView,
  staleNote,
  useRawRows,
  waitingNote,
  withRawRows,
  words,
} from './pane-view.tsx'

type BalancesState = Pick<DeskState, 'balances' | 'instruments' | 'tickers' | 'tables' | 'nowMs'>

/**
 * What the values are in, and what they leave out or rest on, in the longest form that `room` cells hold: a warning is
 * never cut.
 */
function valueNote({ counter, unpriced, arePricesOld }: BalancesContext, room: number): Row {
  const unknown = unpriced.length === 0 ? '' : `, no price for ${unpriced.map(cellText).join(' ')}`
  const old = span('prices STALE', 'bad')
  const forms: Row[] = [`value in ${cellText(counter)}${unknown}`, cellText(counter)].map((text) =>
    arePricesOld ? [span(`${text}, `, 'label'), old] : [span(text, 'label')],
  )
  if (arePricesOld) forms.push([old])
  return forms.find((form) => rowWidth(form) <= room) ?? forms.at(-1) ?? []
}

/** What the balances pane lists in `rowCount` lines of `width` cells; the total is always among them. */
export function balancesContent(state: BalancesState, width: number, rowCount: number): ListContent {
  const { balances, tables, nowMs } = state
  const stale = staleNote(balances, 'balances', nowMs)
  if (balances.value === null)
    return { note: stale, rows: words(waitingNote('your balances', balances), width), isStale: false }
  if (balances.value.length === 0)
    return { note: stale, rows: words('This account holds nothing yet.', width), isStale: false }
  const context = balancesContext(state)
  const list = balancesList.draw({
    items: balanceItems(state),
    context,
    view: tables.views.balances,
    isTyping: tables.typing === 'balances',
    width,
    rowCount,
    nowMs: 0,
  })
  const start = [...list.foot, ...(list.foot.length > 0 ? [span('  ')] : [])]
  const foot = [...start, ...valueNote(context, width - 2 - rowWidth(start))]
  return { note: [...list.note, ...stale], foot, rows: list.rows, isStale: isStale(balances, 'balances', nowMs) }
}

export const BalancesPane = memo(function BalancesPane(props: PaneProps) {
  const balances = useFeed('balances', (state) => state.balances)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const tickers = useFeed('tickers', (state) => state.tickers)
  const tables = useDesk((state) => state.tables)
  const nowMs = useStaleTime([balances, tickers])
  const state = { balances, instruments, tickers, tables, nowMs }
  const raw = useRawRows('balances', props.width - 2)
  const content = balancesContent(state, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="balances" content={withRawRows(content, raw)} />
})

type FillsState = Pick<
  DeskState,
  'fills' | 'fillHistory' | 'fillSums' | 'instruments' | 'symbol' | 'tables' | 'nowMs' | 'ahead'
>

/** How far back the list goes, in the lower border; nothing before anyone scrolled to its end. */
function historyNote({ call, reach }: FillHistory): Row {
  if (call.kind === 'asking') return [span('asking for older ones…', 'label')]
  if (call.kind === 'failed') return [span(`no older ones: ${cellText(call.sentence)}`, 'warn')]
  return reach === 'none'
    ? []
    : [span({ some: 'more with End', all: 'all there are', most: 'as many as are kept' }[reach], 'label')]
}

const joinedBy = (between: string, parts: readonly Row[]): Row =>
  parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [span(between, 'label'), ...part]))

/**
 * What the fills pane lists in `rowCount` lines of `width` cells, with the sums at its foot where it is high enough.
 */
export function fillsContent(state: FillsState, width: number, rowCount: number): ListContent {
  const { fills, fillHistory, fillSums, tables, nowMs, ahead } = state
  const stale = staleNote(fills, 'fills', nowMs)
  if (fills.value === null) return { note: stale, rows: words(waitingNote('your fills', fills), width), isStale: false }
  if (fills.value.length === 0) return { note: stale, rows: words('No fills yet.', width), isStale: false }
  const context = symbolsContext(state.instruments.value)
  const sumCount = sumLineCount(rowCount)
  const listRows = rowCount - sumCount
  const list = fillsList.draw({
    items: fillItems(state),
    context,
    view: tables.views.fills,
    isTyping: tables.typing === 'fills',
    width,
    rowCount: listRows,
    nowMs: utcDayStart((fills.atMs ?? nowMs) + ahead.exchangeMs),
  })
  const filled: readonly Row[] = Array.from({ length: listRows }, (_, row) => list.rows[row] ?? [])
  const sums = sumsRows(fillSums, state.symbol, context, width, sumCount)
  return {
    note: [...list.note, ...stale],
    foot: joinedBy(' · ', [list.foot, historyNote(fillHistory), sessionFoot(fillSums, context)]),
    rows: sumCount === 0 ? list.rows : [...filled, ...sums],
    isStale: isStale(fills, 'fills', nowMs),
  }
}

export const FillsPane = memo(function FillsPane(props: PaneProps) {
  const fills = useFeed('fills', (state) => state.fills)
  const fillHistory = useDesk((state) => state.fillHistory)
  const fillSums = useDesk((state) => state.fillSums)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const symbol = useDesk((state) => state.symbol)
  const tables = useDesk((state) => state.tables)
  // The day tells which times need their date.
  const ahead = useDesk((state) => state.ahead)
  const dayMs = useDesk((state) => utcDayStart(exchangeNow(state)) - state.ahead.exchangeMs)
  const nowMs = useStaleTime([fills], dayMs)
  const state = { fills, fillHistory, fillSums, instruments, symbol, tables, nowMs, ahead }
  const raw = useRawRows('fills', props.width - 2)
  const content = fillsContent(state, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="fills" content={withRawRows(content, raw)} />
})

/** Lines of the log from the newest on, each in full: what is too long goes on below, under its own text. */
export function logRows(newestFirst: readonly LogLine[], width: number, rowCount: number): Row[] {
  const rows: Row[] = []
  for (const { atMs, level, text } of newestFirst) {
    if (rows.length >= rowCount) break
    const { tone, sign } = levelLook(level)
    const time = ` ${clockText(atMs)} `
    const lines = wrapWords(sign + cellText(text), Math.max(1, width - time.length))
    rows.push(
      ...lines.map((line, index): Row => [span(index === 0 ? time : ' '.repeat(time.length), 'dim'), span(line, tone)]),
    )
  }
  return rows.slice(0, rowCount)
}

/** Until a person chooses a row or an order the log is read like a text, from the newest line on. */
const isRead = ({ selectedKey, sort }: TableView): boolean => selectedKey === null && sort === null

type LogState = Pick<DeskState, 'log' | 'tables'>

/**
 * What the log pane shows in `rowCount` lines of `width` cells: text to read, or a list once somebody walks through it,
 * with the chosen line in full below.
 */
export function logContent(state: LogState, width: number, rowCount: number): ListContent {
  const { log, tables } = state
  if (log.length === 0) return { note: [], rows: words('Nothing has happened yet.', width), isStale: false }
  const view = tables.views.log
  const items = logItems(state)
  const isTyping = tables.typing === 'log'
  const below = wholeTextLines(rowCount)
  const listRows = rowCount - below
  const picture = { items, context: logContext, view, isTyping, width, nowMs: 0 }
  if (isRead(view)) {
    const { rows } = logList.ordered(items, logContext, view)
    const { note } = logList.draw({ ...picture, rowCount })
    return { note, rows: logRows(rows, width, rowCount), isStale: false }
  }
  const list = logList.draw({ ...picture, rowCount: listRows })
  const chosen = items.find(({ key }) => key === view.selectedKey)
  const padded = Array.from({ length: listRows }, (_, row): Row => list.rows[row] ?? [])
  const whole = chosen === undefined ? [] : logRows([chosen], width, below)
  return { ...list, rows: [...padded, ...whole], isStale: false }
}

export const LogPane = memo(function LogPane(props: PaneProps) {
  const log = useDesk((state) => state.log)
  const tables = useDesk((state) => state.tables)
  return <PaneView {...props} pane="log" content={logContent({ log, tables }, props.width - 2, props.height - 2)} />
})

const meanings = { H: 'halted, auction', F: 'halted, frozen', S: 'suspended', C: 'closed' } as const

/** What the letters stand for, and how the auctions of the symbols that have one stand. */
function statusLegend(items: readonly TickerItem[]): Row[] {
  const present = items.flatMap(({ instrument }) => (instrument === undefined ? [] : [instrument]))
  const letters = (Object.keys(meanings) as (keyof typeof meanings)[]).filter((letter) =>
    present.some(({ status }) => statusLetter(status) === letter),
  )
  const legend = letters.map((letter): Row => [span(` ${letter}`, 'warn'), span(` = ${meanings[letter]}`, 'label')])
  const auctions = present
    .filter(({ status }) => status === 'halt')
    .flatMap((instrument): Row[] => [
      [span(` ${cellText(instrument.base)}`, 'label'), span(` ${auctionParts(instrument).price}`)],
      [span(`   ${auctionParts(instrument).rest}`)],
    ])
  return [...legend, ...auctions]
}

type TickersState = Pick<
  DeskState,
  'tickers' | 'instruments' | 'priceHistory' | 'symbol' | 'symbol2' | 'tables' | 'nowMs'
>

/** What the tickers pane lists in `rowCount` lines of `width` cells; the legend takes what the symbols leave. */
export function tickersContent(state: TickersState, width: number, rowCount: number): ListContent {
  const { tickers, tables, nowMs } = state
  const stale = staleNote(tickers, 'tickers', nowMs)
  if (tickers.value === null) return { note: stale, rows: words(waitingNote('prices', tickers), width), isStale: false }
  const items = tickerItems(state)
  const { rows, note, foot } = tickersList.draw({
    items,
    context: tickersContext(state),
    view: tables.views.tickers,
    isTyping: tables.typing === 'tickers',
    width,
    rowCount,
    nowMs: 0,
  })
  const legend = statusLegend(items)
  const spare = rowCount - rows.length - 1
  const filled: readonly Row[] = spare >= legend.length && legend.length > 0 ? [...rows, [], ...legend] : rows
  return { note: [...note, ...stale], foot, rows: filled, isStale: isStale(tickers, 'tickers', nowMs) }
}

export const TickersPane = memo(function TickersPane(props: PaneProps) {
  const tickers = useFeed('tickers', (state) => state.tickers)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const priceHistory = useDeskCalmly((state) => state.priceHistory)
  const symbol = useDesk((state) => state.symbol)
  const symbol2 = useDesk((state) => state.symbol2)
  const tables = useDesk((state) => state.tables)
  const nowMs = useStaleTime([tickers])
  const state = { tickers, instruments, priceHistory, symbol, symbol2, tables, nowMs }
  const raw = useRawRows('tickers', props.width - 2)
  const content = tickersContent(state, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="tickers" content={withRawRows(content, raw)} />
})
