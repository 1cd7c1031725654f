import type { Clock } from '../../base/clock.ts'
import { withoutStop } from '../../base/plain-text.ts'
import { ok, type Result } from '../../base/result.ts'
import type { AmountScales } from '../../domain/balance.ts'
import { type Mode, modeReason } from '../../domain/desk/mode.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../../domain/orders/checks/pre-trade.ts'
import { type Order, type OrderDraft, orderQuantity } from '../../domain/orders/order.ts'
import type {
  CancelAllOutcome,
  CancelOutcome,
  MovesEnd,
  NotSent,
  OrderOutcome,
} from '../../domain/orders/order-outcome.ts'
import { JournalError, type OpenWrite } from '../../journal/entry.ts'
import { cancelAllOnce, cancelOnce } from './cancel-order.ts'
import { journaledWrite, type LastLook, type WriteContext, type Written } from './journaled-write.ts'
import { placeOnce, type SendClient, type SendContext } from './place-order.ts'

export type OrderEntryContext = WriteContext &
  Pick<SendContext, 'confirms'> & {
    /**
     * Called with the client order id of an order that was not placed, as far as could be seen: it may turn up later.
     */
    onRejected?: (clientOrderId: string) => void
    /** Asked about every order right before it is written down to be sent: whatever it names stops the order. */
    guard: OrderGuard
    newClientOrderId: () => string
    /** Decimals of a symbol as far as they are known, to be written down with its orders; none unless given. */
    scalesOf?: (symbol: string) => AmountScales | undefined
    /** The working orders; null while unknown. Used only to report how each order ended after a cancel of all. */
    working?: () => readonly Order[] | null
    /**
     * Called after each write with the order that is now working, if any: what the panes show should be asked for
     * again.
     */
    onWritten: (order: Order | null) => void
  }

/** What a plan says of an order: a person's have neither. */
export type SentUnder = {
  /** The id it goes out under; one that is made for it unless given. */
  clientOrderId?: string
  /** Client order ids of the plan's own orders: duplicates of these are intended and are not blocked. */
  besides?: readonly string[]
}

export type SubmitOptions = SentUnder & {
  lastLook?: LastLook
  /** Called when the entry is in the journal; the order leaves only when that says so. */
  onBegun?: () => Promise<Result<unknown>>
}

export type OrderEntry = {
  submit(draft: OrderDraft, options?: SubmitOptions): Promise<OrderOutcome | NotSent>
  /** `isOneOfMany`: what becomes of several is told of together, by who asked for them. */
  cancel(orderId: string, mark?: { isOneOfMany?: true }): Promise<CancelOutcome | NotSent>
  cancelAll(symbol: string | null): Promise<CancelAllOutcome | NotSent>
  /**
   * Cancels the order, and once that is confirmed places what it has not filled of `draft.orderQuantity`. Whatever is
   * not certain about the cancel, nothing new is sent. `rest` is what was open of it at the review, and what the guard
   * judges: never more than that is placed; all of it unless given.
   */
  move(
    orderId: string,
    draft: OrderDraft,
    rest?: OrderDraft,
    fromStop?: Decimal | null,
    under?: SentUnder,
  ): Promise<OrderOutcome | CancelOutcome | NotSent>
  /**
   * Several such moves, one after the other, each with every check. Behind the first that did not end as asked
   * (unknown, rejected, refused, not sent) nothing more is moved; one that ended before its turn has nothing to move.
   */
  moveAll(moves: readonly AskedMove[]): Promise<MovesEnd>
}

/** A move as it was reviewed: see `OrderEntry.move`. */
type AskedMove = {
  orderId: string
  whole: OrderDraft
  rest: OrderDraft
  /** Stop trigger, for messages: the exchange does not report it. */
  fromStop?: Decimal | null
}

type Emit = OrderEntryContext['emit']

/** Marks what is told of a plan's orders: no ticket waits for them. */
const emitOfPlan =
  (emit: Emit): Emit =>
  (event) =>
    emit(
      event.type === 'orderSent' || event.type === 'orderNotSent' || event.type === 'orderOutcome'
        ? { ...event, isOfPlan: true }
        : event,
    )

/** Why the guard stops an order, in one line; null when it may go. */
const reasonOf = (checks: readonly Check[]): string | null =>
  checks.length === 0 ? null : checks.map(({ text }) => text).join('; ')

/**
 * Sends orders and cancels: journal, send once, journal again, report. Nothing here ever sends a second time. The
 * promises resolve when the outcome is on record and reported; they reject only for bugs.
 */
