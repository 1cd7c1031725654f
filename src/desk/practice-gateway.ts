import type { Clock } from '../base/clock.ts'
import { err, ok } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { startReceiver } from '../inbox/receiver/receiver.ts'
import type { EventStore } from '../inbox/store/event-store.ts'
import { shownDelivery } from '../sandbox/gateway/sender/delivery.ts'
import type { Webhooks } from '../sandbox/gateway/sender/webhooks.ts'
import { UnusableData } from '../sandbox/persistence/unusable-data.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { DeskDeliveries, DeskGateway } from './gateway.ts'
import { createDeskReceiver, createReceiverAlarms, type RunningReceiver } from './receiver.ts'

/** The name of the desk's inbox among the partner's webhooks: the next run moves it to its own port. */
const endpointName = 'desk'
const loopback = '127.0.0.1'

type Options = {
  /** Where what comes in is kept; closed by whoever opened it. */
  store: EventStore
  clock: Clock
  stuckAfterMs: number
  seen: DeskGateway['seen']
}

/**
 * The desk's own practice gateway: its eligibility, and a real inbox on loopback that is registered as its partner's
 * webhook, so that events come in as they do from outside. `stop` ends the inbox.
 */
export async function openPracticeGateway(
  sandbox: Pick<Sandbox, 'gatewayUrl' | 'partnerKey' | 'webhooks'>,
  options: Options,
): Promise<{ gateway: DeskGateway; stop(): Promise<void> }> {
  const { store, stuckAfterMs, seen } = options
  const { gatewayUrl, partnerKey, webhooks } = sandbox
  const alarms = createReceiverAlarms()
  const own = createDeskReceiver(practiceReceiver(webhooks, { ...options, log: alarms.log }))
  const gateway: DeskGateway = {
    eligibility: { baseUrl: gatewayUrl, partnerKey: new Secret(partnerKey) },
    inbox: store,
    receiver: { state: await own.start(), own },
    alarms,
    deliveries: deliveriesOf(webhooks),
    stuckAfterMs,
    seen,
  }
  return {
    gateway,
    stop: async () => {
      await own.stop()
    },
  }
}

/**
 * Opens the inbox at the port it had before, so that deliveries find it again by their own schedule, and at any other
 * one where that is taken.
 */
function practiceReceiver(
  webhooks: Webhooks,
  { store, clock, log }: Options & { log: (line: string) => void },
): () => Promise<RunningReceiver> {
  let port = 0
  let registered = ''
  const listen = (at: number) =>
    startReceiver({
      store,
      clock,
      listen: { host: loopback, port: at },
      allow: [loopback],
      trustProxies: [],
      isLocalOnly: true,
      tls: null,
      log,
      metrics: null,
    })
  return async () => {
    const receiver = port === 0 ? await listen(0) : await listen(port).catch(() => listen(0))
    port = Number(new URL(receiver.url).port)
    if (receiver.url !== registered) {
      const done = await webhooks.register({ url: `${receiver.url}/events`, name: endpointName })
      if (!done.ok) {
        await receiver.stop()
        throw new Error(`the practice gateway did not take its address: ${JSON.stringify(done.error)}`)
      }
      registered = receiver.url
    }
    return receiver
  }
}

function deliveriesOf(webhooks: Webhooks): DeskDeliveries {
  let known: ReturnType<DeskDeliveries['list']> = []
  return {
    list(count) {
      known = unlessDiskFailed(
        () => webhooks.deliveries({ count }).map((delivery) => shownDelivery(delivery, webhooks.endpointOf(delivery))),
        () => known,
      )
      return known
    },
    onChange: (listener) => webhooks.onChange(listener),
    retry(deliveryId) {
      const id = Number(deliveryId)
      const retry = () => webhooks.retry([{ first: id, last: id }])
      const retried = unlessDiskFailed<ReturnType<typeof retry> | string>(retry, (message) => message)
      if (typeof retried === 'string') return err(retried)
      if (!retried.ok) return err(`Unknown delivery ${deliveryId}.`)
      return retried.value.tried === 1
        ? ok(`Retrying delivery ${deliveryId} now.`)
        : err(`Delivery ${deliveryId} not retried: it is in flight, or its endpoint or event is gone.`)
    },
  }
}

/**
 * A practice exchange whose disk has failed answers nothing more: that it has stopped was told, and is no fault of
 * whoever asks.
 */
function unlessDiskFailed<T>(ask: () => T, otherwise: (message: string) => T): T {
  try {
    return ask()
  } catch (error) {
    if (error instanceof UnusableData) return otherwise(error.message)
    throw error
  }
}
