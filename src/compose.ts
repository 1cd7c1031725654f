import { readBaseAddress } from './api/base-address.ts'
import { createExchangeClient } from './api/exchange-client.ts'
import { certainSkewMs } from './api/skew-estimator.ts'
import { type AnswerReport, createTransport } from './api/transport.ts'
import type { Clock } from './clock.ts'
import type { FeedEvent, FeedName, WriteEvent } from './domain/desk-events.ts'
import { ok, type Result } from './domain/result.ts'
import type { Secret } from './domain/secret.ts'
import { createAccount } from './services/account.ts'
import { createClientOrderIds } from './services/client-order-id.ts'
import { createMarketData } from './services/market-data.ts'
import { createOrderEntry } from './services/order-entry.ts'
import { createPacer } from './services/pacer.ts'
import type { Poller } from './services/poller.ts'
import { createMemoryJournal } from './services/write-journal.ts'
import type { Commands } from './store/commands.ts'
import { createCommands } from './store/create-commands.ts'
import type { StoreEvent } from './store/events.ts'
import { initialState, type Venue } from './store/state.ts'
import { createDeskStore, type DeskStore } from './store/store.ts'
import { feedsOnScreen } from './store/visibility.ts'

export type DeskOptions = {
  venue: Venue
  exchangeBaseUrl: string
  token: Secret
  /** Only watches: the transport refuses every write. */
  isMonitor: boolean
  symbol: string
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
  /** Stops polling, lets a write under way end, closes the connections. */
  stop(): Promise<void>
}

const commitPeriodMs = 100
const tickMs = 500

/** Builds a desk on one exchange: client, services, store and commands, connected. */
export function composeDesk(options: DeskOptions): Result<Desk> {
  const { clock, random, isMonitor, venue, onBug } = options
  const base = readBaseAddress(options.exchangeBaseUrl)
  if (!base.ok) return base
  const stopping = new AbortController()
  const { signal } = stopping
  const mode = isMonitor ? 'MONITOR' : venue.kind === 'practice' ? 'ARMED' : 'SAFE'
  const store = createDeskStore(
    initialState({ nowMs: clock.now(), venue, mode: { kind: mode }, symbol: options.symbol }),
  )
  const pacer = createPacer<StoreEvent>({
    clock,
    signal,
    commit: store.dispatchAll,
    tick: (nowMs) => ({ type: 'ticked', nowMs }),
    periodMs: commitPeriodMs,
    tickMs,
  })
  const emit = (event: FeedEvent) => pacer.add(event)
  const emitWrite = (event: WriteEvent) => {
    pacer.add(event)
    pacer.flush()
  }
  const transport = createTransport({
    base: base.value,
    key: options.token,
    keyHeader: 'X-API-Token',
    clock,
    random,
    mayWrite: () => !isMonitor,
    onAnswer: ({ roundTripMs, skew }: AnswerReport) =>
      emit({ type: 'answered', roundTripMs, skewMs: skew === null ? null : certainSkewMs(skew) }),
  })
  const client = createExchangeClient(transport)
  const isShown = (feed: FeedName) => feedsOnScreen(store.getState()).has(feed)
  const context = { clock, random, signal, emit, isShown }
  const market = createMarketData(client, () => store.getState().symbol, context)
  const account = createAccount(client, context)
  const entry = createOrderEntry(client, {
    clock,
    journal: createMemoryJournal(),
    newClientOrderId: createClientOrderIds(options.randomBytes),
    emit: emitWrite,
    onWritten(order) {
      if (order !== null) account.watch(order)
      for (const poller of [account.orders, account.fills, account.balances]) poller.wake()
    },
  })
  const pollers: Record<FeedName, Poller> = {
    ...market,
    orders: account.orders,
    fills: account.fills,
    balances: account.balances,
    fees: account.fees,
  }
  const underWay = new Set<Promise<void>>()
  const track = (write: Promise<void>) => {
    const tracked = write.catch(onBug).finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  const port = {
    submitOrder: (draft: Parameters<typeof entry.submit>[0]) => track(entry.submit(draft)),
    cancelOrder: (orderId: string) => track(entry.cancel(orderId)),
    cancelAll: (symbol: string) => track(entry.cancelAll(symbol)),
    refresh: () => market.book.wake(),
    now: () => clock.now(),
  }
  wakeWhatAppears(store, pollers)
  return ok({
    store,
    commands: createCommands({ store, port, exit: options.onQuit }),
    start() {
      for (const loop of [pacer, ...Object.values(pollers)]) loop.run().catch(onBug)
    },
    async stop() {
      stopping.abort()
      await Promise.all(underWay)
      await transport.close()
    },
  })
}

/** A feed that comes on screen is asked for at once instead of after its slow pause. */
function wakeWhatAppears(store: DeskStore, pollers: Record<FeedName, Poller>): void {
  let shown = feedsOnScreen(store.getState())
  store.subscribe((state, before) => {
    if (state.screen === before.screen && state.ticket === before.ticket && state.focus === before.focus) return
    const now = feedsOnScreen(state)
    for (const feed of now) if (!shown.has(feed)) pollers[feed].wake()
    shown = now
  })
}
