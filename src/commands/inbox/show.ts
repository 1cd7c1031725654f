import type { CommandIo } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { pagesFrom } from '../../domain/gateway/inbox-source.ts'
import { idStartMin } from '../../domain/gateway/order.ts'
import { quarantinedBody } from '../../inbox/receiver/read-incoming.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { Writable } from '../../wire/exact-json.ts'
import { jsonLine, jsonLinePieces } from '../../wire/json-pieces.ts'
import { type Arguments, shown } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, type Fields, failed, wrongUsage } from '../cli/exit-codes.ts'
import { type Column, formOf, leftOutTo, list, printReading, tableLines, text } from '../cli/output.ts'
import {
  attemptColumns,
  bodyNumberUsage,
  eventColumns,
  eventFields,
  isBodyNumber,
  orderFields,
  readOrder,
  readStored,
  stepFields,
} from './events.ts'
import { quarantineFields } from './list.ts'
import { withStore } from './store.ts'

/** Shows one order, event or quarantined body in full. */
export const runInboxShow: Run = async (given, io, tools) => {
  const [id] = given.words
  if (id === undefined) return wrongUsage('id of an order or event missing')
  if (given.has('quarantine') && !isBodyNumber(id)) return wrongUsage(bodyNumberUsage)
  return withStore(given, { io, tools, use: 'read' }, (store) =>
    given.has('quarantine') ? showQuarantined(store, Number(id), given, io) : showNamed(store, id, given, io),
  )
}

/** The start of an id is searched for among this many of the newest events. */
const lookedThroughMax = 20_000

/** The ids with a start, and where they were sought, for a sentence. */
type FoundIds = { ids: readonly string[]; where: string }

const wherever = 'in the inbox'
const amongNewest = `among the ${lookedThroughMax} newest events of the inbox (type all of an older id)`

/** The ids of orders and events with this start, or the one equal to it. */
export async function idsFrom(store: Pick<EventStore, 'events' | 'event'>, start: string): Promise<FoundIds> {
  const [exact] = await store.events({ before: null, count: 1, orderIds: [start] })
  if (exact !== undefined || (await store.event(start)) !== null) return { ids: [start], where: wherever }
  const found = new Set<string>()
  if (start.length < idStartMin) return { ids: [], where: wherever }
  let count = 0
  for await (const page of pagesFrom((query) => store.events(query), { before: null })) {
    for (const { orderId, eventId } of page)
      for (const id of [orderId, eventId]) if (id.startsWith(start)) found.add(id)
    count += page.length
    if (count >= lookedThroughMax) return { ids: [...found], where: amongNewest }
  }
  return { ids: [...found], where: wherever }
}

async function showNamed(store: EventStore, start: string, given: Arguments, io: CommandIo): Promise<Ending> {
  const { ids, where } = await idsFrom(store, start)
  const [id, ...others] = ids
  if (id === undefined) return failed(await nothingNamed(store, start, where))
  if (others.length > 0) {
    const some = [id, ...others].slice(0, 5).map(shown).join(', ')
    return failed(`${others.length + 1} ids begin with ${shown(start)}: ${some}${others.length > 4 ? ', …' : ''}`)
  }
  return showWhole(store, id, given, io)
}

/** Why nothing is found: the text may be too short for the start of an id, or the number of a quarantined body. */
async function nothingNamed(store: EventStore, typed: string, where: string): Promise<string> {
  if (isBodyNumber(typed) && (await quarantinedBody(store, Number(typed))) !== null)
    return `number ${typed} is in the quarantine: pitdesk inbox show ${typed} --quarantine`
  const least = typed.length < idStartMin ? `: type at least ${idStartMin} characters of the id` : ''
  return `no order or event ${shown(typed)} ${where}${least}`
}

async function showWhole(store: EventStore, id: string, given: Arguments, io: CommandIo): Promise<Ending> {
  const { leftOut, ending } = leftOutTo(io)
  const tools = { signal: io.signal, leftOut }
  const order = await readOrder(store, { orderId: id }, tools)
  if (order !== null) {
    const history = order.history.map(stepFields)
    const attempts: Fields[] = []
    for (const { sequence, event } of order.history)
      for (const each of await attemptsOf(store, sequence)) attempts.push({ eventId: event.eventId, ...each })
    const tables = [
      { rows: history, columns: eventColumns },
      { rows: attempts, columns: [text('eventId', 'EVENT'), ...attemptColumns] },
    ]
    await print({ value: { ...orderFields(order), history, attempts }, one: orderFields(order), tables }, given, io)
    return ending()
  }
  const stored = await store.event(id)
  const event = stored === null ? null : readStored(stored, tools)
  if (stored === null || event === null) return failed(`no order or event ${shown(id)} in the inbox`)
  const { sequence, receivedAtMs, source, copies } = event
  const rows = (await store.conflictsOf(id)).map((each) => ({
    receivedAt: each.receivedAtMs,
    source: each.source,
    body: each.body,
  }))
  const one = { sequence, receivedAt: receivedAtMs, source, copies, ...eventFields(event.event) }
  const attempts = await attemptsOf(store, sequence)
  const value = { ...one, body: stored.body, conflicts: rows, attempts }
  const tables = [
    { rows, columns: [text('source', 'SOURCE'), text('body', 'ANOTHER BODY UNDER THE SAME ID')] },
    { rows: attempts, columns: attemptColumns },
  ]
  await print({ value, one: { ...one, conflicts: rows.length, body: stored.body }, tables }, given, io)
  return done
}

async function showQuarantined(store: EventStore, number: number, given: Arguments, io: CommandIo): Promise<Ending> {
  const body = await quarantinedBody(store, number)
  if (body === null) return failed(`no number ${number} in the quarantine`)
  const one = quarantineFields(body)
  const value = { ...one, bodyBase64: Buffer.from(body.body).toString('base64') }
  await print({ value, one, tables: [] }, given, io)
  return done
}

/** The recorded attempts to forward an event, by the names of the lists. */
const attemptsOf = async (store: EventStore, sequence: number): Promise<Fields[]> =>
  (await store.attemptsOf(sequence)).map(({ target, number, atMs: at, status, durationMs, reason, answer }) => ({
    ...{ at, target, number, status, durationMs, reason, answer },
  }))

type Table = { rows: readonly Fields[]; columns: readonly Column[] }
type Shown = { value: { [field: string]: Writable }; one: Fields; tables: readonly Table[] }

/** JSON has everything in one value; a table has the fields one below the other, then the tables. */
async function print({ value, one, tables }: Shown, given: Arguments, io: CommandIo): Promise<void> {
  const form = formOf(given, io.stdout)
  if (form === 'json') {
    for (const piece of jsonLinePieces(value)) await io.output.write(piece)
    return
  }
  if (form === 'csv') {
    await printReading(
      list([one]),
      Object.keys(one).map((field) => text(field, field)),
      'csv',
      io,
    )
    return
  }
  for (const [field, each] of Object.entries(one)) {
    if (each !== null && each !== undefined) await io.print(plainText(`${field.padEnd(20)} ${fieldText(field, each)}`))
  }
  for (const { rows, columns } of tables.filter((each) => each.rows.length > 0)) {
    await io.print('')
    for (const line of tableLines(rows, columns, io.stdout.columns || 80)) await io.print(line)
  }
}

const fieldText = (field: string, value: Writable): string => {
  const isTime = field === 'receivedAt' || field === 'replayedAt'
  if (isTime && typeof value === 'number') return new Date(value).toISOString()
  return typeof value === 'string' ? value : jsonLine(value).replace(/^"(.*)"$/, '$1')
}
