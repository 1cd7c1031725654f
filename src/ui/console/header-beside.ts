import { clockText } from '../../base/time-text.ts'
import { watchSilence } from '../../domain/desk/duties.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { personText } from '../../store/mode.ts'
import { waitingOrders } from '../../store/order-drafts/order-drafts.ts'
import { planAlarm } from '../../store/plans/plans.ts'
import { cellText, cut } from '../text/cells.ts'
import { wholeAgeText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'

// What the header says of all that acts beside the keys of this desk: a watch, a hub, plans, drafts.

/**
 * A part of the header; short of room the parts with the highest rank are left out, those with rank 0 never. `isAge`:
 * the age of the feed that matters most, which only stale ones stand in for.
 */
export type Part = { row: Row; rank: number; isAge?: true }

/** From this rank on a part is only there where everything else has room in full. */
export const extraRank = 6

/** An armed desk of which the hub lets nothing leave: its mode is what the hub says. */
export const isArmedInVain = ({ mode, hub }: Pick<DeskState, 'mode' | 'hub'>): boolean =>
  mode.kind === 'ARMED' && hub !== null && hub.halted !== null

/** A watch beside this desk and for how long: `watch up 3d`; whether it still does anything. */
export function watchPart(state: DeskState, isShort: boolean): Part[] {
  const { watch } = state.duties
  if (watch === null || watch.pid === 0) return []
  const wallMs = wallNow(state)
  const silentMs = watchSilence(watch, wallMs)
  if (silentMs !== null) return [{ row: [span(`watch silent ${wholeAgeText(silentMs)}`, 'warn')], rank: 1 }]
  const up = wholeAgeText(wallMs - watch.sinceMs)
  const isWell = watch.troubles.length === 0
  const row = [span(isShort ? 'watch ' : 'watch up ', 'label'), span(up)]
  return [{ row: isWell ? row : [...row, span('!', 'warn')], rank: isShort ? 5 : 4 }]
}

/** As whom the hub knows the desk: `via hub as ann (trader)`. */
export function hubPart({ hub }: DeskState, isShort: boolean): Part[] {
  if (hub === null) return []
  const row = [span(isShort ? 'hub ' : 'via hub as ', 'label'), span(cellText(personText(hub)))]
  return [{ row, rank: extraRank + 1 }]
}

/** That the hub is halted, and why: `HALTED BY HUB: audit`; the reason alone where the mode says the rest. */
export function hubHaltPart({ hub, mode }: DeskState, isShort: boolean): Part[] {
  if (hub === null || hub.halted === null) return []
  const reason = cut(cellText(hub.halted), isShort ? shortReasonMax : haltReasonMax)
  if (isArmedInVain({ hub, mode })) return [{ row: [span(reason, 'bad')], rank: 1 }]
  return [{ row: [span(`HALTED BY HUB${isShort || reason === '' ? '' : `: ${reason}`}`, 'bad')], rank: 0 }]
}

/** Cells of a reason that the header has room for; the whole of it is in the log. */
const haltReasonMax = 40
const shortReasonMax = 20

/**
 * Of one rank the last goes first: plans and drafts stay longer than a round trip, a skew and what the account is
 * worth.
 */
const countsRank = 4

/** From this form on only what is bare is told of the plans. */
export const plansFormMax = 3

/**
 * Plans that are open; loud where something is bare or held: `plans 2, 1 not protected since 12:03`. `form`: 0 tells
 * all of it; later ones leave out since when, how many there are, and what is held.
 */
export function plansPart(state: DeskState, isShort: boolean, form: number): Part[] {
  if (state.lock.kind !== 'open') return []
  const { open, bare, held, bareSinceMs } = planAlarm(state)
  if (open === 0) return []
  const since = bareSinceMs === null || form > 0 ? '' : ` since ${clockText(bareSinceMs).slice(0, 5)}`
  const alarms = [
    ...(bare === 0 ? [] : [`${bare} ${isShort ? 'BARE' : 'not protected'}${since}`]),
    ...(held === 0 || (form > 2 && bare > 0) ? [] : [`${held} held`]),
  ]
  if (alarms.length === 0) return [{ row: [span('plans ', 'label'), span(`${open}`)], rank: countsRank }]
  return [{ row: [span(`plans ${form > 1 ? '' : `${open}, `}${alarms.join(', ')}`, 'bad')], rank: 0 }]
}

/** Drafts of orders that wait for a person. */
export function draftsPart(state: DeskState): Part[] {
  const count = state.lock.kind === 'open' ? waitingOrders(state.orderDrafts).length : 0
  return count === 0 ? [] : [{ row: [span('drafts ', 'label'), span(`${count}`, 'own')], rank: countsRank }]
}
