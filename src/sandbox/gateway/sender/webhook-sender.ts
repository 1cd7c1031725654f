import type { Clock } from '../../../base/clock.ts'
import { createListeners } from '../../../base/listeners.ts'
import { dayMs, hourMs } from '../../../base/text/time-text.ts'
import type { WireMode } from '../../../wire/exact-json.ts'
import { writeGatewayEvent } from '../../../wire/gateway-event.ts'
import type { OutboxEvent, PartnerGateway } from '../partner-gateway.ts'
import { type Attempt, type Delivery, type DeliveryStore, isDelivered } from './delivery.ts'
import { DueQueue, type Lane, Lanes, nextDueMs, whenDue } from './delivery-schedule.ts'
import type { Post } from './post.ts'

type WebhookSenderOptions = {
  /** The gateway's own clock, by which events are due. */
  clock: Clock
  world: Pick<PartnerGateway, 'outbox' | 'onEvent' | 'onReset'>
  store: DeliveryStore
  post: Post
  /** How amounts are written in events. */
  mode: WireMode
  /** From 0 up to 1. */
  random: () => number
  log: (line: string) => void
}

/** Maximum events turned into deliveries at once. */
const takeCount = 500
/** How long delivered ones are kept; expired ones until their event is certainly deleted. */
const keptMs = { delivered: 7 * dayMs, expired: 40 * dayMs } as const
/** Nothing is due: the next event wakes the sender. */
const restMs = hourMs

/**
 * Sends each event to each endpoint of its partner until delivered or expired. Every delivery has a schedule of its
 * own: none waits behind a failing one, and an order's later state is sent while an earlier one waits for its retry.
 */
export class WebhookSender {
  private readonly options: WebhookSenderOptions
  private readonly queue = new DueQueue()
  private readonly lanes = new Lanes()
  /** In progress, or queued in their lane. */
  private readonly busy = new Set<number>()
  private readonly listeners = createListeners()
  private wakeUp = new AbortController()
  /** Results that belong to a world before the last reset are ignored. */
  private worldCount = 0
  private signal: AbortSignal = new AbortController().signal
  private failure: { error: unknown } | null = null

  constructor(options: WebhookSenderOptions) {
    this.options = options
    for (const { id, state } of options.store.pending()) if (state.kind === 'pending') this.queue.set(id, state.dueMs)
  }

  /** Calls `listener` after any change of a delivery or an endpoint; the returned function unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.listeners.add(listener)
  }

  /** Must be called when endpoints or deliveries were changed from outside. */
  changed(): void {
    this.listeners.tell()
    this.wakeUp.abort()
  }

  /**
   * Attempts a delivery now. One that has ended is tried once, and keeps its state if that fails. False if it is
   * already in progress.
   */
  hurry(delivery: Delivery): boolean {
    if (this.busy.has(delivery.id)) return false
    if (delivery.state.kind === 'pending') this.schedule(delivery, this.options.clock.now())
    else this.start(delivery, 'again')
    this.changed()
    return true
  }

  /** Expires a pending delivery. */
  giveUp(delivery: Delivery): void {
    this.queue.delete(delivery.id)
    this.options.store.updateDelivery({ ...delivery, state: { kind: 'expired', atMs: this.options.clock.now() } })
  }

  /** Starts everything due by now, for example after the clock was advanced. */
  catchUp(): void {
    this.takeEvents()
    this.startDue()
  }

  /**
   * Sends until aborted; to be called once. Attempts in progress then end at once, and are repeated after the next
   * start.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, world, store } = this.options
    const endings = [world.onEvent(() => this.wakeUp.abort()), world.onReset(() => this.startOver())]
    this.signal = signal
    let forgetAtMs = clock.now()
    while (!signal.aborted && this.failure === null) {
      this.wakeUp = new AbortController()
      if (clock.now() >= forgetAtMs) {
        for (const kind of ['delivered', 'expired'] as const) store.forget(kind, clock.now() - keptMs[kind])
        forgetAtMs = clock.now() + dayMs
      }
      this.catchUp()
      const pauseMs = Math.min(restMs, (this.queue.nextMs() ?? Number.MAX_SAFE_INTEGER) - clock.now())
      await clock.sleep(pauseMs, AbortSignal.any([signal, this.wakeUp.signal]))
    }
    for (const end of endings) end()
    this.lanes.forgetWaiting()
    await this.lanes.idle()
    if (this.failure !== null) throw this.failure.error
  }

  /** Creates deliveries for new outbox events, for the endpoints that exist now. */
  private takeEvents(): void {
    const { world, store } = this.options
    for (;;) {
      const events = world.outbox.after(store.takenSequence(), takeCount)
      for (const event of events) this.take(event)
      const last = events.at(-1)
      if (last === undefined) return
      store.setTakenSequence(last.sequence)
      this.changed()
    }
  }

