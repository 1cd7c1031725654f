import { Box } from 'ink'
import { memo } from 'react'
import type { DeskState } from '../../../store/desk.ts'
import { type GatewayList, gatewayLists } from '../../../store/gateway/gateway.ts'
import { gatewayListsOf } from '../../../store/gateway/gateway-commands.ts'
import type { PaneName } from '../../../store/view/panes.ts'
import { quarantineItems } from '../../tables/gateway/quarantine-table.ts'
import { useDesk, useTheme } from '../../text/desk-context.ts'
import { framePane, Lines } from '../../text/frame.tsx'
import { fitWords, type Row, rowWidth } from '../../text/row.ts'
import { namesInPlace, type PaneProps, titleRow } from '../pane-view.tsx'
import { type GatewayPaneState, gatewayContent } from './gateway-content.ts'

type TitleState = Pick<DeskState, 'gateway'>

const heads: Readonly<Record<GatewayList, string>> = {
  inbox: 'Gateway inbox',
  sums: 'Sums',
  quarantine: 'Quarantine',
  deliveries: 'Deliveries',
  currencies: 'Currencies',
  regions: 'Regions',
  methods: 'Payment methods',
}

const inWords = (name: string, count: number): string[] => (count === 0 ? [] : [`${name} ${count}`])

/**
 * What of all orders is not as usual: `unread 2`, `dup 1`, `late 1`, what matters most first; nothing of what there is
 * none of.
 */
export function inboxNotes({ gateway: { inbox } }: TitleState): string[] {
  const late = inbox.orders.reduce((sum, { lateCount }) => sum + lateCount, 0)
  return [
    ...inWords('unread', inbox.unreadCount),
    ...inWords('stuck', inbox.stuck.size),
    ...inWords('conflict', inbox.counts?.conflicts ?? 0),
    ...inWords('dup', inbox.counts?.copies ?? 0),
    ...inWords('late', late),
  ]
}

/** What of a list a person must know without looking at it; empty when all is as usual. */
export function countText(state: TitleState, list: GatewayList): string {
  const { deliveries, onlyBuyAllowed } = state.gateway
  switch (list) {
    case 'inbox':
      return inboxNotes(state).join('  ')
    case 'quarantine': {
      const kept = quarantineItems(state).filter(({ replayedAtMs }) => replayedAtMs === null).length
      return kept === 0 ? '' : `(${kept})`
    }
    case 'deliveries': {
      const of = (wanted: string) => (deliveries?.value ?? []).filter(({ state: each }) => each === wanted).length
      const texts = (['pending', 'expired'] as const).flatMap((each) => (of(each) === 0 ? [] : [`${of(each)} ${each}`]))
      return texts.length === 0 ? '' : `(${texts.join(', ')})`
    }
    case 'sums': {
      const { sumsSinceMs } = state.gateway.inbox
      return sumsSinceMs === null ? '' : `(orders since ${new Date(sumsSinceMs).toISOString().slice(0, 10)})`
    }
    case 'regions':
      return onlyBuyAllowed ? '(buying only)' : '(all)'
    default:
      return ''
  }
}

/** `Deliveries (2 pending)`. */
export const listName = (state: TitleState, list: GatewayList): string =>
  `${heads[list]}${list === 'inbox' ? '  ' : ' '}${countText(state, list)}`.trimEnd()

/** The same from the longest to the shortest: where there is little room the inbox leaves out what matters least. */
function shorterNames(state: TitleState, list: GatewayList): string[] {
  if (list !== 'inbox') return [listName(state, list)]
  const notes = inboxNotes(state)
  return Array.from({ length: notes.length + 1 }, (_, gone) =>
    [heads.inbox, ...notes.slice(0, notes.length - gone)].join('  '),
  )
}

/** Lists behind the one in front that a person should know of: those with something that waits. */
const urgent = (state: TitleState, list: GatewayList): boolean =>
  list !== 'regions' && list !== 'sums' && countText(state, list) !== ''

