import type { WhitelistEntry } from '../../../domain/transfers/transfer.ts'
import type { DeskState } from '../../../store/desk.ts'
import { momentText, wholeAgeText } from '../../text/moment.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import { type ListColumn, momentTexts } from '../list-table.ts'
import { memoizeLast } from '../memoize.ts'
import { type TransfersContext, withdrawalsContext } from './transfers-context.ts'

type Column = ListColumn<WhitelistEntry, TransfersContext>

/** An entry that names no currency is for any. */
const currencyText = ({ currency }: WhitelistEntry): string => currency ?? 'any'

const words = (key: string, head: string, read: (entry: WhitelistEntry) => string, rank: number): Column => ({
  key,
  head,
  text: read,
  sort: read,
  align: 'left',
  rank,
})

const lastPaidMs = ({ whitelistId }: WhitelistEntry, { paid }: TransfersContext): number | null =>
  paid.get(whitelistId)?.lastMs ?? null

const columns: readonly Column[] = [
  { ...words('currency', 'CUR', currencyText, 0), tone: 'title' },
  { ...words('name', 'NAME', ({ name }) => name, 0), isFlexible: true },
  words('id', 'ID', ({ whitelistId }) => whitelistId, 0),
  {
    key: 'paid',
    head: 'PAID',
    text: ({ whitelistId }, { paid }) => String(paid.get(whitelistId)?.count ?? 0),
    sort: ({ whitelistId }, { paid }) => paid.get(whitelistId)?.count ?? 0,
    cells: (entries, { paid }) => entries.map(({ whitelistId }) => `${paid.get(whitelistId)?.count ?? 0}x`),
    align: 'right',
    tone: 'dim',
    rank: 3,
  },
  {
    key: 'last',
    head: 'LAST',
    text: (entry, context) => {
      const atMs = lastPaidMs(entry, context)
      return atMs === null ? '' : momentText(atMs)
    },
    cells: (entries, context, nowMs) =>
      entries.map((entry) => {
        const atMs = lastPaidMs(entry, context)
        return atMs === null ? 'never' : wholeAgeText(nowMs + context.aheadMs - atMs)
      }),
    sort: (entry, context) => {
      const atMs = lastPaidMs(entry, context)
      return atMs === null ? null : -atMs
    },
    align: 'right',
    tone: 'dim',
    rank: 2,
  },
]

const none: readonly WhitelistEntry[] = []

/** By currency and within it by name: entries for one currency stand together. */
const ordered = memoizeLast((entries: readonly WhitelistEntry[]): readonly WhitelistEntry[] =>
  entries.toSorted(
    (left, right) => currencyText(left).localeCompare(currencyText(right)) || left.name.localeCompare(right.name),
  ),
)
export const whitelistItems = ({ whitelist }: Pick<DeskState, 'whitelist'>): readonly WhitelistEntry[] =>
  ordered(whitelist.value ?? none)

/** Whom money may go to, by currency; the exchange tells name and id of an entry, never its address. */
export const whitelistList = createList({
  columns,
  keyOf: ({ whitelistId }: WhitelistEntry) => whitelistId,
  fields: [
    { label: 'name', text: ({ name }: WhitelistEntry) => name },
    { label: 'id', text: ({ whitelistId }) => whitelistId },
    { label: 'currency', text: currencyText },
    {
      label: 'paid',
      text: ({ whitelistId }, { paid }: TransfersContext) => String(paid.get(whitelistId)?.count ?? 0),
    },
    {
      label: 'last paid',
      ...momentTexts(lastPaidMs),
      instead: () => 'never, as far as the exchange lists',
    },
    { label: 'address', text: () => '', instead: () => 'not reported' },
  ],
})

export const whitelistSource = listSource('whitelist', whitelistList, whitelistItems, withdrawalsContext)