  private take({ partner, madeAtMs, event }: OutboxEvent): void {
    const { store, mode } = this.options
    const { eventId, orderId, orderState } = event
    for (const { id: endpointId, partner: owner } of store.endpoints()) {
      if (owner !== partner) continue
      const state = { kind: 'pending', dueMs: madeAtMs } as const
      const fresh = {
        endpointId,
        eventId,
        orderId,
        orderState,
        mode,
        madeAtMs,
        attemptCount: 0,
        state,
        lastAttempt: null,
      }
      this.queue.set(store.addDelivery(fresh).id, madeAtMs)
    }
  }

  private startDue(): void {
    const nowMs = this.options.clock.now()
    for (let id = this.queue.take(nowMs); id !== undefined; id = this.queue.take(nowMs)) {
      const delivery = this.options.store.delivery(id)
      if (delivery?.state.kind !== 'pending') continue
      if (whenDue(delivery.madeAtMs, nowMs) === 'attempt')
        this.start(delivery, delivery.attemptCount === 0 ? 'first' : 'again')
      else this.expire(delivery)
    }
  }

  private expire(delivery: Delivery): void {
    const { log } = this.options
    this.giveUp(delivery)
    log(`webhook: delivery ${delivery.id} expired after ${delivery.attemptCount} attempts`)
    this.changed()
  }

  private start({ id, endpointId }: Delivery, lane: Lane): void {
    this.busy.add(id)
    const { worldCount } = this
    this.lanes.run(endpointId, lane, () => this.attempt(id, worldCount).catch((error: unknown) => this.fail(error)))
  }

  /** An unexpected error in an attempt ends the sender: `run` rejects with it. */
  private fail(error: unknown): void {
    this.failure ??= { error }
    this.wakeUp.abort()
  }

  private async attempt(id: number, worldCount: number): Promise<void> {
    const { clock, store, world, post } = this.options
    const delivery = store.delivery(id)
    const endpoint = delivery && store.activeEndpoint(delivery.endpointId)
    const made = delivery === undefined ? undefined : world.outbox.event(delivery.eventId)
    if (worldCount !== this.worldCount) return
    if (delivery !== undefined && endpoint !== undefined && made !== undefined) {
      const atMs = clock.now()
      const outcome = await post(endpoint.url, writeGatewayEvent(made.event, delivery.mode), this.signal)
      if (worldCount !== this.worldCount) return
      // An attempt aborted by the gateway's shutdown says nothing about the endpoint.
      if (!this.signal.aborted || isDelivered(outcome.result)) this.record({ deliveryId: id, atMs, ...outcome })
    }
    this.busy.delete(id)
  }

  private record(attempt: Attempt): void {
    const { clock, store, random } = this.options
    const delivery = store.delivery(attempt.deliveryId)
    if (delivery === undefined) return
    const nowMs = clock.now()
    const { result, latencyMs } = attempt
    const tried = { ...delivery, attemptCount: delivery.attemptCount + 1, lastAttempt: { result, latencyMs } }
    store.addAttempt(attempt)
    if (isDelivered(result)) store.updateDelivery({ ...tried, state: { kind: 'delivered', atMs: nowMs } })
    else if (tried.state.kind !== 'pending') store.updateDelivery(tried)
    else {
      const { madeAtMs, attemptCount: failureCount } = tried
      this.schedule(tried, nextDueMs({ madeAtMs, failedAtMs: nowMs, failureCount, chance: random() }))
    }
    this.changed()
  }

  private schedule(delivery: Delivery, dueMs: number): void {
    this.options.store.updateDelivery({ ...delivery, state: { kind: 'pending', dueMs } })
    this.queue.set(delivery.id, dueMs)
  }

  private startOver(): void {
    this.worldCount += 1
    this.queue.clear()
    this.busy.clear()
    this.lanes.forgetWaiting()
    this.options.store.clear()
    this.changed()
  }
}
