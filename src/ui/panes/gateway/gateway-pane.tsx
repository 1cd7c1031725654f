import { memo } from 'react'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { type Feed, isOlderThan } from '../../../store/feeds/feed.ts'
import {
  deliveriesStaleAfterMs,
  eligibilityStaleAfterMs,
  hasOlder,
  type InboxState,
  unreadText,
} from '../../../store/gateway/gateway.ts'
import { gatewayListsOf } from '../../../store/gateway/gateway-commands.ts'
import type { GatewayList } from '../../../store/view/lists.ts'
import { quarantineItems } from '../../tables/gateway/quarantine-table.ts'
import { sources } from '../../tables/list-registry.ts'
import { ageTime } from '../../text/desk-context.ts'
import { joined, type Row, span } from '../../text/row.ts'
import { type ListPlace, ListsPane, namesInPlace, type PlaceRoom } from '../lists-pane.tsx'
import { type ListContent, oldNote, type PaneProps, says, waitingNote } from '../pane-view.tsx'

/** The part of the state that the gateway pane draws. */
type GatewayPaneState = Pick<DeskState, 'gateway' | 'tables' | 'looks' | 'ahead' | 'nowMs'>

const receiverWords: Readonly<Record<InboxState['receiver']['kind'], string>> = {
  opening: 'Opening the inbox.',
  none: 'This desk shows no inbox: [inbox] of config.toml names its store.',
  elsewhere: 'No orders yet. The inbox is a separate process.',
  listening: 'No orders yet. The inbox listens for events of the gateway.',
  stopped: 'No orders yet, and the inbox is stopped: the gateway retries its deliveries.',
  failed: 'The inbox does not listen.',
}

/** Receivers whose inbox may hold nothing, as far as is known. */
const emptyInboxes: ReadonlySet<InboxState['receiver']['kind']> = new Set(['elsewhere', 'listening', 'stopped'])

const unknownGateway = 'No gateway: set gateway_base_url and a partner key.'

const receiverSentence = ({ receiver }: InboxState): string =>
  receiver.kind === 'failed' ? receiver.sentence : receiverWords[receiver.kind]

/** The lists of received bodies; until the inbox is read, they are not known to be empty. */
const inboxLists: ReadonlySet<GatewayList> = new Set(['inbox', 'sums', 'quarantine'])

/** Whether the listed regions are only those that allow buying: until an answer, what will be asked. */
const isOnlyBuy = ({ gateway: { eligibility, onlyBuyAllowed } }: TitleState): boolean =>
  eligibility.regions.value?.onlyBuyAllowed ?? onlyBuyAllowed

/** The sentence for an empty list. */
function emptySentence(state: GatewayPaneState, list: GatewayList): string {
  const { gateway } = state
  const { receiver, readAtMs } = gateway.inbox
  if (readAtMs === null && inboxLists.has(list))
    return emptyInboxes.has(receiver.kind) ? 'Waiting for the inbox…' : receiverSentence(gateway.inbox)
  switch (list) {
    case 'inbox':
      return receiverSentence(gateway.inbox)
    case 'sums':
      return 'No sums yet: no orders in the inbox.'
    case 'quarantine':
      return 'Nothing is in quarantine: every body was a valid event.'
    case 'deliveries':
      return 'No deliveries yet: each change of an order on the practice gateway makes one.'
    case 'currencies':
      return 'No currency is enabled on the account.'
    case 'regions':
      return isOnlyBuy(state) ? 'No region allows buying.' : 'The gateway names no region.'
    case 'methods':
      return 'No payment method is enabled on the account.'
  }
}

type Asked = { feed: Feed<unknown>; staleAfterMs: number; what: string }

/** The feed behind a list that is polled; null for lists that come from the inbox. */
function askedOf({ gateway: { eligibility, deliveries } }: GatewayPaneState, list: GatewayList): Asked | null {
  const rules = (feed: Feed<unknown>, what: string): Asked => ({ feed, staleAfterMs: eligibilityStaleAfterMs, what })
  switch (list) {
    case 'currencies':
      return rules(eligibility.currencies, "the gateway's currencies")
    case 'regions':
      return rules(eligibility.regions, "the gateway's regions")
    case 'methods':
      return rules(eligibility.paymentMethods, "the gateway's payment methods")
    case 'deliveries':
      return deliveries === null
        ? null
        : { feed: deliveries, staleAfterMs: deliveriesStaleAfterMs, what: 'the deliveries' }
    default:
      return null
  }
}

const sentenceOf = ({ gateway }: GatewayPaneState, list: GatewayList, { feed, what }: Asked): string =>
  gateway.isKnown || list === 'deliveries' ? waitingNote(what, feed) : unknownGateway

/** What is wrong with a list's data: stale, or unreadable at the moment; for the inbox, that nothing is received. */
function trouble(state: GatewayPaneState, asked: Asked | null): { note: Row; isStale: boolean } {
  if (asked !== null) {
    const { feed, staleAfterMs } = asked
    const isStale = isOlderThan(feed, staleAfterMs, state.nowMs)
    return { note: isStale ? oldNote(feed, state.nowMs) : [], isStale }
  }
  const { failure, receiver } = state.gateway.inbox
  if (failure !== null) return { note: [span(`  NOT READ: ${failure}`, 'bad')], isStale: true }
  if (receiver.kind === 'failed') return { note: [span(`  ${receiver.sentence}`, 'bad')], isStale: false }
  return { note: receiver.kind === 'stopped' ? [span('  STOPPED', 'warn')] : [], isStale: false }
}