export function createOrderEntry(client: SendClient, context: OrderEntryContext): OrderEntry {
  const { clock, guard, newClientOrderId, emit, onWritten, onUnknown, scalesOf, working } = context

  /** Tells what became of it, with the writes that follow from it. */
  const done = (outcome: OrderOutcome | CancelOutcome | CancelAllOutcome | NotSent) => {
    if (outcome.kind === 'rejected') context.onRejected?.(outcome.clientOrderId)
    if (outcome.kind === 'unknown' || outcome.kind === 'left') onUnknown()
    onWritten(outcome.kind === 'accepted' ? outcome.order : null)
  }

  /** Reports the order that the guard stops; null when it may go. */
  const stopped = (draft: OrderDraft, movedAs?: MovedAs, tell = emit): NotSent | null => {
    const reason = reasonOf(guard(draft, movedAs))
    if (reason === null) return null
    tell({ type: 'orderNotSent', draft, reason, atMs: clock.now() })
    return { kind: 'notSent', reason }
  }

  return {
    async submit(draft, { clientOrderId = newClientOrderId(), besides, lastLook, onBegun } = {}) {
      const tell = besides === undefined ? emit : emitOfPlan(emit)
      const movedAs = besides === undefined ? undefined : ({ kind: 'instead', orderId: null, besides } as const)
      const refusal = stopped(draft, movedAs, tell)
      if (refusal !== null) return refusal
      const outcome = await journaledWrite(
        context,
        { kind: 'order', clientOrderId, draft, scales: scalesOf?.(draft.symbol) },
        async (): Promise<Written<OrderOutcome | NotSent>> => {
          const ready = (await onBegun?.()) ?? ok(null)
          if (!ready.ok) return notSent(withoutStop(ready.error))
          tell({ type: 'orderSent', draft, clientOrderId, atMs: clock.now() })
          return await placeOnce(client, context, draft, clientOrderId)
        },
        lastLook,
      )
      if (outcome.kind === 'notSent') tell({ type: 'orderNotSent', draft, reason: outcome.reason, atMs: clock.now() })
      else tell({ type: 'orderOutcome', draft, outcome, atMs: clock.now() })
      done(outcome)
      return outcome
    },
    async cancel(orderId, mark = {}) {
      const outcome = await journaledWrite(context, { kind: 'cancel', orderId }, () => {
        emit({ type: 'cancelSent', orderId, ...mark, atMs: clock.now() })
        return cancelOnce(client, context, orderId)
      })
      if (outcome.kind === 'notSent')
        emit({ type: 'cancelNotSent', reason: outcome.reason, ...mark, atMs: clock.now() })
      else emit({ type: 'cancelOutcome', outcome, ...mark, atMs: clock.now() })
      done(outcome)
      return outcome
    },
    async cancelAll(symbol) {
      const outcome = await journaledWrite(context, { kind: 'cancelAll', symbol }, () => {
        emit({ type: 'cancelAllSent', symbol, atMs: clock.now() })
        const before = working?.()?.filter((order) => symbol === null || order.symbol === symbol) ?? null
        return cancelAllOnce(client, context, symbol, before)
      })
      if (outcome.kind === 'notSent')
        emit({ type: 'cancelNotSent', reason: outcome.reason, all: { symbol }, atMs: clock.now() })
      else emit({ type: 'cancelAllOutcome', outcome, atMs: clock.now() })
      done(outcome)
      return outcome
    },
    ...createMoves(client, context, { stopped, done }),
  }
}

/**
 * What an order replaces: one that is still working (null: none), or one that a move has just canceled, which was
 * checked when the move began. `besides`: client order ids that the moves before it have placed, or its plan.
 */
export type MovedAs = { kind: 'instead'; orderId: string | null; besides?: readonly string[] } | { kind: 'rest' }

/** Why no further order is moved, in few words behind the order's id. */
function stopReason(outcome: Exclude<MoveOutcome, { kind: 'accepted' | 'ended' }>): string {
  switch (outcome.kind) {
    case 'unknown':
      return 'outcome unknown, checking'
    case 'rejected':
      return `canceled, the new one rejected: ${outcome.reason}`
    case 'refused':
      return `stays, cancel refused: ${outcome.reason}`
    case 'notSent':
      return `not sent: ${outcome.reason}`
    case 'canceled':
      return 'canceled elsewhere'
  }
}

/** What stops an order at the last moment; empty when it may go. */
export type OrderGuard = (draft: OrderDraft, movedAs?: MovedAs) => Check[]

/**
 * Repeats every check right before an order is sent, in case a path forgot them. Soft limits are not asked again: the
 * sender has confirmed them. `mode` is null for a program without modes.
 */
