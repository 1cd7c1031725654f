import { memo } from 'react'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { type Feed, isStale } from '../../store/feeds/feed.ts'
import { type TransferList, transferLists } from '../../store/view/lists.ts'
import { sources } from '../tables/list-registry.ts'
import { depositItems, isUnconfirmed } from '../tables/transfers/deposits-table.ts'
import { queueText, withdrawalItems } from '../tables/transfers/withdrawal-items.ts'
import { ageTime, shownFeed } from '../text/desk-context.ts'
import { type Row, span } from '../text/row.ts'
import { type ListPlace, ListsPane, namesInPlace, type PlaceRoom } from './lists-pane.tsx'
import { type ListContent, type PaneProps, says, staleNote, waitingNote, withRawRows } from './pane-view.tsx'
import { rawRows } from './raw-rows.ts'

/** The part of the state that the transfers pane draws. */
type TransfersState = Pick<
  DeskState,
  | 'withdrawals'
  | 'deposits'
  | 'whitelist'
  | 'drafts'
  | 'unknownWrites'
  | 'followed'
  | 'instruments'
  | 'tables'
  | 'looks'
  | 'transferList'
  | 'nowMs'
  | 'ahead'
>

const heads: Readonly<Record<TransferList, string>> = {
  withdrawals: 'Withdrawals',
  deposits: 'Deposits',
  whitelist: 'Whitelist',
}

/**
 * What the user must know about a list without opening it: `(1 pending)`, `(2 unconfirmed)`; empty if nothing is in
 * progress.
 */
export function countText(state: TransfersState, list: TransferList): string {
  if (list === 'withdrawals') return queueText(withdrawalItems(state))
  const unconfirmed = list === 'deposits' ? depositItems(state).filter(isUnconfirmed).length : 0
  return unconfirmed === 0 ? '' : `(${unconfirmed} unconfirmed)`
}

/** The sentence of an empty list, for a user who has not moved money yet. */
const empty: Readonly<Record<TransferList, string>> = {
  withdrawals: 'No withdrawals yet, and no drafts. See the keys below.',
  deposits: 'No deposits yet. Each currency has its own address to pay in to.',
  whitelist: "The whitelist is empty: add entries on the exchange's web page.",
}
const waitsFor: Readonly<Record<TransferList, string>> = {
  withdrawals: 'your withdrawals',
  deposits: 'your deposits',
  whitelist: 'the whitelist',
}

/** One of the lists in `rowCount` lines of `width` cells, column heads included. */
export function transfersContent(state: TransfersState, list: TransferList, room: PlaceRoom): ListContent {
  const feed: Feed<unknown> = state[list]
  const stale = staleNote(feed, list, state.nowMs)
  // Drafts and unanswered writes are known before the exchange's first answer.
  if (sources[list].isEmpty(state))
    return says(feed.value === null ? waitingNote(waitsFor[list], feed) : empty[list], stale, room.width)
  const { note, foot, rows } = sources[list].draw(state, { ...room, nowMs: wallNow(state) })
  const missing: Row = feed.value === null ? [span(`  ${waitingNote(waitsFor[list], feed)}`, 'warn')] : []
  return { note: [...note, ...stale, ...missing], foot, rows, isStale: isStale(feed, list, state.nowMs) }
}

/** Below this width a list cannot show its essential columns. */
const listWidthMin = 54

/** Below this width a firm's queue cuts off who made a draft, who approved it, and why it was rejected. */
const firmQueueWidthMin = 84

function placesBesideFirmQueue(width: number, front: TransferList): readonly ListPlace<TransferList>[] {
  const besides = Math.floor((width - firmQueueWidthMin) / listWidthMin)
  if (besides < 1) return [{ list: front, width }]
  const others: readonly TransferList[] =
    besides > 1 ? ['deposits', 'whitelist'] : [front === 'whitelist' ? 'whitelist' : 'deposits']
  return [
    { list: 'withdrawals', width: width - others.length * listWidthMin },
    ...others.map((list) => ({ list, width: listWidthMin })),
  ]
}

/**
 * The lists side by side in a pane of this width, from the left, with their widths. A firm's queue shares the pane only
 * once its drafts' details have room.
 */
export function placesFor(
  { transferList: front, drafts }: Pick<DeskState, 'transferList' | 'drafts'>,
  width: number,
): readonly ListPlace<TransferList>[] {
  if (drafts.some(({ madeBy }) => madeBy !== undefined)) return placesBesideFirmQueue(width, front)
  if (width >= listWidthMin * 3) {
    const [first, second] = [Math.floor(width * 0.42), Math.floor(width * 0.32)]
    return [
      { list: 'withdrawals', width: first },
      { list: 'deposits', width: second },
      { list: 'whitelist', width: width - first - second },
    ]
  }
  if (width < listWidthMin * 2) return [{ list: front, width }]
  const first = Math.max(listWidthMin, Math.floor(width * 0.56))
  return [
    { list: 'withdrawals', width: first },
    { list: front === 'whitelist' ? 'whitelist' : 'deposits', width: width - first },
  ]
}

/** Titles for a place's lists, longest first: all of them, those with something in progress, the front one. */
export function titleForms(state: TransfersState, list: TransferList, lists: readonly TransferList[]): string[] {
  const counts = new Map(lists.map((each) => [each, countText(state, each)]))
  const named = (those: readonly TransferList[]) =>
    namesInPlace(those, list, (each) => `${heads[each]} ${counts.get(each)}`.trimEnd())
  return [named(lists), named(lists.filter((each) => each === list || counts.get(each) !== '')), named([list])]
}

type TransfersSource = TransfersState & Pick<DeskState, 'unreadable'>

function selectTransfers(state: DeskState): TransfersSource {
  const { withdrawals, drafts, unknownWrites, followed, tables, looks, transferList, ahead, unreadable, nowMs } = state
  return {
    ...{ withdrawals, drafts, unknownWrites, followed, tables, looks, transferList, ahead, unreadable },
    deposits: shownFeed(state.deposits, 'deposits', nowMs),
    whitelist: shownFeed(state.whitelist, 'whitelist', nowMs),
    instruments: shownFeed(state.instruments, 'instruments', nowMs),
    nowMs: ageTime(state),
  }
}

const listsOf = (state: TransfersSource, width: number) => ({
  lists: transferLists,
  front: state.transferList,
  places: placesFor(state, width),
  contentOf(list: TransferList, room: PlaceRoom) {
    const raw = rawRows(state.unreadable[list], room.width)
    return withRawRows(transfersContent(state, list, { ...room, rowCount: room.rowCount - raw.length }), raw)
  },
  formsOf: (list: TransferList, named: readonly TransferList[]) => titleForms(state, list, named),
})

/** The withdrawals queue, the deposits and the whitelist: as many side by side as fit. */
export const TransfersPane = memo(function TransfersPane(props: PaneProps) {
  return <ListsPane {...props} pane="transfers" select={selectTransfers} listsOf={listsOf} />
})
