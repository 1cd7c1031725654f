import { memoizeLast } from '../../../base/memoize.ts'
import { keyOf } from '../../../domain/desk/session.ts'
import { makerOf } from '../../../domain/transfers/draft.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { WithdrawReviewing } from '../../../store/transfers/withdraw.ts'
import { isRetyped, notSendable, withdrawalRefusal } from '../../../store/transfers/withdraw-commands.ts'
import { needsApproval, readWithdraw } from '../../../store/transfers/withdraw-reading.ts'
import { ownChecks } from '../../text/privacy.ts'
import { type Row, span, typedText } from '../../text/row.ts'
import { isScrolled, type Scrolled, scrolledTo, topAfter, unseenRefusal } from '../../text/scrolled.ts'
import { venueName } from '../../text/trade-words.ts'
import { dialogRoom, type ScreenSize } from '../dialog-room.ts'
import {
  allText,
  amountText,
  checkRows,
  entryMark,
  entryText,
  noteRows,
  outlookRows,
  sumRows,
  valued,
  words,
} from './withdraw-form-rows.ts'

const widthMax = 76
const heightMax = 24

export const widthOf = ({ columns }: ScreenSize): number => Math.min(widthMax, columns)
/** Maximum lines inside the borders: the notice and key lines stay visible. */
export const roomOf = (screen: ScreenSize): number => Math.max(1, Math.min(heightMax, dialogRoom(screen)) - 2)

/** The source account: `PRACTICE, profile practice`. */
export const fromText = ({ venue }: DeskState): string =>
  venue.kind === 'practice' ? `PRACTICE, profile ${venue.profileName}` : venueName(venue)

/**
 * The exchange identifies an entry only by id and name: address, network and memo are what was entered there, and the
 * desk cannot compare them.
 */
const addressText = (entryId: string): string =>
  `as in whitelist entry ${entryId}, network and memo too: the exchange shows them on its web page only`

/** The amount, beneficiary, source, what arrives, the cost and what remains; and every check. */
function withdrawReviewRows(state: DeskState, overlay: WithdrawReviewing, width: number): Row[] {
  const { form, confirmed, seen } = overlay
  const reading = readWithdraw(state, form)
  const { request, beneficiary, approval } = reading
  if (request === null) return words('The form is incomplete now: go back.', width, 'bad')
  const { currency, amount } = request
  const what = amount === 'max' ? allText(currency) : amountText(state, amount, currency)
  const mark = beneficiary === null ? 'NOT ON THE WHITELIST' : entryMark(state, beneficiary)
  const to = beneficiary === null ? (form.whitelistId ?? '') : entryText(beneficiary)
  const approvalText =
    approval.kind === 'given'
      ? `given by ${approval.by}`
      : needsApproval(reading, form)
        ? `${state.withdrawalRules.approver ?? 'a second person'} has to approve it first`
        : null
  const draft = state.drafts.find(({ draftId }) => draftId === form.draftId)
  const madeBy = draft === undefined ? undefined : makerOf(draft)
  return [
    ...words(`Withdraw ${what}`, width, 'title'),
    ...valued('to', `${to}${mark === '' ? '' : `  ${mark}`}`, width, mark === '' ? 'own' : 'warn'),
    ...valued('address', addressText(request.beneficiary), width),
    ...valued('from', fromText(state), width, state.venue.kind === 'live' ? 'live' : 'practice'),
    ...sumRows(state, form, reading, width),
    ...outlookRows(state, form, reading, width),
    ...(madeBy === undefined ? [] : valued('made by', madeBy, width)),
    ...(approvalText === null ? [] : valued('approval', approvalText, width)),
    ...noteRows(form.note, width),
    [],
    ...checkRows(ownChecks(reading.checks, state.looks.isPrivate), width, {
      confirmed,
      seen,
      key: keyOf(state.reboundKeys, 'confirmWithdrawLimits'),
    }),
  ]
}

/** The retyped amount, and what Enter does: at the end of the review, which never scrolls away. */
function retypeRows(state: DeskState, overlay: WithdrawReviewing, width: number): Row[] {
  const { form, retyped } = overlay
  const refusal = withdrawalRefusal(state, overlay)
  const isAgain = isRetyped(form, retyped)
  const missing = isAgain ? 'Nothing is sent yet: see the checks above.' : 'Nothing is sent before that.'
  const says = refusal === null ? 'Enter sends. This cannot be undone.' : missing
  const whole = ` Type ${form.how === 'all' ? 'all' : 'the amount'} once more: `
  const label = whole.length * 2 <= width ? whole : ' Once more: '
  return [
    [
      span(label, 'label'),
      span(typedText(retyped, true, width - label.length - 10), 'cursor'),
      span(isAgain ? ' the same' : '', 'good'),
    ],
    ...words(notSendable(state, form) ?? says, width, refusal === null ? 'label' : 'warn'),
  ]
}

/** The visible part of the review: all of it, or lines that scroll above the amount field, which stays. */
type ShownReview = { rows: Row[] } & Scrolled

export const shownReview = memoizeLast((state: DeskState, screen: ScreenSize): ShownReview => {
  const { overlay } = state
  if (overlay?.kind !== 'withdrawReview') return { rows: [], top: 0, shownCount: 0, hiddenBelow: 0 }
  const width = widthOf(screen) - 2
  const all = withdrawReviewRows(state, overlay, width)
  const foot = retypeRows(state, overlay, width)
  // The line that counts what is below is blank if there is room, and required only if it counts.
  const whole = roomOf(screen) - foot.length
  const isTight = all.length === whole
  const room = Math.max(1, isTight ? whole : whole - 1)
  const { top, shownCount, hiddenBelow } = scrolledTo(all.length, overlay.top ?? 0, room)
  const key = keyOf(state.reboundKeys, 'withdrawReviewDown')
  const more: Row = hiddenBelow > 0 ? [span(` ${hiddenBelow} more below: ${key}`, 'warn')] : []
  return {
    rows: [...all.slice(top, top + shownCount), ...(isTight ? [] : [more]), ...foot],
    top,
    shownCount,
    hiddenBelow,
  }
})

/** A review's scroll position after a step; a page is what is visible. Never past its ends. */
export function reviewTopAfter(state: DeskState, way: 'up' | 'down' | 'pageUp' | 'pageDown'): number {
  const shown = shownReview(state, state.screen)
  const { shownCount } = shown
  return topAfter(shown, { up: -1, down: 1, pageUp: -shownCount, pageDown: shownCount }[way])
}

/** Whether the review is longer than its place. */
export const isReviewScrolled = (state: DeskState): boolean => isScrolled(shownReview(state, state.screen))

/** Why Enter would not send the withdrawal, including that its end was not on screen; null if it would. */
export function reviewRefusal(state: DeskState): string | null {
  const { overlay } = state
  if (overlay?.kind !== 'withdrawReview') return null
  const key = keyOf(state.reboundKeys, 'withdrawReviewDown')
  return unseenRefusal(shownReview(state, state.screen), key) ?? withdrawalRefusal(state, overlay)
}
