import { isLocked } from '../../domain/desk/lock.ts'
import { nextMode } from '../../domain/desk/mode.ts'
import { keyOf, rowKeysOf } from '../../domain/desk/session.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import { evidenceChanged, type UnknownWrite, type Verdict, verdictWords } from '../../domain/unknown-write.ts'
import type { DutiesSlice } from '../duties.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import type { LockSlice } from '../lock.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { cancelGuard, type ModeEvent, type ModeSlice } from '../mode.ts'
import { lostByHand, type PlansSlice } from '../plans/plans.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import type { TicketEvent, TicketSlice } from '../ticket/ticket.ts'
import type { TransfersSlice } from '../transfers/transfers.ts'
import type { ViewSlice } from '../view/view.ts'
import type { WritesSlice } from '../writes/writes.ts'
import type { CancelPort, ConfirmCancelOverlay } from './cancel-question.ts'
import { orderRowKey, ordersAtCursor, whyNoneInRow, workingOrder } from './order-selectors.ts'

/** The parts that its commands use. */
type CancelContext = SliceContext<
  ModeSlice &
    ViewSlice &
    LadderSlice &
    FeedsSlice &
    WritesSlice &
    TicketSlice &
    LockSlice &
    TablesSlice &
    PlansSlice &
    Covering,
  ModeEvent | TicketEvent | OverlayEvent<HaltOverlay | ConfirmCancelOverlay> | NotedEvent,
  CancelPort
>

export type CancelCommands = {
  cancelSelectedOrder(): void
  /** Cancels every own order in the cursor's row. */
  cancelAtCursor(): void
}

/** Commands that cancel orders. They are allowed before arming: a cancel only lowers risk. */
export function createCancelCommands({ store, port }: CancelContext): CancelCommands {
  const say = sayer({ store, port })
  const isAllowed = cancelGuard({ store, port })
  const cancel = (orders: readonly Order[]) => {
    for (const { orderId, clientOrderId, symbol } of orders)
      if (orderId === null) say(`Order ${clientOrderId}: exchange id unknown. Cancel all ${symbol} removes it.`)
    const orderIds = orders.flatMap(({ orderId }) => orderId ?? [])
    if (orderIds.length === 0) return
    const clientOrderIds = orders.map(({ clientOrderId }) => clientOrderId)
    if (lostByHand(store.getState(), clientOrderIds) === null) return port.cancelOrders(orderIds)
    // Canceling a plan's order needs a question that states the effect.
    const words = orderIds.length === 1 ? `order ${orderIds[0] ?? ''}` : `${orderIds.length} orders`
    const target = { kind: 'orders', orderIds, words } as const
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'confirmCancel', target } })
  }
  return {
    cancelSelectedOrder() {
      if (!isAllowed()) return
      const state = store.getState()
      const key = state.tables.views.orders.selectedKey ?? ''
      const order = workingOrder(state, key)
      if (order !== undefined) return cancel([order])
      if (state.unknownWrites.some((entry) => entry.key === key)) return say('Outcome not known yet: checking.')
      const keys = rowKeysOf(state.reboundKeys)
      // The cursor stays on a canceled order: only the user selects another one.
      const ended = state.endedOrders.find((each) => orderRowKey(each) === key)
      say(
        ended === undefined
          ? `No working order is selected: ${keys} select one.`
          : `Order ${key} has ended (${ended.status}): ${keys} select another.`,
      )
    },
    cancelAtCursor() {
      if (!isAllowed()) return
      const state = store.getState()
      const orders = ordersAtCursor(state)
      if (orders.length === 0) return say(whyNoneInRow(state, rowKeysOf(state.reboundKeys)))
      cancel(orders)
    },
  }
}

export type HaltCommands = {
  /** Opens the question that halts the desk; `behind`: the text of a field that its key was pressed directly after. */
  askHalt(behind?: string): void
  /** One letter of the word that cancels the orders of every symbol; in a doubtful question, its key once more. */
  typeIntoHalt(text: string): void
  eraseInHalt(): void
  clearHalt(): void
  /** HALTED, and this symbol's orders are canceled, or every symbol's when ALL is typed. */
  confirmHalt(): void
}

/** The typed word that halts and cancels the orders of every symbol. */
export const everySymbolWord = 'ALL'

/**
 * Halting: no new orders until the user arms the desk again, and cancels for the symbol, or for every symbol. It also
 * works on the lock screen, because it only lowers risk; there it needs the whole word `ALL`, so that leaning on a key
 * does not halt.
 */
