import { readBaseAddress } from './api/base-address.ts'
import type { TransportOptions } from './api/call.ts'
import { createExchangeClient, createPersonClient } from './api/exchange-client.ts'
import { pollsAllowed } from './api/transport.ts'
import type { Clock } from './base/clock.ts'
import { ok, type Result } from './base/result.ts'
import type { Secret } from './base/secret.ts'
import { afterWrites } from './compose/after-writes.ts'
import { deskStart } from './compose/desk-start.ts'
import { openDeskTransport } from './compose/desk-transport.ts'
import { connectGateway, type DeskGateway, gatewayStart } from './compose/gateway.ts'
import { hangUp } from './compose/hang-up.ts'
import { type MoneyPort, moneyPort } from './compose/money-port.ts'
import { readOwnDrafts } from './compose/own-drafts.ts'
import { createDeskPacer } from './compose/pace.ts'
import { type Past, pastOf } from './compose/past.ts'
import { createPolls } from './compose/polls.ts'
import { noPracticeDoor, type PracticeDoor } from './compose/practice-door.ts'
import { createUnderWay } from './compose/under-way.ts'
import { followTerms } from './compose/withdraw-form-port.ts'
import { queueParts, takeUpDrafts } from './compose/withdrawals-port.ts'
import { scalesOf } from './domain/balance.ts'
import type { FeedEvent, FeedName, WriteEvent } from './domain/desk/events.ts'
import type { FocusRule, HangUpRule, IdleRules } from './domain/desk/mode.ts'
import type { ReboundKeys } from './domain/desk/session.ts'
import type { Limits } from './domain/limits.ts'
import type { FollowedTransfers } from './domain/transfers/followed.ts'
import type { WriteJournal } from './journal/entry.ts'
import { type DeskLock, noLock } from './lock/desk-lock.ts'
import { createClientOrderIds } from './services/ids.ts'
import { createLimitGuard, type OrderGuard } from './services/orders/order-entry.ts'
import { createTrading, type Trading } from './services/trading.ts'
import type { DraftsKeeper } from './services/transfers/draft-list.ts'
import type { WithdrawalTermsSource } from './services/transfers/withdrawal-guard.ts'
import { type CsvExport, createCsvExport } from './state-files/csv-export.ts'
import type { AlertsStart } from './store/alerts/alerts.ts'
import { wallSkewMs } from './store/clock.ts'
import { type Commands, createCommands, type DeskPort } from './store/commands.ts'
import type { DeskStore } from './store/desk.ts'
import { exportAnswered } from './store/exports.ts'
import { fillHistoryAnswered, historyAnswered } from './store/history/history.ts'
import type { Looks } from './store/looks.ts'
import type { Venue } from './store/mode.ts'
import { contextInstead } from './store/move/move-commands.ts'
import { type PracticeRequest, practiceAnswered } from './store/practice/practice.ts'
import type { HangUpEnd } from './store/quit.ts'
import { createDeskStore } from './store/store.ts'

export type DeskOptions = {
  venue: Venue
  exchangeBaseUrl: string
  token: Secret
  /** Only watches: the transport refuses every write. */
  isMonitor: boolean
  symbol: string
  /** Where exported lists go. */
  exportsFolder: string
  /** Open, and closed by the desk's end. */
  journal: WriteJournal
  /** Withdrawals that were prepared, of this profile. */
  drafts: DraftsKeeper
  /** What withdrawals are held against besides what the exchange says: see `queueParts`. */
  withdrawalTerms?: WithdrawalTermsSource
  /** Told to whom money went, by the id on the whitelist. */
  onWithdrawn?: (whitelistId: string) => Promise<unknown>
  /** The defaults of the venue's kind unless given. */
  limits?: Limits
  /** When a desk that nobody touches becomes SAFE, and when it locks: what is not given is as usual. */
  idleRules?: Partial<IdleRules>
  /** Actions that have other keys than the usual ones, already held against the table of keys. */
  reboundKeys?: ReboundKeys
  /** What the settings say about connections: certificates to trust besides the usual ones, calls a second. */
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
  /** Pauses between polls on screen, for those feeds that are to have other than the usual ones. */
  pollMs?: Readonly<Partial<Record<FeedName, number | undefined>>>
  /** How it looks and speaks, where that is not as usual. */
  looks?: Partial<Looks>
  /** What an earlier run left of the alerts, and which are on without a word. */
  alerts?: AlertsStart
  /** What earlier runs saw of money under way. */
  followed?: FollowedTransfers
  /** The practice exchange of the desk's own, where it runs one: the palette offers what can be done with it. */
  practice?: PracticeDoor
  /** The payment gateway; none unless given. */
  gateway?: DeskGateway
  /** What a hang-up and a keyboard that is elsewhere mean; as usual unless given. */
  terminal?: { hangUp?: HangUpRule; focusRule?: FocusRule }
  /** What opens the lock screen; Enter alone unless given. */
  lock?: DeskLock
  /** Hands text to the terminal's clipboard; false where it cannot. */
  copy?: (text: string) => boolean
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Uint8Array
  /** Called when a person quits. */
  onQuit: () => void
  /** Called when a loop ends by an error, which is always a bug. */
  onBug: (error: unknown) => void
}

export type Desk = {
  store: DeskStore
  commands: Commands
  /** Starts polling. */
  start(): void
  /**
   * The terminal is gone: nothing new goes out, orders are canceled if that is set. Resolves to what came of it; to be
   * called before `stop`.
   */
  hangUp(): Promise<HangUpEnd>
  /** Stops polling, lets a write under way end, closes the connections and the journal. */
  stop(): Promise<void>
}

