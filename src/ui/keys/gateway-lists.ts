import { type Actions, type Binding, inScope } from './binding.ts'

/** What the keys do between the lists of the gateway pane: every action as what it asks of the desk. */
export const gatewayListsActions = {
  nextGatewayList: ({ commands }) => commands.walkGatewayLists(1),
  previousGatewayList: ({ commands }) => commands.walkGatewayLists(-1),
  onlyBuyAllowed: ({ commands }) => commands.toggleOnlyBuy(),
} satisfies Actions
export type GatewayListsAction = keyof typeof gatewayListsActions

const gateway = inScope<GatewayListsAction>('gateway')

export const gatewayListsKeys: readonly Binding<GatewayListsAction>[] = [
  gateway(['right'], 'nextGatewayList', 'its lists', { foot: 'lists' }),
  gateway(['left'], 'previousGatewayList', 'its lists', { foot: 'lists' }),
  gateway(['b'], 'onlyBuyAllowed', 'regions: buying, all', { foot: 'buying/all', footLast: true }),
]
