import type { ExchangeClient } from '../api/exchange-client.ts'
import type { FeedNews } from '../api/hub-interface.ts'
import type { Clock } from '../base/clock.ts'
import { aborted } from '../base/command-io.ts'
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

/** Everything that the desk asks the exchange by itself. */
export type Polls = {
  account: Account
  transfers: Transfers
  /** Asks for the chosen symbol's book now. */
  refresh: () => void
  /** Plans look at other symbols than before: their books are asked for now. */
  wakeForPlans: () => void
  /** A hub has told of a new answer: who shows it takes it at once. */
  wakeForNews: (news: FeedNews) => void
  /** To be run, each until the desk's signal is aborted. */
  loops: readonly Pick<Poller, 'run'>[]
}

/** What only a screen, or a person who writes orders there, needs: a watch asks for books that its alerts look at. */
const feedsOfScreen: ReadonlySet<FeedName> = new Set(['book', 'queue', 'fees', 'whitelist'])

/** The feeds that a watch asks for: by them it sees what it tells of. */
export const feedsOfWatch: readonly FeedName[] = feedNames.filter((name) => !feedsOfScreen.has(name))

/** What a watch does not ask for takes nothing of the budget of calls. */
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

/** How many times longer pauses are, reckoned anew when needs have changed. */
function createSlowdown(needs: () => Needs, perSecond: number, pollMs: ServiceContext['pollMs']): () => number {
  let last: { needs: Needs; times: number } | null = null
  return () => {
    const now = needs()
    if (last?.needs !== now) last = { needs: now, times: slowdown(now, perSecond, pollMs) }
    return last.times
  }
}

/** The desk's own records that polls ask: what was sent, and the symbols of plans. */
type Own = { journal: Pick<WriteJournal, 'history'>; planSymbols: () => readonly string[] }

/**
 * Builds the polls of a desk: each as quick as what is on screen, and what the user does, need it; all of them together
 * make `callsPerSecond` calls a second at the most, as far as that keeps no feed from looking alive.
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
  // The checks of what a plan sends rest on fees: a watch asks for them from the first plan on.
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

/** Wakes whoever polls what there is news of. */
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

/** How much each poll is needed, reckoned anew only where it may have changed: the same object until then. */
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

/** A key was pressed, or the keyboard has come back to this terminal. */
const isAtKeys = (state: DeskState, before: DeskState): boolean =>
  state.lastKeyAtMs !== before.lastKeyAtMs || state.terminal.backAtMs !== before.terminal.backAtMs

/** The desk stood still, as a stopped process does: all that it knows is of before. */
const isBackFromStandstill = (state: DeskState, before: DeskState): boolean =>
  state.standstill !== null && state.standstill !== before.standstill

