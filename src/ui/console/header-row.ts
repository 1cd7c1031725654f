import { memoizeLast } from '../../base/memoize.ts'
import { clockText } from '../../base/text/time-text.ts'
import { type FeedName, feedNames, feeds } from '../../domain/desk/feeds.ts'
import { countdownFromMs, type Mode, safeInMs } from '../../domain/desk/mode.ts'
import { formatGrouped } from '../../domain/money.ts'
import { wallNow, wallSkewMs } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { equityDay, equityNow, isEquityStale } from '../../store/equity.ts'
import { feedsOnScreen } from '../../store/feed-needs.ts'
import { ageMs, emptyFeed, type Feed, isStale } from '../../store/feeds/feed.ts'
import { failingSince, isSilent } from '../../store/feeds/feed-news.ts'
import { activeLadder, activeSymbol, hasSecondLadder } from '../../store/ladder/ladder.ts'
import { isHaltUntaken } from '../../store/mode.ts'
import { planAlarm } from '../../store/plans/plans.ts'
import { orderCountText } from '../panes/pane-view.tsx'
import { cellText, cut, nameText } from '../text/cells.ts'
import { ageText, calmAgeText, wholeAgeText } from '../text/moment.ts'
import { edges, type Row, rowWidth, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'
import { shareText, toneOfGain, worthText } from '../text/worth.ts'
import {
  alarmsForm,
  draftsPart,
  extraRank,
  frozenPart,
  hubHaltPart,
  hubPart,
  isArmedInVain,
  noPlansForm,
  type Part,
  plansFormMax,
  plansPart,
  watchPart,
} from './header-beside.ts'

/** `text` is the age as text, null before the first answer. */
export type FeedAge = {
  name: FeedName
  ageMs: number | null
  text: string | null
  isStale: boolean
  isFailing: boolean
}

/** Queues are polled only while a ladder on screen shows them: hidden ones are old without being a problem. */
function areQueuesShown(state: DeskState): boolean {
  const ladder = activeLadder(state)
  return state.screen.visiblePanes.includes(ladder) && state[ladder].view === 'queues'
}

/** The feed that the header reports: book and queue are those of the ladder that takes the keys. */
function headerFeed(state: DeskState, name: FeedName): Feed<unknown> {
  if (name === 'book') return state.books.get(activeSymbol(state)) ?? emptyFeed
  if (name !== 'queue') return state[name]
  return (areQueuesShown(state) ? state.queues.get(activeSymbol(state)) : undefined) ?? emptyFeed
}

/** Whether the screen shows anything of a feed. */
function isInView(state: DeskState, name: FeedName): boolean {
  if (name === 'queue') return areQueuesShown(state)
  // Pane titles show their count.
  if (name === 'orders' && orderCountText(state) !== '') return true
  const { agePanes } = feeds[name]
  return agePanes === 'needed'
    ? feedsOnScreen(state).has(name)
    : state.screen.visiblePanes.some((pane) => agePanes.includes(pane))
}

/** The ages of all feeds in view, and of hidden ones that would block an order. */
export function feedAges(state: DeskState): FeedAge[] {
  const ages = feedNames.map((name): FeedAge => {
    const feed = headerFeed(state, name)
    const age = ageMs(feed, state.nowMs)
    const text = age === null ? null : state.looks.isMotionReduced ? calmAgeText(age) : ageText(age)
    return { name, ageMs: age, text, isStale: isStale(feed, name, state.nowMs), isFailing: feed.failure !== null }
  })
  const shown = ages.filter(({ name, isStale: isOld }) => isInView(state, name) || (isOld && feeds[name].isStaleShown))
  return shown.toSorted((first, second) => feeds[first.name].rank - feeds[second.name].rank)
}

const nameOf = (name: FeedName, isShort: boolean): string => feeds[name][isShort ? 'shortLabel' : 'label']

/** A fresh feed: `bk 0.4s`; `!` after the age while polls fail; `wait` before the first answer. */
function freshAge(age: FeedAge, isShort: boolean): Row {
  const name = nameOf(age.name, isShort)
  const text = age.text ?? 'wait'
  return [span(`${name} `, 'label'), span(age.isFailing ? `${text}!` : text, age.isFailing ? 'warn' : 'text')]
}

/**
 * How much of the stale feeds is shown: that many by name, at least one; only the age of the first; only the word. The
 * word alone is also the shortest form of a frozen screen, which shows no ages.
 */
type StaleForm = number | 'ageOnly' | 'wordOnly'
/** The shorter forms, longest first. */
const shortStaleForms: readonly StaleForm[] = [1, 'ageOnly', 'wordOnly']

/** All stale feeds after a single word: `[STALE bk 12s ord 14s +2]`, `[STALE 12s]`, `[STALE]`. */
function staleAges(ages: readonly FeedAge[], isShort: boolean, form: StaleForm): Row {
  const old = ages.filter((age) => age.isStale)
  if (old.length === 0) return []
  if (form === 'wordOnly') return [span('[STALE]', 'bad')]
  if (form === 'ageOnly') return [span(`[STALE ${old[0]?.text ?? ''}]`, 'bad')]
  const each = old.slice(0, form).map(({ name, text }) => `${nameOf(name, isShort)} ${text ?? ''}`)
  const more = old.length > form ? ` +${old.length - form}` : ''
  return [span(`[STALE ${each.join(' ')}${more}]`, 'bad')]
}

const modeTones: Readonly<Record<Mode['kind'], Tone>> = {
  MONITOR: 'monitor',
  SAFE: 'safe',
  ARMED: 'armed',
  HALTED: 'halted',
}

/** ` PRACTICE ` or ` LIVE `, with the profile's name if it adds anything. */
function venueSpan({ venue }: DeskState, nameMax: number): Row {
  const word = venue.kind === 'practice' ? 'PRACTICE' : 'LIVE'
  const whole = cellText(venue.profileName)
  const name = nameMax === 0 || whole.toUpperCase() === word ? '' : cut(whole, nameMax)
  return [span(name === '' ? ` ${word} ` : ` ${word} ${name} `, venue.kind)]
}

/**
 * ` ONE-KEY <= 500 USD ` if orders up to a cap are sent without a review; the word stays, however short the line is.
 */
function oneKeyRow({ entry: { confirmAboveUsd: cap } }: DeskState, brevity: number): Row {
  if (cap === null) return []
  const amount = formatGrouped(cap, cap.decimalPlaces())
  return [
    span([` ONE-KEY <= ${amount} USD `, ` ONE-KEY ${amount} `, ' ONE-KEY ', ' 1-KEY '][brevity] ?? ' 1-KEY ', 'warn'),
  ]
}

/** From this brevity on, everything is in its shortest form. */
const brevityMax = 4

/** ` ARMED `, the countdown once it will disarm soon, and whether one key sends. */
function modeRow(state: DeskState, brevity = 0): Row {
  const { mode, idleRules, lastKeyAtMs, nowMs, isJournalDown } = state
  if (isArmedInVain(state)) return [span(' HALTED BY HUB ', 'halted')]
  // Armed, but without a journal only cancels are sent.
  if (mode.kind === 'ARMED' && isJournalDown) return [span(' NO JOURNAL ', 'halted')]
  const leftMs = safeInMs(mode, idleRules, lastKeyAtMs, nowMs)
  const countdown = leftMs === null || leftMs > countdownFromMs ? '' : ` ${Math.ceil(leftMs / 1000)}s`
  const untaken = isHaltUntaken(state) ? (brevity < 2 ? ': CANCEL NOT TAKEN' : '!') : ''
  return [span(` ${mode.kind}${countdown}${untaken} `, modeTones[mode.kind]), ...oneKeyRow(state, brevity)]
}

/** The symbol and its status; `isShort` omits the usual status, open. */
function symbolRow(state: DeskState, symbol: string, isShort = false): Row {
  const status = state.instruments.value?.get(symbol)?.status
  const name = span(nameText(symbol), 'title')
  if (status === undefined || (isShort && status === 'open')) return [name]
  return [name, span(' '), status === 'open' ? span('open', 'good') : span(status.toUpperCase(), 'warn')]
}

// A skew within the precision of the exchange's timestamps is reported as 0; known ones below this are not shown
// either.
const skewShownFromMs = 250
/** Tenths of a second below ten seconds. */
function skewText(skewMs: number): string {
  const tenths = Math.round(skewMs / 100)
  const seconds = Math.abs(tenths) < 100 ? (tenths / 10).toFixed(1) : `${Math.round(skewMs / 1_000)}`
  return `${tenths > 0 ? '+' : ''}${seconds.replace(/^-0\.0$/, '0.0')}s`
}

/** With reduced motion, a round trip that varies only a little keeps its text. */
const calmStepMs = 100

function connectionParts(state: DeskState, isShort: boolean): Part[] {
  const { connection, looks, session } = state
  const { calls } = session
  const skewMs = wallSkewMs(state)
  // A round trip from before an outage would suggest that all is well.
  const roundTripMs = isSilent(state) ? null : connection.roundTripMs
  const parts: Part[] = []
  if (calls !== null && calls.pausedMs > 0)
    parts.push({ row: [span(`polls paused ${Math.ceil(calls.pausedMs / 1000)}s`, 'warn')], rank: 3 })
  if (roundTripMs !== null) {
    const shownMs = looks.isMotionReduced ? Math.ceil(roundTripMs / calmStepMs) * calmStepMs : Math.round(roundTripMs)
    const text = span(`${looks.isMotionReduced ? '<' : ''}${shownMs}ms`)
    parts.push({ row: isShort ? [text] : [span('rtt ', 'label'), text], rank: 4 })
  }
  if (skewMs !== null) {
    const isOff = Math.abs(skewMs) >= skewShownFromMs
    const row = [span('skew ', 'label'), span(skewText(skewMs), isOff ? 'warn' : 'text')]
    parts.push({ row, rank: isOff ? 4 : extraRank })
  }
  return parts
}

const agesRank: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 3 }

