import type { DeskState } from '../../store/desk.ts'
import { type Action, type Actions, type Binding, inScope } from './binding.ts'

/** The row that is chosen in the list in front. */
const chosenRow = ({ gateway, tables }: DeskState): string => tables.views[gateway.list].selectedKey ?? ''

/** Reads a quarantined body again, or sends a delivery again. */
const again: Action = ({ commands, state }) => {
  const key = chosenRow(state)
  const { list, inbox, deliveries } = state.gateway
  if (list === 'quarantine') {
    const body = inbox.quarantine.find(({ sequence }) => String(sequence) === key)
    return body === undefined
      ? commands.explain('No body is chosen that could be read again.')
      : commands.replayQuarantined(body.sequence)
  }
  if (list === 'deliveries') {
    const delivery = deliveries?.value?.find(({ deliveryId }) => deliveryId === key)
    return delivery === undefined
      ? commands.explain('No delivery is chosen that could be sent again.')
      : commands.retryDelivery(delivery.deliveryId)
  }
  commands.explain('Go to Quarantine to replay, to Deliveries to retry.')
}

/** What the keys do in the gateway pane: every action as what it asks of the desk. */
export const gatewayListsActions = {
  nextGatewayList: ({ commands }) => commands.walkGatewayLists(1),
  previousGatewayList: ({ commands }) => commands.walkGatewayLists(-1),
  markGatewaySeen: ({ commands }) => commands.markGatewaySeen(),
  gatewayAgain: again,
  // Asked for elsewhere it first shows what it is about.
  onlyBuyAllowed: ({ commands, state }) =>
    state.gateway.list === 'regions' ? commands.toggleOnlyBuy() : commands.showGatewayList('regions'),
} satisfies Actions
export type GatewayListsAction = keyof typeof gatewayListsActions

const gateway = inScope<GatewayListsAction>('gateway')

export const gatewayListsKeys: readonly Binding<GatewayListsAction>[] = [
  gateway(['right'], 'nextGatewayList', 'its lists', { foot: 'lists' }),
  gateway(['left'], 'previousGatewayList', 'its lists', { foot: 'lists' }),
  gateway(['m'], 'markGatewaySeen', 'all orders are read', { foot: 'all read' }),
  gateway(['R'], 'gatewayAgain', 'replay, deliver again', { foot: 'again' }),
  gateway(['b'], 'onlyBuyAllowed', 'regions: buying, all', { foot: 'buying/all', footLast: true }),
]
