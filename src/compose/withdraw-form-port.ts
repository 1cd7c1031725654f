import { lockRefusal } from '../domain/lock.ts'
import { err, ok, type Result } from '../domain/result.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import type { DeskLock } from '../lock/desk-lock.ts'
import type { WithdrawalTerms } from '../services/withdrawal-guard.ts'
import type { WithdrawalQueue } from '../services/withdrawal-queue.ts'
import type { DeskPort } from '../store/port.ts'
import type { DeskStore } from '../store/store.ts'

type FormParts = {
  lock: DeskLock
  queue: Pick<WithdrawalQueue, 'approve'>
  track: (work: Promise<unknown>) => void
}

/** The second lock and the second person behind a withdrawal's form. What is typed is held against them and kept nowhere. */
export function withdrawFormPort({ lock, queue, track }: FormParts): Pick<DeskPort, 'tryLock' | 'approveDraft'> {
  const approve = async (seen: WithdrawalDraft, typed: string): Promise<Result<null>> => {
    const answer = await lock.approve(typed)
    if (answer.kind !== 'approved') return err(lockRefusal(answer))
    const approved = await queue.approve(seen, answer.by)
    return approved.ok ? ok(null) : err(approved.error)
  }
  return {
    tryLock: (typed, then) => track(lock.open(typed).then(then)),
    approveDraft: (seen, typed, then) => track(approve(seen, typed).then(then)),
  }
}

/** Lets the form judge by the terms that the queue judges by: at the start, and whenever the whitelist was looked at or drafts changed. */
export function followTerms(
  store: DeskStore,
  terms: () => Promise<WithdrawalTerms>,
  track: (work: Promise<unknown>) => void,
): void {
  const take = () => track(terms().then((rules) => store.dispatch({ type: 'withdrawalRulesChanged', rules })))
  store.subscribe(({ whitelist, drafts }, before) => {
    if (whitelist.value !== before.whitelist.value || drafts !== before.drafts) take()
  })
  take()
}
