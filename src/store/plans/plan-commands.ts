import type { Result } from '../../base/result.ts'
import { capital, withoutCapital } from '../../base/text/plain-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { isBlocked, unconfirmed } from '../../domain/orders/checks/check.ts'
import { isBracket } from '../../domain/orders/ticket.ts'
import { fixedScale } from '../../domain/plans/edit.ts'
import { isResumable, type PlanNow, runsAlready } from '../../domain/plans/news.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { cancelGuard, modeSentence } from '../mode.ts'
import { type PaletteOverlay, paletteWith } from '../palette.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import { type EntrySlice, reviewArmedAfterMs, type TicketEvent, type TicketSlice } from '../ticket/ticket.ts'
import { newestPlan, type PlanChecked, planChecks, tradedAtOnce } from './plan-checks.ts'
import {
  closedPlans,
  isPlansAtHub,
  ownerElsewhere,
  type PlanCancelOverlay,
  type PlanResumeOverlay,
  type PlanReviewOverlay,
  type PlansOverlay,
  type PlansPort,
  planOf,
} from './plans.ts'
import { ticketPlan } from './ticket-plan.ts'

type Context = SliceContext<
  PlanChecked & TablesSlice & Covering & TicketSlice & EntrySlice,
  OverlayEvent<PlansOverlay | PaletteOverlay> | NotedEvent | TicketEvent,
  { readonly plans?: PlansPort }
>

export type PlanCommands = {
  /** Shows the open ticket's plan with its stop and target, or says what is wrong with it. */
  reviewTicketPlan(): void
  /** Shows the effect of a plan, or of its change. Nothing is sent. */
  reviewPlan(terms: PlanTerms, planId: string | null): void
  /** The user's confirmation of the soft limits in the review. */
  confirmPlanLimits(): void
  /** Shows the review from this line on. */
  scrollPlanReview(top: number): void
  /** Makes the plan under review, or changes it. */
  sendPlan(): void
  /** Asks whether to end a plan. */
  askCancelPlan(planId: string, how: 'takeBack' | 'leave' | null): void
  /** Answers that question. */
  cancelPlan(how: 'takeBack' | 'leave'): void
  /** Resumes a held plan after the user checked it: asks first if it may trade at once. */
  resumePlan(planId: string): void
  /** Answers that question. */
  confirmResumePlan(): void
  /** Opens the palette with the changeable values of a plan. */
  editPlan(planId: string): void
}

/** Shared by both groups of commands. */
type PlanParts = {
  say: ReturnType<typeof sayer>
  /** The plan by its id while it is open; otherwise says why not. */
  open: (planId: string) => PlanNow | null
  tell: <T>(answer: Promise<Result<T>>, text: (value: T) => string) => void
  plans: PlansPort
}

/** The review of a plan before it is made or changed. */
function createPlanReviewCommands(
  { say, open, tell, plans }: PlanParts,
  { store, port }: Context,
): Pick<PlanCommands, 'reviewTicketPlan' | 'reviewPlan' | 'confirmPlanLimits' | 'scrollPlanReview' | 'sendPlan'> {
  const sayOfForm = sayer({ store, port }, { isOfField: true })
  const reviewed = (): PlanReviewOverlay | null => {
    const { overlay } = store.getState()
    return isOverlay<PlanReviewOverlay>(overlay, 'planReview') ? overlay : null
  }
  const reviewPlan: PlanCommands['reviewPlan'] = (terms, planId) => {
    const now = planId === null ? null : open(planId)
    if (planId !== null && now === null) return
    const seen = now?.plan.terms
    const overlay = { kind: 'planReview', terms, planId, seen, openedAtMs: port.now(), confirmed: [] } as const
    store.dispatch({ type: 'overlayOpened', overlay })
  }
  return {
    reviewPlan,
    reviewTicketPlan() {
      const state = store.getState()
      if (state.mode.kind === 'MONITOR' || state.mode.kind === 'HALTED') return say(modeSentence(state))
      const plan = ticketPlan(state, port.now())
      if (plan !== null && !plan.ok) return sayOfForm(`Blocked: ${plan.error}.`)
      if (plan !== null) reviewPlan(plan.value, null)
    },
    confirmPlanLimits() {
      const overlay = reviewed()
      if (overlay === null) return
      const limits = unconfirmed(planChecks(store.getState(), overlay), [])
      if (limits.length === 0) return sayOfForm('Nothing to confirm: Enter sends.', 'info')
      store.dispatch({ type: 'overlayOpened', overlay: { ...overlay, confirmed: limits } })
    },
    scrollPlanReview(top) {
      const overlay = reviewed()
      if (overlay !== null) store.dispatch({ type: 'overlayOpened', overlay: { ...overlay, top } })
    },
    sendPlan() {
      const overlay = reviewed()
      if (overlay === null) return
      const state = store.getState()
      const { terms, planId, seen, openedAtMs, confirmed } = overlay
      // Shorter than a reaction time: this Enter is the repeat of the one that opened the review.
      if (port.now() - openedAtMs < reviewArmedAfterMs) return
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      const checks = planChecks(state, overlay, port.now())
      // The review has room for the whole text.
      if (isBlocked(checks)) return sayOfForm('Nothing was planned: the review says what blocks it.')
      const asked = unconfirmed(checks, confirmed)[0]
      if (asked !== undefined)
        return sayOfForm(
          `Nothing was planned: type ${keyOf(state.reboundKeys, 'confirmPlanLimits')}, then Enter. ${asked.text}.`,
        )
      // Closed before the answer: a second Enter finds no review, and no ticket with the same plan.
      store.dispatch({ type: 'overlayClosed' })
      if (isOfTicket(store.getState(), terms)) store.dispatch({ type: 'ticketClosed' })
      if (planId === null)
        tell(plans.add(terms, newestPlan(state, terms)), (id) => `Plan ${id} begins. ${beginsWhere(store.getState())}`)
      else tell(plans.edit(planId, terms, seen), () => `Plan ${planId} is changed.`)
    },
  }
}

