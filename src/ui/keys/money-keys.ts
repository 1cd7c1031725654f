import { namedKeys } from '../../domain/desk/session.ts'
import { type Act, may } from '../../domain/hub/roles.ts'
import type { DeskState } from '../../store/desk.ts'
import { asked, readWithdraw } from '../../store/transfers/withdraw-reading.ts'
import { isReviewScrolled, reviewRefusal, reviewTopAfter } from '../overlays/withdraw/withdraw-review.ts'
import { inScope, type Run } from '../tables/key-bindings.ts'
import { withdrawalsSource } from '../tables/transfers/withdrawals-table.ts'
import { closeOverlay } from './shared-actions.ts'

/** The selected row of the withdrawals, which for a draft is its id; empty if none, or if a filter hides it. */
function chosenDraft(state: DeskState): string {
  const key = state.tables.views.withdrawals.selectedKey ?? ''
  return state.transferList === 'withdrawals' && withdrawalsSource.keys(state).keys.includes(key) ? key : ''
}

const isLimitAsked = (state: DeskState): boolean =>
  state.overlay?.kind !== 'withdrawReview' || asked(readWithdraw(state, state.overlay.form)).length > 0

/** The hub's permissions come before the pane's: a key that would be refused is not shown. */
const isAllowed =
  (...acts: readonly Act[]) =>
  ({ hub }: DeskState): boolean =>
    hub === null || acts.some((act) => may(hub.role, act))

const pane = inScope('transfers')
const scrollReview =
  (way: 'up' | 'down' | 'pageUp' | 'pageDown'): Run =>
  ({ commands, state }) =>
    commands.scrollWithdraw(reviewTopAfter(state, way))

/**
 * Checked again after the beat, because the review may be longer by then, or its terminal smaller: the user can only
 * approve what they have seen.
 */
const sendSeen: Run = ({ commands, state }) => {
  const refusal = reviewRefusal(state)
  if (refusal === null) commands.sendWithdraw()
  else commands.explain(refusal)
}

const form = inScope('withdraw')
const review = inScope('withdrawReview')
const secret = inScope('withdrawSecret')

