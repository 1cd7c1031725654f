import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { type Feed, isOlderThan } from '../../../store/feeds/feed.ts'
import {
  deliveriesStaleAfterMs,
  eligibilityStaleAfterMs,
  type GatewayList,
  type InboxState,
} from '../../../store/gateway/gateway.ts'
import { sources } from '../../tables/list-registry.ts'
import { type Row, span } from '../../text/row.ts'
import type { PlaceRoom } from '../lists-pane.tsx'
import { type ListContent, oldNote, says, waitingNote } from '../pane-view.tsx'

/** What the gateway pane is made of. */
export type GatewayPaneState = Pick<DeskState, 'gateway' | 'tables' | 'ahead' | 'nowMs'>

const receiverWords: Readonly<Record<InboxState['receiver']['kind'], string>> = {
  opening: 'Opening the inbox.',
  none: 'This desk has no inbox: see [inbox] in the configuration.',
  elsewhere: 'No orders yet. The inbox is a separate process.',
  listening: 'No orders yet. The inbox listens for events of the gateway.',
  stopped: 'No orders yet, and the inbox is stopped: the gateway retries its deliveries.',
  failed: 'The inbox does not listen.',
}

/** Receivers of an inbox that holds nothing as far as is known. */
const emptyInboxes: ReadonlySet<InboxState['receiver']['kind']> = new Set(['elsewhere', 'listening', 'stopped'])

const unknownGateway = 'No gateway: set gateway_base_url and a partner key.'

/** What an empty list says. */
function emptySentence({ gateway }: GatewayPaneState, list: GatewayList): string {
  const { receiver } = gateway.inbox
  switch (list) {
    case 'inbox':
      return receiver.kind === 'failed' ? receiver.sentence : receiverWords[receiver.kind]
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
    const { receiver, readAtMs } = state.gateway.inbox
    // Of an inbox that was not read yet nobody knows that it holds nothing.
    const isUnread = asked === null && readAtMs === null && emptyInboxes.has(receiver.kind)
    const isWaiting = asked !== null && asked.feed.value === null
    const sentence = isUnread
      ? 'Waiting for the inbox…'
      : isWaiting
        ? sentenceOf(state, list, asked)
        : emptySentence(state, list)
    return says(sentence, note, room.width)
  }
  // A body in quarantine has the time of this machine, everything else of the gateway the gateway's.
  const nowMs = list === 'quarantine' ? wallNow(state) : state.nowMs
  const drawn = sources[list].draw(state, { ...room, nowMs })
  return { ...drawn, note: [...drawn.note, ...note], isStale }
}
