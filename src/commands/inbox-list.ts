import type { InboxStep } from '../domain/gateway/inbox-order.ts'
import type { QuarantinedBody } from '../domain/gateway/inbox-source.ts'
import { noOrderSums, withChanges } from '../domain/gateway/order-sums.ts'
import { plainText } from '../domain/plain-text.ts'
import type { EventStore } from '../inbox/event-store.ts'
import { shown } from './arguments.ts'
import { done, failed, type Run, wrongUsage } from './command.ts'
import {
  eventColumns,
  eventCsvColumns,
  orderColumns,
  orderCsvColumns,
  quarantineColumns,
  sumColumns,
} from './inbox-columns.ts'
import {
  type EventQuery,
  orderFields,
  type ReadTools,
  readEventQuery,
  readOrder,
  readOrders,
  stepFields,
  walkEvents,
} from './inbox-events.ts'
import { withStore } from './inbox-store.ts'
import { readCount } from './query-values.ts'
import { type Column, type Fields, formOf, list, printReading } from './read-output.ts'
import { inboxLists } from './rows-inbox.ts'

/** Lists what is in the inbox, the newest first. */
export const runInboxList: Run = async (given, io, tools) => {
  if (given.has('json') && given.has('csv')) return wrongUsage('--json and --csv exclude each other')
  const [word = 'events'] = given.words
  const what = inboxLists.find((each) => each === word)
  if (what === undefined) return wrongUsage(`"${shown(word)}" is no list: there is ${inboxLists.join(', ')}`)
  const query = readEventQuery(given)
  if (!query.ok) return wrongUsage(query.error)
  const count = readCount(given)
  if (!count.ok) return wrongUsage(count.error)
  const leftOut = (sentence: string) => io.complain(plainText(`Left out: ${sentence}.`))
  const context = { most: count.value ?? Number.POSITIVE_INFINITY, signal: io.signal, leftOut }
  return withStore(given, { io, tools }, async (store) => {
    const { rows, columns, csvColumns = columns } = await read(what, store, query.value, context)
    if (io.signal.aborted) return failed('ended before all was read')
    const form = formOf(given, io.stdout)
    printReading(list(rows), form === 'csv' ? csvColumns : columns, form, io)
    return done
  })
}

type Context = ReadTools & { most: number }
type Listing = { rows: Fields[]; columns: readonly Column[]; csvColumns?: readonly Column[] }

async function read(
  what: (typeof inboxLists)[number],
  store: EventStore,
  query: EventQuery,
  context: Context,
): Promise<Listing> {
  switch (what) {
    case 'events':
      return { rows: await listEvents(store, query, context), columns: eventColumns, csvColumns: eventCsvColumns }
    case 'quarantine':
      return { rows: await listQuarantine(store, query, context), columns: quarantineColumns }
    case 'orders':
      return { rows: await listOrders(store, query, context), columns: orderColumns, csvColumns: orderCsvColumns }
    case 'sums':
      return { rows: await listSums(store, query, context), columns: sumColumns }
  }
}

async function listEvents(store: EventStore, query: EventQuery, context: Context): Promise<Fields[]> {
  const rows: Fields[] = []
  // Whether an event came late is told by what the order had before it, so the whole order is looked at once.
  const steps = new Map<string, ReadonlyMap<string, InboxStep>>()
  for await (const received of walkEvents(store, query, 'newest first', context)) {
    if (rows.length >= context.most) break
    const { eventId, orderId, orderState } = received.event
    if (query.state !== undefined && orderState !== query.state) continue
    const known = steps.get(orderId) ?? (await stepsOf(store, orderId, context))
    steps.set(orderId, known)
    const step = known.get(eventId)
    if (step !== undefined) rows.push(stepFields(step))
  }
  return rows
}

async function stepsOf(store: EventStore, orderId: string, tools: ReadTools): Promise<ReadonlyMap<string, InboxStep>> {
  const order = await readOrder(store, orderId, tools)
  return new Map((order?.history ?? []).map((step) => [step.event.eventId, step]))
}

async function listOrders(store: EventStore, query: EventQuery, context: Context): Promise<Fields[]> {
  const orders = [...(await readOrders(store, query, context)).values()].reverse()
  return orders
    .filter(({ shown: { orderState } }) => query.state === undefined || orderState === query.state)
    .slice(0, context.most)
    .map(orderFields)
}

async function listSums(store: EventStore, query: EventQuery, context: Context): Promise<Fields[]> {
  const orders = [...(await readOrders(store, query, context)).values()]
  const sums = withChanges(
    noOrderSums,
    orders.map(({ shown: after }) => ({ before: null, after })),
  )
  const keyOf = ({ day, state, direction, currency }: Fields) => `${day} ${state} ${direction} ${currency}`
  return [...sums.values()]
    .filter(({ state }) => query.state === undefined || state === query.state)
    .map((sum): Fields => ({ ...sum }))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1))
    .slice(0, context.most)
}

async function listQuarantine(store: EventStore, query: EventQuery, context: Context): Promise<Fields[]> {
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query
  const rows: Fields[] = []
  let before: number | null = null
  while (!context.signal.aborted) {
    const page: readonly QuarantinedBody[] = await store.quarantine({ before, count: 1_000 })
    for (const body of page) {
      const isWanted = body.receivedAtMs >= fromMs && body.receivedAtMs <= toMs
      if (isWanted && rows.length < context.most) rows.push(quarantineFields(body))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < 1_000 || rows.length >= context.most) break
    before = last.sequence
  }
  return rows
}

/** A quarantined body by the names of the lists; what is no text shows as the replacement character. */
export const quarantineFields = (body: QuarantinedBody): Fields => ({
  number: body.sequence,
  receivedAt: body.receivedAtMs,
  source: body.source,
  reason: body.reason,
  replayedAt: body.replayedAtMs,
  body: Buffer.from(body.body).toString('utf8'),
})
