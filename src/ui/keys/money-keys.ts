import type { DeskState } from '../../store/desk.ts'
import { type Actions, type Binding, inScope } from '../tables/key-bindings.ts'
import type { DeskAction } from './desk-keys.ts'

/** The row that is chosen among the withdrawals, which a draft goes by its id; empty for none. */
const chosenDraft = ({ transferList, tables }: DeskState): string =>
  transferList === 'withdrawals' ? (tables.views.withdrawals.selectedKey ?? '') : ''

/** What the keys do in the form of a withdrawal: every action as what it asks of the desk. */
export const withdrawActions = {
  withdraw: ({ commands }) => commands.openWithdraw(),
  payIn: ({ commands }) => commands.openDeposit(),
  reviewDraft: ({ commands, state }) => commands.reviewDraft(chosenDraft(state)),
  editDraft: ({ commands, state }) => commands.editDraft(chosenDraft(state)),
  dropDraft: ({ commands, state }) => commands.dropDraft(chosenDraft(state)),
  approveDraft: ({ commands, state }) => commands.approveDraft(chosenDraft(state)),
  enterWithdraw: ({ commands }) => commands.enterWithdraw(),
  nextWithdrawField: ({ commands }) => commands.nextWithdrawField(1),
  previousWithdrawField: ({ commands }) => commands.nextWithdrawField(-1),
  nextWithdrawChoice: ({ commands }) => commands.chooseInWithdraw(1),
  previousWithdrawChoice: ({ commands }) => commands.chooseInWithdraw(-1),
  typeIntoWithdraw: ({ commands, text }) => commands.typeIntoWithdraw(text),
  eraseInWithdraw: ({ commands }) => commands.eraseInWithdraw(),
  clearWithdrawField: ({ commands }) => commands.clearWithdrawField(),
  keepWithdraw: ({ commands }) => commands.keepWithdraw(),
  leaveWithdraw: ({ commands }) => commands.backFromWithdraw(),
  sendWithdraw: ({ commands }) => commands.sendWithdraw(),
  confirmWithdrawLimits: ({ commands }) => commands.confirmWithdrawLimits(),
  retypeWithdraw: ({ commands, text }) => commands.retypeWithdraw(text),
  eraseRetypedWithdraw: ({ commands }) => commands.eraseRetypedWithdraw(),
  clearRetypedWithdraw: ({ commands }) => commands.clearRetypedWithdraw(),
  keepReviewed: ({ commands }) => commands.keepWithdraw(),
  backToWithdraw: ({ commands }) => commands.backFromWithdraw(),
  submitWithdrawSecret: ({ commands }) => commands.submitWithdrawSecret(),
  typeIntoWithdrawSecret: ({ commands, text }) => commands.typeIntoWithdrawSecret(text),
  eraseInWithdrawSecret: ({ commands }) => commands.eraseInWithdrawSecret(),
  clearWithdrawSecret: ({ commands }) => commands.clearWithdrawSecret(),
  leaveWithdrawSecret: ({ commands }) => commands.backFromWithdraw(),
} satisfies Actions
export type WithdrawAction = keyof typeof withdrawActions

const pane = inScope<WithdrawAction>('transfers')
const form = inScope<WithdrawAction>('withdraw')
const review = inScope<WithdrawAction>('withdrawReview')
const secret = inScope<WithdrawAction>('withdrawSecret')

