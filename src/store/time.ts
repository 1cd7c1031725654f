import { plainText } from '../base/text/plain-text.ts'
import type { FeedEvent } from '../domain/desk/events.ts'
import { idleStep, type Mode, nextMode, safeInMs } from '../domain/desk/mode.ts'
import { keyOf } from '../domain/desk/session.ts'
import { type HubPerson, mayTradeAtHub, personLimitsText } from '../domain/hub/person.ts'
import type { DeskState } from './desk.ts'
import { isOfMarket, withAgedFeeds } from './feeds/feeds.ts'
import { logged, noted } from './log.ts'
import { personText } from './mode.ts'
import { withoutMoveReview } from './move/move.ts'
import { covered } from './reduce-lock.ts'
import { withoutReviews } from './terminal.ts'
import { withoutTicketReview } from './ticket/ticket.ts'

const seconds = (ms: number): number => Math.round(ms / 1000)

/** A reading of the clocks: the desk's own, and the wall clock unless both run together. */
export type TimeRead = { nowMs: number; wallMs?: number | undefined }

/** Ticks come twice a second. After a longer gap, or a greater jump of the wall clock, the screen was frozen. */
export const standstillMs = 2_000
/** A slewed wall clock differs by less; a greater difference is a jump, and is taken over. */
const wallDriftMs = 500
/** Answers this soon after a standstill may have been requested before it, and have waited since. */
const answersLateMs = 1_000

/** True when answers about the market have just begun to count again after a standstill: see `datedAnswer`. */
export const doAnswersCountAgain = (
  { standstill, nowMs }: Pick<DeskState, 'standstill' | 'nowMs'>,
  before: Pick<DeskState, 'nowMs'>,
): boolean =>
  standstill !== null && nowMs >= standstill.toMs + answersLateMs && before.nowMs < standstill.toMs + answersLateMs

/** Takes over how far the wall clock is ahead; the exchange's clock counts as equal to it until it is known. */
function withWall(state: DeskState, wallMs: number): DeskState {
  const { ahead, connection } = state
  return Math.abs(wallMs - ahead.wallMs) <= wallDriftMs
    ? state
    : { ...state, ahead: { wallMs, exchangeMs: connection.skewMs === null ? wallMs : ahead.exchangeMs } }
}

function standstillText(stoodMs: number, jumpMs: number): string {
  if (stoodMs > standstillMs) return `Desk stood still ${seconds(stoodMs)} s: prices may have moved.`
  return jumpMs > 0
    ? `Clock jumped forward ${seconds(jumpMs)} s: prices may be old.`
    : `Clock was set back ${seconds(-jumpMs)} s.`
}

/**
 * After a stop of the process, a sleep of the machine or a jump of the wall clock, the user reviews again: the review
 * showed a frozen screen. Keys pressed meanwhile do nothing irreversible.
 */
function withStandstill(before: DeskState, nowMs: number, jumpMs: number): DeskState {
  const stoodMs = nowMs - before.nowMs
  const lostMs = Math.max(stoodMs, jumpMs)
  const old = jumpMs > standstillMs ? withAgedFeeds(before, jumpMs) : before
  const standstill = { fromMs: nowMs - lostMs, toMs: nowMs }
  const late: DeskState = { ...old, nowMs, standstill, terminal: { ...old.terminal, backAtMs: nowMs } }
  // A user who suspended the desk learns of it by the return.
  if (before.terminal.presence === 'leaving') return late
  const state = withoutReviews(late)
  const wasReviewed = state.ticket !== late.ticket || state.move !== late.move || state.overlay !== late.overlay
  const text = standstillText(stoodMs, jumpMs)
  return wasReviewed ? noted(state, 'warn', `${text} Review again.`, nowMs) : logged(state, 'warn', text, nowMs)
}

/** Takes over the clocks. Only a standstill sets `nowMs` here; otherwise the caller does. */
function withClocks(state: DeskState, { nowMs, wallMs = nowMs + state.ahead.wallMs }: TimeRead): DeskState {
  const wallAheadMs = wallMs - nowMs
  const jumpMs = wallAheadMs - state.ahead.wallMs
  const next = withWall(state, wallAheadMs)
  const isLost = nowMs - state.nowMs > standstillMs || Math.abs(jumpMs) > standstillMs
  return isLost ? withStandstill(next, nowMs, jumpMs) : next
}

/**
 * A change of mode ends the review of an order or of a move: one that could not be sent before is not sent without a
 * new review.
 */
