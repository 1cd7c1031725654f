import { amountsOf } from '../../domain/market/amounts.ts'
import { termsText } from '../../domain/plans/terms.ts'
import { planOf } from '../../store/plans/plans.ts'
import { useBindings } from '../tables/key-context.ts'
import { cellText } from '../text/cells.ts'
import { useDesk } from '../text/desk-context.ts'
import { type Row, span } from '../text/row.ts'
import { Dialog } from './dialog.tsx'
import type { ScreenSize } from './dialog-room.ts'
import {
  planCancelRows,
  planName,
  planResumeRows,
  planReviewRows,
  planDialogWidth as width,
} from './plan-review-rows.ts'

export function PlanReview({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  const bindings = useBindings()
  if (state.overlay?.kind !== 'planReview') return null
  const { planId, terms } = state.overlay
  const what = termsText(terms, amountsOf(terms.symbol, state.instruments.value))
  const title = [span(planId === null ? `Plan: ${cellText(what)}` : `Change ${planId}: ${cellText(what)}`, 'title')]
  const rows = planReviewRows(state, bindings, screen)
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}

type QuestionProps = { planId: string; asks: string; rows: readonly Row[]; screen: ScreenSize }

/** A question about a plan, titled `End plan p1?`. */
function PlanQuestion({ planId, asks, rows, screen }: QuestionProps) {
  const plan = useDesk((state) => planOf(state, planId)?.plan) ?? { planId, person: null }
  const title = [span(`${asks} plan ${planName(plan)}?`, 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}

export function PlanCancel({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  const bindings = useBindings()
  if (state.overlay?.kind !== 'planCancel') return null
  const rows = planCancelRows(state, state.overlay, bindings, screen)
  return <PlanQuestion planId={state.overlay.planId} asks="End" rows={rows} screen={screen} />
}

export function PlanResume({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  const bindings = useBindings()
  if (state.overlay?.kind !== 'planResume') return null
  const rows = planResumeRows(state, state.overlay, bindings)
  return <PlanQuestion planId={state.overlay.planId} asks="Resume" rows={rows} screen={screen} />
}