type TitleParts = {
  list: GatewayList
  note: Row
  width: number
  tabs: readonly PaneName[] | undefined
  orderCount: number
}

/**
 * The title of a list: the pane's digit, the lists behind it in their places as far as there is room, and panes that
 * share the place.
 */
export function gatewayTitle(
  state: TitleState,
  { list, note: whole, width, tabs, orderCount }: TitleParts,
  hidden: readonly GatewayList[],
): Row {
  const lists = gatewayLists.filter((each) => each === list || hidden.includes(each))
  const [own = '', ...shorter] = shorterNames(state, list)
  const forms = [
    namesInPlace(lists, list, (each) => listName(state, each)),
    namesInPlace(lists, list, (each) => (each === list ? own : heads[each])),
    namesInPlace(
      lists.filter((each) => each === list || urgent(state, each)),
      list,
      (each) => listName(state, each),
    ),
    own,
    ...shorter,
  ]
  const titleOf = (form: string, room: number) => titleRow('gateway', tabs, orderCount, room, { gateway: `6 ${form}` })
  const note = fitWords(whole, width - 4 - rowWidth(titleOf(forms.at(-1) ?? '', 0)))
  const room = width - 4 - rowWidth(note)
  const titles = forms.map((form) => titleOf(form, room))
  return [...(titles.find((each) => rowWidth(each) <= room) ?? titles.at(-1) ?? []), ...note]
}

/** In fewer cells than this an order has no room for both amounts, its way to pay and what is unusual about it. */
const listWidthLeast = 72

/**
 * The lists that stand beside each other in a pane of this width, from the left: the orders stay where there is room
 * for two.
 */
export function placesFor(width: number, front: GatewayList): readonly { list: GatewayList; width: number }[] {
  if (width < listWidthLeast * 2) return [{ list: front, width }]
  const first = Math.max(listWidthLeast, Math.floor(width * 0.54))
  return [
    { list: 'inbox', width: first },
    { list: front === 'inbox' ? 'sums' : front, width: width - first },
  ]
}

function useGateway(): GatewayPaneState {
  const gateway = useDesk((state) => state.gateway)
  const tables = useDesk((state) => state.tables)
  const ahead = useDesk((state) => state.ahead)
  // Ages are shown to the second: what changes within one draws nothing. Where motion is reduced they step more slowly.
  const stepMs = useDesk((state) => (state.looks.isMotionReduced ? 10_000 : 1_000))
  const nowMs = useDesk((state) => Math.floor(state.nowMs / stepMs) * stepMs)
  return { gateway, tables, ahead, nowMs }
}

/**
 * What comes in from the partner gateway, what it sends and what it allows: as many lists beside each other as there is
 * room for.
 */
export const GatewayPane = memo(function GatewayPane({ width, height, isFocused, tabs }: PaneProps) {
  const theme = useTheme()
  const state = useGateway()
  const orderCount = useDesk(({ orders, unsettled }) => (orders.value?.length ?? 0) + unsettled.length)
  const { list: front } = state.gateway
  const places = placesFor(width, front)
  const hidden = gatewayListsOf(state).filter((list) => places.every((place) => place.list !== list))
  return (
    <Box width={width} height={height} flexShrink={0}>
      {places.map(({ list, width: cells }, at) => {
        const content = gatewayContent(state, list, { width: cells - 2, rowCount: height - 2 })
        const isLast = at === places.length - 1
        const parts = { list, note: content.note, width: cells, tabs: at === 0 ? tabs : undefined, orderCount }
        const title = gatewayTitle(state, parts, isLast ? hidden : [])
        const kind = isFocused && list === front ? 'focus' : 'plain'
        const lines = framePane({ ...content, title }, { width: cells, height }, kind, theme)
        return <Lines key={list} lines={lines} width={cells} />
      })}
    </Box>
  )
})
