import { memo } from 'react'
import { emptyFeed, isStale } from '../../../store/feeds/feed.ts'
import { useDesk, useDeskCalmly, useTheme } from '../../console-context.ts'
import { useFeed } from '../../use-feed.ts'
import { type PaneProps, PaneView } from '../pane-view.tsx'
import { chartContent } from './chart-rows.ts'
import { chartSentences } from './chart-sentences.ts'

/** Price line and depth curve of the symbol in view. */
export const ChartPane = memo(function ChartPane(props: PaneProps) {
  const theme = useTheme()
  const symbol = useDesk((state) => state.symbol)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const tickers = useDesk((state) => state.tickers)
  const priceHistory = useDeskCalmly((state) => state.priceHistory)
  const fills = useFeed('fills', (state) => state.fills)
  const chart = useDesk((state) => state.chart)
  const book = useFeed('book', (state) => state.books.get(state.symbol) ?? emptyFeed)
  // Time alone changes nothing but how old is what is old.
  const nowMs = useDesk((state) =>
    isStale(tickers, 'tickers', state.nowMs) || isStale(book, 'book', state.nowMs) ? state.nowMs : 0,
  )
  const isSpoken = useDesk((state) => state.looks.isSpoken)
  const input = { symbol, instruments, tickers, priceHistory, fills, chart, book, nowMs }
  const width = props.width - 2
  const glyphs = theme.glyphs.isAscii ? 'ascii' : 'braille'
  const drawn = chartContent(input, { width, height: props.height - 2 }, glyphs)
  const content = isSpoken ? { ...drawn, rows: chartSentences(input, width) } : drawn
  return <PaneView {...props} pane="chart" content={content} />
})