export function createHaltCommands({ store, port }: CancelContext): HaltCommands {
  const say = sayer({ store, port })
  const asking = () => {
    const { overlay } = store.getState()
    return isOverlay<HaltOverlay>(overlay, 'halt') ? overlay : null
  }
  const isAllowed = cancelGuard({ store, port })
  const type = (typed: string) => {
    const overlay = asking()
    if (overlay !== null)
      store.dispatch({ type: 'overlayOpened', overlay: { ...overlay, typed: typed.slice(0, everySymbolWord.length) } })
  }
  const halt = (overlay: HaltOverlay) => {
    const { mode, lock, ticket } = store.getState()
    const isEvery = overlay.typed === everySymbolWord
    if (!isEvery && isLocked(lock)) return say('Locked: type ALL, then Enter, to halt and cancel all.')
    if (!isEvery && overlay.typed !== '') return say(`Type ALL in full, or erase it for ${overlay.symbol} alone.`)
    if (ticket?.stage === 'review') store.dispatch({ type: 'ticketBackToEdit' })
    store.dispatch({ type: 'overlayClosed' })
    store.dispatch({ type: 'modeChanged', mode: nextMode(mode, 'halt'), atMs: port.now() })
    port.cancelAll(isEvery ? null : overlay.symbol)
  }
  /** Further text after `5K`, as in `5K USD`, is not an answer: only the key once more is, or the whole word. */
  const typeBehindText = (overlay: HaltOverlay, text: string) => {
    const typed = overlay.typed + text.toUpperCase()
    if (text === keyOf(store.getState().reboundKeys, 'askHalt')) return isAllowed() && halt(overlay)
    if (everySymbolWord.startsWith(typed)) return type(typed)
    say(`Not taken: ${doubtOfHalt(store.getState(), overlay) ?? ''}`)
  }
  return {
    askHalt(behind) {
      if (!isAllowed()) return
      const symbol = activeSymbol(store.getState())
      const doubt = behind === undefined ? {} : { behind }
      store.dispatch({ type: 'overlayOpened', overlay: { kind: 'halt', symbol, typed: '', ...doubt } })
    },
    typeIntoHalt(text) {
      const overlay = asking()
      if (overlay === null) return
      if (doubtOfHalt(store.getState(), overlay) !== null) typeBehindText(overlay, text)
      else if (/^[a-z]$/i.test(text)) type(overlay.typed + text.toUpperCase())
    },
    eraseInHalt: () => type((asking()?.typed ?? '').slice(0, -1)),
    clearHalt: () => type(''),
    confirmHalt() {
      const overlay = asking()
      if (overlay === null || !isAllowed()) return
      const doubt = doubtOfHalt(store.getState(), overlay)
      if (doubt === null) halt(overlay)
      else say(`Not halted: ${doubt}`)
    },
  }
}

/**
 * Halting cancels this symbol's orders, or every symbol's once ALL is typed. `behind`: the text of a field in which the
 * key was pressed directly after it, as in `5K` for thousands; then Enter alone does not halt.
 */
export type HaltOverlay = { kind: 'halt'; symbol: string; typed: string; behind?: string }

/** Maximum characters shown of the text: its end, where the key came. */
export const behindMax = 12

/** Why Enter does not halt, and what does; null when it halts. On a locked desk no field was being typed in. */
export function doubtOfHalt(
  { reboundKeys, lock }: Pick<ModeSlice, 'reboundKeys'> & LockSlice,
  { behind }: HaltOverlay,
): string | null {
  if (behind === undefined || isLocked(lock)) return null
  const key = keyOf(reboundKeys, 'askHalt')
  return `${key} came behind ${behind.trim().slice(-behindMax)}. ${key} once more halts, Esc goes back.`
}

/** The parts that its commands use. */
type ResolveContext = SliceContext<
  ViewSlice & WritesSlice & TablesSlice & TransfersSlice & Covering & DutiesSlice,
  OverlayEvent<UnknownWriteOverlay> | NotedEvent,
  UnknownWritePort
>

export type ResolveCommands = {
  /** Asks about the selected unknown write, or about the first one with a question. */
  askUnknown(): void
  /** Selects another write to resolve, or another possible match. */
  moveInUnknown(rows: number): void
  /** The user's answer to it. */
  resolveUnknown(verdict: Verdict): void
}

/** The key of the selected row's write, in the transfers of a draft's; it may be resolved already. */
function chosenWrite({ focus, tables, drafts }: ViewSlice & TablesSlice & TransfersSlice): string | null {
  if (focus !== 'transfers') return tables.views.orders.selectedKey
  const { selectedKey } = tables.views.withdrawals
  const draft = drafts.find(({ draftId }) => draftId === selectedKey)
  return draft?.state.kind === 'unknown' ? draft.state.journalKey : selectedKey
}

