import type { Clock } from '../../base/clock.ts'
import type { GatewayDelivery } from '../../domain/gateway/delivery.ts'
import type { GatewayServiceEvent } from '../../domain/gateway/service-events.ts'

/** The deliveries of a practice gateway that runs in this process. */
export type PracticeDeliveries = {
  /** Newest first. */
  list(count: number): readonly GatewayDelivery[]
  /** Calls `listener` after any change; returns what ends that. */
  onChange(listener: () => void): () => void
}

const shownMost = 200
/** A burst is shown in one go. */
const restMs = 250

/** Tells of deliveries after they changed, until the signal is aborted. */
export async function followDeliveries(
  deliveries: PracticeDeliveries,
  { clock, signal, emit }: { clock: Clock; signal: AbortSignal; emit: (event: GatewayServiceEvent) => void },
): Promise<void> {
  let known: readonly GatewayDelivery[] = []
  let hasChanged = true
  let pause = new AbortController()
  const leave = deliveries.onChange(() => {
    hasChanged = true
    pause.abort()
  })
  while (!signal.aborted) {
    if (hasChanged) {
      hasChanged = false
      known = kept(known, deliveries.list(shownMost))
      emit({ type: 'deliveriesRead', deliveries: known, atMs: clock.now() })
      await clock.sleep(restMs, signal)
      continue
    }
    pause = new AbortController()
    await clock.sleep(stillMs, AbortSignal.any([signal, pause.signal]))
    hasChanged ||= !pause.signal.aborted
  }
  leave()
}

/** The age of the list shows that somebody still looks. */
const stillMs = 5_000

/** The deliveries with those that are as they were in the place of their copies. */
function kept(before: readonly GatewayDelivery[], now: readonly GatewayDelivery[]): readonly GatewayDelivery[] {
  const known = new Map(before.map((delivery) => [delivery.deliveryId, delivery]))
  const next = now.map((delivery) => {
    const same = known.get(delivery.deliveryId)
    return same !== undefined && isSame(same, delivery) ? same : delivery
  })
  return next.length === before.length && next.every((each, at) => each === before[at]) ? before : next
}

const isSame = (left: GatewayDelivery, right: GatewayDelivery): boolean =>
  left.state === right.state &&
  left.attemptCount === right.attemptCount &&
  left.nextAtMs === right.nextAtMs &&
  left.endpoint === right.endpoint
