/** The lists of the gateway pane, in the order a person walks them. */
export const gatewayLists = ['inbox', 'sums', 'quarantine', 'deliveries', 'currencies', 'regions', 'methods'] as const
export type GatewayList = (typeof gatewayLists)[number]

export const isGatewayList = (name: string): name is GatewayList => gatewayLists.some((each) => each === name)
