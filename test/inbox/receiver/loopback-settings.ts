import { systemClock } from '../../../src/base/clock.ts'
import type { ReceiverSettings } from '../../../src/inbox/receiver/settings.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'

/** A receiver on a free port of loopback that takes events of this machine. */
export const loopbackSettings = (store: EventStore, log: string[]): ReceiverSettings => ({
  store,
  clock: systemClock,
  listen: { host: '127.0.0.1', port: 0 },
  allow: ['127.0.0.1'],
  trustProxies: [],
  tls: null,
  log: (line) => log.push(line),
  metrics: null,
})
