import type { ExchangeClient } from '../api/exchange-client.ts'
import type { FeedNews } from '../api/hub-interface.ts'
import type { Clock } from '../base/clock.ts'
import { aborted } from '../base/process/command-io.ts'
import type { CallUse, FeedEvent } from '../domain/desk/events.ts'
import { type FeedName, feedNames, type Needs, type PolledName } from '../domain/desk/feeds.ts'
import type { WriteJournal } from '../journal/entry.ts'
import { type Account, createAccount } from '../services/polling/account.ts'
import {
  createLadderData,
  createMarketData,
  createWatchedBooks,
  type LadderData,
  type WatchedBooks,
} from '../services/polling/market-data.ts'
import { slowdown } from '../services/polling/poll-interval.ts'
import { type FeedPoller, type Poller, type ServiceContext, withStaleLimits } from '../services/polling/poller.ts'
import { SharedBeat } from '../services/polling/shared-beat.ts'
import { createTransfers, type Transfers } from '../services/polling/transfers.ts'
import { sentFromHere } from '../services/transfers/match-withdrawals.ts'
import { followWatches, watchedSymbols } from '../store/alerts/alert-changes.ts'
import { limitDayNow } from '../store/clock.ts'
import type { DeskState, DeskStore, StoreEvent } from '../store/desk.ts'
import { feedNeeds, isAuctionShown, isPictureLive, mayNeedOthers, reviewedSymbols } from '../store/feed-needs.ts'
import { leftFailing } from '../store/feeds/feed-news.ts'
import { ladderWants } from '../store/ladder-wants.ts'
import { isWallShown } from '../store/order-form.ts'
import { doAnswersCountAgain } from '../store/time.ts'

/** Everything that the desk polls. */
export type Polls = {
  account: Account
  transfers: Transfers
  /** Polls the selected symbol's book now. */
  refresh: () => void
  /** Call when the plans' symbols have changed: polls their books now. */
  wakeForPlans: () => void
  /** Call when a hub reports a new answer: polls that show it fetch it now. */
  wakeForNews: (news: FeedNews) => void
  /** To be run, each until the desk's signal is aborted. */
  loops: readonly Pick<Poller, 'run'>[]
}

/** Feeds for a screen, or for orders entered there: a watch polls only the books its alerts need. */
const feedsOfScreen: ReadonlySet<FeedName> = new Set(['book', 'queue', 'fees', 'whitelist'])

/** The feeds that a watch polls, from which it makes its alerts. */
export const feedsOfWatch: readonly FeedName[] = feedNames.filter((name) => !feedsOfScreen.has(name))

/** Feeds that a watch does not poll use none of the call budget. */
function needsOfWatch(needs: () => Needs): () => Needs {
  let last: { of: Needs; needs: Needs } | null = null
  return () => {
    const of = needs()
    if (last?.of !== of) {
      const none = { book: 'none', queue: 'none', fees: 'none', whitelist: 'none', otherBook: 'none' } as const
      last = { of, needs: { ...of, ...none, otherQueue: 'none' } }
    }
    return last.needs
  }
}

/** The factor on all pauses, recomputed when needs have changed. */
function createSlowdown(needs: () => Needs, perSecond: number, pollMs: ServiceContext['pollMs']): () => number {
  let last: { needs: Needs; times: number } | null = null
  return () => {
    const now = needs()
    if (last?.needs !== now) last = { needs: now, times: slowdown(now, perSecond, pollMs) }
    return last.times
  }
}

/** The desk's own records that polls use: sent writes, and the symbols of plans. */
type Own = { journal: Pick<WriteJournal, 'history'>; planSymbols: () => readonly string[] }

/**
 * Builds the polls of a desk: each as frequent as the screen and the user's actions need; together at most
 * `callsPerSecond` calls a second, as far as no feed becomes stale by that.
 */
