import { memo, useMemo } from 'react'
import { memoizeLast } from '../../../base/memoize.ts'
import { capital } from '../../../base/text/plain-text.ts'
import { type Balance, type Fees, knownAvailable, sharedDecimals } from '../../../domain/balance.ts'
import { feeds } from '../../../domain/desk/feeds.ts'
import { noNames, noRulesReason } from '../../../domain/limits.ts'
import type { UnreadableEntry } from '../../../domain/listing.ts'
import { type Book, isCrossed, isLeftBehind, spread } from '../../../domain/market/book.ts'
import { formatQuantity, type Instrument, isHalted } from '../../../domain/market/instrument.ts'
import { change24h } from '../../../domain/market/ticker.ts'
import { Decimal, formatGrouped, formatHeld, zero } from '../../../domain/money.ts'
import type { Order } from '../../../domain/orders/order.ts'
import type { OwnDrafts } from '../../../domain/orders/own-draft.ts'
import type { Side } from '../../../domain/side.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ageMs, emptyFeed, type Feed, isStale } from '../../../store/feeds/feed.ts'
import { activeSymbol } from '../../../store/ladder/ladder.ts'
import { monitorSentence } from '../../../store/mode.ts'
import { unknownOrdersIn } from '../../../store/orders/order-selectors.ts'
import { type Binding, withKeys } from '../../tables/key-bindings.ts'
import { useBindings } from '../../tables/key-context.ts'
import { quantities } from '../../tables/order-items.ts'
import { compactQuantity, percentText, rateText } from '../../text/amounts.ts'
import { cellText, left, nameText } from '../../text/cells.ts'
import { shownFeed, staleTime, useTheme } from '../../text/desk-context.ts'
import { createFrame } from '../../text/frame.tsx'
import { ageText } from '../../text/moment.ts'
import { own } from '../../text/privacy.ts'
import { Region } from '../../text/region.tsx'
import { type Row, span, wordRows } from '../../text/row.ts'
import { auctionTime, currencyScales } from '../../text/trade-words.ts'
import { staleNote, staleWord, words } from '../pane-view.tsx'
import { labelWidth, type TicketContent, valueRow, valueRows } from './ticket-layout.ts'

type MarketState = Pick<
  DeskState,
  | 'focus'
  | 'screen'
  | 'symbol'
  | 'symbol2'
  | 'books'
  | 'instruments'
  | 'listedSymbols'
  | 'tickers'
  | 'orders'
  | 'unknownWrites'
  | 'ownDrafts'
  | 'balances'
  | 'unreadable'
  | 'fees'
  | 'mode'
  | 'hub'
  | 'looks'
  | 'nowMs'
>

/** The best price with its quantity, which is shortened where it has no room: cut it would read as another one. */
function touchRow(label: 'bid' | 'ask', state: MarketState, instrument: Instrument, width: number): Row {
  const book = state.books.get(activeSymbol(state))?.value
  const best = (label === 'bid' ? book?.bids : book?.asks)?.[0]
  if (best === undefined) return valueRow(label, '-', label)
  const price = formatGrouped(best.price, instrument.priceScale)
  const whole = formatQuantity(best.quantity, instrument)
  const room = width - 1 - labelWidth - `${price} x `.length
  const quantity = whole.length <= room ? whole : compactQuantity(best.quantity, Math.max(0, room))
  return valueRow(label, `${price} x ${quantity}`, label)
}

function spreadRow(state: MarketState, instrument: Instrument): Row[] {
  const book = state.books.get(activeSymbol(state))?.value ?? null
  const gap = book === null ? null : spread(book)
  const auction = isHalted(instrument) ? [valueRow('opens', opening(instrument), 'warn')] : []
  if (book === null || gap === null) return auction
  // An auction's book does not trade: bids above asks are neither a spread nor a bargain.
  if (isCrossed(book)) return [valueRow('spread', 'crossed: an auction', 'warn'), ...auction]
  const ticks = gap.div(instrument.tickSize).toDecimalPlaces(0)
  const text = `${formatGrouped(gap, instrument.priceScale)} (${ticks} tick${ticks.eq(1) ? '' : 's'})`
  return [valueRow('spread', text), ...auction]
}

/** The price at which a halted symbol would open now, and the opening time. */
function opening(instrument: Instrument): string {
  const { price, time } = instrument.auction
  const at = auctionTime(time)
  const where = price === null ? 'no price yet' : formatGrouped(price, instrument.priceScale)
  return at === '' ? where : `${where} ${at}Z`
}

