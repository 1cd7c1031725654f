import type { Result } from '../../base/result.ts'
import { type LockAnswer, lockRefusal } from '../../domain/desk/lock.ts'
import { may } from '../../domain/hub/roles.ts'
import { asksTheSame, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { type NotedEvent, sayer } from '../log.ts'
import type { ModeSlice } from '../mode.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import { draftOf, type TransfersSlice } from './transfers.ts'
import type { HubDecision, SecretPurpose, WithdrawOverlay, WithdrawReviewing, WithdrawSecret } from './withdraw.ts'

/** The parts that its commands use. */
type Context = SliceContext<
  TransfersSlice & Covering & Pick<ModeSlice, 'hub'>,
  OverlayEvent<WithdrawOverlay> | NotedEvent,
  SecretPort
>

export type WithdrawSecretCommands = {
  typeIntoWithdrawSecret(text: string): void
  eraseInWithdrawSecret(): void
  clearWithdrawSecret(): void
  submitWithdrawSecret(): void
  /** Asks for the approver's passphrase about the selected draft; at a hub, puts the approver's own question. */
  approveDraft(draftId: string): void
  /** At a hub: opens the question to an approver why the draft is rejected for good. */
  rejectDraft(draftId: string): void
}

const typedMax = 200
/** The word an approver types to sign. */
export const approveWord = 'approve'

/** Typed text stays only in here: it is in no state, event or log, and is passed to the port once. */
export type WithdrawSecrets = {
  commands: WithdrawSecretCommands
  /** Asks for a secret. */
  ask(purpose: SecretPurpose): void
}

type Doing = {
  /** The unlock for a finished review succeeded: sends it. */
  send(review: WithdrawReviewing): void
  sendApproved(draftId: string, purpose: Extract<SecretPurpose, { kind: 'approve' }>): void
}

type DecisionParts = {
  say(text: string): void
  ask(purpose: SecretPurpose, sentence?: string): void
  waiting(purpose: SecretPurpose): boolean
}

/** An approver's question about a draft of a hub, and their answer. */
function createDecisions({ store, port }: Context, { say, ask, waiting }: DecisionParts) {
  const decide = (asked: HubDecision, attempt: string) => {
    const { verdict, seen } = asked
    if (verdict === 'approve' && attempt.trim() !== approveWord)
      return ask({ ...asked, typed: '' }, `Type ${approveWord} to sign it, or Esc to leave it.`)
    if (attempt.trim() === '') return ask({ ...asked, typed: '' }, 'Type why it is rejected: everybody reads it.')
    port.decideDraft(seen, verdict === 'approve' ? null : attempt.trim(), (answer) => {
      if (!waiting(asked)) return
      store.dispatch({ type: 'overlayClosed' })
      const [level, text] = answer.ok ? (['good', answer.value] as const) : (['warn', answer.error] as const)
      store.dispatch({ type: 'noted', level, text, atMs: port.now() })
    })
  }
  /** Opens an approver's question about a draft of a hub, or says why not. */
  const open = (draftId: string, verdict: HubDecision['verdict']) => {
    const { drafts, hub } = store.getState()
    const seen = draftOf(drafts, draftId)
    if (seen === undefined || seen.state.kind !== 'draft') return say(`Select a draft to ${verdict}.`)
    if (hub === null || !may(hub.role, 'approve'))
      return say('An approver of the hub approves with their own token, on their own machine.')
    if (verdict === 'approve' && seen.approval.kind === 'given') return say(`Already approved by ${seen.approval.by}.`)
    const terms = verdict === 'approve' ? port.draftTerms(seen) : null
    if (verdict === 'approve' && terms === null) return say('The hub has not told its drafts yet: try again.')
    ask({ kind: 'decide', verdict, seen, terms, typed: '' })
  }
  return { decide, open }
}

function reviewedOf({ thenSend }: Extract<SecretPurpose, { kind: 'approve' }>): Partial<WithdrawalDraft> {
  if (thenSend === null) return {}
  const { currency, amount, beneficiary } = thenSend.content
  return { currency, amount, beneficiary }
}

/** The unlock and the approver, for a withdrawal's form and for the queue. */
export function createWithdrawSecrets({ store, port }: Context, doing: Doing): WithdrawSecrets {
  let typed = ''
  /** The draft that an approver was shown as they began to type, for each try: they agree to no other. */
  const shownAs = new WeakMap<SecretPurpose, WithdrawalDraft>()
  const say = sayer({ store, port })
  const show = (overlay: WithdrawSecret) => store.dispatch({ type: 'overlayOpened', overlay })
  const asking = (): WithdrawSecret | null => {
    const { overlay } = store.getState()
    return isOverlay<WithdrawSecret>(overlay, 'withdrawSecret') && !overlay.isChecking ? overlay : null
  }
  const ask = (purpose: SecretPurpose, sentence = '') => {
    typed = ''
    show({ kind: 'withdrawSecret', purpose: { ...purpose }, length: 0, isChecking: false, sentence })
  }
  const keep = (text: string) => {
    const overlay = asking()
    if (overlay === null) return
    typed = text.slice(0, typedMax)
    const { purpose } = overlay
    const draft = purpose.kind === 'approve' ? draftOf(store.getState().drafts, purpose.draftId) : undefined
    if (draft !== undefined && !shownAs.has(purpose)) shownAs.set(purpose, draft)
    const shown = purpose.kind === 'decide' ? { purpose: { ...purpose, typed } } : {}
    show({ ...overlay, ...shown, length: [...typed].length })
  }
  /** True while the question waits for this answer; false when the user has left it. */
  const waiting = (purpose: SecretPurpose): boolean => {
    const { overlay } = store.getState()
    return isOverlay<WithdrawSecret>(overlay, 'withdrawSecret') && overlay.isChecking && overlay.purpose === purpose
  }
  const answered = (purpose: Extract<SecretPurpose, { kind: 'open' | 'send' }>, answer: LockAnswer) => {
    if (!waiting(purpose)) return
    if (answer.kind !== 'opened') return ask(purpose, lockRefusal(answer))
    const atMs = port.now()
    if (purpose.kind === 'send') return doing.send({ ...purpose.review, unlockedAtMs: atMs })
    const next = { ...purpose.next, unlockedAtMs: atMs }
    store.dispatch({
      type: 'overlayOpened',
      overlay: next.kind === 'withdrawReview' ? { ...next, reviewedAtMs: atMs } : next,
    })
  }
  const approve = (purpose: Extract<SecretPurpose, { kind: 'approve' }>, seen: WithdrawalDraft, attempt: string) =>
    port.approveDraft(seen, attempt, (answer) => {
      if (!waiting(purpose)) return
      if (!answer.ok) return ask(purpose, answer.error)
      store.dispatch({ type: 'overlayClosed' })
      if (purpose.thenSend !== null) return doing.sendApproved(seen.draftId, purpose)
      store.dispatch({ type: 'noted', level: 'good', text: 'Approved: it may be sent now.', atMs: port.now() })
    })
  const { decide, open: openDecision } = createDecisions({ store, port }, { say, ask, waiting })
  return {
    ask,
    commands: {
      typeIntoWithdrawSecret: (text) => keep(typed + text),
      eraseInWithdrawSecret: () => keep([...typed].slice(0, -1).join('')),
      clearWithdrawSecret: () => keep(''),
      submitWithdrawSecret() {
        const overlay = asking()
        if (overlay === null || typed === '') return
        const attempt = typed
        const { purpose } = overlay
        typed = ''
        show({ ...overlay, length: 0, isChecking: true, sentence: '' })
        if (purpose.kind === 'decide') return decide(purpose, attempt)
        if (purpose.kind !== 'approve') return port.tryLock(attempt, (answer) => answered(purpose, answer))
        const draft = shownAs.get(purpose)
        if (draft === undefined) return ask(purpose, 'The draft is gone.')
        // What goes at once is what was reviewed, whatever the approver was shown.
        if (!asksTheSame(draft, { ...draft, ...reviewedOf(purpose) }))
          return ask(purpose, 'The draft was changed meanwhile: press Esc and review it again.')
        approve(purpose, draft, attempt)
      },
      rejectDraft: (draftId) => openDecision(draftId, 'reject'),
      approveDraft(draftId) {
        if (store.getState().hub !== null) return openDecision(draftId, 'approve')
        const draft = draftOf(store.getState().drafts, draftId)
        if (draft === undefined || draft.state.kind !== 'draft') return say('Select a draft to approve.')
        if (draft.approval.kind === 'given') return say(`Already approved by ${draft.approval.by}.`)
        if (draft.approval.kind === 'none') return say('This draft needs no approval.')
        ask({ kind: 'approve', draftId, thenSend: null })
      },
    },
  }
}

export type SecretPort = {
  /** The text that an approval of a hub's draft signs, letter by letter; null until the hub has sent its drafts. */
  draftTerms(seen: WithdrawalDraft): string | null
  /** An approver's consent to a hub's draft as it was seen, or with a reason the rejection; both give a sentence. */
  decideDraft(seen: WithdrawalDraft, reason: string | null, then: (answer: Result<string>) => void): void
  /** Tries to unlock with text typed in a withdrawal's form. */
  tryLock(typed: string, then: (answer: LockAnswer) => void): void
  /** The approver's consent to a draft as it was seen, by their own passphrase; the error is a sentence. */
  approveDraft(seen: WithdrawalDraft, typed: string, then: (answer: Result<null>) => void): void
}
