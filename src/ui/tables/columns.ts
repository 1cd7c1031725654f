import type { Decimal } from '../../domain/money.ts'
import { safeText } from '../text/cells.ts'
import { momentText, readableMoment, wholeAgeText } from '../text/moment.ts'
import type { CellsOf, ListColumn } from './list-table.ts'

type Read<Item, Context, Value> = (item: Item, context: Context) => Value

/**
 * Cells made row by row, and cached while the same row stays in the same place. Text is made safe to print; text that
 * has already passed `cellText` stays as it is.
 */
export function perRow<Item extends object, Context>(
  read: (item: Item, context: Context) => string,
): CellsOf<Item, Context> {
  let last: { items: readonly Item[]; context: Context; cells: readonly string[] } | null = null
  return (items, context) => {
    const before = last?.context === context ? last : null
    const cells = items.map((item, at) => {
      const known = before?.items[at] === item ? before.cells[at] : undefined
      return known ?? safeText(read(item, context))
    })
    last = { items, context, cells }
    return cells
  }
}

/** `perRow` for cells that show ages, which change with time. */
export const perMoment =
  <Item, Context>(read: (item: Item, context: Context, nowMs: number) => string): CellsOf<Item, Context> =>
  (items, context, nowMs) =>
    items.map((item) => safeText(read(item, context, nowMs)))

/** Cells for an id that is still distinguishable: a longer one keeps its start and end. */
export const idShort = 9

/** A column of words in natural sort order; empty cells come last. */
export const wordColumn = <Item, Context>(
  key: string,
  head: string,
  read: Read<Item, Context, string>,
  rank: number,
): ListColumn<Item, Context> => ({
  key,
  head,
  text: read,
  sort: (item, context) => read(item, context) || null,
  align: 'left',
  rank,
})

/** A column of whole numbers; null is an empty cell. */
export const countColumn = <Item, Context>(
  key: string,
  head: string,
  read: Read<Item, Context, number | null>,
  rank: number,
): ListColumn<Item, Context> => ({
  key,
  head,
  text: (item, context) => String(read(item, context) ?? ''),
  sort: read,
  align: 'right',
  rank,
})

/** A column of amounts aligned on their points; null is an empty cell. */
export const amountColumn = <Item, Context>(
  key: string,
  head: string,
  read: Read<Item, Context, Decimal | null>,
  rank: number,
): ListColumn<Item, Context> => ({
  key,
  head,
  text: (item, context) => read(item, context)?.toFixed() ?? '',
  sort: read,
  align: 'point',
  rank,
})

/** A row's timestamp, in ms since 1970: exact and sortable as `text`, readable as `shown`; empty for null. */
export function momentTexts<Item, Context>(
  read: Read<Item, Context, number | null>,
): Record<'text' | 'shown', Read<Item, Context, string>> {
  const written = (write: (atMs: number) => string) => (item: Item, context: Context) => {
    const atMs = read(item, context)
    return atMs === null ? '' : write(atMs)
  }
  return { text: written(momentText), shown: written(readableMoment) }
}

type AgeLook<Item, Context> = {
  /** How far the timestamp's clock is ahead of this machine's; 0 unless given. */
  aheadMs?: Read<Item, Context, number>
  /** The cell's text without a timestamp; empty unless given. */
  never?: Read<Item, Context, string>
}

/** A timestamp's age, to the second; its exact text is the timestamp. */
export const ageColumn = <Item, Context>(
  read: Read<Item, Context, number | null>,
  rank: number,
  { aheadMs = () => 0, never = () => '' }: AgeLook<Item, Context> = {},
) => ({
  key: 'age',
  head: 'AGE',
  text: momentTexts(read).text,
  cells: perMoment((item: Item, context: Context, nowMs) => {
    const atMs = read(item, context)
    return atMs === null ? never(item, context) : wholeAgeText(nowMs + aheadMs(item, context) - atMs)
  }),
  // Ascending order puts the smallest age first.
  sort: (item: Item, context: Context) => {
    const atMs = read(item, context)
    return atMs === null ? null : -atMs
  },
  align: 'right' as const,
  rank,
})