/** Commands about plans: each is reviewed or asked about first, and answered by the process that runs the plans. */
export function createPlanCommands({ store, port }: Context): PlanCommands {
  const say = sayer({ store, port })
  const mayTakeBack = cancelGuard({ store, port })
  const plans = port.plans ?? closedPlans
  /** Reports the result; a bug is reported as uncertain. */
  const tell = <T>(answer: Promise<Result<T>>, text: (value: T) => string): void => {
    answer.then(
      (result) => (result.ok ? say(text(result.value), 'good') : say(result.error, 'bad')),
      (error: unknown) =>
        say(`A fault of the program: look at the plans before you repeat it. ${String(error)}`, 'bad'),
    )
  }
  /** The plan by its id while it is open; otherwise says why not. */
  const open = (planId: string): PlanNow | null => {
    const now = planOf(store.getState(), planId)
    if (now === undefined) say(`There is no plan ${planId}.`)
    else if (now.plan.ended !== null) say(`Plan ${planId} has ended: ${withoutCapital(now.plan.ended.why)}.`)
    else return now
    return null
  }
  /** The open plan if the user may change it; otherwise says why not, without a call the hub would refuse. */
  const own = (planId: string): PlanNow | null => {
    const now = open(planId)
    const refusal = now === null ? null : foreignSentence(store.getState(), now)
    if (refusal !== null) say(refusal)
    return refusal === null ? now : null
  }
  /** The plan if it may be resumed now; otherwise says why not. */
  const resumable = (planId: string): PlanNow | null => {
    const state = store.getState()
    const now = mayPlace(state.mode) ? own(planId) : null
    if (!mayPlace(state.mode)) say(modeSentence(state))
    else if (now !== null && !isResumable(now)) say(`${capital(runsAlready(planId))}.`)
    else return now
    return null
  }
  const resume = (planId: string, seen?: PlanTerms) => tell(plans.resume(planId, seen), () => `Plan ${planId} goes on.`)
  return {
    ...createPlanReviewCommands({ say, open: own, tell, plans }, { store, port }),
    askCancelPlan(planId, how) {
      if (!mayTakeBack() || own(planId) === null) return
      store.dispatch({ type: 'overlayOpened', overlay: { kind: 'planCancel', planId, how } })
    },
    cancelPlan(how) {
      const { overlay } = store.getState()
      if (!isOverlay<PlanCancelOverlay>(overlay, 'planCancel') || !mayTakeBack()) return
      if (overlay.how !== null && overlay.how !== how) return
      store.dispatch({ type: 'overlayClosed' })
      const words = how === 'leave' ? 'its orders stay at the exchange, unmanaged' : 'canceling its orders'
      tell(plans.cancel(overlay.planId, how), () => `Plan ${overlay.planId} ends: ${words}.`)
    },
    resumePlan(planId) {
      const now = resumable(planId)
      if (now === null) return
      const { terms: seen } = now.plan
      if (tradedAtOnce(store.getState(), now.plan) === null) return resume(planId, seen)
      const overlay = { kind: 'planResume', planId, seen, openedAtMs: port.now() } as const
      store.dispatch({ type: 'overlayOpened', overlay })
    },
    confirmResumePlan() {
      const { overlay } = store.getState()
      if (!isOverlay<PlanResumeOverlay>(overlay, 'planResume')) return
      // Shorter than a reaction time: this Enter was meant for the screen before the question.
      if (port.now() - overlay.openedAtMs < reviewArmedAfterMs || resumable(overlay.planId) === null) return
      store.dispatch({ type: 'overlayClosed' })
      resume(overlay.planId, overlay.seen)
    },
    editPlan(planId) {
      const now = own(planId)
      if (now === null) return
      if (now.plan.terms.kind === 'scale') return say(fixedScale)
      store.dispatch({
        type: 'overlayOpened',
        overlay: paletteWith(`edit plan ${planId} ${changeable(now.plan.terms)}`),
      })
    },
  }
}

/** Why this user may not change or end a plan of the firm; null when they may, or without a hub. */
function foreignSentence(state: PlanChecked, now: PlanNow): string | null {
  const whose = ownerElsewhere(state, now)
  const { planId } = now.plan
  if (whose === null) return null
  return `Plan ${planId} is of ${whose}: only they change or end it, or an admin with: pitdesk plan cancel ${planId}.`
}

/** Says which side runs a new plan. */
const beginsWhere = (state: PlanChecked): string =>
  isPlansAtHub(state) ? 'The hub carries it out.' : 'It exists on this side only.'

/** True when the plan came from the open ticket. */
const isOfTicket = ({ ticket }: PlanChecked & TicketSlice, { kind, symbol, side }: PlanTerms): boolean =>
  kind === 'bracket' &&
  ticket !== null &&
  isBracket(ticket.form) &&
  ticket.form.symbol === symbol &&
  ticket.form.side === side

/** The changeable values of a plan, in the words of the sentence that changes it. */
function changeable(terms: Exclude<PlanTerms, { kind: 'scale' }>): string {
  if (terms.kind === 'trailing') return `by ${terms.trailBy.toFixed()} quantity ${terms.quantity.toFixed()}`
  return `stop ${terms.stopPrice.toFixed()} target ${terms.targetPrice.toFixed()}`
}
