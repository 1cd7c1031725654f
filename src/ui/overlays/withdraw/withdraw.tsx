import { keyOf } from '../../../domain/desk/session.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { WithdrawReviewing, WithdrawSecret } from '../../../store/transfers/withdraw.ts'
import { isRetyped } from '../../../store/transfers/withdraw-commands.ts'
import { needsApproval, readWithdraw } from '../../../store/transfers/withdraw-reading.ts'
import { memoizeLast } from '../../tables/memoize.ts'
import { useDesk } from '../../text/desk-context.ts'
import { dots, type Row, span } from '../../text/row.ts'
import { venueName } from '../../text/trade-words.ts'
import { LiveDialog, type ScreenSize } from '../dialog.tsx'
import {
  amountText,
  checkRows,
  entryMark,
  entryText,
  noteRows,
  sumRows,
  valued,
  withdrawFormRows,
  words,
} from './withdraw-form-rows.ts'

/** From which account: `PRACTICE, profile practice`. */
const fromText = ({ venue }: DeskState): string =>
  venue.kind === 'practice' ? `PRACTICE, profile ${venue.profileName}` : venueName(venue)

/** What will leave, to whom, from where, what it costs and what stays; every check; and the amount once more. */
function withdrawReviewRows(state: DeskState, overlay: WithdrawReviewing, width: number): Row[] {
  const { form, retyped, confirmed } = overlay
  const reading = readWithdraw(state, form)
  const { request, beneficiary, approval } = reading
  if (request === null) return words('The form is incomplete now: go back.', width, 'bad')
  const { currency, amount } = request
  const what = amount === 'max' ? `ALL available ${currency}, less the fee` : amountText(state, amount, currency)
  const mark = beneficiary === null ? 'NOT ON THE WHITELIST' : entryMark(state, beneficiary)
  const to = beneficiary === null ? (form.whitelistId ?? '') : entryText(beneficiary)
  const approvalText =
    approval.kind === 'given'
      ? `given by ${approval.by}`
      : needsApproval(reading, form)
        ? `${state.withdrawalRules.approver ?? 'a second person'} has to approve it first`
        : null
  const isAgain = isRetyped(form, retyped)
  return [
    ...words(`Withdraw ${what}`, width, 'title'),
    ...valued('to', `${to}${mark === '' ? '' : `  ${mark}`}`, width, mark === '' ? 'own' : 'warn'),
    ...valued('from', fromText(state), width, state.venue.kind === 'live' ? 'live' : 'practice'),
    ...sumRows(state, form, reading, width),
    ...(approvalText === null ? [] : valued('approval', approvalText, width)),
    ...noteRows(form.note, width),
    [],
    ...checkRows(reading.checks, width, { confirmed, key: keyOf(state.reboundKeys, 'confirmWithdrawLimits') }),
    [],
    [
      span(` Type ${form.how === 'all' ? 'all' : 'the amount'} once more: `, 'label'),
      span(`${retyped}_`, 'cursor'),
      span(isAgain ? ' the same' : '', 'good'),
    ],
    ...words(isAgain ? 'Enter sends it. This cannot be undone.' : 'Nothing is sent before that.', width, 'label'),
  ]
}

function purposeRows(state: DeskState, { purpose }: WithdrawSecret, width: number): Row[] {
  if (purpose.kind !== 'approve') {
    const why = purpose.kind === 'open' ? 'Unlock to withdraw.' : 'Form open too long: unlock again.'
    return words(why, width)
  }
  const draft = state.drafts.find(({ draftId }) => draftId === purpose.draftId)
  if (draft === undefined) return words('Saving the draft…', width, 'dim')
  const { amount, currency, beneficiary } = draft
  const what = amount === 'max' ? `ALL available ${currency}, less the fee` : amountText(state, amount, currency)
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

/** What is asked for, and a dot for each character that was typed. */
function withdrawSecretRows(state: DeskState, overlay: WithdrawSecret, width: number): Row[] {
  const { purpose, length, isChecking, sentence } = overlay
  const isCode = purpose.kind !== 'approve' && state.lockMethod === 'code'
  const field: Row = isChecking
    ? [span(' Checking…', 'warn')]
    : [span(` ${isCode ? 'Code' : 'Passphrase'}: `, 'label'), span(dots(length), 'cursor')]
  return [
    ...purposeRows(state, overlay, width),
    [],
    field,
    ...(sentence === '' ? [] : [[], ...words(sentence, width, 'warn')]),
  ]
}

const widthMost = 76
const heightMost = 24

const titles = {
  withdraw: 'Withdraw',
  withdrawReview: 'Review: money leaves the account',
  withdrawSecret: 'Unlock withdrawals',
} as const

/** Asked for the height of the box and for what is in it: made once a state, with all that is checked for it. */
const rowsOf = memoizeLast((state: DeskState, width: number): Row[] => {
  const { overlay } = state
  if (overlay?.kind === 'withdraw') return withdrawFormRows(state, overlay, width)
  if (overlay?.kind === 'withdrawReview') return withdrawReviewRows(state, overlay, width)
  return overlay?.kind === 'withdrawSecret' ? withdrawSecretRows(state, overlay, width) : []
})

/** The form of a withdrawal, its review, and what its locks ask for, in the same place. */
export function WithdrawOverlay({ screen }: { screen: ScreenSize }) {
  const kind = useDesk((state) => state.overlay?.kind ?? null)
  const isApproval = useDesk(({ overlay }) => overlay?.kind === 'withdrawSecret' && overlay.purpose.kind === 'approve')
  const width = Math.min(widthMost, screen.columns)
  // What the box is to hold says how high it is: text that wraps at this width.
  const rowCount = useDesk((state) => rowsOf(state, width - 2).length)
  if (kind !== 'withdraw' && kind !== 'withdrawReview' && kind !== 'withdrawSecret') return null
  const title = isApproval ? 'Approve withdrawal' : titles[kind]
  return (
    <LiveDialog
      title={[span(title, 'title')]}
      make={(state) => rowsOf(state, width - 2)}
      width={width}
      height={Math.min(heightMost, screen.rows - 1, rowCount + 2)}
      screen={screen}
    />
  )
}