export const withdrawKeys = [
  pane(['w'], 'withdraw', 'withdraw', ({ commands }) => commands.openWithdraw(), {
    foot: 'withdraw',
    isOffered: isAllowed('withdraw'),
  }),
  pane(['d'], 'payIn', 'deposit address', ({ commands }) => commands.openDeposit(), {
    foot: 'deposit',
    isOffered: isAllowed('depositAddress'),
  }),
  pane(
    ['s'],
    'reviewDraft',
    'review, send a draft',
    ({ commands, state }) => commands.reviewDraft(chosenDraft(state)),
    { name: 'review a draft and send it', foot: 'send draft', isOffered: isAllowed('withdraw') },
  ),
  pane(['E'], 'editDraft', 'change, drop a draft', ({ commands, state }) => commands.editDraft(chosenDraft(state)), {
    name: 'change a draft',
    foot: 'change',
    isOffered: isAllowed('draft'),
    footLast: true,
  }),
  pane(['x'], 'dropDraft', 'change, drop a draft', ({ commands, state }) => commands.dropDraft(chosenDraft(state)), {
    name: 'drop a draft',
    foot: 'drop',
    footLast: true,
    // No one drops a draft that someone else made: an approver rejects it.
    footIn: (_, role) => (role !== null && may(role, 'approve') ? 'reject' : 'drop'),
    isOffered: isAllowed('draft', 'approve'),
  }),
  pane(['a'], 'approveDraft', 'approve a draft', ({ commands, state }) => commands.approveDraft(chosenDraft(state)), {
    name: 'approve a draft',
    foot: 'approve',
    footLast: true,
    isOffered: isAllowed('approve'),
  }),
  form(['enter'], 'enterWithdraw', 'continue, review', ({ commands }) => commands.enterWithdraw(), {
    name: 'continue the withdrawal',
    caution: 'towardsSending',
    foot: 'continue',
  }),
  form(['tab'], 'nextWithdrawField', 'next, previous field', ({ commands }) => commands.nextWithdrawField(1), {
    name: 'next field of the withdrawal',
    foot: 'field',
    shown: 'Tab S-Tab',
  }),
  form(
    ['shift+tab'],
    'previousWithdrawField',
    'next, previous field',
    ({ commands }) => commands.nextWithdrawField(-1),
    { name: 'previous field of the withdrawal' },
  ),
  form(['down', 'right'], 'nextWithdrawChoice', 'choose', ({ commands }) => commands.chooseInWithdraw(1), {
    name: 'next choice of the withdrawal',
    foot: 'choose',
    shown: 'arrows',
  }),
  form(['up', 'left'], 'previousWithdrawChoice', 'choose', ({ commands }) => commands.chooseInWithdraw(-1), {
    name: 'previous choice of the withdrawal',
    foot: 'choose',
  }),
  form([], 'typeIntoWithdraw', 'an amount, a name', ({ commands, text }) => commands.typeIntoWithdraw(text), {
    name: 'type into the withdrawal',
    takesText: true,
    pasted: ({ commands, text }) => commands.pasteIntoWithdraw(text),
    shown: '0-9 a-z',
  }),
  form(
    [namedKeys.eraseInWithdraw, 'delete'],
    'eraseInWithdraw',
    'erase one, all',
    ({ commands }) => commands.eraseInWithdraw(),
    {
      name: 'erase in the withdrawal',
      shown: 'Bksp C-U',
    },
  ),
  form(['ctrl+u'], 'clearWithdrawField', 'erase one, all', ({ commands }) => commands.clearWithdrawField(), {
    name: 'erase the field of the withdrawal',
  }),
  form(['ctrl+d'], 'keepWithdraw', 'save as a draft', ({ commands }) => commands.keepWithdraw(), {
    name: 'save the withdrawal as a draft',
    foot: 'save draft',
  }),
  form(['esc'], 'leaveWithdraw', 'close, review: back', ({ commands }) => commands.backFromWithdraw(), {
    name: 'close the withdrawal',
    foot: 'close',
  }),
  review(['enter'], 'sendWithdraw', 'in review: SEND', sendSeen, {
    name: 'send the withdrawal',
    foot: 'SEND',
    danger: 'sends',
    refusal: reviewRefusal,
  }),
  review(['down'], 'withdrawReviewDown', 'review: scroll', scrollReview('down'), {
    name: 'review of the withdrawal down',
    isOffered: isReviewScrolled,
    foot: 'scroll',
    shown: 'Up Dn Pg',
  }),
  review(['up'], 'withdrawReviewUp', 'review: scroll', scrollReview('up'), {
    name: 'review of the withdrawal up',
    isOffered: isReviewScrolled,
    foot: 'scroll',
  }),
  review(['pgdn'], 'withdrawReviewPageDown', 'review: scroll', scrollReview('pageDown'), {
    name: 'review of the withdrawal a page down',
    isOffered: isReviewScrolled,
  }),
  review(['pgup'], 'withdrawReviewPageUp', 'review: scroll', scrollReview('pageUp'), {
    name: 'review of the withdrawal a page up',
    isOffered: isReviewScrolled,
  }),
  review(
    [namedKeys.confirmWithdrawLimits, 'y'],
    'confirmWithdrawLimits',
    'review: over a limit',
    ({ commands }) => commands.confirmWithdrawLimits(),
    { name: 'confirm the limits a withdrawal exceeds', isOffered: isLimitAsked, foot: 'over limit', shown: 'Y' },
  ),
  review([], 'retypeWithdraw', 'review: amount again', ({ commands, text }) => commands.retypeWithdraw(text), {
    name: 'type the amount of the withdrawal again',
    takesText: true,
    shown: '0-9 all',
  }),
  review(
    ['backspace', 'delete'],
    'eraseRetypedWithdraw',
    'review: amount again',
    ({ commands }) => commands.eraseRetypedWithdraw(),
    { name: 'erase the amount typed again' },
  ),
  review(
    ['ctrl+u', 'ctrl+w'],
    'clearRetypedWithdraw',
    'review: amount again',
    ({ commands }) => commands.clearRetypedWithdraw(),
    { name: 'erase all of the amount typed again' },
  ),
  review([namedKeys.keepReviewed], 'keepReviewed', 'save as a draft', ({ commands }) => commands.keepWithdraw(), {
    name: 'save the reviewed withdrawal as a draft',
    foot: 'save draft',
  }),
  review(['esc'], 'backToWithdraw', 'close, review: back', ({ commands }) => commands.backFromWithdraw(), {
    name: 'back from the review of a withdrawal',
    foot: 'back',
  }),
  secret(['enter'], 'submitWithdrawSecret', 'unlock, approve', ({ commands }) => commands.submitWithdrawSecret(), {
    name: 'unlock withdrawals',
    foot: 'open',
    // An approver of a hub opens no lock there: their word approves or rejects a draft.
    footIn: (_, role) => (role !== null && may(role, 'approve') ? 'confirm' : 'open'),
    caution: 'towardsSending',
  }),
  secret(
    [],
    'typeIntoWithdrawSecret',
    'unlock, approve',
    ({ commands, text }) => commands.typeIntoWithdrawSecret(text),
    {
      name: 'type at the withdrawal lock',
      takesText: true,
      pasted: ({ commands, text }) => commands.typeIntoWithdrawSecret(text.trim()),
    },
  ),
  secret(
    ['backspace', 'delete'],
    'eraseInWithdrawSecret',
    'unlock, approve',
    ({ commands }) => commands.eraseInWithdrawSecret(),
    { name: 'erase at the withdrawal lock', foot: 'erase' },
  ),
  secret(
    ['ctrl+u', 'ctrl+w'],
    'clearWithdrawSecret',
    'unlock, approve',
    ({ commands }) => commands.clearWithdrawSecret(),
    { name: 'erase all at the withdrawal lock', foot: 'clear' },
  ),
  secret(['esc'], 'leaveWithdrawSecret', 'unlock, approve', ({ commands }) => commands.backFromWithdraw(), {
    name: 'leave the withdrawal lock',
    foot: 'leave',
  }),
]

