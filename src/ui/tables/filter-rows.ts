import type { ListColumn, ListTable } from './list-table.ts'

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
