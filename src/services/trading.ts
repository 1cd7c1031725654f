import { createOrderEntry, type OrderEntry, type OrderEntryClient, type OrderEntryContext } from './order-entry.ts'
import type { LookClient } from './reconciliation/look.ts'
import {
  createReconciliation,
  type Reconciliation,
  type ReconciliationContext,
} from './reconciliation/reconciliation.ts'
import { createWithdrawalEntry, type WithdrawalClient, type WithdrawalEntry } from './withdrawal-entry.ts'

export type TradingClient = OrderEntryClient & WithdrawalClient & LookClient
export type TradingContext = Omit<OrderEntryContext, 'onUnknown'> & ReconciliationContext

/** Every way to change something at the exchange, and the one that finds out what became of it. */
export type Trading = { orders: OrderEntry; withdrawals: WithdrawalEntry; reconciliation: Reconciliation }

/** Order entry and withdrawals over one journal; what they leave unknown is looked for as soon as it is. */
export function createTrading(client: TradingClient, context: TradingContext): Trading {
  const reconciliation = createReconciliation(client, context)
  const writes = { ...context, onUnknown: () => reconciliation.wake() }
  return {
    orders: createOrderEntry(client, writes),
    withdrawals: createWithdrawalEntry(client, writes),
    reconciliation,
  }
}