export function createLimitGuard(
  contextOf: (symbol: string, insteadOf: string | null, besides: readonly string[]) => CheckContext,
  mode: () => Mode | null = () => null,
): OrderGuard {
  return (draft, movedAs) => {
    const reason = modeReason(mode())
    const stopped = reason === null ? [] : [block('mode', reason)]
    // Balances and lists have not caught up with the cancel yet: they would speak against the rest for no reason.
    if (movedAs?.kind === 'rest') return stopped
    const context = contextOf(draft.symbol, movedAs?.orderId ?? null, movedAs?.besides ?? [])
    return [...stopped, ...orderChecks(draft, context).filter(({ level }) => level === 'block')]
  }
}

/** After this many ms without a terminal nothing is retried. */
export const hangUpMaxMs = 20_000
const hangUpPauseMs = 500
const hangUpPauseMaxMs = 4_000

export type HangUpContext = {
  orders: Pick<OrderEntry, 'cancelAll'>
  clock: Clock
  /** How many writes are under way. */
  writesUnderWay: () => number
  /** Resolves when those that are under way have ended, each within the time that a call may take. */
  writesEnded: () => Promise<unknown>
}

/**
 * Cancels every working order because the terminal is gone. A cancel that did not go out, or had no answer, is retried
 * until `hangUpMaxMs` have passed, each try journaled like any other. An order in flight meanwhile may have arrived
 * after the cancel, so one more cancel follows. True once the exchange has confirmed the last one.
 */
export async function cancelAtHangUp(context: HangUpContext): Promise<boolean> {
  const { orders, clock, writesUnderWay, writesEnded } = context
  const startedAtMs = clock.now()
  for (let waitMs = hangUpPauseMs; ; waitMs = Math.min(waitMs * 2, hangUpPauseMaxMs)) {
    const hadWrites = writesUnderWay() > 0
    const { kind } = await orders.cancelAll(null)
    if (kind === 'canceled' && !hadWrites) return true
    if (hadWrites) await writesEnded()
    const isOver = clock.now() - startedAtMs >= hangUpMaxMs
    // No pause: a write that ended during the cancel may have left its order in the book.
    if (kind === 'canceled' && !isOver) continue
    if (isOver) return false
    await clock.sleep(waitMs)
  }
}

/**
 * An order to be moved. `draft.orderQuantity` is all of it, filled quantity included; `reviewed` is the open quantity
 * the user saw: never more than that is placed.
 */
export type Move = {
  orderId: string
  clientOrderId: string
  draft: OrderDraft
  reviewed: Decimal
  scales?: AmountScales | undefined
  /** One of several, which are told of together. */
  isOneOfMany?: boolean
  /** See `AskedMove`. */
  fromStop?: Decimal | null
}

/**
 * `held` says why the rest may not go out now, asked once more after the cancel: the desk may have been halted
 * meanwhile.
 */
export type MoveContext = WriteContext & { held: (rest: OrderDraft) => string | null }

type MoveOutcome = OrderOutcome | CancelOutcome | NotSent

/**
 * Cancels an order, waits until its end is seen, and places the rest: one entry in the journal, each step on record.
 */
async function moveOrder(client: SendClient, context: MoveContext, move: Move): Promise<MoveOutcome> {
  const { clock, emit } = context
  const { reviewed: _reviewed, isOneOfMany: _isOneOfMany, fromStop: _fromStop, ...recorded } = move
  const { orderId, draft } = move
  const outcome = await journaledWrite(
    context,
    { kind: 'move', ...recorded },
    async (write): Promise<Written<MoveOutcome>> => {
      emit({ type: 'cancelSent', orderId, atMs: clock.now() })
      const canceled = await cancelOnce(client, context, orderId)
      if (canceled.outcome.kind !== 'notSent') {
        emit({ type: 'cancelOutcome', outcome: canceled.outcome, isMove: true, atMs: clock.now() })
      }
      const { outcome: end } = canceled
      if (end.kind !== 'canceled') return canceled
      // Canceled by someone else: nothing is placed again.
      if (!end.isOwn) return notSent(`order ${orderId} was canceled elsewhere`)
      return await placeRest(client, context, write, { ...move, ended: end.order })
    },
  )
  if (outcome.kind === 'notSent') emit({ type: 'orderNotSent', draft, reason: outcome.reason, atMs: clock.now() })
  return outcome
}

type MoveParts = {
  /** Reports the order that the guard stops; null when it may go. */
  stopped: (draft: OrderDraft, movedAs: MovedAs, tell: Emit) => NotSent | null
  done: (outcome: MoveOutcome) => void
}

