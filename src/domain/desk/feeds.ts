/** Pauses between polls, in ms. */
export type Pace = {
  /** On screen, while answers change. */
  visibleMs: number
  /** Longest pause on screen, after repeated equal answers. */
  idleMaxMs: number
  /** While hidden. */
  hiddenMs: number
}

/** A feed; polling, header, settings and manual are built from these rows. */
export type FeedRow = Pace & {
  /** The age at which it becomes stale and blocks dependent actions; well above its longest pause on screen. */
  staleAfterMs: number
  /** Its name in the header, in full and short. */
  label: string
  shortLabel: string
  /** Its place among the header's ages: those that orders depend on come first. */
  rank: number
  /** True: the header shows it when stale, also if no pane does. */
  isStaleShown: boolean
  /** Panes with which the header shows its age; `needed`: whenever something depends on it. */
  agePanes: readonly string[] | 'needed'
  /** True for prices: an answer may have been waiting while the desk was stopped. */
  isOfMarket: boolean
  /** True when the screen depends on it: its failure is news, and its age an alert. */
  tellsOutage: boolean
  /** Its name in the manual's table of polls; null when another line covers it. */
  manualName: string | null
}

/**
 * All feeds, one per row, those that orders depend on most first; a failure of one says nothing about the others. The
 * name is also its key in `poll_ms`. The pauses show a live market on an exchange that allows ten calls a second.
 */
const rows = {
  book: {
    visibleMs: 500,
    idleMaxMs: 2_000,
    hiddenMs: 2_500,
    staleAfterMs: 5_000,
    label: 'book',
    shortLabel: 'bk',
    rank: 1,
    isStaleShown: false,
    agePanes: ['ladder', 'chart'],
    isOfMarket: true,
    tellsOutage: true,
    manualName: 'book, and level 3 where shown',
  },
  queue: {
    visibleMs: 500,
    idleMaxMs: 2_000,
    hiddenMs: 2_500,
    staleAfterMs: 5_000,
    label: 'l3',
    shortLabel: 'l3',
    rank: 6,
    isStaleShown: true,
    agePanes: [],
    isOfMarket: true,
    tellsOutage: false,
    manualName: null,
  },
  tickers: {
    visibleMs: 2_000,
    idleMaxMs: 5_000,
    hiddenMs: 8_000,
    staleAfterMs: 15_000,
    label: 'tick',
    shortLabel: 'tk',
    rank: 4,
    isStaleShown: false,
    agePanes: ['tickers', 'chart'],
    isOfMarket: true,
    tellsOutage: true,
    manualName: 'tickers, all in one call',
  },
  orders: {
    visibleMs: 1_000,
    idleMaxMs: 3_000,
    hiddenMs: 3_000,
    staleAfterMs: 10_000,
    label: 'orders',
    shortLabel: 'ord',
    rank: 2,
    isStaleShown: true,
    agePanes: ['orders', 'ladder', 'ladder2', 'plans'],
    isOfMarket: false,
    tellsOutage: true,
    manualName: 'orders',
  },
  // A change of orders polls fills and balances at once.
  fills: {
    visibleMs: 1_500,
    idleMaxMs: 5_000,
    hiddenMs: 6_000,
    staleAfterMs: 15_000,
    label: 'fills',
    shortLabel: 'fl',
    rank: 5,
    isStaleShown: false,
    agePanes: ['fills'],
    isOfMarket: false,
    tellsOutage: true,
    manualName: 'fills',
  },
  balances: {
    visibleMs: 2_000,
    idleMaxMs: 6_000,
    hiddenMs: 8_000,
    staleAfterMs: 15_000,
    label: 'bal',
    shortLabel: 'bal',
    rank: 3,
    isStaleShown: false,
    agePanes: ['balances'],
    isOfMarket: false,
    tellsOutage: true,
    manualName: 'balances',
  },
  // A symbol's status rarely changes, and an auction is polled separately.
  instruments: {
    visibleMs: 5_000,
    idleMaxMs: 10_000,
    hiddenMs: 20_000,
    staleAfterMs: 60_000,
    label: 'rules',
    shortLabel: 'rul',
    rank: 7,
    isStaleShown: true,
    agePanes: [],
    isOfMarket: false,
    tellsOutage: true,
    manualName: 'rules and status of symbols',
  },
  fees: {
    visibleMs: 60_000,
    idleMaxMs: 120_000,
    hiddenMs: 120_000,
    staleAfterMs: 600_000,
    label: 'fees',
    shortLabel: 'fee',
    rank: 8,
    isStaleShown: true,
    agePanes: [],
    isOfMarket: false,
    tellsOutage: true,
    manualName: 'fees',
  },
  withdrawals: {
    visibleMs: 2_000,
    idleMaxMs: 6_000,
    hiddenMs: 20_000,
    staleAfterMs: 60_000,
    label: 'out',
    shortLabel: 'out',
    rank: 9,
    isStaleShown: true,
    agePanes: 'needed',
    isOfMarket: false,
    tellsOutage: false,
    manualName: 'withdrawals',
  },
  deposits: {
    visibleMs: 3_000,
    idleMaxMs: 9_000,
    hiddenMs: 20_000,
    staleAfterMs: 60_000,
    label: 'in',
    shortLabel: 'in',
    rank: 10,
    isStaleShown: true,
    agePanes: 'needed',
    isOfMarket: false,
    tellsOutage: false,
    manualName: 'deposits',
  },
  whitelist: {
    visibleMs: 10_000,
    idleMaxMs: 30_000,
    hiddenMs: 120_000,
    staleAfterMs: 300_000,
    label: 'whitelist',
    shortLabel: 'wl',
    rank: 11,
    isStaleShown: true,
    agePanes: [],
    isOfMarket: false,
    tellsOutage: false,
    manualName: 'whitelist',
  },
} satisfies Record<string, FeedRow>

