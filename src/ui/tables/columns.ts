import type { Decimal } from '../../domain/money.ts'
import { safeText } from '../text/cells.ts'
import { momentText, readableMoment, wholeAgeText } from '../text/moment.ts'
import type { CellsOf, ListColumn } from './list-table.ts'

type Read<Item, Context, Value> = (item: Item, context: Context) => Value

/**
 * Cells made one by one, and not again while the same row stands in the same place; they are made safe to print, and
 * what has come through `cellText` already stays as it is.
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

/** `perRow` for cells that show ages, which change by themselves. */
export const perMoment =
  <Item, Context>(read: (item: Item, context: Context, nowMs: number) => string): CellsOf<Item, Context> =>
  (items, context, nowMs) =>
    items.map((item) => safeText(read(item, context, nowMs)))

/** Cells of ids as long as they are told apart by: a longer one keeps its start and its end. */
export const idShort = 9

/** A column of plain words, sorted as people read them; what is empty comes last. */
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

/** A column of whole numbers. */
export const countColumn = <Item, Context>(
  key: string,
  head: string,
  read: Read<Item, Context, number>,
  rank: number,
): ListColumn<Item, Context> => ({
  key,
  head,
  text: (item, context) => String(read(item, context)),
  sort: read,
  align: 'right',
  rank,
})

/** A column of amounts with their points below each other; what is null is empty. */
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

/**
 * A moment of a row, in ms since 1970: exact and in order as `text`, for a person to read as `shown`; empty where it is
 * null.
 */
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
  /** How far the clock that the moment is of is ahead of this machine's; not at all unless given. */
  aheadMs?: Read<Item, Context, number>
  /** What stands there without a moment; nothing unless given. */
  never?: string
}

/** How long ago a moment of a row is, to the second; its exact text is the moment. */
export const ageColumn = <Item, Context>(
  read: Read<Item, Context, number | null>,
  rank: number,
  { aheadMs = () => 0, never = '' }: AgeLook<Item, Context> = {},
) => ({
  key: 'age',
  head: 'AGE',
  text: momentTexts(read).text,
  cells: perMoment((item: Item, context: Context, nowMs) => {
    const atMs = read(item, context)
    return atMs === null ? never : wholeAgeText(nowMs + aheadMs(item, context) - atMs)
  }),
  // The youngest first: the smallest age.
  sort: (item: Item, context: Context) => {
    const atMs = read(item, context)
    return atMs === null ? null : -atMs
  },
  align: 'right' as const,
  rank,
})
