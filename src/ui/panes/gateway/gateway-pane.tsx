import { memo } from 'react'
import type { DeskState } from '../../../store/desk.ts'
import type { GatewayList } from '../../../store/gateway/gateway.ts'
import { gatewayListsOf } from '../../../store/gateway/gateway-commands.ts'
import { quarantineItems } from '../../tables/gateway/quarantine-table.ts'
import { useAgeTime, useDesk } from '../../text/desk-context.ts'
import { type ListPlace, ListsPane, namesInPlace } from '../lists-pane.tsx'
import type { PaneProps } from '../pane-view.tsx'
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
const listName = (state: TitleState, list: GatewayList): string =>
  `${heads[list]}${list === 'inbox' ? '  ' : ' '}${countText(state, list)}`.trimEnd()

/** The same from the longest to the shortest: where there is little room the inbox leaves out what matters least. */
function shorterNames(state: TitleState, list: GatewayList): string[] {
  if (list !== 'inbox') return [listName(state, list)]
  const notes = inboxNotes(state)
  return Array.from({ length: notes.length + 1 }, (_, gone) =>
    [heads.inbox, ...notes.slice(0, notes.length - gone)].join('  '),
  )
}

/** What to say of the lists of a place: all of them, their heads, those that something waits in, its own alone. */
export function titleForms(state: TitleState, list: GatewayList, lists: readonly GatewayList[]): string[] {
  const names = new Map(lists.map((each) => [each, listName(state, each)]))
  const nameOf = (each: GatewayList) => names.get(each) ?? heads[each]
  const isWaiting = (each: GatewayList) => each !== 'regions' && each !== 'sums' && nameOf(each) !== heads[each]
  return [
    namesInPlace(lists, list, nameOf),
    namesInPlace(lists, list, (each) => (each === list ? nameOf(each) : heads[each])),
    namesInPlace(
      lists.filter((each) => each === list || isWaiting(each)),
      list,
      nameOf,
    ),
    ...shorterNames(state, list),
  ]
}

/** In fewer cells than this an order has no room for both amounts, its way to pay and what is unusual about it. */
const listWidthLeast = 72

/**
 * The lists that stand beside each other in a pane of this width, from the left: the orders stay where there is room
 * for two.
 */
export function placesFor(width: number, front: GatewayList): readonly ListPlace<GatewayList>[] {
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
  const nowMs = useAgeTime()
  return { gateway, tables, ahead, nowMs }
}

/**
 * What comes in from the partner gateway, what it sends and what it allows: as many lists beside each other as there is
 * room for.
 */
export const GatewayPane = memo(function GatewayPane(props: PaneProps) {
  const state = useGateway()
  const { list: front } = state.gateway
  return (
    <ListsPane
      {...props}
      pane="gateway"
      lists={gatewayListsOf(state)}
      front={front}
      places={placesFor(props.width, front)}
      contentOf={(list, room) => gatewayContent(state, list, room)}
      formsOf={(list, named) => titleForms(state, list, named)}
    />
  )
})