export type FeedName = keyof typeof rows
export const feeds: Readonly<Record<FeedName, FeedRow>> = rows
export const feedNames = Object.keys(rows) as readonly FeedName[]
export const isFeedName = (name: string): name is FeedName => Object.hasOwn(rows, name)

/** Creates a value per feed, by name. */
export const ofEachFeed = <T>(make: (name: FeedName) => T): Record<FeedName, T> =>
  Object.fromEntries(feedNames.map((name) => [name, make(name)])) as Record<FeedName, T>

/** All separately polled answers: the feeds, and those of a second symbol. */
export type PolledName = FeedName | 'otherBook' | 'otherQueue'

/** Further answers needed by the ladders: a second book, and level 3 of either ladder. Null for none. */
export type LadderWants = { otherBook: string | null; queue: string | null; otherQueue: string | null }

/** How much an answer is needed now. */
export type Need =
  /** A decision depends on it, or an own write is in progress. */
  | 'critical'
  /** On screen. */
  | 'visible'
  /** On screen without decisions: the unfocused ladder, the account of a MONITOR desk. */
  | 'secondary'
  /** Hidden, but needed for news, alerts and the next display. */
  | 'hidden'
  /** Not needed. */
  | 'none'

export type Needs = Readonly<Record<PolledName, Need>>

/** The feed of an answer. */
export const feedOfPolled = (name: PolledName): FeedName =>
  name === 'otherBook' ? 'book' : name === 'otherQueue' ? 'queue' : name

/** Allowed time of an answer, beyond its pause. */
const answerMs = 2_000

/**
 * The stale limit of a feed polled with pauses of `pauseMs`: the usual limit, or for long pauses the age after two
 * polls without an answer. Never below the usual limit.
 */
export const staleLimitMs = (feed: FeedName, pauseMs: number): number =>
  Math.max(feeds[feed].staleAfterMs, 2 * (pauseMs + answerMs))
