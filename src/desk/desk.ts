import { readBaseAddress } from '../api/base-address.ts'
import {
  createBackgroundClient,
  createExchangeClient,
  createPersonClient,
  type ExchangeClient,
} from '../api/exchange-client.ts'
import { pollsAllowed, type Transport } from '../api/transport.ts'
import type { Clock } from '../base/clock.ts'
import { ok, type Result } from '../base/result.ts'
import { takingTurns } from '../base/serial.ts'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { Mode } from '../domain/desk/mode.ts'
import { scalesOf } from '../domain/market/amounts.ts'
import type { News } from '../domain/notify/message.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { isWorking, type Order } from '../domain/orders/order.ts'
import type { HistoryError } from '../history/history-database.ts'
import { type DeskLock, noLock } from '../lock/desk-lock.ts'
import { createRecorder, type Recorder } from '../services/history/recorder.ts'
import { createOrderHistory, type FillPage, fetchOlderFills, type OrderHistory } from '../services/orders/history.ts'
import { createLimitGuard, type OrderGuard } from '../services/orders/limit-guard.ts'
import type { Account } from '../services/polling/account.ts'
import { createClientOrderIds, createTrading, lookedThrough, observedBy, type Trading } from '../services/trading.ts'
import { createCsvExport } from '../state-files/exports.ts'
import { symbolsWanted } from '../store/bars.ts'
import { wallSkewMs } from '../store/clock.ts'
import { type Commands, createCommands, type DeskPort } from '../store/commands.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import { asFile, exportAnswered } from '../store/exports.ts'
import { fillHistoryAnswered, historyAnswered } from '../store/history/history.ts'
import type { NotedEvent } from '../store/log.ts'
import type { OrderMove } from '../store/move/move.ts'
import { contextInstead } from '../store/move/move-commands.ts'
import type { PlansPort } from '../store/plans/plans.ts'
import { practiceAnswered } from '../store/practice/practice.ts'
import type { HangUpEnd } from '../store/quit.ts'
import { createDeskStore } from '../store/store.ts'
import { type DeskOptions, startState } from './desk-options.ts'
import { type DutyKeeper, keepDuties } from './duties/duties.ts'
import { connectGateway, gatewayStart } from './gateway/gateway.ts'
import { createHeldCancel, hangUp } from './halt-cancel.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import { createDeskPacer, createFirstLook, createPolls } from './polling.ts'
import { noPracticeAdmin } from './practice/practice-admin.ts'
import { createAwaitedNews, deskDrafts, deskTerms, openDeskTransport, watchHub } from './wiring/behind-hub.ts'
import { connectPlans, modeForPlans } from './wiring/connect-plans.ts'
import { followTerms, type MoneyPort, moneyPort, queueParts, takeUpKept } from './wiring/money-port.ts'
import { followOlderBars } from './wiring/older-bars.ts'
import { besideOf, followOthers, tellFound } from './wiring/open-elsewhere.ts'
import { keepPositions } from './wiring/positions.ts'

export type Desk = {
  store: DeskStore
  commands: Commands
  /** The duties of this process or another one for the profile and account. */
  duties: DutyKeeper
  /** Commands of the account's plans; null when the desk has none. */
  plans: PlansPort | null
  /** For a sender on behalf of others, whose writes go the way of the desk's own. */
  trading: Pick<Trading, 'ordersUnder' | 'withdrawUnder' | 'reconciliation' | 'withdrawals' | 'firm'>
  /** The exchange, with the priority of the user's calls. */
  client: ExchangeClient
  /** The state with all reports so far. */
  current(): DeskState
  /** Call when something of the account was changed elsewhere: polls it at once. */
  lookAnew(): void
  /** Starts polling. */
  start(): void
  /**
   * Call when the terminal is gone, before `stop`: nothing new is sent, and orders are canceled if set. Resolves to the
   * result.
   */
  hangUp(): Promise<HangUpEnd>
  /** Stops polling, lets writes in flight end, and closes connections and journal. */
  stop(): Promise<void>
}

