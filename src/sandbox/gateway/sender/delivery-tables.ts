import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row } from '../../../base/files/sqlite-rows.ts'
import { gatewayOrderStates } from '../../../domain/gateway/event.ts'
import { wireModes } from '../../../wire/exact-json.ts'
import { type Companion, type DataFile, orNull, text, whole, word } from '../../persistence/data-file.ts'
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  type DeliveriesQuery,
  type Delivery,
  type DeliveryState,
  type DeliveryStore,
  deliveryKinds,
  type Endpoint,
} from './delivery.ts'

function toEndpoint(row: Row): Endpoint {
  return {
    id: whole(row, 'id'),
    name: text(row, 'name'),
    partner: text(row, 'partner'),
    url: text(row, 'url'),
    registeredAtMs: whole(row, 'registered_at_ms'),
  }
}

/** The columns of a delivery, in the order of `deliveryValues`. */
const deliveryColumns = [
  ...['id', 'endpoint', 'event_id', 'order_id', 'order_state', 'mode', 'made_at_ms', 'attempt_count', 'state', 'at_ms'],
  ...['last_status', 'last_words', 'last_latency_ms'],
] as const

function deliveryValues(delivery: Delivery): SQLInputValue[] {
  const { id, endpointId, eventId, orderId, orderState, mode, madeAtMs, attemptCount, state, lastAttempt } = delivery
  const last = lastAttempt === null ? [null, null, null] : outcomeValues(lastAttempt)
  return [
    ...[id, endpointId, eventId, orderId, orderState, mode, madeAtMs, attemptCount],
    ...[state.kind, state.kind === 'pending' ? state.dueMs : state.atMs],
    ...last,
  ]
}

function toDelivery(row: Row): Delivery {
  const kind = word(row, 'state', deliveryKinds)
  const atMs = whole(row, 'at_ms')
  return {
    id: whole(row, 'id'),
    endpointId: whole(row, 'endpoint'),
    eventId: text(row, 'event_id'),
    orderId: text(row, 'order_id'),
    orderState: word(row, 'order_state', gatewayOrderStates),
    mode: word(row, 'mode', wireModes),
    madeAtMs: whole(row, 'made_at_ms'),
    attemptCount: whole(row, 'attempt_count'),
    state: kind === 'pending' ? { kind, dueMs: atMs } : { kind, atMs },
    lastAttempt: row.last_words === null ? null : toOutcome(row, 'last_'),
  }
}

/** Status, words and latency. Without a status, the words say what went wrong. */
const outcomeValues = ({ result, latencyMs }: AttemptOutcome): SQLInputValue[] =>
  result.kind === 'answered' ? [result.status, result.excerpt, latencyMs] : [null, result.reason, latencyMs]

function toOutcome(row: Row, prefix: string): AttemptOutcome {
  const status = orNull(whole, row, `${prefix}status`)
  const words = text(row, `${prefix}words`)
  const result: AttemptResult =
    status === null ? { kind: 'failed', reason: words } : { kind: 'answered', status, excerpt: words }
  return { result, latencyMs: whole(row, `${prefix}latency_ms`) }
}

const attemptColumns = ['delivery', 'at_ms', 'status', 'words', 'latency_ms'] as const

const attemptValues = (attempt: Attempt): SQLInputValue[] => [
  attempt.deliveryId,
  attempt.atMs,
  ...outcomeValues(attempt),
]

const toAttempt = (row: Row): Attempt => ({
  deliveryId: whole(row, 'delivery'),
  atMs: whole(row, 'at_ms'),
  ...toOutcome(row, ''),
})

type Statement = { sql: string; values: SQLInputValue[] }

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')
const putDelivery = `INSERT OR REPLACE INTO delivery (${deliveryColumns.join(', ')}) VALUES (${marks(deliveryColumns)})`
const putAttempt = `INSERT INTO delivery_attempt (${attemptColumns.join(', ')}) VALUES (${marks(attemptColumns)})`
const putEndpoint = `INSERT INTO webhook_endpoint (id, name, partner, url, registered_at_ms, is_removed)
  VALUES (?, ?, ?, ?, ?, 0)`
const putTaken = 'INSERT OR REPLACE INTO delivery_taken (id, sequence) VALUES (1, ?)'
const selectDeliveries = `SELECT * FROM delivery WHERE id < $before
  AND ($endpoint IS NULL OR endpoint = $endpoint) AND ($state IS NULL OR state = $state) ORDER BY id DESC LIMIT $count`

/**
 * Endpoints and deliveries in the exchange's data file, committed with it. A new world keeps the endpoints, like
 * accounts and keys.
 */
export class DeliveryTables implements DeliveryStore, Companion {
  private readonly file: DataFile
  private readonly commit: () => Promise<void> | null
  private readonly prepared = new Map<string, StatementSync>()
  private readonly known = new Map<number, Endpoint>()
  private readonly removed = new Set<number>()
  private nextDeliveryId: number
  private taken: number
  private waiting: Statement[] = []
  /** Deliveries with their pending changes. */
  private readonly changed = new Map<number, Delivery>()
  private isUncommitted = false

