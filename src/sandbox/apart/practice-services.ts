import { err, ok, type Result } from '../../base/result.ts'
import type { GatewayDelivery } from '../../domain/gateway/delivery.ts'
import { shownDelivery } from '../gateway/sender/delivery.ts'
import type { Webhooks } from '../gateway/sender/webhooks.ts'
import { UnusableData } from '../persistence/unusable-data.ts'
import type { Sandbox } from '../start-sandbox.ts'

/**
 * The webhook operations a desk needs from its own practice gateway, which may run in its own thread. Every call
 * rejects with `PracticeStopped` once the gateway no longer answers.
 */
export type PracticeWebhooks = {
  /** Registers an address under a name, or moves the name to it; resolves once that is durable. */
  register(endpoint: { readonly url: string; readonly name: string }): ReturnType<Webhooks['register']>
  /** The last `count` deliveries, newest first. */
  list(count: number): Promise<readonly GatewayDelivery[]>
  /** Attempts a delivery now; resolves to a sentence about the outcome, or the reason for not trying. */
  retry(deliveryId: string): Promise<Result<string>>
  /** Calls `listener` after every change; the returned function unsubscribes. */
  onChange(listener: () => void): () => void
}

/** Practice services as a desk uses them, wherever they run. */
export type PracticeServices = Omit<Sandbox, 'webhooks'> & { readonly webhooks: PracticeWebhooks }

/** The services of a sandbox in this thread. */
export const practiceServices = (sandbox: Sandbox): PracticeServices => ({
  ...sandbox,
  webhooks: practiceWebhooks(sandbox.webhooks),
})

function practiceWebhooks(webhooks: Webhooks): PracticeWebhooks {
  return {
    register: (endpoint) => unlessDiskFailed(() => webhooks.register(endpoint)),
    list: (count) =>
      unlessDiskFailed(() =>
        webhooks.deliveries({ count }).map((delivery) => shownDelivery(delivery, webhooks.endpointOf(delivery))),
      ),
    retry: (deliveryId) => unlessDiskFailed(() => retryOf(webhooks, deliveryId)),
    onChange: (listener) => webhooks.onChange(listener),
  }
}

function retryOf(webhooks: Webhooks, deliveryId: string): Result<string> {
  const id = Number(deliveryId)
  const retried = webhooks.retry([{ first: id, last: id }])
  if (!retried.ok) return err(`Unknown delivery ${deliveryId}.`)
  return retried.value.tried === 1
    ? ok(`Retrying delivery ${deliveryId} now.`)
    : err(`Delivery ${deliveryId} not retried: it is in flight, or its endpoint or event is gone.`)
}

async function unlessDiskFailed<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UnusableData) throw new PracticeStopped(error.message)
    throw error
  }
}

/**
 * The practice exchange no longer answers, because its disk failed or its thread ended; the message is a sentence that
 * says which.
 */
export class PracticeStopped extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PracticeStopped'
  }
}
