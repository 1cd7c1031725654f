import type { AmountScales } from '../../domain/market/amounts.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { stopTexts } from '../../domain/orders/checks/check.ts'
import type { SentOrder } from '../../domain/orders/exposure.ts'
import { type Order, type OrderDraft, orderQuantity, scopeText } from '../../domain/orders/order.ts'
import type { CancelOutcome, KnownOrder, MovesEnd, OrderOutcome } from '../../domain/orders/order-outcome.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import { JournalError, type OpenWrite } from '../../journal/entry.ts'
import { cancelOnce } from './cancel-order.ts'
import { behindCancelMaxMs, createOrderCheckAge } from './check-age.ts'
import { journaledWrite, unsent, type WriteContext, type Written } from './journaled-write.ts'
import type { MovedAs, OrderGuard } from './limit-guard.ts'
import { placeOnce, type SendClient, type SendContext } from './place-order.ts'
import { type Emit, emitOfPlan, type SentUnder } from './plan-order.ts'

/** What moves need of those who send. */
export type MovesContext = WriteContext &
  Pick<SendContext, 'confirms' | 'looksSignal'> & {
    /** Asked about every order right before it is written down to be sent: whatever it names stops the order. */
    guard: OrderGuard
    /**
     * Orders for the checks of one in a symbol that other processes have sent, see `sentBeside`; none unless given, and
     * not asked for by who has no other processes, or knows of them.
     */
    besideOf?: ((symbol: string) => Promise<readonly SentOrder[]>) | undefined
    newClientOrderId: () => string
    /** Decimals of a symbol as far as they are known, to be written down with its orders; none unless given. */
    scalesOf?: (symbol: string) => AmountScales | undefined
  }

/** A move as it was reviewed: see `Moves.move`. */
export type AskedMove = {
  orderId: string
  /** The order as it is to be, filled quantity included. */
  whole: OrderDraft
  /** What was open of it, and what the guard judges: never more than that is placed. All of it unless given. */
  rest?: OrderDraft
  /** The order as known before: a report of its end that disagrees is not believed. */
  was?: KnownOrder
  /** Stop trigger, for messages: the exchange does not report it. */
  fromStop?: Decimal | null
}

/**
 * A move that is under way: a cancel that is asked for meanwhile is about what takes the order's place too. Several
 * that go one after the other are one such besides, without an order of its own.
 */
type BegunMove = { orderId: string | null; symbol: string; takenBack: string | null }

/** The moves under way, and the cancels that were asked for meanwhile. */
export type BegunMoves = {
  /** What was asked for since it began, as a clause; null for nothing. */
  during<T>(begun: Omit<BegunMove, 'takenBack'>, run: (takenBack: () => string | null) => Promise<T>): Promise<T>
  /** Cancels an order, or all of a symbol, or all. */
  takeBack(what: { orderId: string } | { symbol: string | null }): void
}

/** No move is under way at first. */
export function createBegunMoves(): BegunMoves {
  const underWay = new Set<BegunMove>()
  return {
    async during(begun, run) {
      const move: BegunMove = { ...begun, takenBack: null }
      underWay.add(move)
      try {
        return await run(() => move.takenBack)
      } finally {
        underWay.delete(move)
      }
    },
    takeBack(what) {
      const text = 'orderId' in what ? `order ${what.orderId}` : `all orders of ${scopeText(what.symbol)}`
      for (const move of underWay) {
        const isMeant =
          'orderId' in what ? move.orderId === what.orderId : what.symbol === null || what.symbol === move.symbol
        if (isMeant) move.takenBack ??= `a cancel of ${text} was asked for`
      }
    },
  }
}

/** Where the cancel took effect the new order's own outcome, or that it was not sent. */
export type MoveOutcome = OrderOutcome | Exclude<CancelOutcome, { kind: 'canceled' }> | NotSent

export type Moves = {
  /**
   * Cancels the order, and once that is confirmed places what it has not filled of `whole.orderQuantity`. Whatever is
   * not certain about the cancel, nothing new is sent.
   */
  move(asked: AskedMove, under?: SentUnder): Promise<MoveOutcome>
  /**
   * Several such moves, one after the other, each with every check. Behind the first that did not end as asked
   * (unknown, rejected, refused, not sent) nothing more is moved; one that ended before its turn has nothing to move.
   */
  moveAll(moves: readonly AskedMove[]): Promise<MovesEnd>
}

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
  }
}

