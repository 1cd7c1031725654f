import { memo } from 'react'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { type Feed, isOlderThan } from '../../../store/feeds/feed.ts'
import { deliveriesStaleAfterMs, eligibilityStaleAfterMs, type InboxState } from '../../../store/gateway/gateway.ts'
import { gatewayListsOf } from '../../../store/gateway/gateway-commands.ts'
import type { GatewayList } from '../../../store/view/lists.ts'
import { quarantineItems } from '../../tables/gateway/quarantine-table.ts'
import { sources } from '../../tables/list-registry.ts'
import { ageTime } from '../../text/desk-context.ts'
import { type Row, span } from '../../text/row.ts'
import { type ListPlace, ListsPane, namesInPlace, type PlaceRoom } from '../lists-pane.tsx'
import { type ListContent, oldNote, type PaneProps, says, waitingNote } from '../pane-view.tsx'

/** What the gateway pane is made of. */
type GatewayPaneState = Pick<DeskState, 'gateway' | 'tables' | 'looks' | 'ahead' | 'nowMs'>

const receiverWords: Readonly<Record<InboxState['receiver']['kind'], string>> = {
  opening: 'Opening the inbox.',
  none: 'This desk shows no inbox: [inbox] of config.toml names its store.',
  elsewhere: 'No orders yet. The inbox is a separate process.',
  listening: 'No orders yet. The inbox listens for events of the gateway.',
  stopped: 'No orders yet, and the inbox is stopped: the gateway retries its deliveries.',
  failed: 'The inbox does not listen.',
}

/** Receivers of an inbox that holds nothing as far as is known. */
const emptyInboxes: ReadonlySet<InboxState['receiver']['kind']> = new Set(['elsewhere', 'listening', 'stopped'])

const unknownGateway = 'No gateway: set gateway_base_url and a partner key.'

const receiverSentence = ({ receiver }: InboxState): string =>
  receiver.kind === 'failed' ? receiver.sentence : receiverWords[receiver.kind]

/** The lists of what came in; of an inbox that was not read nobody knows that they are empty. */
const inboxLists: ReadonlySet<GatewayList> = new Set(['inbox', 'sums', 'quarantine'])

/** What an empty list says. */
function emptySentence({ gateway }: GatewayPaneState, list: GatewayList): string {
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
      return gateway.onlyBuyAllowed ? 'No region allows buying.' : 'The gateway names no region.'
    case 'methods':
      return 'No payment method is enabled on the account.'
  }
}

type Asked = { feed: Feed<unknown>; staleAfterMs: number; what: string }

/** What a list that is asked for comes from; null for those that come from the inbox. */
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

/** What is wrong with what a list shows: old, or not readable just now; and for the inbox, that nothing comes in. */
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

/** What one of the lists says in `rowCount` lines of `width` cells, the names of the columns among them. */
export function gatewayContent(state: GatewayPaneState, list: GatewayList, room: PlaceRoom): ListContent {
  const asked = askedOf(state, list)
  const { note, isStale } = trouble(state, asked)
  if (sources[list].isEmpty(state)) {
    const isWaiting = asked !== null && asked.feed.value === null
    return says(isWaiting ? sentenceOf(state, list, asked) : emptySentence(state, list), note, room.width)
  }
  // A body in quarantine has the time of this machine, everything else of the gateway the gateway's.
  const nowMs = list === 'quarantine' ? wallNow(state) : state.nowMs
  const drawn = sources[list].draw(state, { ...room, nowMs })
  return { ...drawn, note: [...drawn.note, ...note], isStale }
}

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

/** Names of the list from the longest to the shortest: short of room the inbox leaves out what matters least. */
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
const listWidthMin = 72

/**
 * The lists that stand beside each other in a pane of this width, from the left: the orders stay where there is room
 * for two.
 */
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

/**
 * What comes in from the partner gateway, what it sends and what it allows: as many lists beside each other as there is
 * room for.
 */
export const GatewayPane = memo(function GatewayPane(props: PaneProps) {
  return <ListsPane {...props} pane="gateway" select={selectGateway} listsOf={gatewayLists} />
})
