import { createCaller } from './caller.ts'
import { createMarketDataClient, type MarketDataClient } from './market-data-client.ts'
import { createPaymentsClient, type PaymentsClient } from './payments-client.ts'
import { createTradingClient, type TradingClient } from './trading-client.ts'
import type { Transport } from './transport.ts'

/** The header that carries the key to the exchange. */
export const exchangeKeyHeader = 'x-api-token'

/** The exchange's interface, one method per endpoint. Every method throws `ExchangeError` and nothing else. */
export type ExchangeClient = MarketDataClient & TradingClient & PaymentsClient

export function createExchangeClient(transport: Transport): ExchangeClient {
  const caller = createCaller(transport)
  return { ...createMarketDataClient(caller), ...createTradingClient(caller), ...createPaymentsClient(caller) }
}
