import { memo, useMemo } from 'react'
import { ownPosition } from '../../../domain/market/ladder-queue.ts'
import { Decimal } from '../../../domain/money.ts'
import { ownStops } from '../../../domain/orders/own-draft.ts'
import { emptyFeed, isStale } from '../../../store/feeds/feed.ts'
import type { LadderName } from '../../../store/ladder/ladder.ts'
import { ladderSymbol } from '../../../store/ladder/ladders.ts'
import { useDesk, useTheme } from '../../console-context.ts'
import { useFeed, useStaleTime } from '../../use-feed.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane } from '../../widgets/pane-frame.ts'
import type { PaneProps } from '../pane-view.tsx'
import { ladderContent } from './ladder-content.ts'

export type LadderPaneProps = PaneProps & { which: LadderName }

const noOrders: readonly never[] = []

/** One of the two ladders. */
export const LadderPane = memo(function LadderPane({ which, width, height, isFocused }: LadderPaneProps) {
  const theme = useTheme()
  const symbol = useDesk((state) => ladderSymbol(state, which)) ?? ''
  const book = useFeed('book', (state) => state.books.get(symbol) ?? emptyFeed)
  const queue = useFeed('queue', (state) => state.queues.get(symbol) ?? emptyFeed)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const orders = useDesk((state) => state.orders.value) ?? noOrders
  const drafts = useDesk((state) => state.ownDrafts)
  const fills = useDesk((state) => state.fills.value) ?? noOrders
  const lastText = useDesk((state) => state.tickers.value?.get(symbol)?.lastPrice?.toString()) ?? null
  const isLastStale = useDesk((state) => isStale(state.tickers, 'tickers', state.nowMs))
  const ladder = useDesk((state) => state[which])
  const nowMs = useStaleTime([book, queue])
  const lastPrice = useMemo(() => (lastText === null ? null : new Decimal(lastText)), [lastText])
  const position = useMemo(() => ownPosition(fills, symbol), [fills, symbol])
  const stops = useMemo(() => ownStops(orders, drafts), [orders, drafts])
  const own = { orders, stops, position }
  const input = { which, symbol, book, queue, instruments, ...own, lastPrice, isLastStale, ladder, nowMs }
  const content = ladderContent(input, { width, height }, theme.glyphs)
  return <Lines lines={framePane(content, { width, height }, isFocused ? 'focus' : 'plain', theme)} width={width} />
})
