import { readAmountText } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { whyNotADraft } from '../../domain/transfers/draft.ts'
import type { CommandContext } from '../command-context.ts'
import { modeSentence } from '../mode-sentence.ts'
import type { DeskState } from '../state.ts'
import { draftOf } from './drafts.ts'
import { asked, blocking, contentOf, needsApproval, readWithdraw } from './withdraw-reading.ts'
import { createWithdrawSecrets, type WithdrawSecrets } from './withdraw-secret-commands.ts'
import type { WithdrawEditing, WithdrawForm, WithdrawReviewing } from './withdraw-state.ts'

/** A form that stood open longer than this asks for the second lock once more before it sends. */
export const unlockedForMs = 120_000
/** What is typed once more where everything is sent. */
const allWords: readonly string[] = ['all', 'max']

/** Whether the amount was typed once more. */
export function isRetyped(form: WithdrawForm, retyped: string): boolean {
  if (form.how === 'all') return allWords.includes(retyped.trim().toLowerCase())
  const use = { what: 'amount', unit: form.currency } as const
  const [amount, again] = [readAmountText(form.amountText, use), readAmountText(retyped, use)]
  return amount.ok && again.ok && again.value.eq(amount.value)
}

const isOpenFor = ({ lockMethod }: DeskState, unlockedAtMs: number | null, nowMs: number): boolean =>
  lockMethod === 'none' || (unlockedAtMs !== null && nowMs - unlockedAtMs <= unlockedForMs)

/** What the commands of the form share. */
export type WithdrawTools = {
  say(text: string): void
  show(overlay: WithdrawEditing | WithdrawReviewing): void
  reviewing(): WithdrawReviewing | null
  /** Whether the draft that the form is of may still be changed and sent; says why where it may not. */
  isReady(form: WithdrawForm): boolean
  /** Shows it, behind the second lock where there is one. */
  open(next: WithdrawEditing | WithdrawReviewing): void
  /** Keeps what the form says as a draft, and returns its id; null while something is missing. */
  keep(form: WithdrawForm): string | null
  /** Past everything that a review asks: through the second lock and the second person, to the queue. */
  send(review: WithdrawReviewing): void
  secrets: WithdrawSecrets['commands']
}

export function createWithdrawTools(context: CommandContext): WithdrawTools {
  const { store, port } = context
  const say = (text: string) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: port.now() })
  const show = (overlay: WithdrawEditing | WithdrawReviewing) => store.dispatch({ type: 'overlayOpened', overlay })
  const keep = (form: WithdrawForm) => {
    const content = contentOf(readWithdraw(store.getState(), form, port.now()), form)
    if (content === null) return null
    const draftId = form.draftId ?? port.newDraftId()
    port.saveDraft(draftId, content)
    return draftId
  }
  /** Hands a draft to the queue, which judges it once more by what it then knows. */
  const hand = (draftId: string, confirmed: WithdrawReviewing['confirmed']) => {
    store.dispatch({ type: 'overlayClosed' })
    port.sendDraft(draftId, confirmed)
  }
  const sendUnlocked = (review: WithdrawReviewing) => {
    const state = store.getState()
    const { form, confirmed } = review
    const reading = readWithdraw(state, form, port.now())
    const stop = blocking(reading, state.withdrawalRules) ?? asked(reading, confirmed)[0]
    if (!mayPlace(state.mode) || stop !== undefined) {
      show(review)
      return say(stop === undefined ? modeSentence(state) : `Not sent: ${stop.text}. Nothing left the account.`)
    }
    // A draft that is sent as it stands keeps what it is, and its approval.
    const draftId = reading.isDraftAsKept ? form.draftId : keep(form)
    if (draftId === null) return show(review)
    if (!needsApproval(reading, form) || reading.approval.kind === 'given') return hand(draftId, confirmed)
    secrets.ask({ kind: 'approve', draftId, thenSend: confirmed })
  }
  const secrets = createWithdrawSecrets(context, {
    send: sendUnlocked,
    sendApproved: (draftId, { thenSend }) => hand(draftId, thenSend ?? []),
  })
  return {
    say,
    show,
    keep,
    secrets: secrets.commands,
    reviewing() {
      const { overlay } = store.getState()
      return overlay?.kind === 'withdrawReview' ? overlay : null
    },
    isReady({ draftId }) {
      if (draftId === null) return true
      const draft = draftOf(store.getState().drafts, draftId)
      const reason = draft === undefined ? 'it is gone' : whyNotADraft(draft)
      if (reason !== null) say(`The draft stays as it is: ${reason}.`)
      return reason === null
    },
    open(next) {
      const state = store.getState()
      if (state.mode.kind === 'MONITOR') return say(modeSentence(state))
      if (isOpenFor(state, next.unlockedAtMs, port.now())) show(next)
      else secrets.ask({ kind: 'open', next })
    },
    send(review) {
      if (isOpenFor(store.getState(), review.unlockedAtMs, port.now())) sendUnlocked(review)
      else secrets.ask({ kind: 'send', review })
    },
  }
}