function createMoves(
  client: SendClient,
  context: OrderEntryContext,
  { stopped, done }: MoveParts,
): Pick<OrderEntry, 'move' | 'moveAll'> {
  const { guard, newClientOrderId, scalesOf } = context

  /** `besides`: the new orders of the moves before it, where it is one of several. */
  const moveOne = async (
    { orderId, whole, rest, fromStop = null }: AskedMove,
    besides?: readonly string[],
    under: SentUnder = {},
  ): Promise<MoveOutcome> => {
    const beside = under.besides ?? besides
    const emit = under.besides === undefined ? context.emit : emitOfPlan(context.emit)
    const movedAs = { kind: 'instead', orderId, ...(beside === undefined ? {} : { besides: [...beside] }) } as const
    const refusal = stopped(rest, movedAs, emit)
    if (refusal !== null) return refusal
    const held = (restDraft: OrderDraft) => reasonOf(guard(restDraft, { kind: 'rest' }))
    const move = {
      orderId,
      draft: whole,
      clientOrderId: under.clientOrderId ?? newClientOrderId(),
      reviewed: rest.orderQuantity,
      scales: scalesOf?.(whole.symbol),
      isOneOfMany: besides !== undefined,
      fromStop,
    }
    const outcome = await moveOrder(client, { ...context, emit, held }, move)
    done(outcome)
    return outcome
  }

  return {
    move: (orderId, whole, rest = whole, fromStop = null, under = {}) =>
      moveOne({ orderId, whole, rest, fromStop }, undefined, under),
    async moveAll(moves) {
      const besides: string[] = []
      const gone: string[] = []
      for (const [at, move] of moves.entries()) {
        const outcome = await moveOne(move, besides)
        if (outcome.kind === 'accepted') besides.push(outcome.order.clientOrderId)
        else if (outcome.kind === 'ended') gone.push(move.orderId)
        else {
          const left = moves.slice(at + 1).map(({ orderId }) => orderId)
          return { moved: besides.length, gone, stop: { orderId: move.orderId, reason: stopReason(outcome), left } }
        }
      }
      return { moved: besides.length, gone, stop: null }
    },
  }
}

type Rest = Move & { ended: Order }

/** What of a canceled order is to be placed, or why nothing is, as a clause. */
function restOf({ orderId, draft, reviewed, ended }: Rest): Decimal | string {
  const { cumQuantity: filled } = ended
  if (ended.symbol !== draft.symbol || ended.side !== draft.side)
    return `order ${orderId} is canceled, but reported as ${ended.side} ${ended.symbol}`
  if (filled === null) return `order ${orderId} is canceled, but its filled quantity is unknown`
  const rest = draft.orderQuantity.minus(filled)
  if (!rest.gt(0)) return `order ${orderId} had filled ${filled.toFixed()}: nothing is left to move`
  // Filled quantity never goes down: a report of less than at the review is not about this order.
  if (rest.gt(reviewed))
    return `order ${orderId} is canceled, but ${rest.toFixed()} is more than the ${reviewed.toFixed()} reviewed`
  return rest
}

async function placeRest(
  client: SendClient,
  context: MoveContext,
  write: OpenWrite,
  move: Rest,
): Promise<Written<MoveOutcome>> {
  const { clock, emit, held } = context
  const { orderId, clientOrderId, draft, ended, isOneOfMany = false, fromStop: stopPrice = null } = move
  const rest = restOf(move)
  if (typeof rest === 'string') return notSent(rest)
  const restDraft = { ...draft, orderQuantity: rest }
  const reason = held(restDraft)
  if (reason !== null) return notSent(`order ${orderId} is canceled, and ${reason}`)
  try {
    await write.step({ step: 'canceled', cumQuantity: draft.orderQuantity.minus(rest) }, clock.wallMs())
    await write.step({ step: 'place', quantity: rest }, clock.wallMs())
  } catch (error) {
    if (error instanceof JournalError) return notSent(error.message)
    throw error
  }
  emit({ type: 'orderSent', draft: restDraft, clientOrderId, atMs: clock.now() })
  const placed = await placeOnce(client, context, restDraft, clientOrderId)
  if (placed.outcome.kind !== 'notSent') {
    const { limitPrice, cumQuantity } = ended
    const open = orderQuantity(ended)?.minus(cumQuantity ?? zero) ?? null
    const movedFrom = { orderId, limitPrice, stopPrice, open, ...(isOneOfMany ? { isOneOfMany } : {}) }
    emit({ type: 'orderOutcome', draft: restDraft, outcome: placed.outcome, movedFrom, atMs: clock.now() })
  }
  return placed
}

function notSent(reason: string): Written<NotSent> {
  return { recorded: { kind: 'notSent', reason }, outcome: { kind: 'notSent', reason } }
}
