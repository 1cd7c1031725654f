import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Result } from '../base/result.ts'
import { createOrderHistory, type FillPage, fetchOlderFills, type OrderHistory } from '../services/orders/history.ts'

export type Past = { history: OrderHistory; olderFills: (execId: string) => Promise<Result<FillPage>> }

/** What was before the lists that are polled, asked for by a person. */
export const pastOf = (client: ExchangeClient, signal: AbortSignal): Past => ({
  history: createOrderHistory(client, signal),
  olderFills: (execId) => fetchOlderFills(client, execId, signal),
})