/**
 * An exchange that does not answer is reported even if none of its data is in view: the round trip would suggest that
 * all is well.
 */
function failingPart(state: DeskState, isShort: boolean): Part[] {
  const failing = failingSince(state)
  if (failing === null) return []
  const age = Math.max(0, state.nowMs - failing.sinceMs)
  const text = state.looks.isMotionReduced ? calmAgeText(age) : wholeAgeText(age)
  return [{ row: [span(`${isShort ? '' : 'exchange '}failing ${text}`, 'warn')], rank: 1 }]
}

/** Memoized: one header needs them a dozen times. */
const lastAges = memoizeLast(feedAges)

/** Ages apply to live data: a frozen screen shows its time instead. */
function ageParts(state: DeskState, isShort: boolean, staleForm: StaleForm): Part[] {
  if (state.picture.kind === 'frozen') return frozenPart(state, staleForm === 'wordOnly' ? 'wordOnly' : isShort)
  const ages = lastAges(state)
  const fresh = ages.filter((age) => !age.isStale)
  const isToldOf = ages.some((age) => age.isStale || age.isFailing)
  return [
    ...(isToldOf ? [] : failingPart(state, isShort)),
    { row: staleAges(ages, isShort, staleForm), rank: 0 },
    ...fresh.map((age, index) => ({
      ...{ row: freshAge(age, isShort), rank: agesRank[index] ?? 5 },
      // Stale feeds are listed with their age, and never dropped.
      ...(index === 0 && fresh.length === ages.length ? { isAge: true as const } : {}),
    })),
  ]
}