/** Builds a desk on one exchange: client, services, store and commands, connected. */
export function composeDesk(options: DeskOptions): Result<Desk> {
  const { clock, random, journal, onBug, lock = noLock } = options
  const base = readBaseAddress(options.exchangeBaseUrl)
  if (!base.ok) return base
  const stopping = new AbortController()
  const { signal } = stopping
  const store = createDeskStore(deskStart({ ...options, gateway: gatewayStart(options.gateway) }, lock))
  const pacer = createDeskPacer(store, { clock, signal, calls: () => transport.rate() })
  const emit = (event: FeedEvent) => {
    pacer.add(event)
    if (event.type === 'orders') reconciliation.observe(event.orders)
    if (event.type === 'orderEnded') reconciliation.observe([event.order])
    // Whoever looks at withdrawals sees also what was prepared by another desk or a command.
    if (event.type === 'withdrawals') track(withdrawals.look())
  }
  const emitWrite = (event: WriteEvent) => {
    pacer.add(event)
    pacer.flush()
    transfers.after(event)
  }
  const underWay = createUnderWay(onBug)
  const { track } = underWay
  const gateway = connectGateway(options.gateway, { ...options, store, signal, track })
  if (!gateway.ok) return gateway
  const transport = openDeskTransport(options, base.value, emit)
  const client = createExchangeClient(transport)
  const services = { clock, random, signal, emit, pollMs: options.pollMs ?? {} }
  const { account, transfers, refresh, loops } = createPolls(
    store,
    client,
    services,
    pollsAllowed(options.transport?.rate),
  )
  // Looking for what an unanswered write became is what a person waits for: it goes before polls, and on while they
  // rest.
  const person = createPersonClient(transport)
  const { orders, withdrawals, reconciliation } = createTrading(person, {
    ...queueParts(options, { store, client: person, signal }),
    track,
    clock,
    random,
    signal,
    journal,
    newClientOrderId: createClientOrderIds(options.randomBytes),
    emit: emitWrite,
    guard: guardOf(store, clock),
    working: () => store.getState().orders.value,
    scalesOf: (symbol) => scalesOf(store.getState().instruments.value?.get(symbol)),
    skewMs: () => wallSkewMs(store.getState()),
    ...afterWrites(account, emit, clock),
  })
  journal.listen((sentence) => emitWrite({ type: 'journalTrouble', sentence, atMs: clock.now() }))
  const csv = createCsvExport(options.exportsFolder, clock)
  const practise = (request: PracticeRequest) => (options.practice ?? noPracticeDoor).carryOut(request, signal)
  const past = pastOf(person, signal)
  const money = moneyPort(options, { client: person, queue: withdrawals, lock, store, signal, track })
  const rest = { ...money, gateway: gateway.value.port, refresh }
  const port = portOf({ orders, reconciliation, past, csv, practise, rest, lock, store, clock, track })
  return ok({
    store,
    commands: createCommands({ store, port, exit: options.onQuit }),
    start() {
      for (const loop of [pacer, reconciliation, ...loops, gateway.value]) loop.run().catch(onBug)
      track(takeUpDrafts(withdrawals, { store, clock }))
      followTerms(store, options, track)
      readOwnDrafts({ store, journal, clock, signal }).catch(onBug)
    },
    hangUp: () => hangUp({ store, orders, clock, underWay }),
    async stop() {
      stopping.abort()
      await underWay.ended()
      await Promise.all([transport.close(), gateway.value.close()])
      await journal.close()
    },
  })
}

type PortParts = Pick<Trading, 'orders' | 'reconciliation'> & {
  past: Past
  rest: MoneyPort & Pick<DeskPort, 'gateway' | 'refresh'>
  csv: CsvExport
  practise: (request: PracticeRequest) => Promise<Result<readonly string[]>>
  lock: DeskLock
  store: DeskStore
  clock: Clock
  track: (write: Promise<unknown>) => void
}

/** What a person's commands reach: each write is on its way at once, and what became of it arrives as events. */
function portOf(parts: PortParts): DeskPort {
  const { orders, reconciliation, past, csv, practise, lock, store, clock, track } = parts
  return {
    submitOrder: (draft) => track(orders.submit(draft)),
    cancelOrder: (orderId) => track(orders.cancel(orderId)),
    moveOrder: ({ orderId, whole, rest }) =>
      track(orders.move(orderId, whole, rest).finally(() => store.dispatch({ type: 'moveClosed' }))),
    cancelAll: (symbol) => track(orders.cancelAll(symbol)),
    decideUnsettled: (key, verdict, id) =>
      track(
        reconciliation.decide(key, verdict, id).then((decided) => {
          if (!decided.ok) store.dispatch({ type: 'noted', level: 'warn', text: decided.error, atMs: clock.now() })
        }),
      ),
    openLock: (typed) =>
      track(lock.open(typed).then((answer) => store.dispatch({ type: 'lockAnswered', answer, atMs: clock.now() }))),
    fetchOrderHistory: (page) =>
      track(past.history[page]().then((answer) => store.dispatch(historyAnswered(page, answer, clock.now())))),
    fetchFillHistory: (execId) =>
      track(past.olderFills(execId).then((answer) => store.dispatch(fillHistoryAnswered(answer)))),
    exportRows: (table) =>
      track(csv.write(table).then((written) => store.dispatch(exportAnswered(written, clock.now())))),
    runPractice: (request) =>
      track(practise(request).then((answer) => store.dispatchAll(practiceAnswered(request, answer, clock.now())))),
    ...parts.rest,
    now: () => clock.now(),
    wallMs: () => clock.wallMs(),
  }
}

/** The checks of every order with what is known when it leaves. */
const guardOf = (store: DeskStore, clock: Clock): OrderGuard =>
  createLimitGuard(
    (symbol, insteadOf) => contextInstead(store.getState(), symbol, insteadOf, clock.now()),
    () => store.getState().mode,
  )
