import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { lockRefusal } from '../domain/desk/lock.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import type { DeskLock } from '../lock/desk-lock.ts'
import type { WithdrawalTermsSource } from '../services/transfers/withdrawal-guard.ts'
import type { WithdrawalQueue } from '../services/transfers/withdrawal-queue.ts'
import type { DeskPort } from '../store/commands.ts'
import type { DeskStore } from '../store/desk.ts'

type FormParts = {
  lock: DeskLock
  queue: Pick<WithdrawalQueue, 'approve'>
  track: (work: Promise<unknown>) => void
}

/**
 * The second lock and the second person behind a withdrawal's form. What is typed is held against them and kept
 * nowhere.
 */
export function withdrawFormPort({
  lock,
  queue,
  track,
}: FormParts): Pick<DeskPort, 'tryLock' | 'renewLock' | 'approveDraft'> {
  const approve = async (seen: WithdrawalDraft, typed: string): Promise<Result<null>> => {
    const answer = await lock.approve(typed)
    if (answer.kind !== 'approved') return err(lockRefusal(answer))
    const approved = await queue.approve(seen, answer.by)
    return approved.ok ? ok(null) : err(approved.error)
  }
  return {
    renewLock: (then) => track(lock.renew().then(then)),
    tryLock: (typed, then) => track(lock.open(typed).then(then)),
    approveDraft: (seen, typed, then) => track(approve(seen, typed).then(then)),
  }
}

type Terms = {
  withdrawalTerms?: WithdrawalTermsSource | undefined
  onWithdrawn?: ((whitelistId: string) => Promise<unknown>) | undefined
  clock: Clock
}

/**
 * Lets the form judge by the terms that the queue judges by: at the start, and whenever the whitelist was looked at or
 * drafts changed. Whom a draft went to while the desk looked on is known from then on.
 */
export function followTerms(
  store: DeskStore,
  { withdrawalTerms, onWithdrawn, clock }: Terms,
  track: (work: Promise<unknown>) => void,
): void {
  if (withdrawalTerms === undefined) return
  const take = async () => {
    const { trouble = null, ...rules } = await withdrawalTerms(store.getState().whitelist.value)
    store.dispatch({ type: 'withdrawalRulesChanged', rules })
    if (trouble !== null) store.dispatch({ type: 'noted', level: 'warn', text: trouble, atMs: clock.now() })
  }
  store.subscribe(({ whitelist, drafts }, before) => {
    if (onWithdrawn !== undefined)
      for (const whitelistId of newlySent(drafts, before.drafts)) track(onWithdrawn(whitelistId))
    if (whitelist.value !== before.whitelist.value || drafts !== before.drafts) track(take())
  })
  track(take())
}

/**
 * Whom the drafts pay that were sent just now. One that is first seen as sent may have gone long ago, to another name.
 */
function newlySent(drafts: readonly WithdrawalDraft[], before: readonly WithdrawalDraft[]): string[] {
  if (drafts === before) return []
  const waited = new Set(before.filter(({ state }) => state.kind !== 'sent').map(({ draftId }) => draftId))
  return drafts.flatMap(({ draftId, state, beneficiary }) =>
    state.kind === 'sent' && waited.has(draftId) ? [beneficiary.whitelistId] : [],
  )
}