/** The symbol of the ladder that does not have the keys, if two are visible. */
function otherSymbol(state: DeskState): string | null {
  const other = activeLadder(state) === 'ladder' ? state.symbol2 : state.symbol
  return hasSecondLadder(state) && other !== activeSymbol(state) ? other : null
}

/** When the gateway's inbox was last read, if its pane is visible, which also says what is wrong. */
function gatewayPart({ gateway: { inbox }, screen, nowMs, picture, looks }: DeskState): Part[] {
  if (inbox.readAtMs === null || picture.kind === 'frozen' || !screen.visiblePanes.includes('gateway')) return []
  const age = Math.max(0, nowMs - inbox.readAtMs)
  const text = looks.isMotionReduced ? calmAgeText(age) : wholeAgeText(age)
  const row =
    inbox.failure === null ? [span('gw ', 'label'), span(text)] : [span('gw ', 'label'), span(`${text}!`, 'warn')]
  return [{ row, rank: extraRank + 1 }]
}

/**
 * Equity, and the day's change if there is room: `eq 104,233 USD +0.12%`; `!` once it is stale. Not above a frozen
 * screen, which shows an older figure of its own.
 */
const equityPart = memoizeLast((state: DeskState): Part[] => {
  if (state.picture.kind === 'frozen') return []
  if (state.lock.kind !== 'open' || state.balances.value === null || state.tickers.value === null) return []
  const { worth } = equityNow(state)
  const day = equityDay(state)
  const share = day.kind === 'known' ? shareText(day.share) : ''
  const amount = state.looks.isPrivate ? '' : worthText(worth)
  if (share === '' && amount === '') return []
  const mark = isEquityStale(state) ? '!' : ''
  const change = span(`${amount === '' ? '' : ' '}${share}`, day.kind === 'known' ? toneOfGain(day.usd) : 'text')
  return [{ row: [span('eq ', 'label'), span(amount + mark), ...(share === '' ? [] : [change])], rank: extraRank + 2 }]
})

