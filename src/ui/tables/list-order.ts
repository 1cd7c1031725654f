import { Decimal } from '../../domain/money.ts'
import type { TableSort } from '../../store/tables/tables.ts'
import type { ListColumn, ListTable, SortValue } from './list-table.ts'

type Wanted<Item, Context> = { text: string; columns: readonly ListColumn<Item, Context>[] }

/** The column that `name:` means: by key or head, whole or only begun; none when it begins several or nothing. */
function columnNamed<Item, Context>(
  columns: readonly ListColumn<Item, Context>[],
  name: string,
): ListColumn<Item, Context> | undefined {
  const named = (is: (text: string) => boolean) =>
    columns.filter(({ key, head }) => is(key.toLowerCase()) || is(head.toLowerCase()))
  const whole = named((text) => text === name)
  const begun = named((text) => text.startsWith(name))
  return whole[0] ?? (begun.length === 1 ? begun[0] : undefined)
}

/**
 * The words of a filter, and where each is looked for. `14:02` names no column, so it is looked for everywhere as it
 * is.
 */
function wantedOf<Item, Context>(
  columns: readonly ListColumn<Item, Context>[],
  filter: string,
): Wanted<Item, Context>[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.map((word) => {
    const at = word.indexOf(':')
    const column = at > 0 ? columnNamed(columns, word.slice(0, at)) : undefined
    return column === undefined ? { text: word, columns } : { text: word.slice(at + 1), columns: [column] }
  })
}

/**
 * The rows in which every word of the filter is found, case aside, in their own order; hidden columns are looked in
 * too.
 */
export function filterRows<Item, Context>(
  { columns }: Pick<ListTable<Item, Context>, 'columns'>,
  items: readonly Item[],
  context: Context,
  filter: string,
): readonly Item[] {
  const wanted = wantedOf(columns, filter)
  if (wanted.length === 0) return items
  return items.filter((item) => {
    const texts = new Map<string, string>()
    const textOf = ({ key, text }: ListColumn<Item, Context>) => {
      const known = texts.get(key) ?? text(item, context).toLowerCase()
      texts.set(key, known)
      return known
    }
    return wanted.every(({ text, columns: where }) => where.some((column) => textOf(column).includes(text)))
  })
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function compareValues(left: Exclude<SortValue, null>, right: Exclude<SortValue, null>): number {
  if (left instanceof Decimal && right instanceof Decimal) return left.cmp(right)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return collator.compare(String(left), String(right))
}

/**
 * The rows in the order of a column; rows that are alike keep their order, whichever way it goes, and those without a
 * value come last. A sort by a column that is not there, or cannot be sorted by, leaves the list's own order.
 */
export function sortRows<Item, Context>(
  { columns }: Pick<ListTable<Item, Context>, 'columns'>,
  items: readonly Item[],
  context: Context,
  sort: TableSort | null,
): readonly Item[] {
  const read = sort === null ? undefined : columns.find(({ key }) => key === sort.column)?.sort
  if (sort === null || read === undefined) return items
  const sign = sort.direction === 'up' ? 1 : -1
  const valued = items.map((item) => ({ item, value: read(item, context) }))
  valued.sort((left, right) => {
    if (left.value === null || right.value === null) return Number(left.value === null) - Number(right.value === null)
    return sign * compareValues(left.value, right.value)
  })
  return valued.map(({ item }) => item)
}