export function createPolls(
  store: DeskStore,
  client: ExchangeClient,
  services: Omit<ServiceContext, 'need' | 'slowdown' | 'beat'>,
  callsPerSecond: number,
  { journal, planSymbols }: Own,
): Polls {
  const emit = withStaleLimits(services.emit, services.pollMs ?? {})
  const isWatch = store.getState().duties.role === 'watch'
  const needs = withPlans(isWatch ? needsOfWatch(needsOf(store)) : needsOf(store), planSymbols)
  const need = (name: PolledName) => needs()[name]
  const context = {
    ...{ ...services, emit, need, beat: new SharedBeat() },
    slowdown: createSlowdown(needs, callsPerSecond, services.pollMs),
  }
  const shown = { symbol: () => store.getState().symbol, isAuctionShown: () => isAuctionShown(store.getState()) }
  const market = createMarketData(client, shown, context)
  const ladders = createLadderData(client, () => ladderWants(store.getState()), context)
  const watched = createWatchedBooks(client, () => watchedSymbols(store.getState()), context)
  const wallBooks = createWatchedBooks(client, () => wallSymbols(store.getState()), context, wallRoundMs)
  const planBooks = createWatchedBooks(client, planSymbols, context, planRoundMs)
  const reviewBooks = createWatchedBooks(client, () => reviewedSymbols(store.getState()), context, planRoundMs)
  const account = createAccount(
    client,
    context,
    () => services.clock.now() + store.getState().ahead.exchangeMs,
    () => limitDayNow(store.getState(), services.clock.now()),
  )
  const transfers = createTransfers(client, context, (news) => sentFromHere(journal, news, services.clock.wallMs()))
  const ofAccount = { ...account.pollers, ...transfers.pollers }
  const pollers: Record<FeedName, FeedPoller> = { ...market, ...ofAccount, queue: ladders.queue }
  wakeOnDemand(store, { pollers, ladders, watched })
  wakeForWall(store, wallBooks)
  wakeForReview(store, reviewBooks)
  const ofScreen = [ladders.otherBook, ladders.otherQueue, wallBooks, reviewBooks]
  const first = new AbortController()
  // The checks of a plan's orders need fees: a watch polls them from the first plan on.
  const feesOfPlans = {
    async run() {
      await aborted(AbortSignal.any([first.signal, services.signal]))
      if (first.signal.aborted) await pollers.fees.run()
    },
  }
  const ofDuties = [...feedsOfWatch.map((name) => pollers[name]), feesOfPlans]
  const loops = isWatch
    ? [...ofDuties, watched, planBooks]
    : [...Object.values(pollers), watched, planBooks, ...ofScreen]
  const wakeForPlans = () => {
    if (planSymbols().length > 0) first.abort()
    planBooks.wake()
    for (const poller of Object.values(pollers)) poller.rescheduleIfSooner()
  }
  const wakeForNews = newsWaker(store, { pollers, ladders, books: [watched, wallBooks, planBooks, reviewBooks] })
  return { account, transfers, refresh: () => market.book.wake(), wakeForPlans, wakeForNews, loops }
}

type NewsParts = Pick<Pollers, 'pollers' | 'ladders'> & { books: readonly WatchedBooks[] }

/** Wakes the polls that news concerns. */
function newsWaker(store: DeskStore, { pollers, ladders, books }: NewsParts): Polls['wakeForNews'] {
  return ({ feed, symbol }) => {
    if (symbol === null) return pollers[feed].wake()
    const wants = ladderWants(store.getState())
    if (feed === 'queue') {
      if (symbol === wants.queue) pollers.queue.wake()
      if (symbol === wants.otherQueue) ladders.otherQueue.wake()
      return
    }
    if (symbol === store.getState().symbol) pollers.book.wake()
    if (symbol === wants.otherBook) ladders.otherBook.wake()
    for (const watched of books) watched.look(symbol)
  }
}

type Pollers = { pollers: Record<FeedName, FeedPoller>; ladders: LadderData; watched: Poller }

/** The need of each poll, recomputed only when it may have changed: the same object until then. */
function needsOf(store: DeskStore): () => Needs {
  let state = store.getState()
  let needs = feedNeeds(state)
  return () => {
    const now = store.getState()
    if (mayNeedOthers(now, state)) needs = feedNeeds(now)
    state = now
    return needs
  }
}

/** A key was pressed, or the keyboard focus has returned to this terminal. */
const isAtKeys = (state: DeskState, before: DeskState): boolean =>
  state.lastKeyAtMs !== before.lastKeyAtMs || state.terminal.backAtMs !== before.terminal.backAtMs

/** The desk stood still, like a stopped process: all its data is from before. */
const isBackFromStandstill = (state: DeskState, before: DeskState): boolean =>
  state.standstill !== null && state.standstill !== before.standstill