/** The terminal reports that another window has keyboard focus: typing goes there. */
const keyboardPart = ({ terminal }: DeskState, isShort: boolean): Part[] =>
  terminal.keyboard === 'elsewhere'
    ? [{ row: [span(isShort ? 'unfocused' : 'no keyboard focus', 'warn')], rank: 1 }]
    : []

/**
 * Identifies the desk: mode and exchange, and the symbol that keys act on unless locked, since the lock screen hides
 * what is traded.
 * `brevity`: how much they are shortened to fit side by side.
 */
function identityParts(state: DeskState, isShort: boolean, brevity: number): Part[] {
  return [
    { row: modeRow(state, brevity), rank: 0 },
    { row: venueSpan(state, isShort ? ([12, 10, 8, 6][brevity] ?? 0) : 24), rank: 0 },
    ...(state.lock.kind === 'open' ? [{ row: symbolRow(state, activeSymbol(state), brevity > 0), rank: 0 }] : []),
  ]
}

/** The parts about others than the market, before and after its ages; the same in every form of the plans and ages. */
const besideAges = memoizeLast((state: DeskState, isShort: boolean): { before: Part[]; after: Part[] } => ({
  before: [...draftsPart(state), ...hubHaltPart(state, isShort)],
  after: [
    ...watchPart(state, isShort),
    ...hubPart(state, isShort),
    ...gatewayPart(state),
    ...equityPart(state),
    ...connectionParts(state, isShort),
  ],
}))

/** Memoized: steps of shortening often ask for the very parts of the step before. */
const parts = memoizeLast(
  (state: DeskState, isShort: boolean, staleForm: StaleForm, brevity: number, plansForm: number): Part[] => {
    const other = state.lock.kind === 'open' ? otherSymbol(state) : null
    const { before, after } = besideAges(state, isShort)
    return [
      ...identityParts(state, isShort, brevity),
      { row: other === null ? [] : symbolRow(state, other), rank: 5 },
      ...keyboardPart(state, isShort),
      ...plansPart(state, isShort, plansForm),
      ...before,
      ...ageParts(state, isShort, staleForm),
      ...after,
    ].filter(({ row }) => row.length > 0)
  },
)

/** The first two parts are colored patches with margins of their own. */
const gapBefore = (index: number): string => (index === 0 ? '' : index <= 2 ? ' ' : '  ')

const joined = (all: readonly Part[]): Row =>
  all.flatMap(({ row }, index) => (index === 0 ? row : [span(gapBefore(index)), ...row]))

/** The width of `count` parts side by side, given the sum of their own widths. */
const withGaps = (cells: number, count: number): number => {
  let width = cells
  for (let index = 0; index < count; index += 1) width += gapBefore(index).length
  return width
}

const cellsOf = (all: readonly Part[]): number => all.reduce((cells, { row }) => cells + rowWidth(row), 0)

/** The cells of `joined`. */
const widthOf = (all: readonly Part[]): number => withGaps(cellsOf(all), all.length)

/** Drops the parts with the highest rank, last ones first, until the rest fits or only ranks below `least` are left. */
function fitted(all: readonly Part[], room: number, least: number): readonly Part[] {
  let kept = all
  let cells = cellsOf(all)
  while (withGaps(cells, kept.length) > room) {
    const rank = Math.max(...kept.map((part) => part.rank))
    if (rank < least) break
    const at = kept.findLastIndex((part) => part.rank === rank)
    cells -= rowWidth(kept[at]?.row ?? [])
    kept = kept.toSpliced(at, 1)
  }
  return kept
}

/** Mode, exchange and symbol side by side, which stay whatever else does not fit. */
const identityRow = (state: DeskState, brevity: number): Row => joined(identityParts(state, true, brevity))

/** Mode, exchange and symbol in the longest form that fits `width` cells, for a page with nothing else in that line. */
export const identityIn = (state: DeskState, width: number): Row =>
  [0, 1, 2, 3, brevityMax].map((each) => identityRow(state, each)).find((row) => rowWidth(row) <= width) ??
  joined([
    { row: modeRow({ ...state, entry: { ...state.entry, confirmAboveUsd: null } }), rank: 0 },
    ...identityParts(state, true, brevityMax).slice(1),
  ])

/** Steps of shortening: the form of the plans, and the extra brevity of mode, exchange and symbol. */
const ageSteps = [
  [0, 0],
  [1, 0],
  [1, 1],
  [2, 1],
  [plansFormMax, 1],
  [plansFormMax, 2],
  [plansFormMax, 3],
  [plansFormMax, 4],
] as const

