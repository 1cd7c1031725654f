import { mayCancel } from '../domain/desk/mode.ts'
import { isOpenEnded } from '../domain/orders/exposure.ts'
import type { AlertsSlice } from './alerts/alerts.ts'
import type { ClockSlice } from './clock.ts'
import type { DutiesSlice } from './duties.ts'
import { isStale } from './feeds/feed.ts'
import { type FeedsSlice, isOrderListWhole, noOrdersListed } from './feeds/feeds.ts'
import { type NotedEvent, sayer } from './log.ts'
import { cancelGuard, type ModeSlice } from './mode.ts'
import type { MoveSlice } from './move/move.ts'
import { isOrderSending } from './order-form.ts'
import { type PlansSlice, planAlarm } from './plans/plans.ts'
import { type Covering, type Followed, isOverlay, type OverlayEvent, type SliceContext } from './slice.ts'
import type { TicketSlice } from './ticket/ticket.ts'
import type { WritesSlice } from './writes/writes.ts'

/** What its commands work with. */
type Context = SliceContext<
  ModeSlice & Open & Covering,
  OverlayEvent<QuitOverlay> | NotedEvent,
  { cancelAll(symbol: string | null): void }
>

/** What may still be open. */
type Open = FeedsSlice & WritesSlice & TicketSlice & MoveSlice & PlansSlice

type Left = Pick<FeedsSlice, 'orders' | 'unreadable'> &
  Pick<ModeSlice, 'venue'> &
  Pick<WritesSlice, 'unsettled' | 'sentOrders'> &
  Pick<ClockSlice, 'nowMs'> &
  AlertsSlice &
  DutiesSlice &
  PlansSlice &
  Covering & { practice: unknown }

/** More symbols than these are counted, longer ones cut: the line is read at a glance. */
const symbolsMax = 6
const symbolMax = 20

/** `BTC-USD 2, ETH-USD 1`. */
function bySymbol(symbols: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  const name = (symbol: string) =>
    symbol.length > symbolMax ? `${symbol.slice(0, symbolMax / 2)}…${symbol.slice(1 - symbolMax / 2)}` : symbol
  const parts = [...counts].slice(0, symbolsMax).map(([symbol, count]) => `${name(symbol)} ${count}`)
  const more = counts.size - parts.length
  return `${parts.join(', ')}${more > 0 ? `, ${more} more ${more === 1 ? 'symbol' : 'symbols'}` : ''}`
}

const orderWord = (count: number, one = 'order', many = 'orders'): string => `${count} ${count === 1 ? one : many}`

/** `PRACTICE`, `LIVE main`. */
const placeOf = ({ venue: { kind, profileName } }: Pick<ModeSlice, 'venue'>): string =>
  kind === 'practice' ? 'PRACTICE' : `LIVE ${profileName}`

/**
 * What of the list of working orders is not known, a sentence each: entries that nobody can read, and the rest of a
 * list that was not read to its end.
 */
function gapsText({ unreadable: { orders } }: Pick<FeedsSlice, 'unreadable'>): string {
  const unreadable = orders?.entries.length ?? 0
  return [
    ...(unreadable === 0 ? [] : [` ${orderWord(unreadable, 'entry', 'entries')} of the list unreadable.`]),
    ...(orders === undefined || orders.isWhole ? [] : [' The list is incomplete: there may be more.']),
  ].join('')
}

/** ` (as of 60 s ago)` behind what is said of a list of orders that is old. */
export const listAge = ({ orders, nowMs }: Pick<FeedsSlice, 'orders'> & Pick<ClockSlice, 'nowMs'>): string =>
  isStale(orders, 'orders', nowMs) ? ` (as of ${Math.round((nowMs - (orders.atMs ?? nowMs)) / 1000)} s ago)` : ''

/** A write without an answer as sentences name it: `order a81fK2x10Dd5`, `cancel all BTC-USD`. */
export const writeName = ({ key, kind }: WritesSlice['unsettled'][number]): string =>
  kind === 'order' ? `order ${key}` : key

