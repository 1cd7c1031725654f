import { whileSame } from '../../base/memoize.ts'
import { hubLimitUsd } from '../../domain/hub/person.ts'
import { limitsFor } from '../../domain/limits.ts'
import { formatPrice, type Instrument } from '../../domain/market/instrument.ts'
import { change24h, type Ticker } from '../../domain/market/ticker.ts'
import { formatGrouped } from '../../domain/money.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { unreadText } from '../../store/gateway/gateway.ts'
import { activeLadder, activeSymbol } from '../../store/ladder/ladder.ts'
import { hangUpOf } from '../../store/terminal.ts'
import { lastReceivedAtMs } from '../tables/gateway/inbox-values.ts'
import { dayUse, type LimitUse, openUse, shownBound } from '../tables/limits-used.ts'
import { shortNames } from '../tables/symbols-context.ts'
import { statusLetter } from '../tables/tickers-table.ts'
import { compactAmount, percentText } from '../text/amounts.ts'
import { cellText, cut } from '../text/cells.ts'
import { shortPastText, uptimeText, wholeAgeText } from '../text/moment.ts'
import { ownSentence } from '../text/privacy.ts'
import { cursorMark, edges, type Row, rowWidth, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'

type TickerPart = { name: string; ticker: Ticker | undefined; instrument: Instrument | undefined; isChosen: boolean }

function tickerRow({ name, ticker, instrument, isChosen }: TickerPart): Row {
  const price = ticker?.lastPrice ?? null
  const decimals = instrument?.priceScale ?? price?.decimalPlaces() ?? 0
  const change = ticker === undefined ? null : change24h(ticker)
  const letter = instrument === undefined ? '' : statusLetter(instrument.status)
  const row: Row = [
    cursorMark(isChosen),
    span(`${name} `, isChosen ? 'title' : 'label'),
    span(price === null ? '-' : formatGrouped(price, decimals)),
  ]
  if (letter !== '') return [...row, span(` ${letter}`, 'warn')]
  return change === null ? row : [...row, span(` ${percentText(change)}`, change.lt(0) ? 'ask' : 'bid')]
}

/** Cells of a name, a price and its change: longer than any market needs. */
const tickerMax = 48

/**
 * One line of prices: the symbol in focus with as many others as fit, in the exchange's order, and the count of the
 * rest; its ladder's group at the end.
 */
export function tickersRow(state: DeskState, width: number): Row {
  const { instruments, tickers, nowMs } = state
  const isOld = isStale(tickers, 'tickers', nowMs)
  const symbol = activeSymbol(state)
  const { groupTicks } = state[activeLadder(state)]
  const facts = { symbol, instruments: instruments.value, tickers: tickers.value, groupTicks, isOld }
  return lastTickers([...Object.values(facts), width], () => tickersIn(facts, width))
}

/** The line stays the same while prices do, and while the screen is frozen. */
const lastTickers = whileSame<Row>()

/** Symbols on a line, with a mark that there are more: no price is dropped for that mark. */
function withMore(shown: readonly { row: Row }[], all: number, room: number): Row {
  const line = shown.flatMap(({ row }, index) => (index === 0 ? row : [span('  '), ...row]))
  if (shown.length === all) return line
  // Not `+3`: beside a change it would read as another one.
  const forms = [`  ${all - shown.length} more`, ' …']
  return [...line, span(forms.find((text) => rowWidth(line) + text.length <= room) ?? '…', 'dim')]
}

type TickerFacts = {
  symbol: string
  instruments: DeskState['instruments']['value']
  tickers: DeskState['tickers']['value']
  groupTicks: number
  isOld: boolean
}

function tickersIn({ symbol: chosen, instruments, tickers, groupTicks, isOld }: TickerFacts, width: number): Row {
  const instrument = instruments?.get(chosen)
  const groupText =
    instrument === undefined ? '' : `grp ${formatPrice(instrument.tickSize.times(groupTicks), instrument)} `
  if (tickers === null) return edges([span(' Waiting for prices…', 'dim')], [span(groupText, 'label')], width)
  const symbols = [...(instruments?.keys() ?? tickers.keys())]
  const name = shortNames(instruments)
  const rows = symbols.map((symbol) => ({
    symbol,
    row: tickerRow({
      name: name(symbol),
      ticker: tickers.get(symbol),
      instrument: instruments?.get(symbol),
      isChosen: symbol === chosen,
    }),
  }))
  const chosenWidth = rowWidth(rows.find(({ symbol }) => symbol === chosen)?.row ?? [])
  // The group gives way before the chosen symbol's price or change is cut.
  const group = chosenWidth + 1 + groupText.length <= width ? groupText : ''
  const end: Row = [span(group, 'label')]
  const room = width - group.length - 1
  // Reserve the chosen symbol's room before laying out the others.
  let left = room - chosenWidth
  const shown = rows.filter(({ symbol, row }) => {
    if (symbol === chosen) return true
    // An overly wide one is skipped; the others keep their order and places while prices change.
    if (rowWidth(row) > tickerMax) return false
    if (rowWidth(row) + 2 > left) {
      left = 0
      return false
    }
    left -= rowWidth(row) + 2
    return true
  })
  const line = withMore(shown, rows.length, room)
  return edges(isOld ? line.map((piece) => ({ ...piece, tone: 'dim' as const })) : line, end, width)
}

const part = (name: string, text: string, tone: Tone = 'text'): Row => [span(`${name} `, 'label'), span(text, tone)]

const limitPart = (name: string, { text, share, tone }: LimitUse, isPrivate = false): Row =>
  part(name, isPrivate ? share : text, tone)

function limitParts(state: DeskState): Row[] {
  const { orderNotionalUsd, collarPercent, duplicateWithinMs } = limitsFor(state.limits, activeSymbol(state))
  const own = shownBound(orderNotionalUsd)
  const atHub = hubLimitUsd(state.hub, 'orderUsd')
  const isHubs = atHub !== null && (own === null || atHub.lt(own))
  const most = isHubs ? atHub : own
  const collar = shownBound(collarPercent)
  return [
    part('max/order', most === null ? 'none' : `${compactAmount(most)} USD${isHubs ? ' (hub)' : ''}`),
    part('collar', collar === null ? 'none' : `${collar.toFixed()}%`),
    limitPart('open', openUse(state)),
    limitPart('day', dayUse(state), state.looks.isPrivate),
    part('dup-guard', duplicateWithinMs === 0 ? 'off' : `${duplicateWithinMs / 1000}s`),
  ]
}

/** The desk's rate of calls against its own limit; polls paused at the exchange's request take precedence. */
function callsPart({ session: { calls } }: DeskState): Row[] {
  if (calls === null) return []
  if (calls.pausedMs > 0) return [part('calls', `polls paused ${Math.ceil(calls.pausedMs / 1000)}s`, 'warn')]
  const isNear = calls.perSecond >= calls.perSecondMax * 0.8
  return [part('calls', `${calls.perSecond.toFixed(1)}/${calls.perSecondMax} a second`, isNear ? 'warn' : 'text')]
}

/** What waits in the gateway's inbox, for a user of other panes: `gw 2 unread, oldest 12s, 1 stuck`. */
function gatewayPart(state: DeskState): Row[] {
  const { inbox } = state.gateway
  const oldest = inbox.orders[inbox.unreadCount - 1]
  const texts = [
    ...(oldest === undefined
      ? []
      : [`${unreadText(inbox)} unread, oldest ${wholeAgeText(wallNow(state) - lastReceivedAtMs(oldest))}`]),
    ...(inbox.stuck.size === 0 ? [] : [`${inbox.stuck.size} stuck`]),
    ...(inbox.counts === null || inbox.counts.conflicts === 0 ? [] : [`${inbox.counts.conflicts} conflict`]),
  ]
  return texts.length === 0 ? [] : [part('gw', texts.join(', '), inbox.stuck.size > 0 ? 'warn' : 'text')]
}

/** Shown only if orders are canceled when the terminal hangs up. */
const hangUpPart = (state: DeskState): Row[] =>
  hangUpOf(state) === 'cancel' ? [part('hang-up', 'cancels all', 'warn')] : []

const reasonMax = 40

function rejectPart({ session: { lastReject }, nowMs, ahead, looks }: DeskState): Row[] {
  if (lastReject === null) return []
  const reason = cut(cellText(ownSentence(lastReject.reason, looks.isPrivate)), reasonMax)
  const time = shortPastText(lastReject.atMs + ahead.wallMs, wallNow({ nowMs, ahead }))
  return [part('last reject', `${time} '${reason}'`, 'warn')]
}

/**
 * The desk's limits and their usage, and on the right the state of the calls. What does not fit is dropped, least
 * important first: uptime, the gateway, calls, the last rejection, then limits from the right.
 */
export function limitsRow(state: DeskState, width: number): Row {
  const uptime = part('up', uptimeText(state.nowMs - state.session.startedAtMs))
  const limits = limitParts(state)
  const head = span(' limits:', 'label')
  let left = width - head.text.length - 1
  const fits = (row: Row): boolean => {
    const cells = rowWidth(row) + 2
    if (cells > left) return false
    left -= cells
    return true
  }
  const cutAt = limits.findIndex((row) => !fits(row))
  const own = cutAt === -1 ? limits : limits.slice(0, cutAt)
  const wished = [...hangUpPart(state), ...rejectPart(state), ...callsPart(state), ...gatewayPart(state), uptime]
  const rest = cutAt === -1 ? wished.filter(fits) : []
  const spaced = (rows: readonly Row[]): Row => rows.flatMap((row) => [span('  '), ...row])
  return edges([head, ...spaced(own)], [...spaced(rest), span(' ')], width)
}
