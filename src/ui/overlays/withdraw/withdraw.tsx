import { useCallback, useMemo } from 'react'
import { memoizeLast } from '../../../base/memoize.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { HubDecision, WithdrawSecret } from '../../../store/transfers/withdraw.ts'
import { approveWord } from '../../../store/transfers/withdraw-lock-commands.ts'
import { cellText } from '../../text/cells.ts'
import { useDesk } from '../../text/desk-context.ts'
import { dots, type Row, span } from '../../text/row.ts'
import { LiveDialog } from '../dialog.tsx'
import type { ScreenSize } from '../dialog-room.ts'
import { allText, amountText, formInRoom, noteRows, valued, withdrawFormRows, words } from './withdraw-form-rows.ts'
import { fromText, roomOf, shownReview, widthOf } from './withdraw-review.ts'

/** What a hub's approver approves: the draft as signed, and the exact text of the signature. */
function decisionRows(state: DeskState, { verdict, seen, terms }: HubDecision, width: number): Row[] {
  const { amount, currency, beneficiary, note, madeBy = '?', draftId } = seen
  const what = amount === 'max' ? allText(currency) : `${amount.toFixed()} ${currency}`
  return [
    ...words(verdict === 'approve' ? 'Approve this?' : 'Reject this for good?', width, 'title'),
    ...valued('withdraw', what, width, 'own'),
    ...valued('to', `${beneficiary.name} (${beneficiary.whitelistId})`, width, 'own'),
    ...valued('from', fromText(state), width),
    ...valued('made by', `${madeBy}, draft ${draftId}`, width),
    ...noteRows(note, width),
    ...(terms === null ? [] : words(`To be signed with your token: ${terms}`, width, 'label')),
  ]
}

function purposeRows(state: DeskState, { purpose }: WithdrawSecret, width: number): Row[] {
  if (purpose.kind === 'decide') return decisionRows(state, purpose, width)
  if (purpose.kind !== 'approve') {
    const why = purpose.kind === 'open' ? 'Unlock to withdraw.' : 'Form open too long: unlock again.'
    return words(why, width)
  }
  const draft = state.drafts.find(({ draftId }) => draftId === purpose.draftId)
  if (draft === undefined) return words('Saving the draft…', width, 'dim')
  const { amount, currency, beneficiary } = draft
  const what = amount === 'max' ? allText(currency) : amountText(state, amount, currency)
  return [
    ...words(`${state.withdrawalRules.approver ?? 'A second person'}: approve this?`, width, 'title'),
    ...valued('withdraw', what, width, 'own'),
    ...valued('to', `${beneficiary.name} (${beneficiary.whitelistId})`, width, 'own'),
    ...valued('from', fromText(state), width),
    ...noteRows(draft.note, width),
    ...(purpose.thenSend === null
      ? []
      : words('Approval sends it at once. Without it the draft is kept.', width, 'label')),
  ]
}

/** The prompt for the secret, with a dot per typed character. */
function withdrawSecretRows(state: DeskState, overlay: WithdrawSecret, width: number): Row[] {
  const { purpose, length, isChecking, sentence } = overlay
  const isCode = purpose.kind !== 'approve' && state.lockMethod === 'code'
  const field: Row = isChecking
    ? [span(' Checking…', 'warn')]
    : purpose.kind === 'decide'
      ? [
          span(purpose.verdict === 'approve' ? ` Type ${approveWord}: ` : ' Why: ', 'label'),
          span(`${cellText(purpose.typed)} `, 'cursor'),
        ]
      : [span(` ${isCode ? 'Code' : 'Passphrase'}: `, 'label'), span(dots(length), 'cursor')]
  return [
    ...purposeRows(state, overlay, width),
    [],
    field,
    ...(sentence === '' ? [] : [[], ...words(sentence, width, 'warn')]),
  ]
}

const titles = {
  withdraw: 'Withdraw',
  withdrawReview: 'Review: money leaves the account',
  withdrawSecret: 'Unlock withdrawals',
} as const

/** Memoized: the box's height and its content both need the rows, with all checks behind them. */
const rowsOf = memoizeLast((state: DeskState, screen: ScreenSize): Row[] => {
  const { overlay } = state
  const width = widthOf(screen) - 2
  if (overlay?.kind === 'withdraw') return formInRoom(withdrawFormRows(state, overlay, width), roomOf(screen))
  if (overlay?.kind === 'withdrawReview') return shownReview(state, screen).rows
  return overlay?.kind === 'withdrawSecret' ? withdrawSecretRows(state, overlay, width) : []
})

/** The question's title, where it differs from the form's. */
const askedTitle = ({ purpose }: WithdrawSecret): string | null => {
  if (purpose.kind === 'decide' && purpose.verdict === 'reject') return 'Reject withdrawal'
  return purpose.kind === 'approve' || purpose.kind === 'decide' ? 'Approve withdrawal' : null
}

/** A withdrawal's form, its review, and the prompt of its locks, in the same place. */
export function WithdrawOverlay({ screen }: { screen: ScreenSize }) {
  const kind = useDesk((state) => state.overlay?.kind ?? null)
  const asked = useDesk(({ overlay }) => (overlay?.kind === 'withdrawSecret' ? askedTitle(overlay) : null))
  const { columns, rows } = screen
  const size = useMemo(() => ({ columns, rows }), [columns, rows])
  const make = useCallback((state: DeskState) => rowsOf(state, size), [size])
  // The content determines the height: text wraps at this width.
  const rowCount = useDesk((state) => make(state).length)
  if (kind !== 'withdraw' && kind !== 'withdrawReview' && kind !== 'withdrawSecret') return null
  const title = asked ?? titles[kind]
  return (
    <LiveDialog
      title={[span(title, 'title')]}
      make={make}
      width={widthOf(screen)}
      height={Math.min(roomOf(screen), rowCount) + 2}
      screen={screen}
    />
  )
}
