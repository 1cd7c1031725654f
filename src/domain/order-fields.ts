import type { OrderType, TimeInForce } from './order.ts'

/** Which fields each type needs and which times in force it takes; the first one is the service's default. */
export const orderTypeRules = {
  MARKET: { needs: [], timesInForce: ['IOC', 'FOK'] },
  LIMIT: { needs: ['limitPrice'], timesInForce: ['GTC', 'IOC', 'FOK', 'GTD'] },
  STOP: { needs: ['stopPrice'], timesInForce: ['GTC', 'GTD'] },
  STOPLIMIT: {
    needs: ['stopPrice', 'limitPrice'],
    timesInForce: ['GTC', 'GTD'],
  },
} as const

/** The times in force a type takes, the service's default first. */
export const timesInForceOf = (type: OrderType): readonly TimeInForce[] => orderTypeRules[type].timesInForce

export const needsLimitPrice = (type: OrderType): boolean => type === 'LIMIT' || type === 'STOPLIMIT'
export const needsStopPrice = (type: OrderType): boolean => type === 'STOP' || type === 'STOPLIMIT'

/** An expiry day goes with GTD, which needs one. */
export const takesExpiry = (timeInForce: TimeInForce | null): boolean => timeInForce === 'GTD'

/** A least quantity to be filled at once goes with IOC. */
export const takesMinimum = (timeInForce: TimeInForce | null): boolean => timeInForce === 'IOC'

/** Post-only goes with limit orders that can rest. No time in force is the service's default for the type. */
export const takesPostOnly = (type: OrderType, timeInForce: TimeInForce | null): boolean =>
  type === 'LIMIT' && (timeInForce === null || timeInForce === 'GTC' || timeInForce === 'GTD')
