import { readDeliveryRanges } from '../../domain/gateway/delivery.ts'
import { optionalStrictText, optionalWord, strictText } from '../../wire/fields.ts'
import { message } from '../../wire/message.ts'
import { type Attempt, type Delivery, deliveryKinds, type Endpoint } from '../gateway/sender/delivery.ts'
import { shownDelivery } from '../gateway/sender/shown-delivery.ts'
import type { WebhookRefusal, Webhooks } from '../gateway/sender/webhooks.ts'
import { type Answer, badRequest } from '../http/answer.ts'
import { present, whole, wholeOr } from './fields.ts'
import { noSuch, shown, type Verb, verb } from './verb.ts'

const idMost = Number.MAX_SAFE_INTEGER
const countMost = 1_000
const newEndpoint = message({ url: strictText, name: optionalStrictText, partner: optionalStrictText })
/** A number that is left out reads as 0, which nothing has. */
const listed = message({
  delivery: wholeOr(0, 1, idMost),
  state: optionalWord(deliveryKinds),
  endpointId: wholeOr(0, 1, idMost),
  count: wholeOr(20, 1, countMost),
  before: wholeOr(0, 1, idMost),
})

/** The partners' webhooks: where events are sent, and what became of each. */
export const webhookVerbs = (webhooks: Webhooks): Verb[] => [
  verb('webhook', 'register', newEndpoint, async ({ url, name, partner }) => {
    const registered = await webhooks.register({ url, ...present({ name, partner }) })
    return registered.ok ? shown(describeEndpoint(registered.value)) : refused(registered.error)
  }),
  verb('webhook', 'rm', message({ endpointId: whole(1, idMost) }), async ({ endpointId }) => {
    const removed = await webhooks.remove(endpointId)
    return removed.ok ? shown(describeEndpoint(removed.value)) : refused(removed.error)
  }),
  verb('webhook', 'deliveries', listed, ({ delivery: id, state, endpointId, count, before }) => {
    if (id !== 0) {
      const delivery = webhooks.delivery(id)
      if (delivery === undefined) return noSuch('delivery', String(id))
      return shown({ ...describeDelivery(webhooks, delivery), attempts: webhooks.attempts(id).map(describeAttempt) })
    }
    const given = { endpointId: endpointId || null, before: before || null, kind: state }
    const deliveries = webhooks.deliveries({ count, ...present(given) })
    return shown({
      endpoints: webhooks.endpoints().map(describeEndpoint),
      deliveries: deliveries.map((each) => describeDelivery(webhooks, each)),
    })
  }),
  verb('webhook', 'retry', message({ deliveries: strictText }), ({ deliveries }) => {
    const ranges = readDeliveryRanges(deliveries)
    if (!ranges.ok) return badRequest(`field "deliveries" ${ranges.error}`)
    const retried = webhooks.retry(ranges.value)
    return retried.ok ? shown(retried.value) : refused(retried.error)
  }),
]

const refused = (refusal: WebhookRefusal): Answer =>
  refusal.kind === 'notFound'
    ? noSuch(refusal.what, refusal.name)
    : badRequest(`field "${refusal.field}" ${refusal.message}`)

const describeEndpoint = ({ id, name, partner, url }: Endpoint) => ({ endpointId: id, name, partner, url })

const timeText = (atMs: number): string => new Date(atMs).toISOString()

function describeDelivery(webhooks: Webhooks, delivery: Delivery) {
  const { madeAtMs, nextAtMs, expiresAtMs, ...fields } = shownDelivery(delivery, webhooks.endpointOf(delivery))
  const { deliveryId, endpoint, orderId, orderState, state, attemptCount, lastStatus, lastLatencyMs, lastWords } =
    fields
  return {
    ...{ deliveryId, state, endpoint, orderId, orderState, attemptCount },
    ...{ madeAt: timeText(madeAtMs), nextAt: nextAtMs === null ? null : timeText(nextAtMs) },
    ...{ expiresAt: timeText(expiresAtMs), eventId: fields.eventId, lastStatus, lastLatencyMs, lastWords },
  }
}

const describeAttempt = ({ atMs, latencyMs, result }: Attempt) => ({
  at: timeText(atMs),
  latencyMs,
  status: result.kind === 'answered' ? result.status : null,
  words: result.kind === 'answered' ? result.excerpt : result.reason,
})