/** Builds a desk on one exchange: client, services, store and commands, connected. */
export function composeDesk(options: DeskOptions): Result<Desk> {
  const { clock, random, journal, onBug, lock = noLock } = options
  const base = readBaseAddress(options.exchangeBaseUrl)
  if (!base.ok) return base
  const stopping = new AbortController()
  const { signal } = stopping
  const store = createDeskStore(startState({ ...options, gateway: gatewayStart(options.gateway) }, lock))
  const pacer = createDeskPacer(store, { clock, signal, calls: () => transport.rate() })
  const { take, takeWrite, current } = intakeOf(options, store, pacer)
  const isFirstLook = createFirstLook()
  const news = createAwaitedNews((told) => polls.wakeForNews(told))
  const emit = (event: FeedEvent) => {
    take(event)
    recorder.observe(event)
    duties.observe(event)
    plans?.observe(event)
    if (isFirstLook(event)) pacer.flush()
    if (news.isNews(event)) pacer.hurry()
    observedBy(reconciliation, event)
    // Reads drafts with each list too: another desk or a command may have saved some.
    if (event.type === 'withdrawals') track(lookedThrough(trading, event.withdrawals))
    if (event.type === 'orders') track(orderDrafts.look())
  }
  const emitWrite = (event: WriteEvent) => {
    takeWrite(event)
    transfers.after(event)
    plans?.observe(event)
  }
  const inFlight = createInFlight(onBug)
  const { track } = inFlight
  const gateway = connectGateway(options.gateway, { ...options, store, signal, track })
  if (!gateway.ok) return gateway
  const hub = watchHub({ store, clock, signal, onBug, client: () => person, look: () => withdrawals.look() })
  const transport = openDeskTransport(options, base.value, { ...hub, store, emit, onNews: news.tell })
  const client = createExchangeClient(transport)
  const recorder = recorderOf(options, { client: createBackgroundClient(transport), store, signal, note: pacer.add })
  const services = { clock, random, signal, emit, pollMs: options.pollMs ?? {} }
  const callsMax = pollsAllowed(options.transport?.rate)
  const polls = createPolls(store, client, services, callsMax, { journal, planSymbols: () => plans?.symbols() ?? [] })
  const { account, transfers, refresh, loops, wakeForPlans: wake } = polls
  // The user waits for the look at an unanswered write: it precedes polls, and continues while they pause.
  const person = createPersonClient(transport)
  const after = afterWrites(account, emit, options)
  const trading = tradingOf(options, { client: person, store, current, signal, track, emit: emitWrite, after })
  const { orders, orderDrafts, withdrawals, reconciliation } = trading
  const tellElsewhere = (news: News) => duties.tell(news)
  const guard = guardOf(current, clock, modeForPlans)
  const plans = connectPlans(options, { store, trading, person, client, guard, signal, tellElsewhere, wake })
  const duties = keepDuties(options, { store, orders, signal, track, plans: plans?.duty ?? null })
  // Subscribed after its listeners exist, because it may report at once.
  listenTo(journal, clock, emitWrite)
  const money = moneyPort(options, { client: person, trading, lock, store, signal, track })
  const rest = { ...money, gateway: gateway.value.port, refresh, ...(plans === null ? {} : { plans: plans.port }) }
  const port = portOf({ orders, reconciliation, client: person, options, rest, lock, store, signal, track })
  return ok({
    store,
    commands: createCommands({ store, port, exit: options.onQuit }),
    duties,
    plans: plans?.port ?? null,
    trading,
    client: person,
    current,
    lookAnew: () => after.onWritten(null),
    start() {
      for (const loop of [pacer, reconciliation, recorder, duties, ...loops, gateway.value]) loop.run().catch(onBug)
      track(takeUpKept(trading, options.costs, { store, clock }))
      followTerms(store, deskTerms(options, person, store), track)
      followOlderBars(store, { history: options.history, note: pacer.add, clock, signal, track })
      plans?.run().catch(onBug)
      followOthers({ store, journal, reconciliation, clock, signal, onBug })
    },
    hangUp: () => hangUp({ store, orders, clock, inFlight }),
    stop: () => closeDesk({ stopping, duties, inFlight, recorder, transport, gateway: gateway.value, journal }),
  })
}

