import { readingSignal } from '../../base/process/command-io.ts'
import { pagesFrom, type QuarantinedBody } from '../../domain/gateway/inbox-source.ts'
import { noOrderSums, type ShownChange, withChanges } from '../../domain/gateway/order.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { DeadLetter, ForwardStanding } from '../../inbox/store/forward-store.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { unknownWord } from '../cli/arguments.ts'
import { inboxLists, type Run } from '../cli/command.ts'
import { type Fields, failed, wrongUsage } from '../cli/exit-codes.ts'
import { type Column, csvHead, csvRow, formOf, leftOutTo, type Pages, pagedList, printReading } from '../cli/output.ts'
import { countedPages, readCount } from '../cli/usual-count.ts'
import { tellTimes } from '../read/read-command.ts'
import {
  deadColumns,
  type EventQuery,
  eventColumns,
  eventCsvColumns,
  eventFields,
  exportColumns,
  orderColumns,
  orderCsvColumns,
  orderFields,
  quarantineColumns,
  type ReadTools,
  readEventQuery,
  stepFields,
  storePageSize,
  sumColumns,
  targetColumns,
  walkEvents,
  walkOrders,
  walkSteps,
} from './events.ts'
import { withStore } from './store.ts'

const filters = ['order', 'state', 'from', 'to', 'limit', 'all'] as const
type Filter = (typeof filters)[number]

/** The filters of each list: a flag without effect is refused, not ignored. */
const filtersOf: Record<(typeof inboxLists)[number], readonly Filter[]> = {
  events: filters,
  orders: filters,
  sums: filters,
  quarantine: ['from', 'to', 'limit', 'all'],
  dead: ['order', 'from', 'to', 'limit', 'all'],
  targets: [],
}

const takenText = (taken: readonly Filter[]): string =>
  taken.length === 0 ? 'that list has no filters' : `it takes ${taken.map((flag) => `--${flag}`).join(', ')}`

/** Lists the contents of the inbox, newest first. */
export const runInboxList: Run = async (given, io, tools) => {
  const [word = 'events'] = given.words
  const what = inboxLists.find((each) => each === word)
  if (what === undefined) return wrongUsage(unknownWord('list', word, inboxLists))
  const unused = filters.find((flag) => given.has(flag) && !filtersOf[what].includes(flag))
  if (unused !== undefined) return wrongUsage(`--${unused} does not go with ${what}: ${takenText(filtersOf[what])}`)
  const query = readEventQuery(given, tools.clock.wallMs())
  if (!query.ok) return wrongUsage(query.error)
  const count = readCount(given)
  if (!count.ok) return wrongUsage(count.error)
  const { leftOut, ending } = leftOutTo(io)
  const context = { signal: readingSignal(io), leftOut, most: count.value ?? Number.POSITIVE_INFINITY }
  return withStore(given, { io, tools, use: 'read' }, async (store) => {
    const { pages, columns, csvColumns = columns } = listing(what, store, query.value, context)
    const form = formOf(given, io.stdout)
    await tellTimes(given, query.value, form, io)
    const counted = countedPages(pages, what === 'targets' ? null : count.value, given)
    await printReading(pagedList(counted.pages), form === 'csv' ? csvColumns : columns, form, io)
    counted.tellMore(io)
    return io.signal.aborted ? failed('ended before all was read') : ending()
  })
}

type Context = ReadTools & { most: number }
type Listing = { pages: Pages; columns: readonly Column[]; csvColumns?: readonly Column[] }

function listing(what: (typeof inboxLists)[number], store: EventStore, query: EventQuery, context: Context): Listing {
  switch (what) {
    case 'events':
      return { pages: listEvents(store, query, context), columns: eventColumns, csvColumns: eventCsvColumns }
    case 'quarantine':
      return { pages: listQuarantine(store, query, context), columns: quarantineColumns }
    case 'dead':
      return { pages: listDead(store, query, context), columns: deadColumns }
    case 'targets':
      return { pages: listTargets(store), columns: targetColumns }
    case 'orders':
      return { pages: listOrders(store, query, context), columns: orderColumns, csvColumns: orderCsvColumns }
    case 'sums':
      return { pages: listSums(store, query, context), columns: sumColumns }
  }
}

async function* listEvents(store: EventStore, query: EventQuery, context: Context): AsyncGenerator<Fields[]> {
  let count = 0
  for await (const step of walkSteps(store, query, context)) {
    count += 1
    yield [stepFields(step)]
    if (count >= context.most) return
  }
}

async function* listOrders(store: EventStore, query: EventQuery, context: Context): AsyncGenerator<Fields[]> {
  let count = 0
  for await (const order of walkOrders(store, query, context)) {
    if (query.state !== undefined && order.shown.orderState !== query.state) continue
    count += 1
    yield [orderFields(order)]
    if (count >= context.most) return
  }
}