export const withdrawKeys: readonly Binding<WithdrawAction>[] = [
  pane(['w'], 'withdraw', 'withdraw', { foot: 'withdraw' }),
  pane(['d'], 'payIn', 'address to pay in', { foot: 'deposit' }),
  pane(['s'], 'reviewDraft', 'review, send a draft', { foot: 'send draft' }),
  pane(['E'], 'editDraft', 'change, drop a draft', { foot: 'change', footLast: true }),
  pane(['x'], 'dropDraft', 'change, drop a draft', { foot: 'drop', footLast: true }),
  pane(['a'], 'approveDraft', 'approve a draft', { foot: 'approve', footLast: true }),
  form(['enter'], 'enterWithdraw', 'go on, review it', { foot: 'go on, review' }),
  form(['tab'], 'nextWithdrawField', 'field after, before', { foot: 'field', shown: 'Tab S-Tab' }),
  form(['shift+tab'], 'previousWithdrawField', 'field after, before'),
  form(['down', 'right'], 'nextWithdrawChoice', 'choose', { foot: 'choose', shown: 'arrows' }),
  form(['up', 'left'], 'previousWithdrawChoice', 'choose', { foot: 'choose' }),
  form([], 'typeIntoWithdraw', 'an amount, a name', { takesText: true, shown: '0-9 a-z' }),
  form(['backspace', 'delete'], 'eraseInWithdraw', 'erase one, all', { shown: 'Bksp C-U' }),
  form(['ctrl+u'], 'clearWithdrawField', 'erase one, all'),
  form(['ctrl+d'], 'keepWithdraw', 'keep as a draft', { foot: 'keep as draft' }),
  form(['esc'], 'leaveWithdraw', 'close, review: back', { foot: 'close' }),
  review(['enter'], 'sendWithdraw', 'in review: SEND', { foot: 'SEND', danger: true }),
  review(['Y', 'y'], 'confirmWithdrawLimits', 'review: over a limit', { foot: 'over limit', shown: 'Y' }),
  review([], 'retypeWithdraw', 'review: amount again', { takesText: true, shown: '0-9 all' }),
  review(['backspace', 'delete'], 'eraseRetypedWithdraw', 'review: amount again'),
  review(['ctrl+u', 'ctrl+w'], 'clearRetypedWithdraw', 'review: amount again'),
  review(['ctrl+d'], 'keepReviewed', 'keep as a draft', { foot: 'keep as draft' }),
  review(['esc'], 'backToWithdraw', 'close, review: back', { foot: 'back' }),
  secret(['enter'], 'submitWithdrawSecret', 'second lock, approval', { foot: 'open' }),
  secret([], 'typeIntoWithdrawSecret', 'second lock, approval', { takesText: true }),
  secret(['backspace', 'delete'], 'eraseInWithdrawSecret', 'second lock, approval', { foot: 'erase' }),
  secret(['ctrl+u', 'ctrl+w'], 'clearWithdrawSecret', 'second lock, approval', { foot: 'clear' }),
  secret(['esc'], 'leaveWithdrawSecret', 'second lock, approval', { foot: 'leave' }),
]

/** What the keys do where money is paid in: every action as what it asks of the desk. */
export const depositActions = {
  typeInDeposit: ({ commands, text }) => commands.typeIntoDeposit(text),
  depositDown: ({ commands }) => commands.moveInDeposit(1),
  depositUp: ({ commands }) => commands.moveInDeposit(-1),
  takeDeposit: ({ commands }) => commands.chooseDeposit(),
  eraseInDeposit: ({ commands }) => commands.eraseInDeposit(),
  clearDeposit: ({ commands }) => commands.clearDeposit(),
  copyDeposit: ({ commands }) => commands.copyDeposit(),
  invertDepositCode: ({ commands }) => commands.invertDepositCode(),
} satisfies Actions
export type DepositAction = keyof typeof depositActions

const choose = inScope<DepositAction | DeskAction>('depositChoose')
const shown = inScope<DepositAction | DeskAction>('deposit')

export const depositKeys: readonly Binding<DepositAction | DeskAction>[] = [
  choose([], 'typeInDeposit', 'deposit: currency', { foot: 'search', takesText: true, shown: 'letters' }),
  choose(['down', 'tab'], 'depositDown', 'deposit: choose it', { foot: 'choose', shown: 'Up Dn Ent' }),
  choose(['up', 'shift+tab'], 'depositUp', 'deposit: choose it'),
  choose(['enter'], 'takeDeposit', 'deposit: choose it', { foot: 'ask for the address' }),
  choose(['backspace', 'delete'], 'eraseInDeposit', 'deposit: currency'),
  choose(['ctrl+u', 'ctrl+w'], 'clearDeposit', 'deposit: currency'),
  choose(['esc'], 'closeOverlay', 'deposit: close', { foot: 'leave' }),
  shown(['y'], 'copyDeposit', 'copy address, then tag', { foot: 'copy address, tag' }),
  shown(['i'], 'invertDepositCode', 'QR: light, dark', { foot: 'invert code' }),
  shown(['esc', 'q', 'enter'], 'closeOverlay', 'deposit: close', { foot: 'close' }),
]
