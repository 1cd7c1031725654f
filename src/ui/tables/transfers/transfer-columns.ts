import { sharedDecimals } from '../../../domain/balance.ts'
import { formatGrouped } from '../../../domain/money.ts'
import type { FollowedDeposit } from '../../../domain/transfers/followed.ts'
import type { WithdrawalAmount } from '../../../domain/transfers/transfer.ts'
import { withoutTrailingZeros } from '../../text/amounts.ts'
import { nameText } from '../../text/cells.ts'
import { wholeAgeText } from '../../text/moment.ts'
import type { Tone } from '../../text/theme.ts'
import { ageColumn, idShort, perMoment, perRow, wordColumn } from '../columns.ts'
import type { ListColumn } from '../list-table.ts'
import { isLate, type TransfersContext, usualText } from './transfers-context.ts'

/** Inputs of the columns that withdrawals and deposits have in common. */
type Transfer<Item, Followed> = {
  id: (item: Item) => string
  /** The id under which the desk followed its progress; empty if it did not. */
  followedId: (item: Item) => string
  currency: (item: Item) => string
  /** When it started; null if unknown. */
  startMs: (item: Item) => number | null
  isUnderWay: (item: Item) => boolean
  /** How far the clock of its start time is ahead of this machine's. */
  aheadMs: (item: Item, context: TransfersContext<Followed>) => number
  tone: (item: Item) => Tone
}

/** An amount with the same decimals as in the balances list; empty if unknown. */
const amountText = (value: WithdrawalAmount | null, currency: string, scales: ReadonlyMap<string, number>): string =>
  value === null ? '' : value === 'max' ? 'all' : formatGrouped(value, sharedDecimals([value], scales.get(currency)))

export function transferColumns<Item extends object, Followed extends Pick<FollowedDeposit, 'tookMs'>>({
  id,
  followedId,
  currency,
  startMs,
  isUnderWay,
  aheadMs,
  tone,
}: Transfer<Item, Followed>) {
  type Context = TransfersContext<Followed>
  type Column = ListColumn<Item, Context>
  const words = (...given: Parameters<typeof wordColumn<Item, Context>>): Column => ({ ...wordColumn(...given), tone })

  /** Cells with every digit of an amount; `short` omits trailing zeros. */
  const amountCells = (read: (item: Item) => WithdrawalAmount | null) => {
    const text = (item: Item, { scales }: Context) => amountText(read(item), currency(item), scales)
    return { whole: perRow(text), short: perRow((item: Item, each: Context) => withoutTrailingZeros(text(item, each))) }
  }

  const tookMs = (item: Item, { followed }: Context): number | null => followed.get(followedId(item))?.tookMs ?? null
  /** How long it took; while in progress, the median of ended ones. */
  const tookText = (item: Item, context: Context): string => {
    const ms = tookMs(item, context)
    if (ms !== null) return wholeAgeText(ms)
    return isUnderWay(item) ? usualText(context.usual, currency(item)) : ''
  }
  const took: Column = {
    key: 'took',
    head: 'TOOK',
    text: tookText,
    cells: perMoment((item, context, nowMs) => {
      const text = tookText(item, context)
      const atMs = startMs(item)
      const isLong =
        isUnderWay(item) &&
        atMs !== null &&
        isLate(context.usual, currency(item), nowMs + aheadMs(item, context) - atMs)
      return isLong ? `${text} LATE` : text
    }),
    sort: tookMs,
    align: 'left',
    tone,
    rank: 5,
  }
  return {
    words,
    amountCells,
    // An id is cut in the middle before amounts and times are dropped.
    id: {
      ...words('id', 'ID', id, 12),
      cells: perRow((item: Item) => nameText(id(item))),
      shorter: { cells: perRow((item: Item) => nameText(id(item), idShort)), rank: 4 },
    },
    currency: words('currency', 'CUR', currency, 0),
    age: { ...ageColumn<Item, Context>(startMs, 2, { aheadMs }), tone },
    took,
    tookMs,
  }
}
