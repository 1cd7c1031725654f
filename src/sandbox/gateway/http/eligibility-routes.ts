import { writeCurrencies, writePaymentMethods, writeRegions } from '../../../wire/eligibility.ts'
import { badRequest, json } from '../../http/answer.ts'
import { wordParameter } from '../../http/parameters.ts'
import { readQuery } from '../../http/query.ts'
import type { Route } from '../../http/route.ts'
import type { GatewayWorld, Partner } from '../world.ts'

const regionsQuery = { onlyBuyAllowed: wordParameter(['true', 'false']) }

/** What is enabled on the account of the partner that asks: its currencies, regions and payment methods. */
export const eligibilityRoutes = (world: GatewayWorld): Route<Partner>[] => [
  { method: 'GET', path: '/v1/currencies', handle: ({ guest }) => json(writeCurrencies(world.currencies(guest))) },
  {
    method: 'GET',
    path: '/v1/regions',
    handle: ({ guest, query }) => {
      const asked = readQuery(query, regionsQuery)
      if (!asked.ok) return badRequest(asked.error)
      return json(writeRegions(world.regions(guest, asked.value.onlyBuyAllowed !== 'false')))
    },
  },
  {
    method: 'GET',
    path: '/v1/payment-methods',
    handle: ({ guest }) => json(writePaymentMethods(world.paymentMethods(guest), 'nested')),
  },
]