/** Wakes polls for data that the user begins to look at or to watch. */
function wakeOnDemand(store: DeskStore, { pollers, ladders, watched }: Pollers): void {
  const { otherBook, otherQueue } = ladders
  const all = [...Object.values(pollers), otherBook, otherQueue]
  const ofMarket = [pollers.book, pollers.tickers, pollers.instruments, otherBook]
  store.subscribe((state, before) => {
    // A user at the keys, or back at them, gets the market at full speed.
    if (isBackFromStandstill(state, before)) for (const poller of all) poller.wake()
    else if (doAnswersCountAgain(state, before)) for (const poller of ofMarket) poller.wake()
    else if (isAtKeys(state, before)) for (const poller of all) poller.resetInterval()
    else if (mayNeedOthers(state, before)) for (const poller of all) poller.rescheduleIfSooner()
  })
  wakeLadders(store, ladders)
  followWatches(store, watched.wake)
  wakeForAuctions(store, pollers.instruments)
  wakeForMoney(store, pollers.balances)
  wakeAfterOutage(store, pollers)
}

/** When one failed feed answers again, polls the other failed ones, whose own next try may be many seconds away. */
function wakeAfterOutage(store: DeskStore, pollers: Record<FeedName, FeedPoller>): void {
  store.subscribe((state, before) => {
    for (const name of leftFailing(state, before)) pollers[name].wake()
  })
}

/**
 * Time in ms for one round of all plans' books, including the one on screen, whose own pace depends on the screen:
 * plans ignore a price older than `priceFreshMs`. At least half a second apart: fresh enough for twenty symbols, and at
 * most two calls a second.
 */
const planRoundMs = 2_000

/** The feeds for plans and the checks of their orders, whatever the screen shows. */
const feedsOfPlans: readonly FeedName[] = ['tickers', 'instruments', 'orders', 'fills', 'balances', 'fees']

/** Raises needs for plans that run here: as frequent as on screen, and unchanged where more is needed. */
function withPlans(needs: () => Needs, planSymbols: () => readonly string[]): () => Needs {
  let last: { plain: Needs; raised: Needs } | null = null
  return () => {
    const plain = needs()
    if (planSymbols().length === 0) return plain
    if (last?.plain !== plain) {
      const raised: Partial<Record<FeedName, 'visible'>> = {}
      for (const feed of feedsOfPlans) if (plain[feed] === 'hidden' || plain[feed] === 'none') raised[feed] = 'visible'
      last = { plain, raised: { ...plain, ...raised } }
    }
    return last.raised
  }
}

/** Time in ms for one round of the wall's books: read from afar, with few calls. */
const wallRoundMs = 20_000
/** Maximum symbols on the wall with bid and ask in the list; others show them only in their turn as the large price. */
const wallBooksMax = 8

/** Symbols of the wall's list whose books no other poll fetches. */
export function wallSymbols(state: DeskState): readonly string[] {
  if (!isWallShown(state) || !isPictureLive(state)) return []
  const watched = watchedSymbols(state)
  const listed = [...(state.instruments.value?.keys() ?? [])]
  return listed.filter((symbol) => symbol !== state.symbol && !watched.includes(symbol)).slice(0, wallBooksMax)
}

/** Polls the books of a wall's list at once when it comes on screen. */
function wakeForWall(store: DeskStore, wallBooks: Poller): void {
  const isAsking = (state: DeskState) => isWallShown(state) && isPictureLive(state) && state.instruments.value !== null
  let before = isAsking(store.getState())
  store.subscribe((state) => {
    const now = isAsking(state)
    if (now && !before) wallBooks.wake()
    before = now
  })
}

/** Polls the books for a plan under review at once, so that its checks need not wait. */
function wakeForReview(store: DeskStore, reviewBooks: Pick<WatchedBooks, 'look'>): void {
  store.subscribe((state, before) => {
    if (state.overlay !== before.overlay) for (const symbol of reviewedSymbols(state)) reviewBooks.look(symbol)
  })
}

/** Auctions are part of the instruments: polls those as soon as one is seen, and again when it is over. */
function wakeForAuctions(store: DeskStore, instruments: Poller): void {
  let before = isAuctionShown(store.getState())
  store.subscribe((state) => {
    const now = isAuctionShown(state)
    if (now !== before) instruments.wake()
    before = now
  })
}

/** A withdrawal sent or ended changes the available balance: polls balances at once. */
function wakeForMoney(store: DeskStore, balances: Poller): void {
  store.subscribe(({ followed }, { followed: before }) => {
    if (followed.leaving !== before.leaving || followed.awaitingBalance.length > before.awaitingBalance.length)
      balances.wake()
  })
}

/** Polls a ladder's newly wanted feeds at once. */
function wakeLadders(store: DeskStore, ladders: LadderData): void {
  let before = ladderWants(store.getState())
  store.subscribe((state, last) => {
    if (!mayNeedOthers(state, last)) return
    const now = ladderWants(state)
    for (const name of ['otherBook', 'queue', 'otherQueue'] as const)
      if (now[name] !== null && now[name] !== before[name]) ladders[name].wake()
    before = now
  })
}

