import { readBaseAddress } from '../../api/base-address.ts'
import { createTransport } from '../../api/call.ts'
import { createGatewayClient, gatewayKeyHeader } from '../../api/gateway-client.ts'
import type { Transport, TransportOptions } from '../../api/transport.ts'
import type { Clock } from '../../base/clock.ts'
import { ok, type Result } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { NewsLevel } from '../../domain/desk/events.ts'
import type { Need } from '../../domain/desk/feeds.ts'
import type { EligibilityPart, ReceiverState } from '../../domain/gateway/service-events.ts'
import { quarantinedBody, replayBody } from '../../inbox/receiver/read-incoming.ts'
import type { Recorded } from '../../inbox/store/event-store.ts'
import { createEligibility } from '../../services/gateway/eligibility.ts'
import {
  createInboxFeed,
  followDeliveries,
  type InboxFeed,
  type PracticeDeliveries,
} from '../../services/gateway/inbox-feed.ts'
import type { Poller } from '../../services/polling/poller.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { isPictureLive } from '../../store/feed-needs.ts'
import type { GatewayStart } from '../../store/gateway/gateway.ts'
import type { GatewayPort } from '../../store/gateway/gateway-commands.ts'
import type { DeskInbox } from './late-inbox.ts'
import type { DeskReceiver, ReceiverAlarms } from './receiver.ts'

/** The deliveries of the desk's own practice gateway, to show and to retry. */
export type DeskDeliveries = PracticeDeliveries & {
  /** Attempts a delivery now; resolves to a sentence about the outcome, or the reason for not trying. */
  retry(deliveryId: string): Promise<Result<string>>
}

/** The desk's connections to the payment gateway; each may be missing. */
export type DeskGateway = {
  eligibility: { baseUrl: string; partnerKey: Secret } | null
  /** Already open; closed by its opener. */
  inbox: DeskInbox | null
  receiver: { state: ReceiverState; own: DeskReceiver | null }
  /** Alarms of an inbox in this process. */
  alarms: ReceiverAlarms | null
  deliveries: DeskDeliveries | null
  stuckAfterMs: number
  /** The sequence the user has seen up to, and its saving. */
  seen: { sequence: number; keep: (sequence: number) => void }
}

/** For a desk without a payment gateway. */
export const noGateway: DeskGateway = {
  eligibility: null,
  inbox: null,
  receiver: { state: { kind: 'none' }, own: null },
  alarms: null,
  deliveries: null,
  stuckAfterMs: 1_800_000,
  seen: { sequence: 0, keep: () => undefined },
}