/** Passes on reports of the journal as events. */
function listenTo(
  journal: DeskOptions['journal'],
  clock: DeskOptions['clock'],
  emit: (event: WriteEvent) => void,
): void {
  journal.listen(
    (sentence) => emit({ type: 'journalTrouble', sentence, atMs: clock.now() }),
    (isKept) => emit({ type: 'journalKept', isKept, atMs: clock.now() }),
  )
}

type TradingParts = {
  client: ExchangeClient
  store: DeskStore
  current: () => DeskState
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  emit: (event: WriteEvent) => void
  after: AfterWrites
}

/** All ways of a desk to change something at the exchange, with the checks by its store. */
const tradingOf = (
  options: DeskOptions,
  { client, store, current, signal, track, emit, after }: TradingParts,
): Trading =>
  createTrading(client, {
    ...queueParts({ ...options, ...deskTerms(options, client, store) }, { store, client, signal }),
    firm: deskDrafts(options, client, store),
    ...{ track, signal, emit, clock: options.clock, random: options.random, journal: options.journal },
    newClientOrderId: createClientOrderIds(options.randomBytes),
    guard: guardOf(current, options.clock),
    working: () => store.getState().orders.value,
    besideOf: besideOf(options, store),
    scalesOf: (symbol) => scalesOf(store.getState().instruments.value?.get(symbol)),
    skewMs: () => wallSkewMs(store.getState()),
    ...after,
  })

type Ending = {
  stopping: AbortController
  duties: Pick<DutyKeeper, 'ended'>
  inFlight: InFlight
  recorder: { ended(): Promise<void> }
  transport: Pick<Transport, 'close'>
  gateway: { close(): Promise<void> }
  journal: Pick<DeskOptions['journal'], 'close'>
}

/** Begins nothing new, lets work in progress end, then closes what it uses. */
async function closeDesk({ stopping, duties, inFlight, recorder, transport, gateway, journal }: Ending): Promise<void> {
  stopping.abort()
  await duties.ended()
  await inFlight.ended()
  await Promise.all([recorder.ended(), transport.close(), gateway.close()])
  await journal.close()
}

type RecorderParts = {
  client: ExchangeClient
  store: DeskStore
  signal: AbortSignal
  note: (event: NotedEvent) => void
}

/** Creates the recorder of the account's history; nothing without one. */
function recorderOf(
  {
    history,
    venue,
    clock,
    costMethod = 'fifo',
    role,
  }: Pick<DeskOptions, 'history' | 'venue' | 'clock' | 'costMethod' | 'role'>,
  { client, store, signal, note }: RecorderParts,
): Recorder & { ended: () => Promise<void> } {
  const none = () => Promise.resolve()
  if (history === undefined) return { observe: () => undefined, reportDamage: () => undefined, run: none, ended: none }
  const onDamage = (error: HistoryError) => recorder.reportDamage(error)
  // A watch shows no positions and no chart.
  const books = role === 'watch' ? null : keepPositions({ history, costMethod, clock }, { store, signal, onDamage })
  const recorder = createRecorder({
    open: history.open,
    client,
    mayBeginAnew: venue.kind === 'practice',
    clock,
    signal,
    toUtcMs: (atMs) => atMs + store.getState().ahead.exchangeMs,
    // The user may put a practice exchange's clock ahead.
    clocksApartMs: () => (venue.kind === 'practice' ? 0 : (wallSkewMs(store.getState()) ?? 0)),
    equity: () => store.getState().equity,
    ...symbolsWanted(() => store.getState()),
    emit(event) {
      if (books === null) return
      if (event.type !== 'historyProgress') store.dispatch(event)
      else books.observe(event)
    },
    tell: (level, text) => note({ type: 'noted', level, text, atMs: clock.now(), isAside: true }),
  })
  let running = none()
  return {
    ...recorder,
    observe(event) {
      recorder.observe(event)
      books?.observe(event)
    },
    run() {
      running = Promise.all([recorder.run(), books?.run()]).then(() => undefined)
      return running
    },
    // Its errors are reported where it runs.
    ended: () => running.catch(() => undefined),
  }
}

