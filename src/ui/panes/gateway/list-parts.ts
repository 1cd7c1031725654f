import type { Decimal } from '../../../domain/money.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { CellsOf, ListColumn } from '../../tables/list-table.ts'
import { cellText } from '../../text/cells.ts'
import { clockAheadMs } from '../../text/moment.ts'

/** A column of plain words, sorted as people read them; what is empty comes last. */
export const wordColumn = <Item, Context>(
  key: string,
  head: string,
  read: (item: Item, context: Context) => string,
  rank: number,
): ListColumn<Item, Context> => ({
  key,
  head,
  text: read,
  sort: (item, context) => read(item, context) || null,
  align: 'left',
  rank,
})

/** A column of amounts with their points below each other; what is null is empty. */
export const amountColumn = <Item, Context>(
  key: string,
  head: string,
  read: (item: Item, context: Context) => Decimal | null,
  rank: number,
): ListColumn<Item, Context> => ({
  key,
  head,
  text: (item, context) => read(item, context)?.toFixed() ?? '',
  sort: read,
  align: 'point',
  rank,
})

/** Cells made one by one. */
export const perRow =
  <Item, Context>(read: (item: Item, context: Context, nowMs: number) => string): CellsOf<Item, Context> =>
  (items, context, nowMs) =>
    items.map((item) => cellText(read(item, context, nowMs)))

/**
 * How far a gateway's clock is ahead of the desk's time: the desk's own practice gateway keeps its exchange's, which
 * may be put forward; any other keeps the time that all keep.
 */
export function aheadMsOf({ ahead: { wallMs, exchangeMs }, gateway }: Pick<DeskState, 'ahead' | 'gateway'>): number {
  return clockAheadMs(gateway.deliveries === null ? wallMs : exchangeMs)
}

/** `1 late`, `3 copies`; empty for none. */
export const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`