const choose = inScope('depositChoose')
const shown = inScope('deposit')

export const depositKeys = [
  choose([], 'typeInDeposit', 'deposit: currency', ({ commands, text }) => commands.typeIntoDeposit(text), {
    name: 'search the deposit currency',
    foot: 'search',
    takesText: true,
    pasted: ({ commands, text }) => commands.typeIntoDeposit(text.trim()),
    shown: 'letters',
  }),
  choose(['down', 'tab'], 'depositDown', 'deposit: select', ({ commands }) => commands.moveInDeposit(1), {
    name: 'next deposit currency',
    foot: 'choose',
    shown: 'Up Dn Ent',
  }),
  choose(['up', 'shift+tab'], 'depositUp', 'deposit: select', ({ commands }) => commands.moveInDeposit(-1), {
    name: 'previous deposit currency',
  }),
  choose(['enter'], 'takeDeposit', 'deposit: select', ({ commands }) => commands.chooseDeposit(), {
    name: 'deposit address of the currency',
    foot: 'ask for the address',
  }),
  choose(
    [namedKeys.eraseInDeposit, 'delete'],
    'eraseInDeposit',
    'deposit: currency',
    ({ commands }) => commands.eraseInDeposit(),
    {
      name: 'erase a letter of the currency',
    },
  ),
  choose(['ctrl+u', 'ctrl+w'], 'clearDeposit', 'deposit: currency', ({ commands }) => commands.clearDeposit(), {
    name: 'erase the currency',
  }),
  choose.also(['esc'], closeOverlay, 'deposit: close', { foot: 'close' }),
  shown(['y'], 'copyDeposit', 'copy address, then tag', ({ commands }) => commands.copyDeposit(), {
    foot: 'copy address, tag',
  }),
  shown(['i'], 'invertDepositCode', 'QR: light, dark', ({ commands }) => commands.invertDepositCode(), {
    foot: 'invert code',
  }),
  shown.also(['esc', 'q', 'enter'], closeOverlay, 'deposit: close', { foot: 'close' }),
]