/** What the user begins to look at, or to have watched, is not waited for as long as before. */
function wakeOnDemand(store: DeskStore, { pollers, ladders, watched }: Pollers): void {
  const { otherBook, otherQueue } = ladders
  const all = [...Object.values(pollers), otherBook, otherQueue]
  const ofMarket = [pollers.book, pollers.tickers, pollers.instruments, otherBook]
  store.subscribe((state, before) => {
    // Somebody is at the keys, or back at them, and sees the market as quick as it is.
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

/**
 * An exchange that answers one feed again is asked for the others that failed, whose own next try may be many seconds
 * away.
 */
function wakeAfterOutage(store: DeskStore, pollers: Record<FeedName, FeedPoller>): void {
  store.subscribe((state, before) => {
    for (const name of leftFailing(state, before)) pollers[name].wake()
  })
}

/**
 * The books of all plans are asked for once in this time, also that on screen, whose own pace depends on who looks on:
 * a price that is older than `priceFreshMs` is none to a plan. Half a second apart at least: twenty symbols are fresh
 * enough, and no more than two calls a second go there.
 */
const planRoundMs = 2_000

/** What plans and the checks of their orders rest on, wherever the screen is. */
const feedsOfPlans: readonly FeedName[] = ['tickers', 'instruments', 'orders', 'fills', 'balances', 'fees']

/** The needs with those of plans that run here: as quick as on screen, quicker where somebody decides on it. */
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

/** All books of the wall's list are asked for once in this time: it is seen from afar, and calls are few. */
const wallRoundMs = 20_000
/** More symbols than these have their bid and ask on the wall only in their turn as the large price. */
const wallBooksMax = 8

/** Symbols of the wall's list whose books nothing else asks for. */
export function wallSymbols(state: DeskState): readonly string[] {
  if (!isWallShown(state) || !isPictureLive(state)) return []
  const watched = watchedSymbols(state)
  const listed = [...(state.instruments.value?.keys() ?? [])]
  return listed.filter((symbol) => symbol !== state.symbol && !watched.includes(symbol)).slice(0, wallBooksMax)
}

/** A wall that has just come up does not wait a minute for the books of its list. */
function wakeForWall(store: DeskStore, wallBooks: Poller): void {
  const isAsking = (state: DeskState) => isWallShown(state) && isPictureLive(state) && state.instruments.value !== null
  let before = isAsking(store.getState())
  store.subscribe((state) => {
    const now = isAsking(state)
    if (now && !before) wallBooks.wake()
    before = now
  })
}

/** The checks of a plan that comes under review are not kept waiting for the book of another symbol. */
function wakeForReview(store: DeskStore, reviewBooks: Pick<WatchedBooks, 'look'>): void {
  store.subscribe((state, before) => {
    if (state.overlay !== before.overlay) for (const symbol of reviewedSymbols(state)) reviewBooks.look(symbol)
  })
}

/** The rules tell of an auction: they are asked for as soon as one is seen, and again when it is over. */
function wakeForAuctions(store: DeskStore, instruments: Poller): void {
  let before = isAuctionShown(store.getState())
  store.subscribe((state) => {
    const now = isAuctionShown(state)
    if (now !== before) instruments.wake()
    before = now
  })
}

/** A withdrawal that was sent, or has ended, changes what may be spent: the balance beside it is asked for at once. */
function wakeForMoney(store: DeskStore, balances: Poller): void {
  store.subscribe(({ followed }, { followed: before }) => {
    if (followed.leaving !== before.leaving || followed.awaitingBalance.length > before.awaitingBalance.length)
      balances.wake()
  })
}

/** What a ladder begins to want is asked for at once. */
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
/** Answers to polls made together come within this time of each other, and are drawn as one picture. */
const gatherMs = 50
/** What a hub tells of is shown sooner: twenty times a second at the most. */
const newsPeriodMs = 50
/** Where motion is to be reduced: a picture that changes twice a second can be read, not only watched. */
const calmPeriodMs = 500
/** A little more than the pause of books, so that the time is drawn with what they bring. */
const tickMs = 600

/** What services report goes to the store a few times a second, with the time and how the budget of calls is used. */
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

/** Says once, of the answer after which there is a first ladder to look at, that it is not to be gathered. */
export function createFirstLook(): (event: Pick<FeedEvent, 'type'>) => boolean {
  const awaited = new Set<FeedEvent['type']>(['instruments', 'book'])
  return ({ type }) => awaited.delete(type) && awaited.size === 0
}

type Pacer<E> = {
  /** Keeps the event for the next commit. */
  add(event: E): void
  /** Commits what is kept now: for what the user is waiting for. */
  flush(): void
  /** Commits what is kept now, if anything is. */
  catchUp(): void
  /** Commits what is kept as soon as `newsPeriodMs` after the commit before allow. */
  hurry(): void
  /**
   * Until aborted, commits what was added soon after, at most once a `periodMs`, and a tick of the clock at least once
   * a `tickMs`. Sleeps until one of the two is due.
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

/** Batches the events of services, so that the screen is drawn at most ten times a second however much arrives. */
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
    // The time first: events after a standstill may be older than it, and are checked against the new time.
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
      // A commit in between, of news or of what the user waited for, puts off what has come since.
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
