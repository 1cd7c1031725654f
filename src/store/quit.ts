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

/** The parts that its commands use. */
type Context = SliceContext<
  ModeSlice & Open & Covering,
  OverlayEvent<QuitOverlay> | NotedEvent,
  { cancelAll(symbol: string | null): void }
>

/** The parts in which something may still be open. */
type Open = FeedsSlice & WritesSlice & TicketSlice & MoveSlice & PlansSlice

type Left = Pick<FeedsSlice, 'orders' | 'unreadable'> &
  Pick<ModeSlice, 'venue'> &
  Pick<WritesSlice, 'unknownWrites' | 'sentOrders'> &
  Pick<ClockSlice, 'nowMs'> &
  AlertsSlice &
  DutiesSlice &
  PlansSlice &
  Covering & { practice: unknown }

/** Further symbols are counted, and longer ones cut: the line must be readable at a glance. */
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
 * The gaps in the list of working orders, a sentence each: unreadable entries, and the rest of a list that was not read
 * to its end.
 */
function gapsText({ unreadable: { orders } }: Pick<FeedsSlice, 'unreadable'>): string {
  const unreadable = orders?.entries.length ?? 0
  return [
    ...(unreadable === 0 ? [] : [` ${orderWord(unreadable, 'entry', 'entries')} of the list unreadable.`]),
    ...(orders === undefined || orders.isWhole ? [] : [' The list is incomplete: there may be more.']),
  ].join('')
}

/** ` (as of 60 s ago)` for an old list of orders; otherwise empty. */
export const listAge = ({ orders, nowMs }: Pick<FeedsSlice, 'orders'> & Pick<ClockSlice, 'nowMs'>): string =>
  isStale(orders, 'orders', nowMs) ? ` (as of ${Math.round((nowMs - (orders.atMs ?? nowMs)) / 1000)} s ago)` : ''

/** The name of an unknown write in sentences: `order a81fK2x10Dd5`, `cancel all BTC-USD`. */
export const writeName = ({ key, kind }: WritesSlice['unknownWrites'][number]): string =>
  kind === 'order' ? `order ${key}` : key

/** The orders that stay working when the desk ends, according to the list. */
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

/** A sentence that names the writes without a known outcome and says how the desk goes on; empty without any. */
function unknownWords({ unknownWrites, sentOrders }: Left): string[] {
  const keys = new Set(unknownWrites.map(({ key }) => key))
  const sent = sentOrders.filter((order) => isOpenEnded(order) && !keys.has(order.clientOrderId))
  const names = [...unknownWrites.map(writeName), ...sent.map(({ clientOrderId }) => `order ${clientOrderId}`)]
  if (names.length === 0) return []
  const [it, outcomes] = names.length === 1 ? ['it', 'Outcome'] : ['them', 'Outcomes']
  const rest = names.length > symbolsMax ? `, ${names.length - symbolsMax} more` : ''
  const named = `${names.slice(0, symbolsMax).join(', ')}${rest}`
  return [`${outcomes} unknown: ${named}. Do not resubmit: the desk checks ${it} at the next start.`]
}

/**
 * What a desk that ends now leaves behind, a sentence each, as far as it has seen. An empty list of orders is mentioned
 * only after the user asked to cancel.
 */
export function leftBehind(state: Left): string[] {
  const { overlay } = state
  const isAsked = isOverlay<QuitOverlay>(overlay, 'confirmQuit') && overlay.cancelSentAtMs !== null
  const working = isSeenEmpty(state) && !isAsked ? [] : [workingWords(state)]
  return [...working, ...bareWords(state), ...unknownWords(state), ...plansWords(state), ...stoppingWords(state)]
}

/** The number of this desk's plans with a quantity that no order protects; once it ends they are not followed. */
const bareHere = (state: PlansSlice): number => (state.plans.owner === 'desk' ? planAlarm(state).bare : 0)