/** The gateway's part of the desk's first state. */
export const gatewayStart = ({ eligibility, receiver, deliveries, seen }: DeskGateway = noGateway): GatewayStart => ({
  isKnown: eligibility !== null,
  isSet: deliveries === null && (eligibility !== null || receiver.state.kind !== 'none'),
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

type GatewayLinks = {
  port: GatewayPort
  /** Resolves once the desk's signal is aborted and its loops have ended. */
  run(): Promise<void>
  /** Closes the connections after `run` has ended. */
  close(): Promise<void>
}

/**
 * Connects the gateway's interface, its inbox and a practice gateway's deliveries to the desk. The error concerns the
 * gateway's address.
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
  gateway.alarms?.follow(({ line, news: level }) => {
    store.dispatch({ type: 'noted', level, text: `Inbox: ${plainText(line)}`, atMs: clock.now(), isAside: true })
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

/** The loops that poll eligibility; none without an address and key. */
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
    // The interface has no writes.
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

/** The port of a desk without a gateway: every request gets a notice. */
function noGatewayPort(say: (text: string) => void): GatewayPort {
  const no = () => say('This desk has no inbox of gateway orders.')
  return { readOrder: no, replay: no, retryDelivery: no, switchInbox: no }
}

type PortContext = { store: DeskStore; clock: Clock; track: (work: Promise<unknown>) => void }
type Said = { level: NewsLevel; text: string }

const recordedWords: Readonly<Record<Recorded, string>> = {
  new: 'is recorded now',
  known: 'was recorded before',
  conflict: 'is kept beside another body of the same id',
  quarantined: 'is still not an event',
}

/** Executes the user's requests to the inbox and the practice deliveries; a notice reports each result. */
function gatewayPort(gateway: DeskGateway, feed: InboxFeed | null, context: PortContext): GatewayPort {
  const { store, clock, track } = context
  const { inbox, deliveries, receiver } = gateway
  const say = ({ level, text }: Said) => store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  const none = noGatewayPort((text) => say({ level: 'warn', text }))
  return {
    readOrder: feed === null ? none.readOrder : (orderId) => track(feed.readOrder(orderId)),
    replay: inbox === null ? none.replay : (sequence) => track(replayed(inbox, sequence, clock.wallMs()).then(say)),
    retryDelivery(deliveryId) {
      if (deliveries === null) return none.retryDelivery(deliveryId)
      const tell = (retried: Result<string>) =>
        say(retried.ok ? { level: 'good', text: retried.value } : { level: 'warn', text: retried.error })
      track(deliveries.retry(deliveryId).then(tell))
    },
    switchInbox(to) {
      const { own } = receiver
      if (own === null) return none.switchInbox(to)
      const tell = (state: ReceiverState) => {
        store.dispatch({ type: 'receiverChanged', receiver: state, atMs: clock.now() })
        say(receiverSaid(state))
      }
      track(own[to]().then(tell))
    },
  }
}

function receiverSaid(state: ReceiverState): Said {
  switch (state.kind) {
    case 'listening':
      return { level: 'good', text: `The inbox listens at ${state.url}.` }
    case 'stopped':
      return { level: 'warn', text: 'The inbox is stopped: the gateway keeps its events and retries them.' }
    case 'failed':
      return { level: 'bad', text: state.sentence }
    case 'opening':
    case 'none':
    case 'elsewhere':
      return { level: 'warn', text: 'This desk has no inbox of its own.' }
  }
}

async function replayed(inbox: DeskInbox, sequence: number, atMs: number): Promise<Said> {
  const which = `Quarantined body ${sequence}`
  try {
    const body = await quarantinedBody(inbox, sequence)
    if (body === null) return { level: 'warn', text: `${which} is not there any more.` }
    const replay = await replayBody(inbox, body, atMs)
    switch (replay.kind) {
      case 'before':
        return { level: 'info', text: `${which} was recorded by an earlier replay.` }
      case 'unreadable':
        return { level: 'warn', text: `${which} is still not an event: ${plainText(replay.reason)}.` }
      case 'recorded':
        return { level: 'good', text: `${which} ${recordedWords[replay.as]}, order ${plainText(replay.orderId)}.` }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { level: 'bad', text: `${which} could not be replayed: ${plainText(error.message)}.` }
  }
}

/** Eligibility is needed while its pane shows live data. */
const eligibilityNeed = (state: DeskState): Need =>
  isPictureLive(state) && state.screen.visiblePanes.includes('gateway') ? 'visible' : 'hidden'

/**
 * Reschedules the eligibility polls when their pane comes on screen, and asks for the regions when their filter
 * changes.
 */
function wakeEligibility(store: DeskStore, pollers: Readonly<Record<EligibilityPart, Poller>>): void {
  store.subscribe((state, before) => {
    if (state.gateway.onlyBuyAllowed !== before.gateway.onlyBuyAllowed) pollers.regions.wake()
    if (eligibilityNeed(state) !== eligibilityNeed(before))
      for (const poller of Object.values(pollers)) poller.rescheduleIfSooner()
  })
}

/** Saves the sequence the user has seen, whenever it changes. */
function keepSeen(store: DeskStore, keep: (sequence: number) => void): void {
  store.subscribe(({ gateway }, before) => {
    const { seenSequence } = gateway.inbox
    if (seenSequence !== before.gateway.inbox.seenSequence) keep(seenSequence)
  })
}
