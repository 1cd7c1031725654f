import type { Book } from '../../../domain/book.ts'
import { spread } from '../../../domain/book.ts'
import { formatPrice, type Instrument } from '../../../domain/instrument.ts'
import { formatGrouped } from '../../../domain/money.ts'
import type { Feed } from '../../../store/feed.ts'
import { cellText } from '../../text/cells.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'

const auctionTime = (time: string | null): string =>
  time === null || !/^\d{4}$/.test(time) ? '' : `${time.slice(0, 2)}:${time.slice(2)}`

/** What a halted symbol's auction shows so far: its price, and then what is left over on which side and when it opens. */
export function auctionParts(instrument: Instrument): { price: string; rest: string } {
  const { price, imbalance, time } = instrument.auction
  const left =
    imbalance === null || imbalance.isZero()
      ? ''
      : `imb ${imbalance.gt(0) ? '+' : ''}${formatGrouped(imbalance, imbalance.decimalPlaces())}`
  const opens = auctionTime(time)
  return {
    price: price === null ? 'no price yet' : formatPrice(price, instrument),
    rest: [left, opens === '' ? '' : `at ${opens}Z`].filter((part) => part !== '').join(' '),
  }
}

function auctionText(instrument: Instrument): string {
  const { price, rest } = auctionParts(instrument)
  return rest === '' ? price : `${price} ${rest}`
}

export type LadderTitleInput = {
  name: string
  symbol: string
  instrument: Instrument | undefined
  book: Feed<Book>
  groupTicks: number
  /** What must be said about the age of the book; it takes the place of group and spread. */
  stale: Row
}

/** The pane's title, in the longest form that `width` cells hold. */
export function ladderTitle(input: LadderTitleInput, width: number): Row {
  const { name, instrument, book, groupTicks, stale } = input
  const symbol = cellText(input.symbol)
  if (instrument === undefined) return [span(`${name} ${symbol}`, 'title')]
  if (stale.length > 0) {
    const word = instrument.status === 'open' ? '' : ` ${instrument.status.toUpperCase()}`
    return [span(`${name} ${symbol}`, 'title'), span(word, 'warn'), ...stale]
  }
  if (instrument.status === 'halt' || instrument.status === 'halt-freeze') {
    const word = instrument.status === 'halt' ? 'HALT' : 'HALT-FREEZE'
    const forms: Row[] = [
      [span(`${name} ${symbol} `, 'title'), span(`${word} auction ${auctionText(instrument)}`, 'warn')],
      [span(`${name} ${symbol} `, 'title'), span(`${word} ${auctionText(instrument)}`, 'warn')],
      [span(`${symbol} `, 'title'), span(`${word} ${auctionText(instrument)}`, 'warn')],
    ]
    return forms.find((form) => rowWidth(form) <= width) ?? forms[2] ?? []
  }
  const status = instrument.status === 'open' ? '' : ` ${instrument.status.toUpperCase()}`
  const group = `grp ${formatPrice(instrument.tickSize.times(groupTicks), instrument)}`
  const gap = book.value === null ? null : spread(book.value)
  const spreadText = gap === null ? '' : `  sp ${formatPrice(gap, instrument)}`
  return [span(`${name} ${symbol}`, 'title'), span(status, 'warn'), span(`  ${group}${spreadText}`, 'label')]
}
