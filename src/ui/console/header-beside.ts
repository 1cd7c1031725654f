import { clockText } from '../../base/text/time-text.ts'
import { silenceOf } from '../../domain/desk/duties.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { missedBehind } from '../../store/frozen-view.ts'
import { personText } from '../../store/mode.ts'
import { waitingOrders } from '../../store/order-drafts/order-drafts.ts'
import { planAlarm } from '../../store/plans/plans.ts'
import { cellText, cut } from '../text/cells.ts'
import { shortPastText, wholeAgeText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'

// The header's parts about whatever acts besides this desk's keys: a watch process, a hub, plans, drafts.

/**
 * A part of the header; short of room, parts with the highest rank are dropped first, rank 0 never. `isAge`: the age of
 * the most important feed, replaced only by stale ones.
 */
export type Part = { row: Row; rank: number; isAge?: true }

/** From this rank on, a part is shown only if everything else fits in full. */
export const extraRank = 6

/** An armed desk whose hub lets nothing out: the hub's halt is its mode. */
export const isArmedInVain = ({ mode, hub }: Pick<DeskState, 'mode' | 'hub'>): boolean =>
  mode.kind === 'ARMED' && hub !== null && hub.halted !== null

/**
 * A watch process alongside this desk and its uptime, `watch up 3d`, or that it, or another desk with the duties, has
 * gone silent.
 */
export function watchPart(state: DeskState, isShort: boolean): Part[] {
  const { watch, silent } = state.duties
  const wallMs = wallNow(state)
  if (silent !== null && silent.pid !== watch?.pid)
    return [{ row: [span(`desk silent ${wholeAgeText(wallMs - silent.beatMs)}`, 'warn')], rank: 1 }]
  if (watch === null) return []
  const silentMs = silenceOf(watch, wallMs)
  if (silentMs !== null) return [{ row: [span(`watch silent ${wholeAgeText(silentMs)}`, 'warn')], rank: 1 }]
  const up = wholeAgeText(wallMs - watch.sinceMs)
  const isWell = watch.troubles.length === 0
  const row = [span(isShort ? 'watch ' : 'watch up ', 'label'), span(up)]
  return [{ row: isWell ? row : [...row, span('!', 'warn')], rank: isShort ? 5 : 4 }]
}

/** The hub's name for the desk's user: `via hub as ann (trader)`. */
export function hubPart({ hub }: DeskState, isShort: boolean): Part[] {
  if (hub === null) return []
  const row = [span(isShort ? 'hub ' : 'via hub as ', 'label'), span(cellText(personText(hub)))]
  return [{ row, rank: extraRank + 1 }]
}

/** The hub's halt with its reason: `HALTED BY HUB: audit`; only the reason if the mode already says the rest. */
export function hubHaltPart({ hub, mode }: DeskState, isShort: boolean): Part[] {
  if (hub === null || hub.halted === null) return []
  const reason = cut(cellText(hub.halted), isShort ? shortReasonMax : haltReasonMax)
  if (isArmedInVain({ hub, mode })) return [{ row: [span(reason, 'bad')], rank: 1 }]
  return [{ row: [span(`HALTED BY HUB${isShort || reason === '' ? '' : `: ${reason}`}`, 'bad')], rank: 0 }]
}

/** Maximum cells for a reason in the header; the log has it in full. */
const haltReasonMax = 40
const shortReasonMax = 20

/**
 * Within a rank the last part is dropped first: plans and drafts stay longer than round trip, clock skew and equity.
 */
const countsRank = 4

/** From this form on, only unprotected plans are mentioned. */
export const plansFormMax = 3
/** Without the word `plans`: `2 BARE`; and nothing of them. */
export const alarmsForm = 4
export const noPlansForm = 5

/**
 * Open plans; highlighted if any is unprotected or held: `plans 2, 1 not protected since 12:03`. `form`: 0 is the full
 * text; later ones drop the time, the number of plans, and the held ones.
 */
export function plansPart(state: DeskState, isShort: boolean, form: number): Part[] {
  if (state.lock.kind !== 'open' || form === noPlansForm) return []
  const { open, bare, held, bareSinceMs } = planAlarm(state)
  if (open === 0) return []
  const since = bareSinceMs === null || form > 0 ? '' : ` since ${shortPastText(bareSinceMs, wallNow(state))}`
  const alarms = [
    ...(bare === 0 ? [] : [`${bare} ${isShort ? 'BARE' : 'not protected'}${since}`]),
    ...(held === 0 || (form > 2 && bare > 0) ? [] : [`${held} held`]),
  ]
  if (alarms.length === 0) return [{ row: [span('plans ', 'label'), span(`${open}`)], rank: countsRank }]
  const plans = form === alarmsForm ? '' : form > 1 ? 'plans ' : `plans ${open}, `
  return [{ row: [span(`${plans}${alarms.join(', ')}`, 'bad')], rank: 0 }]
}

/**
 * Says that the screen is frozen, since when, and what happened since; short of room only that it is, which has to
 * stand there at every size: nothing else tells an old market from the present one.
 */
export function frozenPart(state: DeskState, form: boolean | 'wordOnly'): Part[] {
  const { picture } = state
  if (picture.kind === 'moving') return []
  if (form === 'wordOnly') return [{ row: [span(' FROZEN ', 'halted')], rank: 0 }]
  const { fills, unknown } = missedBehind(state)
  const fillWord = fills === 0 ? '' : ` +${fills} ${fills === 1 ? 'fill' : 'fills'}`
  const unknownWord = unknown === 0 ? '' : ` +${unknown} unknown`
  const since = `${form ? '' : 'since '}${clockText(picture.sinceMs + state.ahead.wallMs)}`
  return [{ row: [span(` FROZEN ${since}${fillWord}${unknownWord} `, 'halted')], rank: 0 }]
}

/** Drafts of orders that wait for the user. */
export function draftsPart(state: DeskState): Part[] {
  const count = state.lock.kind === 'open' ? waitingOrders(state.orderDrafts).length : 0
  return count === 0 ? [] : [{ row: [span('drafts ', 'label'), span(`${count}`, 'own')], rank: countsRank }]
}