async function* listSums(store: EventStore, query: EventQuery, context: Context): AsyncGenerator<Fields[]> {
  let sums = noOrderSums
  let changes: ShownChange[] = []
  for await (const { shown } of walkOrders(store, query, context)) {
    changes.push({ before: null, after: shown })
    if (changes.length < storePageSize) continue
    sums = withChanges(sums, changes)
    changes = []
  }
  // Sums of a part are none.
  if (context.signal.aborted) return
  sums = withChanges(sums, changes)
  const keyOf = ({ day, state, direction, currency }: Fields) => `${day} ${state} ${direction} ${currency}`
  yield [...sums.values()]
    .filter(({ state }) => query.state === undefined || state === query.state)
    .map((sum): Fields => ({ ...sum }))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1))
    .slice(0, context.most)
}

async function* listQuarantine(store: EventStore, query: EventQuery, context: Context): AsyncGenerator<Fields[]> {
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query
  let left = context.most
  if (context.signal.aborted) return
  for await (const page of pagesFrom((query) => store.quarantine(query), { before: null }, storePageSize)) {
    const wanted = page.filter(({ receivedAtMs }) => receivedAtMs >= fromMs && receivedAtMs <= toMs).slice(0, left)
    left -= wanted.length
    yield wanted.map(quarantineFields)
    if (left <= 0 || context.signal.aborted) return
  }
}

/** Events given up, by that time. */
async function* listDead(store: EventStore, query: EventQuery, context: Context): AsyncGenerator<Fields[]> {
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, orderId } = query
  let left = context.most
  if (context.signal.aborted) return
  for await (const page of pagesFrom((query) => store.deadLetters(query), { before: null }, storePageSize)) {
    const isWanted = (letter: DeadLetter) =>
      letter.atMs >= fromMs && letter.atMs <= toMs && (orderId === undefined || letter.orderId === orderId)
    const wanted = page.filter(isWanted).slice(0, left)
    left -= wanted.length
    yield wanted.map(deadFields)
    if (left <= 0 || context.signal.aborted) return
  }
}

const deadFields = ({ sequence, atMs, target, eventId, orderId, tries, reason }: DeadLetter): Fields => ({
  ...{ number: sequence, givenUpAt: atMs, target, eventId, orderId, tries, reason },
})

/** The state of forwarding, one row per target. */
async function* listTargets(store: EventStore): AsyncGenerator<Fields[]> {
  for (const standing of await store.standings()) yield [await targetFields(store, standing)]
}

/** Why a target last refused its oldest undelivered event; null while no order is stuck. */
async function stuckReason(store: EventStore, { target, stuckOrders }: ForwardStanding): Promise<string | null> {
  if (stuckOrders === 0) return null
  for (const isAsked of [false, true]) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await store.waitingEvents(target, { after, count: storePageSize, isAsked })
      const tried = page.find(({ tries }) => tries > 0)
      const attempts = tried === undefined ? [] : await store.attemptsOf(tried.sequence)
      const last = attempts.findLast((attempt) => attempt.target === target)
      if (last !== undefined) return last.reason
      after = page.at(-1)?.sequence
    }
  }
  return null
}

/** A target by the names of the list; `behind` is the number of events not yet queued for it. */
export async function targetFields(store: EventStore, standing: ForwardStanding): Promise<Fields> {
  const behind = await store.countAfter(standing.upTo)
  const { target, holder, isHeld, waiting, stuckOrders, dead } = standing
  const { oldestReceivedAtMs: oldestReceivedAt, fence: leaseNumber } = standing
  const counts = { waiting, behind, oldestReceivedAt, stuckOrders, dead, leaseNumber }
  return { target, holder, isForwarding: isHeld, ...counts, stuckReason: await stuckReason(store, standing) }
}

/** A quarantined body by the names of the lists; bytes that are not text become replacement characters. */
export const quarantineFields = (body: QuarantinedBody): Fields => ({
  number: body.sequence,
  receivedAt: body.receivedAtMs,
  source: body.source,
  reason: body.reason,
  replayedAt: body.replayedAtMs,
  body: Buffer.from(body.body).toString('utf8'),
})

/** Writes every event as it is read, so that a store of any size needs little memory. */
export const runInboxExport: Run = async (given, io, tools) => {
  const query = readEventQuery(given, tools.clock.wallMs())
  if (!query.ok) return wrongUsage(query.error)
  const isJson = given.has('json')
  const { leftOut, ending } = leftOutTo(io)
  const context = { signal: readingSignal(io), leftOut }
  return withStore(given, { io, tools, use: 'read' }, async (store) => {
    // One array over many lines: a row waits for the next one, because only the last has no comma.
    let held: string | null = null
    if (!isJson) await io.print(csvHead(exportColumns))
    for await (const received of walkEvents(store, query.value, 'oldest first', context)) {
      const { event, sequence, receivedAtMs, source, copies, conflicts } = received
      if (query.value.state !== undefined && event.orderState !== query.value.state) continue
      const fields = { sequence, receivedAt: receivedAtMs, source, copies, conflicts, ...eventFields(event) }
      if (!isJson) {
        await io.print(csvRow(fields, exportColumns))
        continue
      }
      await io.print(held === null ? '[' : `${held},`)
      held = jsonLine(fields)
    }
    if (io.signal.aborted) return failed('ended before all was written')
    if (isJson) await io.print(held === null ? '[]' : `${held}\n]`)
    return ending()
  })
}
