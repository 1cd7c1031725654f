import { readAmountText } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { retypedMax, whyNotADraft } from '../../domain/draft.ts'
import { may } from '../../domain/hub/roles.ts'
import { type DraftContent, isAsOpened } from '../../domain/transfers/draft.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import type { LadderSlice } from '../ladder/ladder.ts'
import type { LockSlice } from '../lock.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type ModeSlice, modeSentence } from '../mode.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import { reviewArmedAfterMs } from '../ticket/ticket.ts'
import type { ViewSlice } from '../view/view.ts'
import { draftOf } from './transfers.ts'
import {
  emptyForm,
  firstOpenField,
  formAgain,
  formOfDraft,
  type WithdrawAgreed,
  type WithdrawEditing,
  type WithdrawForm,
  type WithdrawOverlay,
  type WithdrawReviewing,
} from './withdraw.ts'
import { createWithdrawEditCommands, type WithdrawEditCommands } from './withdraw-edit-commands.ts'
import {
  createWithdrawSecrets,
  type SecretPort,
  type WithdrawSecretCommands,
  type WithdrawSecrets,
} from './withdraw-lock-commands.ts'
import {
  asked,
  blocking,
  contentOf,
  type Judged,
  likelyCurrency,
  needsApproval,
  readWithdraw,
} from './withdraw-reading.ts'

/** The parts that its commands use. */
type Context = SliceContext<
  Judged & ModeSlice & ViewSlice & LadderSlice & LockSlice & Covering,
  OverlayEvent<WithdrawOverlay> | NotedEvent,
  DraftsPort & SecretPort
>

/** In ms: a form open longer than this must be unlocked again before sending. */
export const unlockedForMs = 120_000
/** Words that confirm sending everything. */
const allWords: readonly string[] = ['all', 'max']

/** True when the amount was typed again correctly. */
export function isRetyped(form: WithdrawForm, retyped: string): boolean {
  if (form.how === 'all') return allWords.includes(retyped.trim().toLowerCase())
  const use = { what: 'amount', unit: form.currency } as const
  const [amount, again] = [readAmountText(form.amountText, use), readAmountText(retyped, use)]
  return amount.ok && again.ok && again.value.eq(amount.value)
}

/** Why a form's draft may no longer be saved or sent; null when it may, and for a form without a draft. */
function draftRefusal(
  { drafts }: Pick<Judged, 'drafts'>,
  { draftId, opened }: WithdrawForm,
  to: 'save' | 'send' = 'save',
): string | null {
  if (draftId === null) return null
  const draft = draftOf(drafts, draftId)
  const reason = draft === undefined ? 'it is gone' : whyNotADraft(draft)
  // It may have been sent from another place, whose money this says nothing of.
  if (reason !== null) return `${to === 'save' ? 'Draft unchanged' : 'Not sent from here'}: ${reason}.`
  if (draft === undefined || opened === undefined || isAsOpened(draft, opened)) return null
  return `Not ${to === 'save' ? 'saved' : 'sent'}: this draft was changed meanwhile. Press Esc and open it again.`
}

/** Why an unarmed desk sends nothing. In the review the arming key is typed text, so saving comes first. */
function notArmed(state: ModeSlice): string {
  if (state.mode.kind === 'MONITOR') return modeSentence(state)
  const [save, arm] = [keyOf(state.reboundKeys, 'keepReviewed'), keyOf(state.reboundKeys, 'toggleArmed')]
  return `Not sent: ${state.mode.kind}. ${save} saves it, then ${arm} arms.`
}

/** Why nothing of a form can be sent, whatever its checks say: the desk's mode, or what became of its draft. */
export function notSendable(state: Judged & ModeSlice, form: WithdrawForm): string | null {
  return mayPlace(state.mode) ? draftRefusal(state, form, 'send') : notArmed(state)
}

/** Why the withdrawal under review is not sent yet, and what to press; null when Enter sends it. */
export function withdrawalRefusal(
  state: Judged & ModeSlice,
  { form, retyped, ...agreed }: WithdrawReviewing,
  atMs: number = state.nowMs,
): string | null {
  const stopped = notSendable(state, form)
  if (stopped !== null) return stopped
  const reading = readWithdraw(state, form, atMs)
  const stop = blocking(reading, state.withdrawalRules)
  if (stop !== undefined) return `Not sent: ${stop.text}. Nothing left the account.`
  const asks = asked(reading, agreed)[0]
  if (asks !== undefined)
    return `Not sent: type ${keyOf(state.reboundKeys, 'confirmWithdrawLimits')}, then Enter. ${asks.text}.`
  if (isRetyped(form, retyped)) return null
  return `Not sent: type ${form.how === 'all' ? 'all' : 'the amount'} once more, then Enter.`
}

const isOpenFor = ({ lockMethod }: LockSlice, unlockedAtMs: number | null, nowMs: number): boolean =>
  lockMethod === 'none' || (unlockedAtMs !== null && nowMs - unlockedAtMs <= unlockedForMs)

