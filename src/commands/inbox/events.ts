import { dropOldest } from '../../base/drop-oldest.ts'
import { ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { type GatewayEvent, type GatewayOrderState, gatewayOrderStates } from '../../domain/gateway/event.ts'
import { type InboxEvent, type InboxOrder, type InboxStep, inboxOrder } from '../../domain/gateway/inbox-order.ts'
import { pagesFrom, type StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import { readGatewayEvent } from '../../wire/gateway-event.ts'
import { type Arguments, readTimes, type Times } from '../cli/arguments.ts'
import type { Fields } from '../cli/exit-codes.ts'
import { amount, type Column, text, time } from '../cli/output.ts'

/** True when a word is the number of a quarantined body; the sentence is for other words. */
export const isBodyNumber = (word: string): boolean => /^\d{1,15}$/.test(word)
export const bodyNumberUsage = 'a quarantined body is named by its number, as "inbox ls quarantine" shows it'

/** A query for events of the inbox, by times of receipt. */
export type EventQuery = Times & { orderId?: string; state?: GatewayOrderState }

/** The query of the flags `--order`, `--state`, `--from` and `--to`. */
export function readEventQuery(given: Arguments, nowMs: number): Result<EventQuery> {
  const times = readTimes(given, nowMs)
  if (!times.ok) return times
  const orderId = given.value('order')
  const state = gatewayOrderStates.find((each) => each === given.value('state'))
  return ok({
    ...times.value,
    ...(orderId === undefined ? {} : { orderId }),
    ...(state === undefined ? {} : { state }),
  })
}

export type ReadTools = {
  signal: AbortSignal
  /** Called with a body that was recorded as an event and that this version cannot read. */
  leftOut: (sentence: string) => void
}

/** Events read from the store at once: a body may have 64 KiB. */
export const storePageSize = 250

/** A stored event, read; null, and reported, when a newer version recorded a form unknown to this one. */
export function readStored(stored: StoredEvent, { leftOut }: ReadTools): InboxEvent | null {
  const { sequence, receivedAtMs, source, copies, conflicts, eventId } = stored
  const read = readGatewayEvent(stored.body)
  if (read.ok) return { sequence, receivedAtMs, source, copies, conflicts, event: read.value }
  leftOut(`event ${plainText(eventId)}: ${read.error}`)
  return null
}

/** In ms. The clocks of several receivers may differ from the order of recording, but not by this much. */
const clockSlackMs = 3_600_000

/**
 * True when everything after this page is after `toMs`: all of the page is, since a clock may have been wrong for a
 * while.
 */
export const isAllAfter = (page: readonly StoredEvent[], toMs: number): boolean =>
  page.every(({ receivedAtMs }) => receivedAtMs > toMs + clockSlackMs)

/** True when everything after this page is before `fromMs`. */
const isAllBefore = (page: readonly StoredEvent[], fromMs: number): boolean =>
  page.every(({ receivedAtMs }) => receivedAtMs < fromMs - clockSlackMs)

type Direction = 'oldest first' | 'newest first'

/** Stored events page by page, in the order of recording or reversed, limited to the times of receipt. */
async function* storedPages(
  store: EventStore,
  { orderId, orderIds, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: EventQuery & { orderIds?: readonly string[] },
  direction: Direction,
  { signal }: Pick<ReadTools, 'signal'>,
): AsyncGenerator<readonly StoredEvent[]> {
  const wanted = orderIds ?? (orderId === undefined ? undefined : [orderId])
  const only = wanted === undefined ? {} : { orderIds: wanted }
  const start = direction === 'oldest first' ? { after: 0 } : { before: null }
  if (signal.aborted) return
  for await (const page of pagesFrom((query) => store.events({ ...only, ...query }), start, storePageSize)) {
    yield page.filter(({ receivedAtMs }) => receivedAtMs >= fromMs && receivedAtMs <= toMs)
    const isPast = direction === 'oldest first' ? isAllAfter(page, toMs) : isAllBefore(page, fromMs)
    if (isPast || signal.aborted) return
  }
}

/** Stored events, in the order of recording or reversed. */
export async function* walkEvents(
  store: EventStore,
  query: EventQuery,
  direction: Direction,
  tools: ReadTools,
): AsyncGenerator<InboxEvent> {
  for await (const page of storedPages(store, query, direction, tools))
    for (const stored of page) {
      const event = readStored(stored, tools)
      if (event !== null) yield event
    }
}

/** The order of a query, from its matching events; null for none. */
export async function readOrder(
  store: EventStore,
  query: EventQuery & { orderId: string },
  tools: ReadTools,
): Promise<InboxOrder | null> {
  const [order] = await readOrders(store, [query.orderId], query, tools)
  return order ?? null
}

/** Orders by their wanted events, read together, in the order of these ids; without those that have none. */
async function readOrders(
  store: EventStore,
  orderIds: readonly string[],
  query: EventQuery,
  tools: ReadTools,
): Promise<InboxOrder[]> {
  const events = new Map<string, InboxEvent[]>(orderIds.map((orderId) => [orderId, []]))
  if (orderIds.length > 0)
    for await (const page of storedPages(store, { ...query, orderIds }, 'oldest first', tools))
      for (const stored of page) {
        const event = readStored(stored, tools)
        if (event !== null) events.get(stored.orderId)?.push(event)
      }
  return [...events.values()].flatMap((own) => inboxOrder(own) ?? [])
}

/**
 * Every order by its wanted events, the one that was heard of last first. Those of a page are read together when their
 * last events are met, so that of a store of any size only they are in memory, and the ids of those before.
 */
export async function* walkOrders(store: EventStore, query: EventQuery, tools: ReadTools): AsyncGenerator<InboxOrder> {
  const met = new Set<string>()
  for await (const page of storedPages(store, query, 'newest first', tools)) {
    const fresh = [...new Set(page.map(({ orderId }) => orderId))].filter((orderId) => !met.has(orderId))
    for (const orderId of fresh) met.add(orderId)
    const orders = await readOrders(store, fresh, query, tools)
    // What was cut short is not all of an order.
    if (tools.signal.aborted) return
    yield* orders
  }
}

/** Orders whose steps are remembered while their events are listed: one that recurs later is read again. */
const rememberedMax = 500

/**
 * Every event of this state and these times, the newest first. Whether it came late depends on the order's earlier
 * events: the whole orders of a page are read together, as each alone was a query for every event of most stores.
 */
export async function* walkSteps(store: EventStore, query: EventQuery, tools: ReadTools): AsyncGenerator<InboxStep> {
  const steps = new Map<string, ReadonlyMap<string, InboxStep>>()
  for await (const page of storedPages(store, query, 'newest first', tools)) {
    const wanted = page
      .flatMap((stored) => readStored(stored, tools) ?? [])
      .filter(({ event }) => query.state === undefined || event.orderState === query.state)
    const orderIds = [...new Set(wanted.map(({ event }) => event.orderId))].filter((orderId) => !steps.has(orderId))
    for (const { orderId, history } of await readOrders(store, orderIds, {}, tools))
      steps.set(orderId, new Map(history.map((step) => [step.event.eventId, step])))
    // What was cut short is not all of an order.
    if (tools.signal.aborted) return
    for (const { event } of wanted) {
      const step = steps.get(event.orderId)?.get(event.eventId)
      if (step !== undefined) yield step
    }
    dropOldest(steps, rememberedMax)
  }
}

/** The event's own fields, by the wire's names. */
export const eventFields = (event: GatewayEvent): Fields => ({
  ...event,
  createdAt: event.createdAt.text,
  orderStateUpdatedAt: event.orderStateUpdatedAt.text,
})

/** An event with the facts of its receipt. */
export const stepFields = ({
  event,
  sequence,
  receivedAtMs,
  source,
  isLate,
  copies,
  conflicts,
}: InboxStep): Fields => ({
  sequence,
  receivedAt: receivedAtMs,
  source,
  isLate,
  copies,
  conflicts,
  ...eventFields(event),
})

/** An order in its latest state. */
export const orderFields = (order: InboxOrder): Fields => ({
  receivedAt: order.history.at(-1)?.receivedAtMs ?? order.shownReceivedAtMs,
  events: order.history.length,
  late: order.lateCount,
  copies: order.copyCount,
  conflicts: order.conflictCount,
  ...eventFields(order.shown),
})

/** The table's columns of an event or order; JSON and CSV have the rest. */
const ofEvent: readonly Column[] = [
  text('orderState', 'STATE'),
  text('orderType', 'TYPE', 3),
  amount('inputAmount', 'IN', 2),
  text('inputCurrency', '', 2),
  amount('outputAmount', 'OUT', 2),
  text('outputCurrency', '', 2),
  text('orderStateUpdatedAt', 'CHANGED', 5),
]

export const eventColumns: readonly Column[] = [
  time('receivedAt', 'RECEIVED (UTC)'),
  text('eventId', 'EVENT', 4),
  text('orderId', 'ORDER'),
  ...ofEvent,
  text('isLate', 'LATE', 1),
  amount('copies', 'COPIES', 6),
  amount('conflicts', 'CONFLICTS', 1),
]

export const orderColumns: readonly Column[] = [
  time('receivedAt', 'RECEIVED (UTC)', 4),
  text('orderId', 'ORDER'),
  ...ofEvent,
  amount('events', 'EVENTS', 6),
  amount('late', 'LATE', 6),
  amount('copies', 'COPIES', 7),
  amount('conflicts', 'CONFLICTS', 1),
]

export const sumColumns: readonly Column[] = [
  text('day', 'DAY (UTC)'),
  text('state', 'STATE'),
  text('direction', 'SIDE'),
  text('currency', 'CURRENCY'),
  amount('orderCount', 'ORDERS'),
  amount('amount', 'AMOUNT'),
  amount('processingFees', 'SERVICE FEES', 1),
  amount('partnerFees', 'PARTNER FEES', 2),
  amount('networkFees', 'NETWORK FEES', 3),
]

export const quarantineColumns: readonly Column[] = [
  amount('number', 'NUMBER'),
  time('receivedAt', 'RECEIVED (UTC)'),
  text('source', 'SOURCE', 2),
  text('reason', 'REASON'),
  time('replayedAt', 'REPLAYED (UTC)', 3),
  text('body', 'BODY', 1),
]

export const deadColumns: readonly Column[] = [
  amount('number', 'NUMBER'),
  time('givenUpAt', 'GIVEN UP (UTC)'),
  text('target', 'TARGET'),
  text('eventId', 'EVENT'),
  text('orderId', 'ORDER', 1),
  amount('tries', 'TRIES'),
  text('reason', 'REASON'),
]

export const targetColumns: readonly Column[] = [
  text('target', 'TARGET'),
  text('holder', 'FORWARDED BY'),
  text('isForwarding', 'NOW'),
  amount('waiting', 'WAITING'),
  time('oldestReceivedAt', 'OLDEST (UTC)'),
  amount('stuckOrders', 'STUCK ORDERS'),
  amount('dead', 'DEAD'),
  amount('leaseNumber', 'LEASE', 1),
  amount('behind', 'BEHIND'),
  text('stuckReason', 'STUCK, AS'),
]

export const attemptColumns: readonly Column[] = [
  time('at', 'TRIED (UTC)'),
  text('target', 'TARGET'),
  amount('number', 'TRY'),
  text('status', 'STATUS'),
  amount('durationMs', 'MS', 1),
  text('reason', 'NOT TAKEN BECAUSE'),
  text('answer', 'ANSWER', 2),
]

/** Every field of an event for CSV. */
const everyField: readonly Column[] = [
  ...['eventId', 'orderId', 'externalReference', 'subPartnerId', 'orderType', 'createdAt'].map(asText),
  ...['orderState', 'orderStateUpdatedAt', 'paymentMethod'].map(asText),
  amount('inputAmount', 'IN'),
  text('inputCurrency', ''),
  amount('outputAmount', 'OUT'),
  text('outputCurrency', ''),
  ...[
    'amountUsd',
    'processingFee',
    'processingFeeUsd',
    'partnerFee',
    'partnerFeeUsd',
    'networkFee',
    'networkFeeUsd',
  ].map((field) => amount(field, field)),
  ...['network', 'userId', 'userCountry', 'userState', 'targetWalletAddress', 'transactionHash'].map(asText),
]

const count = (field: string): Column => amount(field, field)

/** Every field of an event and of its receipt. */
export const exportColumns: readonly Column[] = [
  count('sequence'),
  time('receivedAt', 'receivedAt'),
  asText('source'),
  ...everyField,
  count('copies'),
  count('conflicts'),
]
export const eventCsvColumns: readonly Column[] = [...exportColumns, asText('isLate')]
export const orderCsvColumns: readonly Column[] = [
  time('receivedAt', 'receivedAt'),
  ...everyField,
  ...['events', 'late', 'copies', 'conflicts'].map(count),
]

function asText(field: string): Column {
  return text(field, field)
}