/** What stays working when the desk ends, as far as the list tells. */
function workingWords(state: Left): string {
  const { orders } = state
  if (orders.value === null) return `Working orders on ${placeOf(state)} unknown: the list has not loaded.`
  const age = listAge(state)
  const gaps = gapsText(state)
  const count = orders.value.length
  if (count === 0) return `${noOrdersListed(state)} on ${placeOf(state)}${age}.${gaps}`
  const stay = count === 1 ? 'stays' : 'stay'
  const where = bySymbol(orders.value.map(({ symbol }) => symbol))
  return `${orderWord(count)} ${stay} working on ${placeOf(state)}: ${where}${age}.${gaps}`
}

/** What has no known outcome, a sentence each, then how it goes on. */
function unknownWords({ unsettled, sentOrders }: Left): string[] {
  const keys = new Set(unsettled.map(({ key }) => key))
  const sent = sentOrders.filter((order) => isOpenEnded(order) && !keys.has(order.clientOrderId))
  const names = [...unsettled.map(writeName), ...sent.map(({ clientOrderId }) => `order ${clientOrderId}`)]
  if (names.length === 0) return []
  const [it, outcomes] = names.length === 1 ? ['it', 'Outcome'] : ['them', 'Outcomes']
  const rest = names.length > symbolsMax ? `, ${names.length - symbolsMax} more` : ''
  const named = `${names.slice(0, symbolsMax).join(', ')}${rest}`
  return [`${outcomes} unknown: ${named}. Do not resubmit: the desk checks ${it} at the next start.`]
}

/**
 * What a desk that ends now leaves behind, a sentence each: no more than it has seen. Nothing where nothing is left
 * that anybody asked about.
 */
export function leftBehind(state: Left): string[] {
  const { overlay } = state
  const isAsked = isOverlay<QuitOverlay>(overlay, 'confirmQuit') && overlay.cancelSentAtMs !== null
  const working = isSeenEmpty(state) && !isAsked ? [] : [workingWords(state)]
  return [...working, ...bareWords(state), ...unknownWords(state), ...plansWords(state), ...stoppingWords(state)]
}

/** How many plans that end here with the desk have something that no order protects. */
const bareHere = (state: PlansSlice): number => (state.plans.owner === 'desk' ? planAlarm(state).bare : 0)

function bareWords(state: Left): string[] {
  const bare = bareHere(state)
  // The market of a practice exchange of the desk's own ends with it.
  if (bare === 0 || state.practice !== null) return []
  const [plans, they] = bare === 1 ? ['1 plan is', 'it'] : [`${bare} plans are`, 'them']
  return [`${plans} NOT PROTECTED: nothing rests for ${they}, and nothing follows while no desk or watch runs.`]
}

