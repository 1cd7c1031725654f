import type { GatewayList } from '../../../store/gateway/gateway-list.ts'
import type { DeskState, PaneName } from '../../../store/state.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import { titleRow } from '../pane-view.tsx'
import { quarantineItems } from './quarantine-table.ts'

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

/** What of all orders is not as usual: `unread 2`, `dup 1`, `late 1`, what matters most first; nothing of what there is none of. */
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

/** The title of a list: the pane's digit, the list with what waits, and the lists and panes behind it as far as there is room. */
export function gatewayTitle(
  state: TitleState,
  { list, note, width, tabs, orderCount }: TitleParts,
  hidden: readonly GatewayList[],
): Row {
  const room = width - 4 - rowWidth(note)
  const behind = (lists: readonly GatewayList[]) => lists.map((each) => `  ${listName(state, each)}`).join('')
  const plain = hidden.map((each) => `  ${heads[each]}`).join('')
  const others = [behind(hidden), plain, behind(hidden.filter((each) => urgent(state, each))), '']
  const [name = '', ...shorter] = shorterNames(state, list)
  const titleOf = (own: string, behindIt: string): Row => {
    const title = titleRow('gateway', tabs, orderCount, room - behindIt.length, { gateway: `6 ${own}` })
    return behindIt === '' ? title : [...title, span(behindIt, 'label')]
  }
  const titles = [...others.map((text) => titleOf(name, text)), ...shorter.map((own) => titleOf(own, ''))]
  return [...(titles.find((each) => rowWidth(each) <= room) ?? titles.at(-1) ?? []), ...note]
}
