import { createCaller } from './caller.ts'
import { createMarketDataClient, type MarketDataClient } from './market-data-client.ts'
import { createPaymentsClient, type PaymentsClient } from './payments-client.ts'
import { createTradingClient, type TradingClient } from './trading-client.ts'
import type { ReadPriority, Transport } from './transport.ts'

/** The header that carries the key to the exchange. */
export const exchangeKeyHeader = 'x-api-token'

/** The exchange's interface, one method per endpoint. Every method throws `ExchangeError` and nothing else. */
export type ExchangeClient = MarketDataClient & TradingClient & PaymentsClient

/** The exchange's interface for what the desk asks by itself: reads wait their turn, writes go first. */
export const createExchangeClient = (transport: Transport): ExchangeClient => clientOver(transport, 'poll')

/** The same for what a person waits for: reads go before every poll. It may share its transport with the other. */
export const createPersonClient = (transport: Transport): ExchangeClient => clientOver(transport, 'person')

function clientOver(transport: Transport, priority: ReadPriority): ExchangeClient {
  const caller = createCaller(transport, priority)
  return { ...createMarketDataClient(caller), ...createTradingClient(caller), ...createPaymentsClient(caller) }
}