type PortParts = Pick<Trading, 'orders' | 'reconciliation'> & {
  client: ExchangeClient
  rest: MoneyPort & Pick<DeskPort, 'gateway' | 'refresh' | 'plans'>
  options: Pick<DeskOptions, 'exportsFolder' | 'practice' | 'clock'>
  lock: DeskLock
  store: DeskStore
  signal: AbortSignal
  track: (write: Promise<unknown>) => void
}

type WriteParts = Pick<PortParts, 'orders' | 'store'> & { clock: Clock }

/** The services behind the user's commands: each write starts at once, and its outcome arrives as events. */
function portOf(parts: PortParts): DeskPort {
  const { orders, reconciliation, options, lock, store, signal, track } = parts
  const olderPages = olderPagesOf(parts.client, signal)
  const { clock, exportsFolder, practice = noPracticeAdmin } = options
  const csv = createCsvExport(exportsFolder, clock)
  const cancel: typeof orders.cancel = (orderId, how) => {
    const outcome = orders.cancel(orderId, how)
    track(outcome)
    return outcome
  }
  const cancelAll = createHeldCancel({ orders: { cancelAll: orders.cancelAll, cancel }, store, clock, signal })
  return {
    submitOrder: (draft) => track(orders.submit(draft)),
    cancelOrders: cancelsOf({ orders, store, clock, track }),
    moveOrders: (moves) => track(moveInTurn(moves, { orders, store, clock })),
    cancelAll: (symbol) => track(cancelAll(symbol)),
    lookElsewhere: () => track(reconciliation.lookElsewhere().then((found) => tellFound(found, store, clock))),
    decideUnknown: (key, verdict, id) =>
      track(
        reconciliation.decide(key, verdict, id).then((decided) => {
          if (!decided.ok) store.dispatch({ type: 'noted', level: 'warn', text: decided.error, atMs: clock.now() })
        }),
      ),
    openLock: (typed) =>
      track(lock.open(typed).then((answer) => store.dispatch({ type: 'lockAnswered', answer, atMs: clock.now() }))),
    fetchOrderHistory: (page) =>
      track(olderPages.history[page]().then((answer) => store.dispatch(historyAnswered(page, answer, clock.now())))),
    fetchFillHistory: (oldest) =>
      track(olderPages.olderFills(oldest).then((answer) => store.dispatch(fillHistoryAnswered(answer)))),
    exportRows: (table) =>
      track(csv.write(asFile(table)).then((written) => store.dispatch(exportAnswered(written, clock.now(), table)))),
    runPractice: (request) =>
      track(
        practice
          .carryOut(request, signal)
          .then((answer) => store.dispatchAll(practiceAnswered(request, answer, clock.now()))),
      ),
    ...parts.rest,
    ...{ now: () => clock.now(), wallMs: () => clock.wallMs() },
  }
}

/** Maximum concurrent cancels: more would only wait for their turn among the calls, and time out there. */
const cancelsMax = 8

/**
 * Cancels orders, except those whose cancel is in flight and will be answered. Any number is sent in turn; for several
 * the result is one notice.
 */
