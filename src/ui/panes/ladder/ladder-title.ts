import { type Book, isCrossed, spread } from '../../../domain/market/book.ts'
import { formatPrice, type Instrument, isHalted } from '../../../domain/market/instrument.ts'
import type { Feed } from '../../../store/feeds/feed.ts'
import type { LadderState } from '../../../store/ladder/ladder.ts'
import { nameText } from '../../text/cells.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import { auctionTime } from './auction-text.ts'

export type LadderTitleInput = {
  name: string
  symbol: string
  instrument: Instrument | undefined
  book: Feed<Book>
  groupTicks: number
  view: LadderState['view']
  /** What must be said about the age of the data; it takes the place of group and spread. */
  stale: Row
}

/** The longest of the forms that fits. */
const longest = (forms: readonly Row[], width: number): Row =>
  forms.find((form) => rowWidth(form) <= width) ?? forms.at(-1) ?? []

/** A halted symbol: what that means, and when it opens; the auction itself stands at the foot. */
function haltedTitle(name: string, symbol: string, instrument: Instrument, width: number): Row {
  const word = instrument.status === 'halt' ? 'HALT' : 'HALT-FREEZE'
  const time = auctionTime(instrument.auction.time)
  const when = time === '' ? '' : ` at ${time}Z`
  const title = (text: string) => span(text, 'title')
  return longest(
    [
      [title(`${name} ${symbol}  `), span(`${word}: opens by auction${when}`, 'warn')],
      [title(`${name} ${symbol} `), span(`${word}: auction${when}`, 'warn')],
      [title(`${symbol} `), span(`${word}${when}`, 'warn')],
    ],
    width,
  )
}

/** The pane's title, in the longest form that `width` cells hold. */
export function ladderTitle(input: LadderTitleInput, width: number): Row {
  const { name, instrument, book, groupTicks, view, stale } = input
  const symbol = nameText(input.symbol)
  if (instrument === undefined) return [span(`${name} ${symbol}`, 'title')]
  if (stale.length > 0) {
    const word = instrument.status === 'open' ? '' : ` ${instrument.status.toUpperCase()}`
    return [span(`${name} ${symbol}`, 'title'), span(word, 'warn'), ...stale]
  }
  if (isHalted(instrument)) return haltedTitle(name, symbol, instrument, width)
  const status = instrument.status === 'open' ? '' : ` ${instrument.status.toUpperCase()}`
  const level = view === 'queues' ? '  LEVEL 3' : ''
  const group = `  grp ${formatPrice(instrument.tickSize.times(groupTicks), instrument)}`
  const gap = book.value === null ? null : spread(book.value)
  // A crossed book trades nothing: what it has is no spread.
  const isAuction = book.value !== null && isCrossed(book.value)
  const spreadText = gap === null ? '' : isAuction ? '  crossed: auction' : `  sp ${formatPrice(gap, instrument)}`
  const start: Row = [span(`${name} ${symbol}`, 'title'), span(status, 'warn'), span(level, 'title')]
  return longest([[...start, span(group + spreadText, 'label')], [...start, span(group, 'label')], start], width)
}
