import { Box } from 'ink'
import { memo } from 'react'
import type { FeedName } from '../../domain/desk/feeds.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { type Feed, isStale } from '../../store/feeds/feed.ts'
import { type TransferList, transferLists } from '../../store/transfers/transfers.ts'
import type { PaneName } from '../../store/view/panes.ts'
import type { DrawnList } from '../tables/list.ts'
import { depositItems, depositsList, isUnconfirmed } from '../tables/transfers/deposits-table.ts'
import { depositsContext, withdrawalsContext } from '../tables/transfers/transfers-context.ts'
import { whitelistItems, whitelistList } from '../tables/transfers/whitelist-table.ts'
import { queueText, withdrawalItems } from '../tables/transfers/withdrawal-items.ts'
import { withdrawalsList } from '../tables/transfers/withdrawals-table.ts'
import { useDesk, useFeed, useTheme } from '../text/desk-context.ts'
import { framePane, Lines } from '../text/frame.tsx'
import { fitWords, type Row, rowWidth, span } from '../text/row.ts'
import {
  type ListContent,
  namesInPlace,
  type PaneProps,
  rawRows,
  staleNote,
  titleRow,
  waitingNote,
  withRawRows,
  words,
} from './pane-view.tsx'

/** What the transfers pane is made of. */
type TransfersState = Pick<
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
const listName = (state: TransfersState, list: TransferList): string =>
  `${heads[list]} ${countText(state, list)}`.trimEnd()

/** What an empty list says to someone who has not moved money yet. */
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

type TitleParts = {
  list: TransferList
  note: Row
  width: number
  tabs: readonly PaneName[] | undefined
  orderCount: number
}

/** What to say of the lists of a place: all of them, those that something is on its way in, the one in front. */
function listForms(state: TransfersState, list: TransferList, hidden: readonly TransferList[]): string[] {
  const lists = transferLists.filter((each) => each === list || hidden.includes(each))
  const named = (those: readonly TransferList[]) => namesInPlace(those, list, (each) => listName(state, each))
  return [named(lists), named(lists.filter((each) => each === list || countText(state, each) !== '')), named([list])]
}

/**
 * The title of a list: the pane's digit, the lists behind it in their places as far as there is room, and panes that
 * share the place.
 */
export function transfersTitle(
  state: TransfersState,
  { list, note: whole, width, tabs, orderCount }: TitleParts,
  hidden: readonly TransferList[],
): Row {
  const forms = listForms(state, list, hidden)
  const titleOf = (form: string, room: number) =>
    titleRow('transfers', tabs, orderCount, room, { transfers: `5 ${form}` })
  const note = fitWords(whole, width - 4 - rowWidth(titleOf(forms.at(-1) ?? '', 0)))
  const room = width - 4 - rowWidth(note)
  const titles = forms.map((form) => titleOf(form, room))
  return [...(titles.find((each) => rowWidth(each) <= room) ?? titles.at(-1) ?? []), ...note]
}

function useTransfers(): TransfersState {
  const withdrawals = useDesk((state) => state.withdrawals)
  const deposits = useFeed('deposits', (state) => state.deposits)
  const whitelist = useFeed('whitelist', (state) => state.whitelist)
  const drafts = useDesk((state) => state.drafts)
  const unsettled = useDesk((state) => state.unsettled)
  const followed = useDesk((state) => state.followed)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const tables = useDesk((state) => state.tables)
  const transferList = useDesk((state) => state.transferList)
  // Ages are shown to the second: what changes within one draws nothing. Where motion is reduced they step more slowly.
  const stepMs = useDesk((state) => (state.looks.isMotionReduced ? 10_000 : 1_000))
  const nowMs = useDesk((state) => Math.floor(state.nowMs / stepMs) * stepMs)
  const ahead = useDesk((state) => state.ahead)
  const lists = { withdrawals, deposits, whitelist, drafts }
  return { ...lists, unsettled, followed, instruments, tables, transferList, nowMs, ahead }
}

/** The queue of withdrawals, the deposits and the whitelist: as many beside each other as there is room for. */
export const TransfersPane = memo(function TransfersPane({ width, height, isFocused, tabs }: PaneProps) {
  const theme = useTheme()
  const state = useTransfers()
  const orderCount = useDesk(({ orders, unsettled }) => (orders.value?.length ?? 0) + unsettled.length)
  const unreadable = useDesk((each) => each.unreadable)
  const places = placesFor(width, state.transferList)
  const hidden = transferLists.filter((list) => places.every((place) => place.list !== list))
  return (
    <Box width={width} height={height} flexShrink={0}>
      {places.map(({ list, width: cells }, at) => {
        const raw = rawRows(unreadable[list], cells - 2)
        const room = { width: cells - 2, rowCount: height - 2 - raw.length }
        const content = withRawRows(transfersContent(state, list, room), raw)
        const isLast = at === places.length - 1
        const parts = { list, note: content.note, width: cells, tabs: at === 0 ? tabs : undefined, orderCount }
        const title = transfersTitle(state, parts, isLast ? hidden : [])
        const kind = isFocused && list === state.transferList ? 'focus' : 'plain'
        const lines = framePane({ ...content, title }, { width: cells, height }, kind, theme)
        return <Lines key={list} lines={lines} width={cells} />
      })}
    </Box>
  )
})
