import type { Clock } from '../../base/clock.ts'
import { err } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import type { InboxLog } from '../../inbox/inbox-log.ts'
import { startReceiver } from '../../inbox/receiver/receiver.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { PracticeServices, PracticeWebhooks } from '../../sandbox/apart/practice-services.ts'
import { PracticeStopped } from '../../sandbox/apart/practice-services.ts'
import type { DeskDeliveries, DeskGateway } from './gateway.ts'
import { createDeskReceiver, createReceiverAlarms, type RunningReceiver } from './receiver.ts'

/** The name of the desk's inbox among the partner's webhooks: the next run moves it to its own port. */
const endpointName = 'desk'
const loopback = '127.0.0.1'

type Options = {
  /** The store of received events; closed by its opener. */
  store: EventStore
  clock: Clock
  stuckAfterMs: number
  seen: DeskGateway['seen']
}

/**
 * The desk's own practice gateway: its eligibility, and a real inbox on loopback registered as its partner's webhook,
 * so that events arrive as from outside. `stop` ends the inbox.
 */
export async function openPracticeGateway(
  sandbox: Pick<PracticeServices, 'gatewayUrl' | 'partnerKey' | 'webhooks'>,
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
 * Opens the inbox at its previous port, where the schedule of deliveries finds it again, or at any other if that is
 * taken.
 */
function practiceReceiver(
  webhooks: PracticeWebhooks,
  { store, clock, log }: Options & { log: InboxLog },
): () => Promise<RunningReceiver> {
  let port = 0
  let registered = ''
  // Not awaited, because the exchange answers only once its market runs: until then nothing is delivered anyway.
  const register = async (url: string) => {
    try {
      const done = await webhooks.register({ url: `${url}/events`, name: endpointName })
      if (done.ok) registered = url
      else log(`The practice gateway did not take its inbox's address: ${JSON.stringify(done.error)}`, 'bad')
    } catch (error) {
      // The listener of the practice exchange reports its end. Should it go on, that is a change.
      if (!(error instanceof PracticeStopped)) throw error
      const leave = webhooks.onChange(() => {
        leave()
        void register(url)
      })
    }
  }
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
    if (receiver.url !== registered) void register(receiver.url)
    return receiver
  }
}

/** A stopped practice exchange was already reported, and is not an error of the caller. */
function deliveriesOf(webhooks: PracticeWebhooks): DeskDeliveries {
  return {
    list: (count) => unlessStopped(webhooks.list(count), () => null),
    onChange: (listener) => webhooks.onChange(listener),
    retry: (deliveryId) => unlessStopped(webhooks.retry(deliveryId), (message) => err(message)),
  }
}

async function unlessStopped<T, Other>(answer: Promise<T>, otherwise: (message: string) => Other): Promise<T | Other> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PracticeStopped) return otherwise(error.message)
    throw error
  }
}