/** The questions to the user in order: each write with a question, once for each possible withdrawal. */
export const unknownChoices = (unknownWrites: readonly UnknownWrite[]): readonly Omit<UnknownWriteOverlay, 'kind'>[] =>
  unknownWrites.flatMap(({ key, question }) => {
    if (question === null) return []
    const { evidence: seen, withdrawals } = question
    const matches = withdrawals?.matches ?? []
    if (matches.length === 0) return [{ key, match: null, seen }]
    return matches.map(({ withdrawalId: match }) => ({ key, match, seen }))
  })

const matchesOf = (unknownWrites: readonly UnknownWrite[], key: string): readonly Withdrawal[] =>
  unknownWrites.find((entry) => entry.key === key)?.question?.withdrawals?.matches ?? []

/** Commands by which the user resolves what the exchange's reports leave open: nothing here sends anything. */
export function createResolveCommands({ store, port }: ResolveContext): ResolveCommands {
  const say = sayer({ store, port })
  /** Asks the question as it is now, with this match marked if it is still one, otherwise with the first. */
  const ask = (key: string, marked: string | null = null) => {
    const choices = unknownChoices(store.getState().unknownWrites).filter((each) => each.key === key)
    const choice = choices.find(({ match }) => match === marked) ?? choices[0]
    if (choice !== undefined) store.dispatch({ type: 'overlayOpened', overlay: { kind: 'unknownWrite', ...choice } })
  }
  return {
    askUnknown() {
      const { unknownWrites, duties } = store.getState()
      const { pid = 0, unsaid = 0 } = duties.watch ?? {}
      if (unknownWrites.length === 0 && unsaid > 0) {
        const writes = unsaid === 1 ? '1 write' : `${unsaid} writes`
        return say(`The watch (pid ${pid}) does not know the outcome of ${writes}: end it, then press this key here.`)
      }
      if (unknownWrites.length === 0) {
        say('Nothing to resolve for this desk. Looking for writes of other processes.')
        return port.lookElsewhere()
      }
      const chosen = unknownWrites.find(({ key }) => key === chosenWrite(store.getState()))
      const entry = chosen ?? unknownWrites.find(({ question }) => question !== null)
      if (entry === undefined || entry.question === null) return say('Still checking: its evidence is incomplete.')
      ask(entry.key)
    },
    moveInUnknown(rows) {
      const { overlay, unknownWrites } = store.getState()
      if (!isOverlay<UnknownWriteOverlay>(overlay, 'unknownWrite')) return
      const choices = unknownChoices(unknownWrites)
      if (choices.length < 2) return say('This is the only one to resolve.')
      const at = choices.findIndex(({ key, match }) => key === overlay.key && match === overlay.match)
      const next = choices[Math.max(0, Math.min(choices.length - 1, at + rows))]
      if (next !== undefined) store.dispatch({ type: 'overlayOpened', overlay: { kind: 'unknownWrite', ...next } })
    },
    resolveUnknown(verdict: Verdict) {
      const { overlay, unknownWrites } = store.getState()
      if (!isOverlay<UnknownWriteOverlay>(overlay, 'unknownWrite')) return
      const question = unknownWrites.find(({ key }) => key === overlay.key)?.question ?? null
      if (question !== null && !question.verdicts.includes(verdict))
        return say(`Not resolved: the evidence does not allow "${verdictWords[verdict]}".`)
      const matches = matchesOf(unknownWrites, overlay.key)
      const isListed = matches.length === 0 || matches.some(({ withdrawalId }) => withdrawalId === overlay.match)
      const isSeen =
        verdict === 'placed' || question === null || question.evidence === (overlay.seen ?? question.evidence)
      if (!isListed || !isSeen) {
        ask(overlay.key, overlay.match)
        return say(evidenceChanged)
      }
      store.dispatch({ type: 'overlayClosed' })
      if (question === null) say('Already resolved.')
      else port.decideUnknown(overlay.key, verdict, verdict === 'placed' ? overlay.match : null)
    },
  }
}

/**
 * Asks the user about a write that the exchange's reports do not resolve. `match`: the id of the marked withdrawal
 * among the possible ones; by id, because lists change while the user decides. Null for none. `seen`: the evidence as
 * it was when asked; answers but "placed" are about all of it.
 */
export type UnknownWriteOverlay = { kind: 'unknownWrite'; key: string; match: string | null; seen?: string }

export type UnknownWritePort = {
  /** Looks at once for writes without an outcome that other processes left in the journal, and reports the result. */
  lookElsewhere(): void
  /** The user's answer about an unknown write; `id`: the matching withdrawal. */
  decideUnknown(key: string, verdict: Verdict, id: string | null): void
}
