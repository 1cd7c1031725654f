/** Pauses between polls, in ms. */
export type Pace = {
  /** On screen, while what comes changes. */
  visibleMs: number
  /** On screen, at the most: after the same has come again and again. */
  idleMaxMs: number
  /** Where nobody sees it. */
  hiddenMs: number
}

/** What the program knows of one feed: polling, the header, the settings and the manual are made of it. */
export type FeedRow = Pace & {
  /** The age past which it looks stale and blocks what depends on it; well above its longest pause on screen. */
  staleAfterMs: number
  /** The header's name for it, in full and where room is short. */
  label: string
  shortLabel: string
  /** Its place among the ages of the header: what an order depends on comes first. */
  rank: number
  /** True: the header shows it once it is stale, also where no pane shows it. */
  isStaleShown: boolean
  /** Panes beside which the header shows its age; `needed`: wherever something rests on it just now. */
  agePanes: readonly string[] | 'needed'
  /** An answer about prices, which may have lain ready while the desk stood still. */
  isOfMarket: boolean
  /** What is on screen rests on it: its failure is news, and its age an alert. */
  tellsOutage: boolean
  /** The manual's name for it in its table of polls; null where another line speaks for it. */
  manualName: string | null
}

/**
 * Everything that is polled, a row each, what an order rests on most first; one failing feed says nothing about the
 * others. The name is that of `poll_ms` in the settings as well. Pauses show a live market on an exchange that allows
 * ten calls a second.
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
    isStaleShown: false,
    agePanes: ['orders'],
    isOfMarket: false,
    tellsOutage: true,
    manualName: 'orders',
  },
  // Orders that change have fills and balances asked for at once.
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
  // A symbol's status changes seldom, and an auction is asked for by itself.
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

/** Something of every feed, by its name. */
export const ofEachFeed = <T>(make: (name: FeedName) => T): Record<FeedName, T> =>
  Object.fromEntries(feedNames.map((name) => [name, make(name)])) as Record<FeedName, T>

/** Everything that is polled by itself: the feeds, and those of a second symbol. */
export type PolledName = FeedName | 'otherBook' | 'otherQueue'

/**
 * Symbols that are asked for beside the first ladder's book: a second book, and level 3 of either ladder. Null:
 * nothing.
 */
export type LadderWants = { otherBook: string | null; queue: string | null; otherQueue: string | null }

/** How much an answer is needed now. */
export type Need =
  /** A decision rests on it, or something of one's own is under way. */
  | 'critical'
  /** It is on screen. */
  | 'visible'
  /** On screen, but nothing is decided on it: the unfocused ladder, the account of a MONITOR desk. */
  | 'secondary'
  /** Nobody sees it; news, alerts and the next look rest on it. */
  | 'hidden'
  /** Nothing rests on it. */
  | 'none'

export type Needs = Readonly<Record<PolledName, Need>>

/** The feed that an answer belongs to. */
export const feedOfPolled = (name: PolledName): FeedName =>
  name === 'otherBook' ? 'book' : name === 'otherQueue' ? 'queue' : name

/** What an answer may take beyond its pause. */
const answerMs = 2_000

/**
 * The age from which on a feed looks stale that is asked for after pauses of `pauseMs`: its usual limit, or where such
 * pauses are too long for it, the age at which two polls in a row have brought nothing. Never less than the usual
 * limit.
 */
export const staleLimitMs = (feed: FeedName, pauseMs: number): number =>
  Math.max(feeds[feed].staleAfterMs, 2 * (pauseMs + answerMs))
