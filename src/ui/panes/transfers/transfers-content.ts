import type { FeedName } from '../../../domain/desk/events.ts'
import type { DeskState } from '../../../store/desk.ts'
import { type Feed, isStale } from '../../../store/feeds/feed.ts'
import { wallNow } from '../../../store/time.ts'
import type { TransferList } from '../../../store/transfers/transfers.ts'
import type { DrawnList } from '../../tables/list.ts'
import { type Row, span } from '../../text/row.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { type ListContent, words } from '../pane-view.tsx'
import { depositItems, depositsList, isUnconfirmed } from './deposits-table.ts'
import { depositsContext, withdrawalsContext } from './transfers-context.ts'
import { whitelistItems, whitelistList } from './whitelist-table.ts'
import { queueText, withdrawalItems } from './withdrawal-items.ts'
import { withdrawalsList } from './withdrawals-table.ts'

/** What the transfers pane is made of. */
export type TransfersState = Pick<
  DeskState,
  | 'withdrawals'
  | 'deposits'
  | 'whitelist'
  | 'drafts'
  | 'unsettled'
  | 'followed'
  | 'instruments'
  | 'tables'
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
 * What of a list a person must know without looking at it: `(1 pending)`, `(2 unconfirmed)`; empty when nothing is on
 * its way.
 */
export function countText(state: TransfersState, list: TransferList): string {
  if (list === 'withdrawals') return queueText(withdrawalItems(state))
  const unconfirmed = list === 'deposits' ? depositItems(state).filter(isUnconfirmed).length : 0
  return unconfirmed === 0 ? '' : `(${unconfirmed} unconfirmed)`
}

/** `Withdrawals (1 pending)`. */
export const listName = (state: TransfersState, list: TransferList): string =>
  `${heads[list]} ${countText(state, list)}`.trimEnd()

/** What an empty list says to someone who has not moved money yet. */
const empty: Readonly<Record<TransferList, string>> = {
  withdrawals: 'No withdrawals yet, and no drafts. The keys below say how one is made.',
  deposits: 'No deposits yet. Each currency has its own address to pay in to.',
  whitelist: "The whitelist is empty: entries are made on the exchange's own web page.",
}
const waitsFor: Readonly<Record<TransferList, string>> = {
  withdrawals: 'your withdrawals',
  deposits: 'your deposits',
  whitelist: 'the whitelist',
}

type Room = { width: number; rowCount: number }

function drawn(state: TransfersState, list: TransferList, { width, rowCount }: Room): DrawnList {
  const { tables } = state
  const isTyping = tables.typing === list
  const common = { view: tables.views[list], isTyping, width, rowCount, nowMs: wallNow(state) }
  switch (list) {
    case 'withdrawals':
      return withdrawalsList.draw({ ...common, items: withdrawalItems(state), context: withdrawalsContext(state) })
    case 'deposits':
      return depositsList.draw({ ...common, items: depositItems(state), context: depositsContext(state) })
    case 'whitelist':
      return whitelistList.draw({ ...common, items: whitelistItems(state), context: withdrawalsContext(state) })
  }
}

const lengthOf = (state: TransfersState, list: TransferList): number =>
  list === 'withdrawals'
    ? withdrawalItems(state).length
    : list === 'deposits'
      ? depositItems(state).length
      : whitelistItems(state).length

/** What one of the lists says in `rowCount` lines of `width` cells, the names of the columns among them. */
export function transfersContent(state: TransfersState, list: TransferList, room: Room): ListContent {
  const feed: Feed<unknown> = state[list]
  const name: FeedName = list
  const stale = staleNote(feed, name, state.nowMs)
  // Drafts and writes without an answer are known before the exchange has answered once.
  if (lengthOf(state, list) === 0) {
    const sentence = feed.value === null ? waitingNote(waitsFor[list], feed) : empty[list]
    return { note: stale, rows: words(sentence, room.width), isStale: false }
  }
  const { note, foot, rows } = drawn(state, list, room)
  const missing: Row = feed.value === null ? [span(`  ${waitingNote(waitsFor[list], feed)}`, 'warn')] : []
  return { note: [...note, ...stale, ...missing], foot, rows, isStale: isStale(feed, name, state.nowMs) }
}

/** Fewer cells than this show a list without what it is there for. */
const listWidthLeast = 54

/** The lists that stand beside each other in a pane of this width, from the left, and how wide each is. */
export function placesFor(width: number, front: TransferList): readonly { list: TransferList; width: number }[] {
  if (width >= listWidthLeast * 3) {
    const [first, second] = [Math.floor(width * 0.42), Math.floor(width * 0.32)]
    return [
      { list: 'withdrawals', width: first },
      { list: 'deposits', width: second },
      { list: 'whitelist', width: width - first - second },
    ]
  }
  if (width < listWidthLeast * 2) return [{ list: front, width }]
  const first = Math.max(listWidthLeast, Math.floor(width * 0.56))
  return [
    { list: 'withdrawals', width: first },
    { list: front === 'whitelist' ? 'whitelist' : 'deposits', width: width - first },
  ]
}