const commitPeriodMs = 100
/** In ms: answers to polls made together arrive within this time, and are drawn in one frame. */
const gatherMs = 50
/** In ms: news from a hub shows sooner, at most twenty times a second. */
const newsPeriodMs = 50
/** In ms, for reduced motion: a screen that changes twice a second can be read. */
const calmPeriodMs = 500
/** A little more than the pause of books, so that the time is drawn together with them. */
const tickMs = 600

/** Commits events of services to the store in batches, with the time and the use of the call budget. */
export const createDeskPacer = (
  store: DeskStore,
  { clock, signal, calls }: { clock: Clock; signal: AbortSignal; calls: () => CallUse },
): Pacer<StoreEvent> => {
  const isCalm = store.getState().looks.isMotionReduced
  return createPacer<StoreEvent>({
    clock,
    signal,
    commit: store.dispatchAll,
    tick: (nowMs) => ({ type: 'ticked', nowMs, wallMs: clock.wallMs(), calls: calls() }),
    periodMs: isCalm ? calmPeriodMs : commitPeriodMs,
    newsPeriodMs: isCalm ? calmPeriodMs : newsPeriodMs,
    tickMs,
  })
}

/** True once, for the answer that completes the first ladder: it must not wait for a batch. */
export function createFirstLook(): (event: Pick<FeedEvent, 'type'>) => boolean {
  const awaited = new Set<FeedEvent['type']>(['instruments', 'book'])
  return ({ type }) => awaited.delete(type) && awaited.size === 0
}

type Pacer<E> = {
  /** Adds the event to the next commit. */
  add(event: E): void
  /** Commits now, because the user is waiting for an event. */
  flush(): void
  /** Commits now if there are events. */
  catchUp(): void
  /** Commits the events as soon as `newsPeriodMs` since the last commit has passed. */
  hurry(): void
  /**
   * Until aborted, commits added events soon, at most once per `periodMs`, and a tick of the clock at least once per
   * `tickMs`. Sleeps until one of the two is due.
   */
  run(): Promise<void>
}

type PacerOptions<E> = {
  clock: Pick<Clock, 'now' | 'sleep'>
  signal: AbortSignal
  commit: (events: readonly E[]) => void
  tick: (nowMs: number) => E
  periodMs: number
  /** As `periodMs` unless given. */
  newsPeriodMs?: number
  tickMs: number
}

/** Batches the events of services, so that the screen is drawn at most once per `periodMs` however many arrive. */
export function createPacer<E>(options: PacerOptions<E>): Pacer<E> {
  const { clock, signal, commit, tick, periodMs, newsPeriodMs = periodMs, tickMs } = options
  let kept: E[] = []
  let tickedAtMs = Number.NEGATIVE_INFINITY
  let isNewsDue = false
  let isRunning = false
  let isGathering = false
  const flush = () => {
    const events = kept
    kept = []
    tickedAtMs = clock.now()
    // The time first: events after a standstill may be older, and are checked against the new time.
    commit([tick(tickedAtMs), ...events])
  }
  const flushNews = () => {
    isNewsDue = false
    if (kept.length > 0) flush()
  }
  const gather = async () => {
    isGathering = true
    let waitMs = Math.max(gatherMs, tickedAtMs + periodMs - clock.now())
    while (kept.length > 0 && waitMs > 0 && !signal.aborted) {
      await clock.sleep(waitMs, signal)
      // A commit meanwhile, by `flush` or `hurry`, postpones later events.
      waitMs = tickedAtMs + periodMs - clock.now()
    }
    isGathering = false
    if (kept.length > 0 && !signal.aborted) flush()
  }
  return {
    add(event) {
      kept.push(event)
      if (isRunning && !isGathering) void gather()
    },
    flush,
    catchUp() {
      if (kept.length > 0) flush()
    },
    hurry() {
      if (isNewsDue) return
      const waitMs = newsPeriodMs - (clock.now() - tickedAtMs)
      if (waitMs <= 0) {
        flushNews()
        return
      }
      isNewsDue = true
      void clock.sleep(waitMs, signal).then(() => {
        if (!signal.aborted) flushNews()
      })
    },
    async run() {
      isRunning = true
      while (!signal.aborted) {
        const leftMs = tickedAtMs + tickMs - clock.now()
        if (leftMs > 0) await clock.sleep(leftMs, signal)
        else flush()
      }
    },
  }
}