/** Shared by the commands of the form. */
type WithdrawTools = {
  say(text: string): void
  show(overlay: WithdrawEditing | WithdrawReviewing): void
  reviewing(): WithdrawReviewing | null
  /** True when the form's draft may still be changed and sent; otherwise says why not. */
  isReady(form: WithdrawForm): boolean
  /** Shows it, after the unlock if a lock is set up. */
  open(next: WithdrawEditing | WithdrawReviewing): void
  /** Saves the form as a draft, and returns its id; null while incomplete. */
  keep(form: WithdrawForm): string | null
  /** After the review: unlock and approval if needed, then the queue. */
  send(review: WithdrawReviewing): void
  secrets: WithdrawSecrets['commands']
}

function createWithdrawTools(context: Context): WithdrawTools {
  const { store, port } = context
  const say = sayer({ store, port })
  const show = (overlay: WithdrawEditing | WithdrawReviewing) => store.dispatch({ type: 'overlayOpened', overlay })
  const keep = (form: WithdrawForm) => {
    const content = contentOf(readWithdraw(store.getState(), form, port.now()), form)
    if (content === null) return null
    const draftId = form.draftId ?? port.newDraftId()
    port.saveDraft(draftId, content)
    return draftId
  }
  /** Passes a draft to the queue, which checks it again by its own data. */
  const hand = (draftId: string, { confirmed, seen }: WithdrawAgreed) => {
    store.dispatch({ type: 'overlayClosed' })
    port.sendDraft(draftId, confirmed, seen)
  }
  const sendUnlocked = (review: WithdrawReviewing) => {
    const state = store.getState()
    const { form, confirmed, seen } = review
    const reading = readWithdraw(state, form, port.now())
    const stop = blocking(reading, state.withdrawalRules) ?? asked(reading, review)[0]
    if (!mayPlace(state.mode) || stop !== undefined) {
      show(review)
      return say(stop === undefined ? notArmed(state) : `Not sent: ${stop.text}. Nothing left the account.`)
    }
    // A draft sent unchanged keeps its contents and its approval.
    const draftId = reading.isDraftAsKept ? form.draftId : keep(form)
    const content = contentOf(reading, form)
    if (draftId === null || content === null) return show(review)
    if (!needsApproval(reading, form) || reading.approval.kind === 'given') return hand(draftId, review)
    if (state.hub === null) return secrets.ask({ kind: 'approve', draftId, thenSend: { content, confirmed, seen } })
    store.dispatch({ type: 'overlayClosed' })
    say('Kept as a draft, nothing was sent: an approver of the hub approves it on their own machine.')
  }
  const secrets = createWithdrawSecrets(context, {
    send: sendUnlocked,
    sendApproved: (draftId, { thenSend }) => hand(draftId, thenSend ?? { confirmed: [] }),
  })
  return {
    say,
    show,
    keep,
    secrets: secrets.commands,
    reviewing() {
      const { overlay } = store.getState()
      return isOverlay<WithdrawReviewing>(overlay, 'withdrawReview') ? overlay : null
    },
    isReady(form) {
      const reason = draftRefusal(store.getState(), form)
      if (reason !== null) say(reason)
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

export type WithdrawCommands = WithdrawEditCommands &
  WithdrawSecretCommands &
  WithdrawOpenCommands &
  WithdrawReviewCommands

type WithdrawOpenCommands = {
  /** Opens the form with known values, after the unlock if a lock is set up. */
  openWithdraw(known?: Partial<WithdrawForm>): void
  /** Opens a draft in the form, to be changed. */
  editDraft(draftId: string): void
  /** Opens the review of a draft, from which it can be sent. */
  reviewDraft(draftId: string): void
  /** Drops a draft that was not sent. */
  dropDraft(draftId: string): void
  /** The next open field; the review when there is none and nothing blocks. */
  enterWithdraw(): void
  /** Saves it on this machine as a draft; nothing is sent. */
  keepWithdraw(): void
  /** Review → form, form → closed. */
  backFromWithdraw(): void
}

type WithdrawReviewCommands = {
  confirmWithdrawLimits(): void
  /** One character of the retyped amount; letters for `all`. */
  retypeWithdraw(character: string): void
  eraseRetypedWithdraw(): void
  clearRetypedWithdraw(): void
  /** Shows the review from its line `top` on. */
  scrollWithdraw(top: number): void
  /**
   * Review → sent, after it was on screen for `reviewArmedAfterMs`, with the amount typed again and nothing left to
   * confirm.
   */
  sendWithdraw(): void
}

/** The form of a withdrawal: filling, saving, reviewing, and passing it to the queue. */
export function createWithdrawCommands(context: Context): WithdrawCommands {
  const tools = createWithdrawTools(context)
  return {
    ...createWithdrawEditCommands(context),
    ...createOpenCommands(context, tools),
    ...createReviewCommands(context, tools),
    ...tools.secrets,
  }
}

function createOpenCommands({ store, port }: Context, tools: WithdrawTools): WithdrawOpenCommands {
  const { say, show, isReady, open, keep } = tools
  const sayOfForm = sayer({ store, port }, { isOfField: true })
  /** Runs with the form of a draft that may still be changed and sent. */
  const withDraft = (draftId: string, act: (form: WithdrawForm) => void) => {
    const draft = draftOf(store.getState().drafts, draftId)
    if (draft === undefined) return say('No draft is selected.')
    const form = formOfDraft(draft)
    if (isReady(form)) act(form)
  }
  const edit = (form: WithdrawForm, field = firstOpenField(form)) =>
    open({ kind: 'withdraw', form, field, query: '', unlockedAtMs: null })
  const reviewOf = (form: WithdrawForm, unlockedAtMs: number | null) =>
    ({ kind: 'withdrawReview', form, reviewedAtMs: port.now(), retyped: '', confirmed: [], unlockedAtMs }) as const
  return {
    openWithdraw(known = {}) {
      const form = { ...emptyForm, ...known }
      // A likely currency is preselected, and the cursor stays on it.
      edit({ ...form, currency: form.currency ?? likelyCurrency(store.getState()) }, firstOpenField(form))
    },
    editDraft: (draftId) => withDraft(draftId, edit),
    reviewDraft: (draftId) => withDraft(draftId, (form) => open(reviewOf(form, null))),
    dropDraft(draftId) {
      const { hub } = store.getState()
      // Approvers reject others' drafts instead of dropping them.
      if (hub !== null && may(hub.role, 'approve')) return tools.secrets.rejectDraft(draftId)
      withDraft(draftId, () => port.dropDraft(draftId))
    },
    enterWithdraw() {
      const state = store.getState()
      const { overlay } = state
      if (!isOverlay<WithdrawEditing>(overlay, 'withdraw') || !isReady(overlay.form)) return
      const { form } = overlay
      const field = firstOpenField(form)
      if (field !== 'how' && field !== overlay.field) return show({ ...overlay, field, query: '' })
      const stop = blocking(readWithdraw(state, form, port.now()), state.withdrawalRules)
      if (stop !== undefined) return sayOfForm(`Blocked: ${stop.text}.`)
      show(reviewOf(form, overlay.unlockedAtMs))
    },
    keepWithdraw() {
      const { overlay } = store.getState()
      if (!isOverlay<WithdrawEditing>(overlay, 'withdraw') && !isOverlay<WithdrawReviewing>(overlay, 'withdrawReview'))
        return
      if (!isReady(overlay.form)) return
      if (keep(overlay.form) === null) return say('Not saved: a draft needs a currency, a beneficiary and an amount.')
      store.dispatch({ type: 'overlayClosed' })
      store.dispatch({ type: 'noted', level: 'info', text: 'Saved as a draft: nothing was sent.', atMs: port.now() })
    },
    backFromWithdraw() {
      const { overlay } = store.getState()
      if (!isOverlay<WithdrawReviewing>(overlay, 'withdrawReview')) return store.dispatch({ type: 'overlayClosed' })
      show(formAgain(overlay))
    },
  }
}

function createReviewCommands({ store, port }: Context, tools: WithdrawTools): WithdrawReviewCommands {
  const { show, reviewing, send } = tools
  const sayOfForm = sayer({ store, port }, { isOfField: true })
  return {
    confirmWithdrawLimits() {
      const review = reviewing()
      if (review === null) return
      const asks = asked(readWithdraw(store.getState(), review.form, port.now()))
      if (asks.length === 0) return sayOfForm('No soft limit to confirm.')
      const seen = asks.flatMap(({ about = [] }) => about)
      show({ ...review, confirmed: asks.map(({ rule }) => rule), seen })
    },
    retypeWithdraw(character) {
      const review = reviewing()
      if (review !== null) show({ ...review, retyped: (review.retyped + character).slice(0, retypedMax) })
    },
    eraseRetypedWithdraw() {
      const review = reviewing()
      if (review !== null) show({ ...review, retyped: review.retyped.slice(0, -1) })
    },
    clearRetypedWithdraw() {
      const review = reviewing()
      if (review !== null) show({ ...review, retyped: '' })
    },
    scrollWithdraw(top) {
      const review = reviewing()
      if (review !== null) show({ ...review, top })
    },
    sendWithdraw() {
      const review = reviewing()
      const atMs = port.now()
      // Shorter than a reaction time: this Enter is the repeat of the one that opened the review.
      if (review === null || atMs - review.reviewedAtMs < reviewArmedAfterMs) return
      const refusal = withdrawalRefusal(store.getState(), review, atMs)
      if (refusal === null) send(review)
      else sayOfForm(refusal)
    },
  }
}

export type DraftsPort = {
  /** A unique id for a draft. */
  newDraftId(): string
  /** Saves a withdrawal for later: a new draft, or new contents of an unsent one. It arrives as `draftsChanged`. */
  saveDraft(draftId: string, content: DraftContent): void
  /** Drops a draft that was not sent. */
  dropDraft(draftId: string): void
  /**
   * Sends a draft once, after those being sent, checked again then; `confirmed` are the soft limits the user agreed to
   * exceed, `seen` what they were about then. The result arrives as events.
   */
  sendDraft(draftId: string, confirmed: readonly WithdrawalRule[], seen?: readonly string[]): void
}
