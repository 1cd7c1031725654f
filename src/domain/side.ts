/** What a trade, or an order for one, does with the base currency. */
export type Side = 'BUY' | 'SELL'
export const sides: readonly Side[] = ['BUY', 'SELL']

/** A side in sentences. */
export const sideNames: Readonly<Record<Side, string>> = { BUY: 'buy', SELL: 'sell' }

export const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')