  /** `commit` resolves once pending changes are durable; null if they already are. */
  constructor(file: DataFile, commit: () => Promise<void> | null) {
    this.file = file
    this.commit = commit
    for (const row of this.all('SELECT * FROM webhook_endpoint ORDER BY id', {})) {
      const endpoint = toEndpoint(row)
      this.known.set(endpoint.id, endpoint)
      if (whole(row, 'is_removed') === 1) this.removed.add(endpoint.id)
    }
    const one = (sql: string) => this.all(sql, {}).map((row) => whole(row, 'number'))[0] ?? 0
    this.nextDeliveryId = one('SELECT coalesce(max(id), 0) AS number FROM delivery') + 1
    this.taken = one('SELECT sequence AS number FROM delivery_taken')
  }

  get isWaiting(): boolean {
    return this.isUncommitted
  }

  write(): void {
    this.flush()
    this.isUncommitted = false
  }

  startOver(): void {
    // Pending changes of endpoints are written; everything else is deleted with its tables.
    this.flush()
    this.nextDeliveryId = 1
    this.taken = 0
  }

  endpoints(): readonly Endpoint[] {
    return [...this.known.values()].filter(({ id }) => !this.removed.has(id))
  }

  endpoint(id: number): Endpoint | undefined {
    return this.known.get(id)
  }

  activeEndpoint(id: number): Endpoint | undefined {
    return this.removed.has(id) ? undefined : this.known.get(id)
  }

  addEndpoint(endpoint: Omit<Endpoint, 'id'>): Endpoint {
    const added = { ...endpoint, id: Math.max(0, ...this.known.keys()) + 1 }
    const { id, name, partner, url, registeredAtMs } = added
    this.known.set(id, added)
    this.later(putEndpoint, [id, name, partner, url, registeredAtMs])
    return added
  }

  moveEndpoint(id: number, url: string): void {
    const endpoint = this.known.get(id)
    if (endpoint === undefined) return
    this.known.set(id, { ...endpoint, url })
    this.later('UPDATE webhook_endpoint SET url = ? WHERE id = ?', [url, id])
  }

  removeEndpoint(id: number): void {
    this.removed.add(id)
    this.later('UPDATE webhook_endpoint SET is_removed = 1 WHERE id = ?', [id])
  }

  takenSequence(): number {
    return this.taken
  }

  setTakenSequence(sequence: number): void {
    this.taken = sequence
    this.later(putTaken, [sequence])
  }

  addDelivery(delivery: Omit<Delivery, 'id'>): Delivery {
    const added = { ...delivery, id: this.nextDeliveryId }
    this.nextDeliveryId += 1
    this.updateDelivery(added)
    return added
  }

  updateDelivery(delivery: Delivery): void {
    this.changed.set(delivery.id, delivery)
    this.isUncommitted = true
  }

  delivery(id: number): Delivery | undefined {
    const changed = this.changed.get(id)
    if (changed !== undefined) return changed
    return this.all('SELECT * FROM delivery WHERE id = $id', { id }).map(toDelivery)[0]
  }

  pending(): readonly Delivery[] {
    return this.ask("SELECT * FROM delivery WHERE state = 'pending' ORDER BY id", {}).map(toDelivery)
  }

  deliveries({ count, before, endpointId, kind }: DeliveriesQuery): readonly Delivery[] {
    const bounds = { before: before ?? Number.MAX_SAFE_INTEGER, endpoint: endpointId ?? null, state: kind ?? null }
    return this.ask(selectDeliveries, { count, ...bounds }).map(toDelivery)
  }

  addAttempt(attempt: Attempt): void {
    this.later(putAttempt, attemptValues(attempt))
  }

  attempts(deliveryId: number): readonly Attempt[] {
    return this.ask('SELECT * FROM delivery_attempt WHERE delivery = $id ORDER BY id', { id: deliveryId }).map(
      toAttempt,
    )
  }

  forget(kind: DeliveryState['kind'], beforeMs: number): void {
    const old = 'SELECT id FROM delivery WHERE state = ? AND at_ms < ?'
    this.later(`DELETE FROM delivery_attempt WHERE delivery IN (${old})`, [kind, beforeMs])
    this.later('DELETE FROM delivery WHERE state = ? AND at_ms < ?', [kind, beforeMs])
  }

  clear(): void {
    this.startOver()
    for (const table of ['delivery', 'delivery_attempt', 'delivery_taken']) this.later(`DELETE FROM ${table}`, [])
  }

  async settled(): Promise<void> {
    await this.commit()
  }

  private later(sql: string, values: SQLInputValue[]): void {
    this.waiting.push({ sql, values })
    this.isUncommitted = true
  }

  /** Writes pending changes into a transaction, which the next commit ends. */
  private flush(): void {
    if (this.waiting.length === 0 && this.changed.size === 0) return
    this.file.begin()
    this.file.attempt(() => {
      for (const { sql, values } of this.waiting) this.statement(sql).run(...values)
      for (const delivery of this.changed.values()) this.statement(putDelivery).run(...deliveryValues(delivery))
    })
    this.waiting = []
    this.changed.clear()
  }

  private ask(sql: string, bound: Record<string, SQLInputValue>) {
    this.flush()
    return this.all(sql, bound)
  }

  private all(sql: string, bound: Record<string, SQLInputValue>) {
    return this.file.attempt(() => this.statement(sql).all(bound))
  }

  private statement(sql: string): StatementSync {
    const known = this.prepared.get(sql)
    if (known !== undefined) return known
    const made = this.file.prepare(sql)
    this.prepared.set(sql, made)
    return made
  }
}
