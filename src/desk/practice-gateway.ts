import type { Clock } from '../base/clock.ts'
import { err } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import type { InboxLog } from '../inbox/inbox-log.ts'
import { startReceiver } from '../inbox/receiver/receiver.ts'
import type { EventStore } from '../inbox/store/event-store.ts'
import type { PracticeServices, PracticeWebhooks } from '../sandbox/apart/practice-services.ts'
import { PracticeStopped } from '../sandbox/apart/practice-services.ts'
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
 * Opens the inbox at the port it had before, so that deliveries find it again by their own schedule, and at any other
 * one where that is taken.
 */
function practiceReceiver(
  webhooks: PracticeWebhooks,
  { store, clock, log }: Options & { log: InboxLog },
): () => Promise<RunningReceiver> {
  let port = 0
  let registered = ''
  // Not waited for, as the exchange answers once its market lives: until then nothing is delivered anyway.
  const register = async (url: string) => {
    try {
      const done = await webhooks.register({ url: `${url}/events`, name: endpointName })
      if (done.ok) registered = url
      else log(`The practice gateway did not take its inbox's address: ${JSON.stringify(done.error)}`, 'bad')
    } catch (error) {
      // That it has stopped is told by whoever listens to it.
      if (!(error instanceof PracticeStopped)) throw error
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

/** That a practice exchange has stopped was told, and is not a fault of whoever asks it. */
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
