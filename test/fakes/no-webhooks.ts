import { err } from '../../src/base/result.ts'
import type { Webhooks } from '../../src/sandbox/gateway/sender/webhooks.ts'

const noPartner = err({ kind: 'notFound', what: 'partner', name: '' } as const)

/** Webhooks of a gateway without partners: there are none, and none can be. */
export const noWebhooks: Webhooks = {
  register: () => Promise.resolve(noPartner),
  remove: (endpointId) =>
    Promise.resolve(err({ kind: 'notFound', what: 'webhook endpoint', name: String(endpointId) })),
  endpoints: () => [],
  endpointOf: () => undefined,
  deliveries: () => [],
  delivery: () => undefined,
  attempts: () => [],
  retry: () => noPartner,
  catchUp: () => {},
  onChange: () => () => {},
}