function lastRow(state: MarketState, instrument: Instrument): Row[] {
  const ticker = state.tickers.value?.get(activeSymbol(state))
  if (ticker === undefined || ticker.lastPrice === null) return []
  const change = change24h(ticker)
  const text = change === null ? '' : `  ${percentText(change)}`
  const book = state.books.get(activeSymbol(state))?.value ?? null
  const isOld =
    isStale(state.tickers, 'tickers', state.nowMs) ||
    (book !== null && isLeftBehind(ticker.lastPrice, book, instrument.tickSize))
  return [
    [
      ...valueRow('last', formatGrouped(ticker.lastPrice, instrument.priceScale), isOld ? 'dim' : 'text'),
      span(text, change?.lt(0) ? 'ask' : 'bid'),
      span(isOld ? ' old' : '', 'dim'),
    ],
  ]
}

/** The user's working orders of the symbol: count and open quantity per side; empty if none is listed. */
const workingTexts = memoizeLast(
  (orders: readonly Order[], drafts: OwnDrafts, instrument: Instrument, isPrivate: boolean): readonly string[] => {
    const working = orders.filter(({ symbol }) => symbol === instrument.symbol)
    const sumText = (side: Side): string => {
      const amounts = working
        .filter((order) => order.side === side)
        .map((order) => quantities({ kind: 'working', order }, drafts).open)
      const known = amounts.filter((amount) => amount !== null)
      const sum = formatQuantity(Decimal.sum(zero, ...known), instrument)
      return known.length === amounts.length ? sum : known.length === 0 ? '?' : `${sum}+?`
    }
    const sides = (['BUY', 'SELL'] as const).filter((side) => working.some((order) => order.side === side))
    return sides.map(
      (side) => `${working.filter((order) => order.side === side).length} ${side} ${own(sumText(side), isPrivate)}`,
    )
  },
)

/**
 * The user's orders of the symbol at a glance: those with an unknown outcome, then working ones. "None" is claimed only
 * of a fresh list.
 */
function ownRow({ orders, unknownWrites, ownDrafts, looks, nowMs }: MarketState, instrument: Instrument): Row[] {
  const unknown = unknownOrdersIn(unknownWrites, instrument.symbol).length
  const asked = unknown === 0 ? [] : [span(`${unknown} UNKNOWN`, 'warn')]
  const listed =
    orders.value === null
      ? [span('waiting…')]
      : workingTexts(orders.value, ownDrafts, instrument, looks.isPrivate).map((text) => span(text, 'own'))
  const isOld = isStale(orders, 'orders', nowMs)
  const texts = [...asked, ...listed]
  const said = texts.length > 0 ? texts : [span(isOld ? 'none listed' : 'no working orders')]
  const age: Row = isOld ? [span(` STALE ${ageText(ageMs(orders, nowMs) ?? 0)}`, 'bad')] : []
  return said.map((text, index) => [...valueRow(index === 0 ? 'own' : '', ''), text, ...(index === 0 ? age : [])])
}

type Scales = ReturnType<typeof currencyScales>

const availableRows = memoizeLast(
  (
    balances: readonly Balance[] | null,
    unread: readonly UnreadableEntry[] | undefined,
    scales: Scales,
    instrument: Instrument,
    isPrivate: boolean,
    width: number,
  ): Row[] => {
    if (balances === null) return [valueRow('avail', 'waiting…')]
    return [instrument.counter, instrument.base].flatMap((currency, index) => {
      const label = index === 0 ? 'avail' : ''
      const available = knownAvailable(currency, balances, unread)
      if (available === null) return valueRows(label, [`unknown ${cellText(currency)}`], width)
      // The same number of decimals as in the balances list.
      const whole = balances.find((balance) => balance.currency === currency)?.balance ?? available
      const text = formatHeld(available, sharedDecimals([whole, available], scales.get(currency)))
      return valueRows(label, [`${own(text, isPrivate)} ${cellText(currency)}`], width)
    })
  },
)

const feesRow = memoizeLast((fees: Fees | null, width: number): Row[] => {
  if (fees === null) return []
  const { makerRate, takerRate } = fees
  return [
    valueRow(
      'fee',
      `${rateText(makerRate)} ${width < 36 ? 'mk' : 'maker'} / ${rateText(takerRate)} ${width < 36 ? 'tk' : 'taker'}`,
    ),
  ]
})

/** The next step for a user who has not placed an order yet, as far as the mode allows it. */
const guideRows = memoizeLast(
  (mode: MarketState['mode'], hub: MarketState['hub'], bindings: readonly Binding[], width: number): Row[] => {
    const key = (names: string, text: string): Row => {
      const name = withKeys(names, bindings)
      return [span(` ${left(name, Math.max(labelWidth, name.length + 1))}`, 'key'), span(text, 'label')]
    }
    const move = () => key('{cursorDown}/{cursorUp}', 'point at a price')
    const trade = () => key('{buy}/{sell}', 'buy or sell')
    switch (mode.kind) {
      case 'MONITOR':
        return wordRows(
          hub === null ? 'MONITOR is read only: start without --monitor to trade.' : monitorSentence({ hub }),
          width,
          'label',
        )
      case 'SAFE':
      case 'HALTED':
        return [key('{toggleArmed}', 'arm the desk, then'), move(), trade()]
      case 'ARMED':
        return [move(), trade(), key('{cancelAtCursor}', 'cancel own there')]
    }
  },
)

