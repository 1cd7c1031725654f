import {
  type CurrenciesReading,
  type PaymentMethodsReading,
  type RegionsReading,
  readCurrencies,
  readPaymentMethods,
  readRegions,
} from '../wire/eligibility.ts'
import { createCaller, endpointPath, memoizeReader } from './caller.ts'
import type { ReadPriority, Transport } from './transport.ts'

/** The header that carries the partner's key to the payment gateway. */
export const gatewayKeyHeader = 'x-public-api-key'

/**
 * The gateway's eligibility interface, one method per endpoint. Each throws only `ExchangeError`, and reports
 * unreadable entries.
 */
export type GatewayClient = {
  /** GET /partner-gateway/partner-api/v1/currencies: all currencies enabled on the partner's account. */
  fetchCurrencies(signal?: AbortSignal): Promise<CurrenciesReading>
  /** GET /partner-gateway/partner-api/v1/regions: all regions, or only those where buying is allowed. */
  fetchRegions(onlyBuyAllowed: boolean, signal?: AbortSignal): Promise<RegionsReading>
  /** GET /partner-gateway/partner-api/v1/payment-methods */
  fetchPaymentMethods(signal?: AbortSignal): Promise<PaymentMethodsReading>
}

/**
 * Creates a client of the gateway over a transport with its own base address and key. `priority`: whether a person
 * waits for the answers.
 */
export function createGatewayClient(transport: Transport, priority: ReadPriority): GatewayClient {
  const caller = createCaller(transport, priority)
  // An account manager changes these lists now and then, and to read 50,000 entries holds up keys for half a second.
  const currencies = memoizeReader((json) => readCurrencies(json))
  const regions = memoizeReader((json) => readRegions(json))
  const paymentMethods = memoizeReader((json) => readPaymentMethods(json))
  return {
    fetchCurrencies: (signal) =>
      caller.get(endpointPath`/partner-gateway/partner-api/v1/currencies`, currencies, signal),
    fetchRegions: (onlyBuyAllowed, signal) =>
      caller.get(endpointPath`/partner-gateway/partner-api/v1/regions`, regions, signal, {
        onlyBuyAllowed: String(onlyBuyAllowed),
      }),
    fetchPaymentMethods: (signal) =>
      caller.get(endpointPath`/partner-gateway/partner-api/v1/payment-methods`, paymentMethods, signal),
  }
}
