import type { Row } from '../../base/files/sqlite-rows.ts'
import { readGatewayEvent, writeGatewayEvent } from '../../wire/gateway-event.ts'
import { type Companion, type DataFile, text, whole } from '../persistence/data-file.ts'
import { damaged, UnusableData } from '../persistence/unusable-data.ts'
import type {
  GatewayOrigin,
  GatewayStore,
  Kept,
  LastNumbers,
  OutboxEvent,
  Partner,
  PracticeOrder,
} from './partner-gateway.ts'
import { hasEnded } from './world/order-events.ts'
import { readPartner, writePartner } from './world/partners.ts'

const noteName = 'gateway'
const orderColumns =
  'SELECT o.number, o.partner, e.body FROM gateway_order o JOIN gateway_event e ON e.sequence = o.last_sequence'
const eventColumns = `SELECT e.sequence, e.made_at_ms, e.body, o.partner
   FROM gateway_event e JOIN gateway_order o ON o.number = e.order_number`

/** The note's content: the world, and the last numbers, which must never be reused even if their rows were deleted. */
type Note = GatewayOrigin & LastNumbers

/** More rows than can have ended since the last call, and few enough not to be noticeable. */
const forgetCount = 400

/** The gateway's world in the exchange's data file, written in the same commits. */
export class GatewayTables implements GatewayStore, Companion {
  private readonly file: DataFile
  private readonly statements: ReturnType<typeof prepare>
  private readonly durable: { settled(): Promise<void> | null }
  private waiting: Array<() => void> = []

  constructor(file: DataFile, durable: { settled(): Promise<void> | null }) {
    this.file = file
    this.durable = durable
    this.statements = file.attempt(() => prepare(file))
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0
  }

  write(): void {
    const { waiting } = this
    this.waiting = []
    for (const run of waiting) run()
  }

  startOver(): void {
    this.waiting = []
  }

  settled(): Promise<void> | null {
    return this.durable.settled()
  }

  begin(origin: GatewayOrigin): void {
    const { clearEvents, clearOrders, clearPartners } = this.statements
    this.waiting = [
      () => {
        for (const clear of [clearEvents, clearOrders, clearPartners]) clear.run()
      },
    ]
    this.putNote({ ...origin, lastOrderNumber: 0, lastSequence: 0 })
  }

  putPartner(partner: Partner): void {
    const content = writePartner(partner)
    this.waiting.push(() => this.statements.putPartner.run(partner.name, content))
  }

  putChange({ number, orderId, partner, last }: PracticeOrder, { sequence, madeAtMs, event }: OutboxEvent): void {
    const ended = hasEnded(last.orderState) ? 1 : 0
    this.waiting.push(() => {
      this.statements.putOrder.run(number, orderId, partner, sequence, ended)
      this.statements.addEvent.run(sequence, event.eventId, number, madeAtMs, writeGatewayEvent(event, 'strings'))
    })
  }

  /** Throws `UnusableData` if the stored data is not as written. */
  load(): Kept | null {
    try {
      return this.kept()
    } catch (error) {
      if (error instanceof UnusableData) throw error
      throw damaged(this.file.folder, "the gateway's state is unreadable", error)
    }
  }

  private kept(): Kept | null {
    return this.file.attempt(() => {
      const row = this.statements.readNote.get(noteName)
      if (row === undefined) return null
      const note = this.readNote(text(row, 'value'))
      const last = this.statements.lastNumbers.get() ?? {}
      return {
        worldId: note.worldId,
        seed: note.seed,
        lastOrderNumber: Math.max(note.lastOrderNumber, whole(last, 'number')),
        lastSequence: Math.max(note.lastSequence, whole(last, 'sequence')),
        lastEventMs: whole(last, 'at_ms'),
        partners: this.statements.partners.all().map((each) => this.toPartner(each)),
        living: this.statements.living.all().map((each) => this.toOrder(each)),
      }
    })
  }

  order(orderId: string): PracticeOrder | undefined {
    return this.file.attempt(() => {
      const row = this.statements.order.get(orderId)
      return row === undefined ? undefined : this.toOrder(row)
    })
  }

  orders({ count, before = Number.MAX_SAFE_INTEGER }: { count: number; before?: number }): readonly PracticeOrder[] {
    return this.file.attempt(() => this.statements.orders.all(before, count).map((row) => this.toOrder(row)))
  }

  eventsAfter(sequence: number, count: number): readonly OutboxEvent[] {
    return this.file.attempt(() => this.statements.eventsAfter.all(sequence, count).map((row) => this.toEvent(row)))
  }