/** One of the lists in `rowCount` lines of `width` cells, column heads included. */
export function gatewayContent(state: GatewayPaneState, list: GatewayList, room: PlaceRoom): ListContent {
  const asked = askedOf(state, list)
  const { note, isStale } = trouble(state, asked)
  if (sources[list].isEmpty(state)) {
    const isWaiting = asked !== null && asked.feed.value === null
    return says(isWaiting ? sentenceOf(state, list, asked) : emptySentence(state, list), note, room.width)
  }
  // A quarantined body carries this machine's time; everything else carries the gateway's.
  const nowMs = list === 'quarantine' ? wallNow(state) : state.nowMs
  const drawn = sources[list].draw(state, { ...room, nowMs })
  return {
    ...drawn,
    note: [...drawn.note, ...note],
    foot: joined(' · ', [drawn.foot, olderNote(state, list)]),
    isStale,
  }
}

/** Where the entries are that the list has no room for, for the lower border; empty where it has them all. */
const olderNote = ({ gateway }: TitleState, list: GatewayList): Row =>
  hasOlder(gateway, list) ? [span(`older ones: pitdesk inbox ls ${list === 'inbox' ? 'orders' : list}`, 'label')] : []

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

const inWords = (name: string, count: number, mark = ''): string[] => (count === 0 ? [] : [`${name} ${count}${mark}`])

/** `+` after a count of older entries too, where only the newest are here to be counted. */
const olderMark = ({ gateway }: TitleState, list: GatewayList): '' | '+' => (hasOlder(gateway, list) ? '+' : '')

/** What is unusual about the orders: `unread 2`, `dup 1`, `late 1`, most important first; zero counts are omitted. */
export function inboxNotes(state: TitleState): string[] {
  const { inbox } = state.gateway
  const late = inbox.orders.reduce((sum, { lateCount }) => sum + lateCount, 0)
  return [
    ...(inbox.unreadCount === 0 ? [] : [`unread ${unreadText(inbox)}`]),
    ...inWords('stuck', inbox.stuck.size),
    ...inWords('conflict', inbox.counts?.conflicts ?? 0),
    ...inWords('dup', inbox.counts?.copies ?? 0),
    ...inWords('late', late, olderMark(state, 'inbox')),
  ]
}

/** What the user must know about a list without opening it; empty if all is normal. */
export function countText(state: TitleState, list: GatewayList): string {
  const { deliveries } = state.gateway
  switch (list) {
    case 'inbox':
      return inboxNotes(state).join('  ')
    case 'quarantine': {
      const kept = quarantineItems(state).filter(({ replayedAtMs }) => replayedAtMs === null).length
      return kept === 0 ? '' : `(${kept}${olderMark(state, list)})`
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
      return isOnlyBuy(state) ? '(buying only)' : '(all)'
    default:
      return ''
  }
}

/** `Deliveries (2 pending)`. */
const listName = (state: TitleState, list: GatewayList): string =>
  `${heads[list]}${list === 'inbox' ? '  ' : ' '}${countText(state, list)}`.trimEnd()

/** The list's name from longest to shortest: short of room, the inbox drops its least important notes. */
function shorterNames(state: TitleState, list: GatewayList): string[] {
  if (list !== 'inbox') return [listName(state, list)]
  const notes = inboxNotes(state)
  return Array.from({ length: notes.length + 1 }, (_, gone) =>
    [heads.inbox, ...notes.slice(0, notes.length - gone)].join('  '),
  )
}

/** Titles for a place's lists, longest first: all of them, their heads, those with something waiting, its own alone. */
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

/** Below this width, an order's row cannot hold both amounts, the payment method and what is unusual about it. */
const listWidthMin = 72

/** The lists side by side in a pane of this width, from the left: with room for two, the orders always stay. */
export function placesFor(width: number, front: GatewayList): readonly ListPlace<GatewayList>[] {
  if (width < listWidthMin * 2) return [{ list: front, width }]
  const first = Math.max(listWidthMin, Math.floor(width * 0.54))
  return [
    { list: 'inbox', width: first },
    { list: front === 'inbox' ? 'sums' : front, width: width - first },
  ]
}

const selectGateway = (state: DeskState): GatewayPaneState => ({
  gateway: state.gateway,
  tables: state.tables,
  looks: state.looks,
  ahead: state.ahead,
  nowMs: ageTime(state),
})

const gatewayLists = (state: GatewayPaneState, width: number) => ({
  lists: gatewayListsOf(state),
  front: state.gateway.list,
  places: placesFor(width, state.gateway.list),
  contentOf: (list: GatewayList, room: PlaceRoom) => gatewayContent(state, list, room),
  formsOf: (list: GatewayList, named: readonly GatewayList[]) => titleForms(state, list, named),
})

/** What the partner gateway sends, delivers and allows: as many lists side by side as fit. */
export const GatewayPane = memo(function GatewayPane(props: PaneProps) {
  return <ListsPane {...props} pane="gateway" select={selectGateway} listsOf={gatewayLists} />
})
