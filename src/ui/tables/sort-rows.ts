import { Decimal } from '../../domain/money.ts'
import type { TableSort } from '../../store/tables/tables.ts'
import type { ListTable, SortValue } from './list-table.ts'

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
