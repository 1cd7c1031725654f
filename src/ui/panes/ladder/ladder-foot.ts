import {
  averageScale,
  formatAverage,
  formatQuantity,
  type Instrument,
  isHalted,
} from '../../../domain/market/instrument.ts'
import type { LadderRow } from '../../../domain/market/ladder.ts'
import type { LadderQueues, OwnPosition, QueueEntry } from '../../../domain/market/ladder-queue.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import { type Row, span } from '../../text/row.ts'
import { auctionForms } from './auction-text.ts'
import { placeText } from './queue-rows.ts'

export type LadderFootInput = {
  instrument: Instrument
  position: OwnPosition
  rows: readonly LadderRow[]
  /** Null while level 3 is not shown. */
  queues: LadderQueues | null
  cursorPrice: Decimal | null
}

const fitting = (forms: readonly string[], width: number): string =>
  forms.find((form) => form.length <= width) ?? forms.at(-1) ?? ''

/** Own places in the row of the cursor, in words. */
function placesText({ rows, queues, cursorPrice, instrument }: LadderFootInput, width: number): string {
  if (queues === null || cursorPrice === null) return ''
  const at = rows.findIndex(({ price }) => price.eq(cursorPrice))
  const said = (queue: readonly QueueEntry[] | undefined, side: string): string[] =>
    (queue ?? []).flatMap(({ orderId, quantity, isOwn }) => {
      const place = isOwn && orderId !== null ? queues.places.get(orderId) : undefined
      return place === undefined ? [] : [`${side} ${formatQuantity(quantity, instrument)}: ${placeText(place)}`]
    })
  const own = [...said(queues.bids[at], 'BUY'), ...said(queues.asks[at], 'SELL')]
  const [first = ''] = own
  return own.length === 0 ? '' : fitting([own.join('; '), `${first} (+${own.length - 1} more)`, first], width)
}

/** Own net quantity and average price, as the known fills make them. */
function positionText({ position, instrument }: LadderFootInput, width: number): string {
  const { netQuantity, averagePrice } = position
  if (averagePrice === null) return ''
  const sign = netQuantity.gt(0) ? '+' : '-'
  const net = `${sign}${formatQuantity(netQuantity.abs(), instrument)}`
  const average = formatGrouped(averagePrice, averageScale(instrument))
  return fitting(
    [
      `own fills: net ${net}, @ average ${average}`,
      `net ${net} @ ${average}`,
      `@ ${formatAverage(averagePrice, instrument)}`,
    ],
    width,
  )
}

/** What stands in the lower border: the auction of a halted symbol, own places in the queue, or the own position. */
export function ladderFoot(input: LadderFootInput, width: number): Row {
  if (isHalted(input.instrument)) return [span(fitting(auctionForms(input.instrument), width), 'warn')]
  const places = placesText(input, width)
  const text = places === '' ? positionText(input, width) : places
  return text === '' ? [] : [span(text, 'own')]
}
