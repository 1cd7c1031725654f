import { mayPlace } from '../../domain/desk/mode.ts'
import { namedKeys, rowKeysOf } from '../../domain/desk/session.ts'
import { isBlocked, unconfirmed } from '../../domain/orders/checks/check.ts'
import { isResumable } from '../../domain/plans/news.ts'
import type { DeskState } from '../../store/desk.ts'
import { planChecks } from '../../store/plans/plan-checks.ts'
import { planOf } from '../../store/plans/plans.ts'
import { isPlanReviewScrolled, planReviewShown } from '../overlays/plan-review-rows.ts'
import { inScope, type Run, withKeys } from '../tables/key-bindings.ts'
import { plansSource } from '../tables/plans-table.ts'
import { topAfter, unseenRefusal } from '../text/scrolled.ts'
import { closeOverlay, whyNoCanceling, whyNoPlacing } from './shared-actions.ts'

/** The selected plan, if its row is visible. */
function chosenPlan(state: DeskState): string | null {
  const { selectedKey } = state.tables.views.plans
  return selectedKey !== null && plansSource.keys(state).keys.includes(selectedKey) ? selectedKey : null
}

const onChosen =
  (act: (input: Parameters<Run>[0], planId: string) => void): Run =>
  (input) => {
    const planId = chosenPlan(input.state)
    if (planId === null)
      return input.commands.explain(`No plan is selected: ${rowKeysOf(input.state.reboundKeys)} select one.`)
    act(input, planId)
  }

const whyNoneChosen = (state: DeskState): string | null => (chosenPlan(state) === null ? 'no plan is selected' : null)

/** Whether the selected plan can currently be resumed on this desk. */
const mayResume = (state: DeskState): boolean => {
  const now = planOf(state, chosenPlan(state) ?? '')
  return now !== undefined && isResumable(now) && mayPlace(state.mode)
}

const isLimitAsked = (state: DeskState): boolean =>
  state.overlay?.kind === 'planReview' && unconfirmed(planChecks(state, state.overlay), []).length > 0

/** Whether Enter can place the plan under review, or asks for a confirmation; not if a check or the mode blocks it. */
const mayBeMade = (state: DeskState): boolean =>
  state.overlay?.kind !== 'planReview' || (mayPlace(state.mode) && !isBlocked(planChecks(state, state.overlay)))

const isAsked =
  (how: 'takeBack' | 'leave') =>
  ({ overlay }: DeskState): boolean =>
    overlay?.kind !== 'planCancel' || overlay.how === null || overlay.how === how

const scrollReview =
  (by: 1 | -1): Run =>
  ({ state, commands }) =>
    commands.scrollPlanReview(topAfter(planReviewShown(state, state.screen.rows), by))

/** What the user approves must have been on screen, however long the review is. */
function onSeenPlan({ state, commands, bindings }: Parameters<Run>[0], act: () => void): void {
  const unseen = unseenRefusal(planReviewShown(state, state.screen.rows), withKeys('{planReviewDown}', bindings))
  if (unseen === null) act()
  else commands.explain(unseen)
}

const plans = inScope('plans')
const planReview = inScope('planReview')
const planCancel = inScope('planCancel')
const planResume = inScope('planResume')

export const plansKeys = [
  plans(
    ['x'],
    'askCancelPlan',
    'end the plan (asks)',
    onChosen(({ commands }, planId) => commands.askCancelPlan(planId, null)),
    {
      foot: 'end plan',
      isWrite: true,
      unavailable: (state) => whyNoCanceling(state) ?? whyNoneChosen(state),
    },
  ),
  plans(
    ['m'],
    'editPlan',
    'edit the plan',
    onChosen(({ commands }, planId) => commands.editPlan(planId)),
    {
      foot: 'edit',
      isWrite: true,
      unavailable: (state) => whyNoPlacing(state) ?? whyNoneChosen(state),
    },
  ),
  plans(
    ['h'],
    'resumePlan',
    'let a held plan go on',
    onChosen(({ commands }, planId) => commands.resumePlan(planId)),
    {
      foot: 'RESUME',
      danger: 'acts',
      isWrite: true,
      isOffered: mayResume,
      unavailable: (state) => whyNoPlacing(state) ?? whyNoneChosen(state),
    },
  ),
  planReview(['enter'], 'sendPlan', 'make or change the plan', (input) => onSeenPlan(input, input.commands.sendPlan), {
    name: 'review of a plan: make or change it',
    foot: 'CONFIRM THE PLAN',
    danger: 'sends',
    isOffered: mayBeMade,
  }),
  planReview(
    [namedKeys.confirmPlanLimits, 'y'],
    'confirmPlanLimits',
    'over a limit',
    (input) => onSeenPlan(input, input.commands.confirmPlanLimits),
    { name: 'confirm the limits a plan exceeds', isOffered: isLimitAsked, foot: 'over limit', shown: 'Y' },
  ),
  planReview(['down', 'pgdn'], 'planReviewDown', 'review: more lines', scrollReview(1), {
    name: 'review of a plan: the lines below',
    isOffered: isPlanReviewScrolled,
    foot: 'more',
  }),
  planReview(['up', 'pgup'], 'planReviewUp', 'review: more lines', scrollReview(-1), {
    name: 'review of a plan: the lines above',
    isOffered: isPlanReviewScrolled,
  }),
  planReview.also(['esc'], closeOverlay, 'change nothing', { foot: 'change nothing' }),
  planCancel(['x'], 'cancelPlan', 'end, cancel its orders', ({ commands }) => commands.cancelPlan('takeBack'), {
    name: 'answer: end the plan, cancel its orders',
    foot: 'END, CANCEL ORDERS',
    danger: 'acts',
    isOffered: isAsked('takeBack'),
  }),
  planCancel(['d'], 'leavePlan', 'end, leave its orders', ({ commands }) => commands.cancelPlan('leave'), {
    name: 'answer: end the plan, leave its orders',
    foot: 'END, LEAVE ORDERS',
    danger: 'acts',
    isOffered: isAsked('leave'),
  }),
  planCancel.also(['esc'], closeOverlay, 'no, it goes on', { foot: 'it goes on' }),
  planResume(['enter'], 'confirmResumePlan', 'resume, it trades', ({ commands }) => commands.confirmResumePlan(), {
    name: 'answer: resume the plan, which may trade at once',
    foot: 'RESUME, TRADE',
    danger: 'sends',
    isOffered: ({ mode }) => mayPlace(mode),
  }),
  planResume.also(['esc'], closeOverlay, 'no, it stays held', { foot: 'it stays held' }),
]
