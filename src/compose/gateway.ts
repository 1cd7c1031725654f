import { readBaseAddress } from '../api/base-address.ts'
import { createTransport, type Transport, type TransportOptions } from '../api/call.ts'
import { createGatewayClient, gatewayKeyHeader } from '../api/gateway-client.ts'
import type { Clock } from '../base/clock.ts'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import type { Secret } from '../base/secret.ts'
import type { ReceiverState } from '../domain/gateway/service-events.ts'
import type { EventStore } from '../inbox/store/event-store.ts'
import { followDeliveries, type PracticeDeliveries } from '../services/gateway/deliveries-feed.ts'
import { createEligibility } from '../services/gateway/eligibility.ts'
import { createInboxFeed } from '../services/gateway/inbox-feed.ts'
import type { DeskStore } from '../store/desk.ts'
import type { GatewayStart } from '../store/gateway/gateway.ts'
import type { GatewayPort } from '../store/gateway/gateway-commands.ts'
import type { ReceiverAlarms } from './desk-receiver.ts'
import { gatewayPort } from './gateway-port.ts'
import { eligibilityNeed, keepSeen, wakeEligibility } from './gateway-wake.ts'

/** An inbox that runs in this very desk and can be stopped and started again. Both resolve with how it stands then. */
export type DeskReceiver = {
  start(): Promise<ReceiverState>
  stop(): Promise<ReceiverState>
}

/** What can be seen and done of the deliveries of the desk's own practice gateway. */
export type DeskDeliveries = PracticeDeliveries & {
  /** Tries a delivery now; what was done, or why not. */
  retry(deliveryId: string): Result<string>
}

/** The payment gateway as a desk has it; each part may be missing. */
export type DeskGateway = {
  eligibility: { baseUrl: string; partnerKey: Secret } | null
  /** Open, and closed by whoever opened it. */
  inbox: EventStore | null
  receiver: { state: ReceiverState; own: DeskReceiver | null }
  /** Of an inbox in this very desk. */
  alarms: ReceiverAlarms | null
  deliveries: DeskDeliveries | null
  stuckAfterMs: number
  /** What was looked at before, and where that is kept. */
  seen: { sequence: number; keep: (sequence: number) => void }
}

/** A desk that trades and has nothing to do with the payment gateway. */
const noGateway: DeskGateway = {
  eligibility: null,
  inbox: null,
  receiver: { state: { kind: 'none' }, own: null },
  alarms: null,
  deliveries: null,
  stuckAfterMs: 1_800_000,
  seen: { sequence: 0, keep: () => undefined },
}

/** What the desk's state begins with. */
export const gatewayStart = ({ eligibility, receiver, deliveries, seen }: DeskGateway = noGateway): GatewayStart => ({
  isKnown: eligibility !== null,
  receiver: receiver.state,
  isOwn: deliveries !== null,
  seenSequence: seen.sequence,
})

type Context = {
  store: DeskStore
  clock: Clock
  random: () => number
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
}

export type GatewayLinks = {
  port: GatewayPort
  /** Resolves once the desk's signal is aborted and nothing is under way. */
  run(): Promise<void>
  /** Closes the connections once `run` is over. */
  close(): Promise<void>
}

/**
 * Connects the gateway's interface, its inbox and a practice gateway's deliveries with the desk. The error is about its
 * address.
 */
export function connectGateway(gateway: DeskGateway = noGateway, context: Context): Result<GatewayLinks> {
  const { store, clock, signal } = context
  const { inbox, deliveries, stuckAfterMs, seen } = gateway
  const asked = askEligibility(gateway, context)
  if (!asked.ok) return asked
  const feed =
    inbox === null
      ? null
      : createInboxFeed(inbox, { clock, signal, emit: (events) => store.dispatchAll(events), stuckAfterMs })
  keepSeen(store, seen.keep)
  gateway.alarms?.follow((line) => {
    const level = line.endsWith('are kept again') ? 'good' : 'bad'
    store.dispatch({ type: 'noted', level, text: `Inbox: ${plainText(line)}`, atMs: clock.now() })
  })
  const loops = [...asked.value.loops]
  if (feed !== null) loops.push(() => feed.run())
  if (deliveries !== null)
    loops.push(() => followDeliveries(deliveries, { clock, signal, emit: (event) => store.dispatch(event) }))
  let running: Promise<unknown> = Promise.resolve()
  return ok({
    port: gatewayPort(gateway, feed, context),
    async run() {
      const all = Promise.all(loops.map((loop) => loop()))
      running = all.catch(() => undefined)
      await all
    },
    async close() {
      await running
      await asked.value.transport?.close()
    },
  })
}

type Asked = { transport: Transport | null; loops: readonly (() => Promise<void>)[] }

/** The loops that ask what may be sold; none where no address or key is known. */
function askEligibility({ eligibility }: DeskGateway, context: Context): Result<Asked> {
  if (eligibility === null) return ok({ transport: null, loops: [] })
  const { store, clock, random, signal } = context
  const base = readBaseAddress(eligibility.baseUrl)
  if (!base.ok) return base
  const transport = createTransport({
    ...context.transport,
    base: base.value,
    key: eligibility.partnerKey,
    keyHeader: gatewayKeyHeader,
    clock,
    random,
    // The interface has nothing that writes.
    mayWrite: () => false,
  })
  const pollers = createEligibility(createGatewayClient(transport, 'poll'), {
    clock,
    random,
    signal,
    emit: (event) => store.dispatch(event),
    need: () => eligibilityNeed(store.getState()),
    onlyBuyAllowed: () => store.getState().gateway.onlyBuyAllowed,
  })
  wakeEligibility(store, pollers)
  return ok({ transport, loops: Object.values(pollers).map((poller) => () => poller.run()) })
}
