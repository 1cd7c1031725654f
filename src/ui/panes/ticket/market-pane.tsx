import { memo, useMemo } from 'react'
import { emptyFeed } from '../../../store/feeds/feed.ts'
import { activeSymbol } from '../../../store/ladder/ladders.ts'
import { useDesk, useTheme } from '../../console-context.ts'
import { useFeed, useStaleTime } from '../../use-feed.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane } from '../../widgets/pane-frame.ts'
import { type MarketState, marketContent } from './market-view.ts'

/** What the market at a glance is made of: it is asked to draw when one of these says something else. */
function useMarket(): MarketState {
  const focus = useDesk((state) => state.focus)
  const screen = useDesk((state) => state.screen)
  const symbol = useDesk((state) => state.symbol)
  const symbol2 = useDesk((state) => state.symbol2)
  const active = useDesk(activeSymbol)
  const book = useFeed('book', (state) => state.books.get(activeSymbol(state)) ?? emptyFeed)
  const books = useMemo(() => new Map([[active, book]]), [active, book])
  const instruments = useFeed('instruments', (state) => state.instruments)
  const tickers = useFeed('tickers', (state) => state.tickers)
  const orders = useFeed('orders', (state) => state.orders)
  const ownDrafts = useDesk((state) => state.ownDrafts)
  const balances = useFeed('balances', (state) => state.balances)
  const fees = useFeed('fees', (state) => state.fees)
  const mode = useDesk((state) => state.mode)
  const reboundKeys = useDesk((state) => state.reboundKeys)
  const nowMs = useStaleTime([book, balances, tickers])
  const data = { books, instruments, tickers, orders, ownDrafts, balances, fees }
  return { focus, screen, symbol, symbol2, ...data, mode, reboundKeys, nowMs }
}

/** The market at a glance, one's own part in it, and how to begin. */
export const MarketPane = memo(function MarketPane({ width, height }: { width: number; height: number }) {
  const theme = useTheme()
  const content = marketContent(useMarket(), { width: width - 2, rowCount: height - 2 })
  return <Lines lines={framePane(content, { width, height }, content.kind, theme)} width={width} />
})
