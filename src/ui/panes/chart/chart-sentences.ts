import { formatPrice, formatQuantity } from '../../../domain/market/instrument.ts'
import { Decimal } from '../../../domain/money.ts'
import { emptyFeed } from '../../../store/feeds/feed.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import { waitingNote } from '../feed-note.ts'
import { type ChartInput, spanText } from './chart-rows.ts'
import { depthPicture } from './depth-curve.ts'
import { stretches } from './price-line.ts'

function priceSentence({ symbol, tickers, priceHistory, instruments, chart }: ChartInput): string {
  const instrument = instruments.value?.get(symbol)
  if (instrument === undefined) return waitingNote(`the rules of ${symbol}`, instruments)
  if (tickers.value === null || tickers.atMs === null) return waitingNote('prices', tickers)
  const window = { startMs: tickers.atMs - chart.spanMs, endMs: tickers.atMs }
  const prices = stretches(priceHistory.get(symbol) ?? [], window).map(({ price }) => price)
  const [first] = prices
  const last = prices.at(-1)
  if (first === undefined || last === undefined) return `Waiting for the first trade in ${symbol}…`
  const text = (price: Decimal) => formatPrice(price, instrument)
  const way = last.gt(first) ? 'up' : last.lt(first) ? 'down' : 'level'
  const range = `between ${text(Decimal.min(...prices))} and ${text(Decimal.max(...prices))}`
  return `${symbol} over ${spanText(chart.spanMs)}: ${way} from ${text(first)} to ${text(last)}, ${range}.`
}

function depthSentence({ symbol, instruments, book = emptyFeed }: ChartInput): string {
  const instrument = instruments.value?.get(symbol)
  if (book.value === null || instrument === undefined) return waitingNote('the book', book)
  const picture = depthPicture(book.value, instrument, 1)
  if (picture === null) return `Nothing rests in the book of ${symbol}.`
  const [bids, asks] = [picture.bids[0], picture.asks[0]].map((sum) =>
    sum === undefined ? '0' : formatQuantity(sum, instrument),
  )
  const [low, high] = [picture.low, picture.high].map((price) => formatPrice(price, instrument))
  return `Bids of ${bids} down to ${low}, asks of ${asks} up to ${high}.`
}

/** What the pictures show in words, for those who hear the desk. */
export const chartSentences = (input: ChartInput, width: number): Row[] =>
  [priceSentence(input), depthSentence(input)].flatMap((sentence) =>
    wrapWords(cellText(sentence), Math.max(1, width - 1)).map((line) => [span(` ${line}`)]),
  )
