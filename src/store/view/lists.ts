/** The lists of the transfers pane, in the order in which the user steps through them. */
export const transferLists = ['withdrawals', 'deposits', 'whitelist'] as const
export type TransferList = (typeof transferLists)[number]

export const isTransferList = (name: string): name is TransferList => transferLists.some((each) => each === name)

/** The lists of the gateway pane, in the order in which the user steps through them. */
export const gatewayLists = ['inbox', 'sums', 'quarantine', 'deliveries', 'currencies', 'regions', 'methods'] as const
export type GatewayList = (typeof gatewayLists)[number]

export const isGatewayList = (name: string): name is GatewayList => gatewayLists.some((each) => each === name)

/**
 * Lists with rows to select, sort, filter and export: those with a pane of their own, and those of the panes with
 * several.
 */
export const listPanes = [
  'orders',
  'fills',
  'balances',
  ...transferLists,
  ...gatewayLists,
  'tickers',
  'log',
  'positions',
  'plans',
] as const
export type ListPane = (typeof listPanes)[number]

export const isListPane = (pane: string): pane is ListPane => listPanes.some((each) => each === pane)
