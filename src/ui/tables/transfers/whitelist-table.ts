import { memoizeLast } from '../../../base/memoize.ts'
import type { WhitelistEntry } from '../../../domain/transfers/transfer.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ageColumn, countColumn, momentTexts, perRow, wordColumn } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn } from '../list-table.ts'
import { unknownMark } from '../partly-known.ts'
import { type TransfersContext, withdrawalsContext } from './transfers-context.ts'

type Column = ListColumn<WhitelistEntry, TransfersContext>
const word = wordColumn<WhitelistEntry, TransfersContext>

/** An entry without a currency is valid for any. */
const currencyText = ({ currency }: WhitelistEntry): string => currency ?? 'any'

const lastPaidMs = ({ whitelistId }: WhitelistEntry, { paid }: TransfersContext): number | null =>
  paid?.get(whitelistId)?.lastMs ?? null

/** Null while it is unknown. */
const paidCount = ({ whitelistId }: WhitelistEntry, { paid }: TransfersContext): number | null =>
  paid === null ? null : (paid.get(whitelistId)?.count ?? 0)

const isNeverPaid = (entry: WhitelistEntry, context: TransfersContext): boolean => paidCount(entry, context) === 0

const columns: readonly Column[] = [
  { ...word('currency', 'CUR', currencyText, 0), tone: 'title' },
  { ...word('name', 'NAME', ({ name }) => name, 0), isFlexible: true },
  word('id', 'ID', ({ whitelistId }) => whitelistId, 0),
  {
    ...countColumn('paid', 'PAID', paidCount, 3),
    cells: perRow((entry, context) => {
      const count = paidCount(entry, context)
      return count === null ? unknownMark : `${count}x`
    }),
    tone: 'dim',
  },
  {
    ...ageColumn(lastPaidMs, 2, {
      aheadMs: (_, { aheadMs }: TransfersContext) => aheadMs,
      never: (entry, context) => (isNeverPaid(entry, context) ? 'never' : unknownMark),
    }),
    ...{ key: 'last', head: 'LAST', tone: 'dim' },
  },
]

const none: readonly WhitelistEntry[] = []

/** By currency, then by name, so that entries for one currency stay together. */
const ordered = memoizeLast((entries: readonly WhitelistEntry[]): readonly WhitelistEntry[] =>
  entries.toSorted(
    (left, right) => currencyText(left).localeCompare(currencyText(right)) || left.name.localeCompare(right.name),
  ),
)
const whitelistItems = ({ whitelist }: Pick<DeskState, 'whitelist'>): readonly WhitelistEntry[] =>
  ordered(whitelist.value ?? none)

/** Allowed beneficiaries by currency; the exchange reports an entry's name and id, never its address. */
const whitelistList = createList({
  columns,
  keyOf: ({ whitelistId }: WhitelistEntry) => whitelistId,
  fields: [
    { label: 'name', text: ({ name }: WhitelistEntry) => name },
    { label: 'id', text: ({ whitelistId }) => whitelistId },
    { label: 'currency', text: currencyText },
    { label: 'paid', text: (entry, context: TransfersContext) => String(paidCount(entry, context) ?? '') },
    {
      label: 'last paid',
      ...momentTexts(lastPaidMs),
      instead: (entry, context) => (isNeverPaid(entry, context) ? 'never, as far as the exchange lists' : 'unknown'),
    },
    { label: 'address', text: () => '', instead: () => 'not reported' },
  ],
})

export const whitelistSource = listSource('whitelist', whitelistList, whitelistItems, withdrawalsContext)