  event(eventId: string): OutboxEvent | undefined {
    return this.file.attempt(() => {
      const row = this.statements.event.get(eventId)
      return row === undefined ? undefined : this.toEvent(row)
    })
  }

  forgetEndedBefore(atMs: number, last: Note): void {
    this.putNote(last)
    this.waiting.push(() => {
      for (const row of this.statements.old.all(forgetCount, atMs)) {
        const number = whole(row, 'number')
        this.statements.forgetEvents.run(number)
        this.statements.forgetOrder.run(number)
      }
    })
  }

  private putNote(note: Note): void {
    const value = JSON.stringify(note)
    this.waiting.push(() => this.statements.putNote.run(noteName, value))
  }

  private readNote(value: string): Note {
    const note: unknown = JSON.parse(value)
    if (isNote(note)) return note
    throw damaged(this.file.folder, "the gateway's note is unreadable")
  }

  private toPartner(row: Row): Partner {
    const partner = readPartner(text(row, 'content'))
    if (partner !== null) return partner
    throw damaged(this.file.folder, 'a partner of the gateway is unreadable')
  }

  private toOrder(row: Row): PracticeOrder {
    const last = this.readEvent(row)
    return { orderId: last.orderId, number: whole(row, 'number'), partner: text(row, 'partner'), last }
  }

  private toEvent(row: Row): OutboxEvent {
    const event = this.readEvent(row)
    return {
      sequence: whole(row, 'sequence'),
      partner: text(row, 'partner'),
      madeAtMs: whole(row, 'made_at_ms'),
      event,
    }
  }

  private readEvent(row: Row) {
    const read = readGatewayEvent(text(row, 'body'))
    if (read.ok) return read.value
    throw damaged(this.file.folder, `an event of the gateway is unreadable: ${read.error}`)
  }
}

function prepare(file: DataFile) {
  const sql = (statement: string) => file.prepare(statement)
  return {
    readNote: sql('SELECT value FROM note WHERE name = ?'),
    putNote: sql('INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)'),
    putPartner: sql(
      `INSERT INTO gateway_partner (name, content) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET content = excluded.content`,
    ),
    partners: sql('SELECT content FROM gateway_partner ORDER BY id'),
    putOrder: sql(
      `INSERT INTO gateway_order (number, order_id, partner, last_sequence, is_ended) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (number) DO UPDATE SET last_sequence = excluded.last_sequence, is_ended = excluded.is_ended`,
    ),
    addEvent: sql(
      'INSERT INTO gateway_event (sequence, event_id, order_number, made_at_ms, body) VALUES (?, ?, ?, ?, ?)',
    ),
    lastNumbers: sql(
      `SELECT coalesce((SELECT max(number) FROM gateway_order), 0) AS number,
         coalesce((SELECT max(sequence) FROM gateway_event), 0) AS sequence,
         coalesce((SELECT made_at_ms FROM gateway_event ORDER BY sequence DESC LIMIT 1), 0) AS at_ms`,
    ),
    living: sql(`${orderColumns} WHERE o.is_ended = 0 ORDER BY o.number`),
    order: sql(`${orderColumns} WHERE o.order_id = ?`),
    orders: sql(`${orderColumns} WHERE o.number < ? ORDER BY o.number DESC LIMIT ?`),
    eventsAfter: sql(`${eventColumns} WHERE e.sequence > ? ORDER BY e.sequence LIMIT ?`),
    event: sql(`${eventColumns} WHERE e.event_id = ?`),
    old: sql(
      `SELECT o.number FROM (SELECT * FROM gateway_order ORDER BY number LIMIT ?) o
       JOIN gateway_event e ON e.sequence = o.last_sequence WHERE o.is_ended = 1 AND e.made_at_ms < ?`,
    ),
    forgetEvents: sql('DELETE FROM gateway_event WHERE order_number = ?'),
    forgetOrder: sql('DELETE FROM gateway_order WHERE number = ?'),
    clearEvents: sql('DELETE FROM gateway_event'),
    clearOrders: sql('DELETE FROM gateway_order'),
    clearPartners: sql('DELETE FROM gateway_partner'),
  }
}

const isNote = (value: unknown): value is Note =>
  typeof value === 'object' &&
  value !== null &&
  'worldId' in value &&
  typeof value.worldId === 'string' &&
  ['seed', 'lastOrderNumber', 'lastSequence'].every((name) => Number.isSafeInteger(Reflect.get(value, name)))