export const withMode = (state: DeskState, mode: Mode): DeskState =>
  mode.kind === state.mode.kind
    ? { ...state, mode }
    : {
        ...state,
        mode,
        // What a halt follows ends with it, and no later one goes on with it.
        passedOrders: state.passedOrders.map((each) => ({ ...each, isHalted: false })),
        ticket: withoutTicketReview(state.ticket),
        move: withoutMoveReview(state.move),
        isReviewDue: state.isReviewDue || state.ticket !== null,
      }

/** A halt by the hub, or its end, as a notice. */
function withHalt(state: DeskState, before: string | null, atMs: number): DeskState {
  const halted = state.hub?.halted ?? null
  if (halted === before) return state
  return halted === null
    ? noted(state, 'good', 'The hub is not halted any more: orders and withdrawals go out again.', atMs)
    : noted(state, 'bad', `Halted by the hub: ${plainText(halted)}. Only cancels go out.`, atMs)
}

/** A change of the user's limits at the hub, as a notice. */
function withHubLimits(state: DeskState, before: HubPerson | null, atMs: number): DeskState {
  const limits = personLimitsText(state.hub?.limits ?? null)
  if (before === null || personLimitsText(before.limits) === limits) return state
  return noted(state, 'info', `Your limits at the hub: ${plainText(limits)}.`, atMs)
}

/** Without the role of a trader at the hub the desk is MONITOR; with that role it is SAFE, and the user arms it. */
function withHubRole(state: DeskState, person: HubPerson, before: HubPerson | null, atMs: number): DeskState {
  if (before !== null && personText(before) === personText(person)) return state
  const mayTrade = mayTradeAtHub(person)
  if (!mayTrade && state.mode.kind !== 'MONITOR') {
    const text = `Mode is MONITOR: the hub knows you as ${personText(person)}.`
    return noted({ ...withMode(state, { kind: 'MONITOR' }), isMonitorByHub: true }, 'warn', text, atMs)
  }
  if (mayTrade && state.isMonitorByHub) {
    const text = `Mode is SAFE: the hub knows you as ${personText(person)}.`
    return noted({ ...withMode(state, { kind: 'SAFE' }), isMonitorByHub: false }, 'info', text, atMs)
  }
  return logged(state, 'info', `Via hub as ${personText(person)}.`, atMs)
}

/** The hub's statement about this desk's person, with a notice for each change. */
export function withHub(state: DeskState, person: HubPerson, atMs: number): DeskState {
  const { hub: before } = state
  const known = withHubRole({ ...state, hub: person }, person, before, atMs)
  return withHalt(withHubLimits(known, before, atMs), before?.halted ?? null, atMs)
}

function withModeAtRest(state: DeskState, beforeMs: number, nowMs: number): DeskState {
  const { mode, idleRules, lastKeyAtMs } = state
  switch (idleStep(mode, idleRules, lastKeyAtMs, beforeMs, nowMs)) {
    case 'nothing':
      return state
    case 'warned': {
      const left = seconds(safeInMs(mode, idleRules, lastKeyAtMs, nowMs) ?? 0)
      return noted(state, 'warn', `Idle: SAFE in ${left} s. Any key stays ARMED.`, nowMs)
    }
    case 'safe': {
      const key = keyOf(state.reboundKeys, 'toggleArmed')
      const text = `Idle ${seconds(idleRules.safeAfterMs ?? 0)} s: SAFE. Press ${key} to arm.`
      return noted(withMode(state, nextMode(mode, 'idle')), 'warn', text, nowMs)
    }
  }
}

/** The effects of time: the idle warning, SAFE and the lock screen, and those of a standstill. */
export function withTimePassed(before: DeskState, time: TimeRead): DeskState {
  const { nowMs } = time
  const state = withModeAtRest(withClocks(before, time), before.nowMs, nowMs)
  const { lockAfterMs } = state.idleRules
  if (lockAfterMs === null || state.lock.kind !== 'open' || nowMs - state.lastKeyAtMs < lockAfterMs) return state
  return covered(state, `Idle ${seconds(lockAfterMs)} s.`, nowMs)
}

/** A key does not undo what was due before it: after a night asleep the first key finds the desk SAFE and locked. */
export const withKeyPressed = (state: DeskState, time: TimeRead): DeskState => ({
  ...withTimePassed(state, time),
  lastKeyAtMs: time.nowMs,
})

/** Dates an answer about the market: one that may have waited during a standstill is as old as its begin. */
export function datedAnswer<E extends FeedEvent>(event: E, { standstill }: Pick<DeskState, 'standstill'>): E {
  if (standstill === null || !isOfMarket(event.type) || !('atMs' in event)) return event
  return event.atMs >= standstill.toMs + answersLateMs ? event : { ...event, atMs: standstill.fromMs }
}
