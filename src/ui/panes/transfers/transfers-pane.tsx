import { Box } from 'ink'
import { memo } from 'react'
import type { PaneName } from '../../../store/desk.ts'
import { type TransferList, transferLists } from '../../../store/transfers/transfers.ts'
import { useDesk, useTheme } from '../../console-context.ts'
import { fitWords, type Row, rowWidth } from '../../text/row.ts'
import { useFeed } from '../../use-feed.ts'
import { Lines } from '../../widgets/lines.tsx'
import { framePane } from '../../widgets/pane-frame.ts'
import { namesInPlace, type PaneProps, titleRow } from '../pane-view.tsx'
import { rawRows, withRawRows } from '../unreadable-rows.ts'
import { countText, listName, placesFor, type TransfersState, transfersContent } from './transfers-content.ts'

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
