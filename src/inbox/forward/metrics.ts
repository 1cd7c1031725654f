import { Counter, Gauge, type Registry } from 'prom-client'
import { type Attempt, outcomeOf } from '../attempt.ts'
import type { ForwardStanding, ForwardStore } from '../store/forward-store.ts'

/**
 * The metrics of forwarding. Gauges are read from the store on request, so they are the same on every host, and omitted
 * while the store is unreadable.
 */
export function forwardMetrics(
  registry: Registry,
  store: Pick<ForwardStore, 'standings' | 'unreadCount'>,
  { targets, wallMs }: { readonly targets: readonly string[]; readonly wallMs: () => number },
) {
  const registers = [registry]
  const attempts = new Counter({
    name: 'pitdesk_inbox_forward_attempts_total',
    help: 'Attempts of this process to forward an event, by target and outcome: taken, refused or unanswered.',
    labelNames: ['target', 'outcome'],
    registers,
  })
  const waitingHere = new Gauge({
    name: 'pitdesk_inbox_forward_waiting',
    help: 'Events that this process has read and not forwarded yet.',
    labelNames: ['target'],
    registers,
  })
  const gauges: readonly { name: string; help: string; measure: (of: ForwardStanding) => number }[] = [
    {
      name: 'pitdesk_inbox_forward_oldest_seconds',
      help: 'Age of the oldest event that is not forwarded; 0 without any.',
      measure: ({ oldestReceivedAtMs: ms }) => (ms === null ? 0 : Math.max(0, (wallMs() - ms) / 1_000)),
    },
    {
      name: 'pitdesk_inbox_forward_stuck_orders',
      help: 'Orders whose next event was tried and not accepted.',
      measure: ({ stuckOrders }) => stuckOrders,
    },
    { name: 'pitdesk_inbox_forward_dead', help: 'Events that were given up.', measure: ({ dead }) => dead },
    {
      name: 'pitdesk_inbox_forward_lease_number',
      help: 'How often the right to forward was given: a jump is a change of hosts.',
      measure: ({ fence }) => fence,
    },
  ]
  /** Read once for all gauges of a request. */
  let reading: Promise<void> | null = null
  const collect = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  const made = gauges.map(({ name, help, measure }) => ({
    gauge: new Gauge({ name, help, labelNames: ['target'], registers, collect }),
    measure,
  }))
  const holder = new Gauge({
    name: 'pitdesk_inbox_forward_holder',
    help: '1 for the host and process that forwards now; 0: it was the last, and none does.',
    labelNames: ['target', 'holder'],
    registers,
    collect,
  })
  const quarantine = new Gauge({
    name: 'pitdesk_inbox_quarantine',
    help: 'Bodies in quarantine that no replay has taken up.',
    registers,
    collect,
  })

  async function read(): Promise<void> {
    // Unknown values are omitted, because a 0 would mean that all is well.
    for (const gauge of [...made.map((each) => each.gauge), holder]) gauge.reset()
    quarantine.remove()
    try {
      const [unread, standings] = await Promise.all([store.unreadCount(), store.standings()])
      quarantine.set(unread)
      // A target that is no longer configured has a place that does not move.
      for (const standing of standings.filter(({ target }) => targets.includes(target))) {
        const { target } = standing
        for (const { gauge, measure } of made) gauge.set({ target }, measure(standing))
        holder.set({ target, holder: standing.holder }, standing.isHeld ? 1 : 0)
      }
    } catch {
      // Recording and forwarding report what is wrong with the store.
    }
  }
  return {
    /** Counts an attempt. */
    onAttempt(target: string, attempt: Attempt, waiting: number): void {
      attempts.inc({ target, outcome: outcomeOf(attempt) })
      waitingHere.set({ target }, waiting)
    },
  }
}