/**
 * An order to be moved. `draft.orderQuantity` is all of it, filled quantity included; `reviewed` is the open quantity
 * the user saw: never more than that is placed.
 */
type Move = {
  orderId: string
  clientOrderId: string
  draft: OrderDraft
  reviewed: Decimal
  scales?: AmountScales | undefined
  /** One of several, which are told of together. */
  isOneOfMany?: boolean
  /** See `AskedMove`. */
  fromStop?: Decimal | null
  was?: KnownOrder | undefined
}

/**
 * Why a move may not go on, as a clause, or null. The desk may be halted while the journal or the exchange is waited
 * for. `recheck`: by every check; `held`: by those of what is left of the canceled order; `stoppedNow`: by the mode,
 * and by the age of the checks.
 */
type MoveContext = WriteContext & {
  recheck: () => Promise<string | null>
  held: (rest: OrderDraft) => string | null
  stoppedNow: (checkedMaxMs?: number) => string | null
}

/**
 * Cancels an order, waits until its end is seen, and places the rest: one entry in the journal, each step on record.
 */
async function moveOrder(client: SendClient, context: MoveContext, move: Move): Promise<MoveOutcome> {
  const { clock, emit, recheck, stoppedNow } = context
  const { orderId, clientOrderId, draft, scales, was } = move
  const outcome = await journaledWrite(
    context,
    { kind: 'move', orderId, ofClientOrderId: was?.clientOrderId, clientOrderId, draft, scales },
    async (write): Promise<Written<MoveOutcome>> => {
      const stopped = stoppedNow()
      if (stopped !== null) return unsent(stopped)
      emit({ type: 'cancelSent', orderId, atMs: clock.now() })
      const canceled = await cancelOnce(client, context, orderId, () => Promise.resolve(was ?? null))
      if (canceled.outcome.kind !== 'notSent') {
        emit({ type: 'cancelOutcome', outcome: canceled.outcome, isMove: true, atMs: clock.now() })
      }
      const { outcome: end } = canceled
      if (end.kind !== 'canceled') return { recorded: canceled.recorded, outcome: end }
      // Canceled by someone else: nothing is placed again.
      if (!end.isOwn) return unsent(`order ${orderId} was canceled elsewhere`)
      return await placeRest(client, context, write, { ...move, ended: end.order })
    },
    recheck,
  )
  if (outcome.kind === 'notSent')
    emit({ type: 'orderNotSent', draft, clientOrderId, reason: outcome.reason, atMs: clock.now() })
  return outcome
}

/** Marks what is told of a move's orders: no ticket waits for them. An outcome has `movedFrom`. */
const emitOfMove =
  (emit: Emit): Emit =>
  (event) =>
    emit(event.type === 'orderNotSent' ? { ...event, isMove: true } : event)

type MoveParts = {
  begunMoves: BegunMoves
  /** Reports the order that the guard stops; null when it may go. */
  refuseIfBlocked: (draft: OrderDraft, movedAs: MovedAs, tell: Emit) => NotSent | null
  reportOutcome: (outcome: MoveOutcome) => void
}

