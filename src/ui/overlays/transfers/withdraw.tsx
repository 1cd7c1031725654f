import type { DeskState } from '../../../store/desk.ts'
import { useDesk } from '../../console-context.ts'
import { type Row, span } from '../../text/row.ts'
import type { ScreenSize } from '../dialog.tsx'
import { PaintedDialog } from '../painted-dialog.tsx'
import { withdrawFormRows } from './withdraw-form-rows.ts'
import { withdrawReviewRows, withdrawSecretRows } from './withdraw-review-rows.ts'

const widthMost = 76
const heightMost = 24

const titles = {
  withdraw: 'Withdraw',
  withdrawReview: 'Review: money leaves the account',
  withdrawSecret: 'Second lock',
} as const

function rowsOf(state: DeskState, width: number): Row[] {
  const { overlay } = state
  if (overlay?.kind === 'withdraw') return withdrawFormRows(state, overlay, width)
  if (overlay?.kind === 'withdrawReview') return withdrawReviewRows(state, overlay, width)
  return overlay?.kind === 'withdrawSecret' ? withdrawSecretRows(state, overlay, width) : []
}

/** The form of a withdrawal, its review, and what its locks ask for, in the same place. */
export function WithdrawOverlay({ screen }: { screen: ScreenSize }) {
  const kind = useDesk((state) => state.overlay?.kind ?? null)
  const isApproval = useDesk(({ overlay }) => overlay?.kind === 'withdrawSecret' && overlay.purpose.kind === 'approve')
  const width = Math.min(widthMost, screen.columns)
  // What the box is to hold says how high it is: text that wraps at this width.
  const rowCount = useDesk((state) => rowsOf(state, width - 2).length)
  if (kind !== 'withdraw' && kind !== 'withdrawReview' && kind !== 'withdrawSecret') return null
  const title = isApproval ? 'Approval of a second person' : titles[kind]
  return (
    <PaintedDialog
      title={[span(title, 'title')]}
      make={(state) => rowsOf(state, width - 2)}
      width={width}
      height={Math.min(heightMost, screen.rows - 1, rowCount + 2)}
      screen={screen}
    />
  )
}