/** Ages of a stale book and stale balances: each under its name, or the book's alone if both do not fit. */
function oldFeeds({ book, balances }: Record<'book' | 'balances', Feed<unknown>>, nowMs: number, room: number): Row {
  const isBookOld = isStale(book, 'book', nowMs)
  if (!isStale(balances, 'balances', nowMs)) return staleNote(book, 'book', nowMs)
  const each = [...(isBookOld ? [['book', book] as const] : []), ['balances', balances] as const]
  const ages = each.map(([name, feed]) => `${feeds[name].shortLabel} ${ageText(ageMs(feed, nowMs) ?? 0)}`)
  const text = `${staleWord}${ages.join(' ')}`
  return isBookOld && text.length > room ? staleNote(book, 'book', nowMs) : [span(text, 'bad')]
}

/** The ticket's place while none is open: the market, the user's part in it, and the keys that open a ticket. */
export function marketContent(
  state: MarketState,
  { width, rowCount, bindings }: { width: number; rowCount: number; bindings: readonly Binding[] },
): TicketContent {
  const { nowMs } = state
  const { isPrivate } = state.looks
  const book = state.books.get(activeSymbol(state)) ?? emptyFeed
  const name = `Market ${nameText(activeSymbol(state))}`
  const stale = oldFeeds({ book, balances: state.balances }, nowMs, width - name.length - 2)
  const title: Row = [span(name, 'title'), ...stale]
  const instrument = state.instruments.value?.get(activeSymbol(state))
  const guide = guideRows(state.mode, state.hub, bindings, width)
  if (instrument === undefined) {
    const { value: listed } = state.instruments
    const why = noRulesReason(activeSymbol(state), listed ?? noNames, state.listedSymbols?.unread ?? noNames)
    const text = listed === null ? 'Waiting for the market…' : `${capital(cellText(why))}.`
    return { title, rows: [...words(text, width), [], ...guide].slice(0, rowCount), kind: 'plain' }
  }
  const unread = state.unreadable.balances?.entries
  const scales = currencyScales(state.instruments.value)
  const market = [
    touchRow('ask', state, instrument, width),
    touchRow('bid', state, instrument, width),
    ...spreadRow(state, instrument),
    ...lastRow(state, instrument),
    ...ownRow(state, instrument),
    ...availableRows(state.balances.value, unread, scales, instrument, isPrivate, width),
    ...feesRow(state.fees.value, width),
  ].slice(0, Math.max(0, rowCount - guide.length))
  const spare = rowCount - market.length - guide.length
  const rows = spare > 0 ? [...market, [], ...guide] : [...market, ...guide]
  return { title, rows, kind: 'plain', isStale: stale.length > 0 }
}

/** Inputs of the market view; each pane needs a selector of its own, which keeps the map of its book. */
function marketSelector() {
  const booksOf = memoizeLast(
    (symbol: string, value: Book | null, failure: Feed<Book>['failure'], atMs: number | null) =>
      new Map([[symbol, { value, failure, atMs }]]),
  )
  return (state: DeskState): MarketState => {
    const { focus, screen, symbol, symbol2, listedSymbols, unknownWrites, ownDrafts, mode, hub, looks, nowMs } = state
    const active = activeSymbol(state)
    const book = shownFeed(state.books.get(active) ?? emptyFeed, 'book', nowMs)
    const balances = shownFeed(state.balances, 'balances', nowMs)
    const tickers = shownFeed(state.tickers, 'tickers', nowMs)
    const orders = shownFeed(state.orders, 'orders', nowMs)
    return {
      ...{ focus, screen, symbol, symbol2, listedSymbols, mode, hub, looks },
      ...{ orders, unknownWrites, ownDrafts, balances, tickers },
      books: booksOf(active, book.value, book.failure, book.atMs),
      instruments: shownFeed(state.instruments, 'instruments', nowMs),
      fees: shownFeed(state.fees, 'fees', nowMs),
      unreadable: state.unreadable,
      nowMs: staleTime([book, balances, tickers, orders], nowMs),
    }
  }
}

/** The market at a glance, the user's part in it, and how to start an order. */
export const MarketPane = memo(function MarketPane({ width, height }: { width: number; height: number }) {
  const theme = useTheme()
  const bindings = useBindings()
  const select = useMemo(marketSelector, [])
  const rows = useMemo(() => {
    const frame = createFrame({ width, height }, 'plain', theme)
    return (state: MarketState) => frame(marketContent(state, { width: width - 2, rowCount: height - 2, bindings }))
  }, [bindings, width, height, theme])
  return <Region width={width} height={height} select={select} rows={rows} />
})