/** Moves of one order, and of several one after the other. */
export function createMoves(
  client: SendClient,
  context: MovesContext,
  { begunMoves, refuseIfBlocked, reportOutcome }: MoveParts,
): Moves {
  const { clock, guard, newClientOrderId, scalesOf, besideOf } = context

  /** `besides`: the new orders of the moves before it, where it is one of several. */
  const moveOne = async (
    { orderId, whole, rest = whole, fromStop = null, was }: AskedMove,
    takenBack: () => string | null,
    besides?: readonly string[],
    under: SentUnder = {},
  ): Promise<MoveOutcome> => {
    const beside = under.besides ?? besides
    const emit = emitOfMove(under.besides === undefined ? context.emit : emitOfPlan(context.emit))
    const movedAs = { kind: 'instead', orderId, ...(beside === undefined ? {} : { besides: [...beside] }) } as const
    const refusal = refuseIfBlocked(rest, movedAs, emit)
    if (refusal !== null) return refusal
    const { madeNow, tooOld } = createOrderCheckAge(clock, under.besides !== undefined)
    const looks = {
      recheck: async () => madeNow(stopTexts(guard(rest, movedAs, await besideOf?.(rest.symbol)))),
      held: (restDraft: OrderDraft) => stopTexts(guard(restDraft, { kind: 'rest' })),
      stoppedNow: (maxMs?: number) => stopTexts(guard(rest, { kind: 'begun' })) ?? takenBack() ?? tooOld(maxMs),
    }
    const move = {
      orderId,
      draft: whole,
      clientOrderId: under.clientOrderId ?? newClientOrderId(),
      reviewed: rest.orderQuantity,
      scales: scalesOf?.(whole.symbol),
      isOneOfMany: besides !== undefined,
      fromStop,
      was,
    }
    const outcome = await moveOrder(client, { ...context, emit, ...looks }, move)
    reportOutcome(outcome)
    return outcome
  }

  return {
    move(asked, under = {}) {
      // What a plan does after a cancel by hand is the plan's: it holds, or protects what it has.
      if (under.besides !== undefined) return moveOne(asked, () => null, undefined, under)
      const { orderId, whole } = asked
      return begunMoves.during({ orderId, symbol: whole.symbol }, (takenBack) =>
        moveOne(asked, takenBack, undefined, under),
      )
    },
    moveAll: (moves) =>
      begunMoves.during({ orderId: null, symbol: moves[0]?.whole.symbol ?? '' }, async (allTakenBack) => {
        const besides: string[] = []
        const gone: string[] = []
        for (const [at, move] of moves.entries()) {
          const { orderId, whole } = move
          const outcome = await begunMoves.during({ orderId, symbol: whole.symbol }, (takenBack) =>
            moveOne(move, () => takenBack() ?? allTakenBack(), besides),
          )
          if (outcome.kind === 'accepted') besides.push(outcome.order.clientOrderId)
          else if (outcome.kind === 'ended') gone.push(move.orderId)
          else {
            const left = moves.slice(at + 1).map(({ orderId }) => orderId)
            return { moved: besides.length, gone, stop: { orderId: move.orderId, reason: stopReason(outcome), left } }
          }
        }
        return { moved: besides.length, gone, stop: null }
      }),
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
  const stoppedNow = () => context.stoppedNow(behindCancelMaxMs)
  const { orderId, clientOrderId, draft, ended, isOneOfMany = false, fromStop: stopPrice = null } = move
  const rest = restOf(move)
  if (typeof rest === 'string') return unsent(rest)
  const restDraft = { ...draft, orderQuantity: rest }
  const reason = held(restDraft)
  if (reason !== null) return unsent(`order ${orderId} is canceled, and ${reason}`)
  try {
    await write.step({ step: 'canceled', cumQuantity: draft.orderQuantity.minus(rest) }, clock.wallMs())
    await write.step({ step: 'place', quantity: rest }, clock.wallMs())
  } catch (error) {
    if (error instanceof JournalError) return unsent(`order ${orderId} is canceled, and ${error.message}`)
    throw error
  }
  const stopped = stoppedNow()
  if (stopped !== null) return unsent(`order ${orderId} is canceled, and ${stopped}`)
  emit({ type: 'orderSent', draft: restDraft, clientOrderId, atMs: clock.now() })
  const placed = await placeOnce(client, context, restDraft, clientOrderId, stoppedNow)
  if (placed.outcome.kind === 'notSent') return unsent(`order ${orderId} is canceled, and ${placed.outcome.reason}`)
  const { limitPrice, cumQuantity } = ended
  const open = orderQuantity(ended)?.minus(cumQuantity ?? zero) ?? null
  const movedFrom = { orderId, limitPrice, stopPrice, open, ...(isOneOfMany ? { isOneOfMany } : {}) }
  emit({ type: 'orderOutcome', draft: restDraft, outcome: placed.outcome, movedFrom, atMs: clock.now() })
  return placed
}
