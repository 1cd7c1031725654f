import { cellText } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import { auctionParts } from '../ladder/auction-text.ts'
import { statusLetter } from './status-letter.ts'
import type { TickerItem } from './ticker-items.ts'

const meanings = { H: 'halted, auction', F: 'halted, frozen', S: 'suspended', C: 'closed' } as const

/** What the letters stand for, and how the auctions of the symbols that have one stand. */
export function statusLegend(items: readonly TickerItem[]): Row[] {
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