function cancelsOf({ orders, store, clock, track }: WriteParts & Pick<PortParts, 'track'>): DeskPort['cancelOrders'] {
  const underWay = new Set<string>()
  const inTurn = takingTurns(cancelsMax)
  const one = async (orderId: string, mark: { isOneOfMany?: true }) => {
    try {
      return { orderId, outcome: await inTurn(() => orders.cancel(orderId, mark)) }
    } finally {
      underWay.delete(orderId)
    }
  }
  const several = async (orderIds: readonly string[]) => {
    store.dispatch({ type: 'cancelsSent', count: orderIds.length, atMs: clock.now() })
    const ends = await Promise.all(orderIds.map((orderId) => one(orderId, { isOneOfMany: true })))
    store.dispatch({ type: 'cancelsEnded', ends, atMs: clock.now() })
  }
  return (orderIds) => {
    const asked = [...new Set(orderIds)].filter((orderId) => !underWay.has(orderId))
    for (const orderId of asked) underWay.add(orderId)
    const [first, ...others] = asked
    if (first !== undefined) track(others.length === 0 ? one(first, {}) : several(asked))
  }
}

/** Moves orders; for several the result is one notice. */
async function moveInTurn(moves: readonly OrderMove[], { orders, store, clock }: WriteParts): Promise<void> {
  const [first, ...others] = moves
  try {
    if (first === undefined) return
    if (others.length === 0) await orders.move(first)
    else {
      const ended = await orders.moveAll(moves)
      store.dispatch({ type: 'moveClosed', ended: { ...ended, atMs: clock.now() } })
    }
  } finally {
    if (store.getState().move !== null) store.dispatch({ type: 'moveClosed' })
  }
}

/** The checks of every order with what is known when it is sent. */
const guardOf = (current: () => DeskState, clock: Clock, modeOf = (mode: Mode): Mode => mode): OrderGuard =>
  createLimitGuard(
    (symbol, insteadOf, besides) => contextInstead(current(), symbol, insteadOf, clock.now(), besides),
    () => modeOf(current().mode),
  )

/** How reports enter the store: with the next beat, or at once when the user waits for them. */
function intakeOf(
  { observe, afterWrites: isLookedAtLater }: Pick<DeskOptions, 'observe' | 'afterWrites'>,
  store: DeskStore,
  pacer: ReturnType<typeof createDeskPacer>,
) {
  const take = (event: FeedEvent | WriteEvent): void => {
    pacer.add(event)
    observe?.(event)
  }
  return {
    take,
    takeWrite(event: WriteEvent): void {
      take(event)
      if (isLookedAtLater === undefined) pacer.flush()
    },
    current(): DeskState {
      pacer.catchUp()
      return store.getState()
    },
  }
}

const atOnce = (work: () => void): void => work()

type AfterWrites = { onWritten: (order: Order | null) => void; onFound: (order: Order) => void }

/** After a write, polls what it changed at once, and follows its order to the end. */
function afterWrites(
  account: Account,
  emit: (event: FeedEvent) => void,
  { clock, afterWrites: later = atOnce }: Pick<DeskOptions, 'clock' | 'afterWrites'>,
): AfterWrites {
  const { orders, fills, balances } = account.pollers
  const wake = () => {
    for (const poller of [orders, fills, balances]) poller.wake()
  }
  const wakeAccount = () => later(wake)
  return {
    onWritten(order) {
      if (order !== null) account.watch(order)
      wakeAccount()
    },
    onFound(order) {
      if (isWorking(order)) account.watch(order)
      else emit({ type: 'orderEnded', order, atMs: clock.now() })
      wakeAccount()
    },
  }
}

type OlderPages = { history: OrderHistory; olderFills: (oldest: Fill) => Promise<Result<FillPage>> }

/** Pages older than the polled lists, on the user's request. */
const olderPagesOf = (client: ExchangeClient, signal: AbortSignal): OlderPages => ({
  history: createOrderHistory(client, signal),
  olderFills: (oldest) => fetchOlderFills(client, oldest, signal),
})