/** Plans at a practice exchange of the desk's own, which ends with it; at any other one they are what stops here. */
function plansWords(state: Left): string[] {
  const { open } = planAlarm(state)
  if (state.practice === null || open === 0) return []
  const stand = `${open === 1 ? 'stands' : 'stand'} still with the practice exchange until the next start`
  return [`${orderWord(open, 'open plan', 'open plans')} ${stand}.`]
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/**
 * What stops with this desk, in words; none where nothing does. A practice exchange of the desk's own stops with it:
 * nothing can happen there any more.
 */
function stoppingThings({ duties, alerts, practice }: Left): string[] {
  if (duties.where !== 'here' || duties.role === 'watch' || practice !== null) return []
  const armed = alerts.watches.filter(({ state, repeats }) => state.kind !== 'fired' || repeats).length
  const things = [...(armed === 0 ? [] : [`${armed} price ${armed === 1 ? 'alert' : 'alerts'}`]), ...duties.holds]
  return things.length === 0 ? [] : [...things, 'recording']
}

function stoppingWords(state: Left): string[] {
  const things = stoppingThings(state)
  return things.length === 0 ? [] : [`With this desk stop: ${listed(things)}. pitdesk watch keeps them running.`]
}

/** What stands still while the desk is suspended, as a sentence; none where nothing does. */
export function suspendedWords(state: Left): string[] {
  const things = stoppingThings(state)
  if (things.length === 0) return []
  return [`Until fg, stopped here: ${listed(things)}. Another desk of the profile, or pitdesk watch, runs them.`]
}

/**
 * What a hang-up came to: orders stay, or were to be canceled from `startedAtMs` on, with or without the exchange's
 * word for it.
 */
export type HangUpEnd = { kind: 'kept' } | { kind: 'canceled'; isConfirmed: boolean; startedAtMs: number }

/** What stays behind after the terminal went away, a sentence each. */
export function leftAtHangUp(state: Left, end: HangUpEnd): string[] {
  if (end.kind === 'kept') return leftBehind(state)
  const { atMs } = state.orders
  const isLookedAt = atMs !== null && atMs > end.startedAtMs
  return [
    `Hang-up: the exchange ${end.isConfirmed ? 'accepted' : 'did not confirm'} the cancel of all orders (on_hangup).`,
    isLookedAt ? workingWords(state) : `Orders may still be working on ${placeOf(state)}: the list was not seen since.`,
    ...bareWords(state),
    ...unknownWords(state),
    ...plansWords(state),
    ...stoppingWords(state),
  ]
}

/** The list has loaded whole, and there is nothing in it. */
export function isSeenEmpty(state: Pick<FeedsSlice, 'orders' | 'unreadable'>): boolean {
  return state.orders.value?.length === 0 && isOrderListWhole(state)
}

/** Whether the exchange has listed no working order since the cancel was sent, and nothing else is open. */
function isAllGone(state: Open, cancelSentAtMs: number): boolean {
  const { orders, unsettled, sentOrders } = state
  const isSeen = isSeenEmpty(state) && orders.atMs !== null && orders.atMs > cancelSentAtMs
  return isSeen && unsettled.length === 0 && !isOrderSending(state) && !sentOrders.some(isOpenEnded)
}

export type QuitCommands = {
  /** Ends at once where nothing stays behind that this desk could still do something about, else asks. */
  quit(): void
  /** Ends, whatever stays working. */
  confirmQuit(): void
  /** Cancels every working order, and ends once the exchange lists none any more. */
  cancelAndQuit(): void
}

/** `exit` ends the console and hands the terminal back. */
type QuitContext = Context & { store: Followed<Open & Covering>; exit: () => void }

/** Leaving the desk. Nothing is claimed of the cancels but what the list of working orders shows after them. */
export function createQuitCommands({ store, port, exit }: QuitContext): QuitCommands {
  const ask = (cancelSentAtMs: number | null) =>
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'confirmQuit', cancelSentAtMs } })
  const say = sayer({ store, port })
  const mayTakeBack = cancelGuard({ store, port })
  let stop = () => {}
  /** Ends with the question itself: whoever closes it stays, and the cancels go on. */
  const leaveWhenGone = (cancelSentAtMs: number) => {
    stop()
    stop = store.subscribe((state) => {
      const { overlay } = state
      if (!isOverlay<QuitOverlay>(overlay, 'confirmQuit') || overlay.cancelSentAtMs !== cancelSentAtMs) return stop()
      if (!isAllGone(state, cancelSentAtMs)) return
      stop()
      exit()
    })
  }
  return {
    quit() {
      const state = store.getState()
      const isWorking = mayCancel(state.mode) && state.orders.value !== null && !isSeenEmpty(state)
      if (isWorking || state.unsettled.length > 0 || isOrderSending(state) || bareHere(state) > 0) ask(null)
      else exit()
    },
    confirmQuit: exit,
    cancelAndQuit() {
      const state = store.getState()
      if (!mayTakeBack()) return
      if (isSeenEmpty(state)) return say('No working orders to cancel: Enter quits.')
      const atMs = port.now()
      ask(atMs)
      leaveWhenGone(atMs)
      port.cancelAll(null)
    },
  }
}

/**
 * Before ending: what stays working and what has no known outcome; `cancelSentAtMs` once everything is being canceled
 * first.
 */
export type QuitOverlay = { kind: 'confirmQuit'; cancelSentAtMs: number | null }
