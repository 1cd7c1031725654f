import type { DeskState } from '../../../src/store/desk.ts'
import { gatewayAt } from '../../fakes/gateway.ts'
import type { Journey } from '../journey.tsx'
import { becomes, focus, pressKey, shows, type Walk } from './walk.ts'

const list = ({ gateway }: DeskState) => gateway.list

/** The lists of the gateway pane: by arrows, and by the pane's own digit pressed again. */
export const gatewayListsWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await becomes(journey, '6', focus, 'gateway')
  await shows(journey, 'right', '[6 Sums]')
  await becomes(journey, 'left', list, 'inbox')
  await becomes(journey, 'left', list, 'methods')
  await becomes(journey, '6', list, 'inbox')
  await becomes(journey, 'b', list, 'regions')
  await becomes(journey, 'b', ({ gateway }) => gateway.onlyBuyAllowed, false)
  await pressKey(journey, '2')
  await becomes(journey, '6', focus, 'gateway')
}

/** An inbox with orders and a body that is no event, as if they had come in. */
function filled({ store, clock }: Journey): void {
  const { orders, sums, quarantine } = gatewayAt(clock.now()).inbox
  const counts = { events: 7, copies: 2, conflicts: 1, quarantined: 2 }
  const read = { orders, isCut: false, sums, sumsSinceMs: null, counts, quarantine }
  store.dispatch({ type: 'inboxRead', ...read, atMs: clock.now() })
}

/** What is marked as read, and what is read or delivered again. */
export const gatewayReadWalk: Walk = async (start) => {
  const journey = await start({ columns: 120, rows: 40 })
  const unread = ({ gateway }: DeskState) => gateway.inbox.unreadCount
  await pressKey(journey, '6')
  filled(journey)
  await journey.sees('unread 4', '*ord_19', '*ord_17')
  await pressKey(journey, 'j')
  await becomes(journey, 'j', ({ tables }) => tables.views.inbox.selectedKey, 'ord_18')
  // Those that came after the one that is opened stay unread.
  await becomes(journey, 'enter', unread, 1)
  await journey.sees('6 Gateway, inbox: ord_18', 'which means', 'COMPLETED at')
  await pressKey(journey, 'esc')
  await becomes(journey, 'm', unread, 0)
  await shows(journey, 'R', 'Go to Quarantine to replay')
}