function bareWords(state: Left): string[] {
  const bare = bareHere(state)
  // The market of an own practice exchange ends with the desk.
  if (bare === 0 || state.practice !== null) return []
  const [plans, they] = bare === 1 ? ['1 plan is', 'it'] : [`${bare} plans are`, 'them']
  const then = state.duties.heirPid === null ? ', and nothing follows while no desk or watch runs' : ''
  return [`${plans} NOT PROTECTED: nothing rests for ${they}${then}.`]
}

/** Plans at an own practice exchange, which ends with the desk. At any other exchange they belong to what stops. */
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

/** Another desk of the profile that gets the duties with what they hold, in words; null without one. */
function heirWords({ duties: { holds, heirPid } }: Left, things: readonly string[]): string | null {
  if (heirPid === null || things.length === 0) return null
  const what = holds.length === 0 ? 'alerts and recording go on there' : `it gets ${listed(holds.map(withoutWhy))}`
  return `Another desk of the profile (pid ${heirPid}) stays open: ${what}.`
}

/** `2 plans`, without what would happen to them if nobody ran them. */
const withoutWhy = (held: string): string => held.replace(/ \(.*\)$/, '')

function stoppingWords(state: Left): string[] {
  const things = stoppingThings(state)
  const heir = heirWords(state, things)
  if (heir !== null) return [heir]
  return things.length === 0 ? [] : [`With this desk stop: ${listed(things)}. pitdesk watch keeps them running.`]
}

/** What stands still while the desk is suspended, as a sentence; none where nothing does. */
export function suspendedWords(state: Left): string[] {
  const things = stoppingThings(state)
  if (things.length === 0) return []
  const heir = heirWords(state, things)
  if (heir !== null) return [heir]
  return [`Until fg, stopped here: ${listed(things)}. Another desk of the profile, or pitdesk watch, runs them.`]
}

/** The result of a hang-up: orders kept, or a cancel sent at `startedAtMs`, confirmed by the exchange or not. */
export type HangUpEnd = { kind: 'kept' } | { kind: 'canceled'; isConfirmed: boolean; startedAtMs: number }

/** What stays behind after a hang-up of the terminal, a sentence each. */
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

/** True when the list was read to its end and has no entry. */
export function isSeenEmpty(state: Pick<FeedsSlice, 'orders' | 'unreadable'>): boolean {
  return state.orders.value?.length === 0 && isOrderListWhole(state)
}

/** True when the exchange lists no working order after the cancel was sent, and nothing else is open. */
function isAllGone(state: Open, cancelSentAtMs: number): boolean {
  const { orders } = state
  const isSeen = isSeenEmpty(state) && orders.atMs !== null && orders.atMs > cancelSentAtMs
  return isSeen && !isUnanswered(state)
}

/** True while a write has no outcome; an order also where no ticket is of it, as one that a plan has sent. */
const isUnanswered = (state: Open): boolean =>
  state.unknownWrites.length > 0 || isOrderSending(state) || state.sentOrders.some(isOpenEnded)

export type QuitCommands = {
  /** Quits at once unless the desk could still act on something it leaves behind; then it asks. */
  quit(): void
  /** Quits, whatever stays working. */
  confirmQuit(): void
  /** Cancels every working order, and quits once the exchange lists none. */
  cancelAndQuit(): void
}

/** `exit` ends the desk and restores the terminal. */
type QuitContext = Context & { store: Followed<Open & Covering>; exit: () => void }

/** Commands to quit. The list of working orders alone shows whether the cancels took effect. */
export function createQuitCommands({ store, port, exit }: QuitContext): QuitCommands {
  const ask = (cancelSentAtMs: number | null) =>
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'confirmQuit', cancelSentAtMs } })
  const say = sayer({ store, port })
  const mayTakeBack = cancelGuard({ store, port })
  let stop = () => {}
  /** Ends with the question: after its close the desk stays, and the cancels go on. */
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
      if (isWorking || isUnanswered(state) || bareHere(state) > 0) ask(null)
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

/** The question before quitting; `cancelSentAtMs`: when the cancel of every order was sent; null before. */
export type QuitOverlay = { kind: 'confirmQuit'; cancelSentAtMs: number | null }