/**
 * The short form that keeps the age of the most important feed: to make room, first drop since when plans are
 * unprotected, then that the symbol is open, the number of plans and the held ones, and at last the longer names. Null
 * if that is not enough, or if there is no such age.
 */
function agedParts(state: DeskState, room: number, brevity: number): readonly Part[] | null {
  const lastForm = planAlarm(state).open === 0 ? 0 : plansFormMax
  for (const [plansForm, more] of ageSteps) {
    const brief = Math.min(brevityMax, brevity + more)
    const all = parts(state, true, 1, brief, Math.min(lastForm, plansForm))
    if (!all.some(({ isAge }) => isAge)) return null
    const kept = fitted(all, room, 1)
    if (widthOf(kept) <= room && kept.some(({ isAge }) => isAge)) return kept
  }
  return null
}

/**
 * The short form, with the least important parts dropped until it fits; mandatory parts stay, in ever shorter forms.
 * `staleForms`: the forms for stale feeds once only one is named.
 */
function shortParts(state: DeskState, room: number, staleForms = shortStaleForms): readonly Part[] {
  const brevity = [0, 1, 2, 3].find((each) => rowWidth(identityRow(state, each)) <= room) ?? brevityMax
  const staleCount = lastAges(state).filter(({ isStale: isOld }) => isOld).length
  const lastForm = planAlarm(state).open === 0 ? 0 : plansFormMax
  const keptIn = (staleForm: StaleForm, brief: number, plansForm: number) =>
    fitted(parts(state, true, staleForm, brief, plansForm), room, 1)
  const withAge = agedParts(state, room, brevity)
  if (withAge !== null) return withAge
  let kept: readonly Part[] = []
  for (let plansForm = 0; plansForm <= lastForm; plansForm += 1) {
    for (let staleMax = Math.max(1, staleCount); staleMax >= 1; staleMax -= 1) {
      kept = keptIn(staleMax, brevity, plansForm)
      if (widthOf(kept) <= room) return kept
    }
  }
  const isLateTold = staleCount > 0 || state.picture.kind === 'frozen'
  for (const staleForm of isLateTold ? staleForms : ([1] as const)) {
    for (let brief = brevity; brief <= brevityMax; brief += 1) {
      const shorter = keptIn(staleForm, brief, lastForm)
      if (widthOf(shorter) <= room) return shorter
    }
  }
  return kept
}

/**
 * The same if even that does not fit: plans by their alarm alone, then whole parts are dropped from the end, because
 * half a number would mislead.
 */
function shortForm(state: DeskState, room: number): Row {
  let kept = shortParts(state, room)
  if (widthOf(kept) > room) {
    // Above a frozen screen its word goes before what is said of plans: an alert has told of those.
    const forms = state.picture.kind === 'frozen' ? [alarmsForm, noPlansForm] : [alarmsForm]
    const least = forms.map((form) => fitted(parts(state, true, 'wordOnly', brevityMax, form), room, 1))
    kept = least.find((all) => widthOf(all) <= room) ?? kept
  }
  const { length: identityCount } = identityParts(state, true, 0)
  while (kept.length > identityCount && widthOf(kept) > room) kept = kept.slice(0, -1)
  return joined(kept)
}

const usualWidth = 80

/** On a narrow screen the seconds are dropped, and then the time, before the symbol's status is cut. */
function narrowTime(state: DeskState, clock: string, width: number): string {
  const least = Math.max(widthOf(shortParts(state, 0, [1])), rowWidth(identityRow(state, 0)))
  return [` ${clock}Z `, ` ${clock.slice(0, 5)}Z `].find((text) => least + text.length <= width) ?? ''
}

/**
 * The header line, always visible: mode, exchange, symbol and status, ages of all feeds in view against their limits,
 * round trip, clock skew, UTC. What does not fit is dropped, least important first; mode, exchange and stale feeds
 * stay.
 */
export function headerRow(state: DeskState, width: number): Row {
  const clock = clockText(wallNow(state))
  const time = ` ${state.looks.isMotionReduced ? clock.slice(0, 5) : clock}Z `
  const end: Row = [span(width < usualWidth ? narrowTime(state, clock, width) : time, 'title')]
  const room = width - rowWidth(end)
  const long = fitted(parts(state, false, Number.MAX_SAFE_INTEGER, 0, 0), room, extraRank)
  return edges(widthOf(long) <= room ? joined(long) : shortForm(state, room), end, width)
}
