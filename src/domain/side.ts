/** What a trade, or an order for one, does with the base currency. */
export type Side = 'BUY' | 'SELL'
export const sides: readonly Side[] = ['BUY', 'SELL']

export const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')
