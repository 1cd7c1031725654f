import type { CommandTools } from '../base/command-io.ts'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import { anyRoom, keptNote, makerName, mayAdd, type Room } from '../domain/draft.ts'
import type { DraftedContent, DraftedOrder } from '../domain/orders/drafted-order.ts'
import { type DraftContent, newDraft, type WithdrawalDraft } from '../domain/transfers/draft.ts'
import { withDraft } from '../services/draft-list.ts'
import { keepOrder } from '../services/orders/order-queue.ts'
import { createDraftIds } from '../services/trading.ts'
import { openDrafts, openOrderDrafts } from './account.ts'
import type { Account } from './account-folder.ts'

/*
 * For a program of the house that only prepares, such as `pitdesk mcp`: a person reviews and sends what is kept here.
 * It needs the account (`openAccount`) and no exchange, journal or lock of the desk; a desk that runs shows it within
 * seconds. Nothing is checked: who prepares checks, and says what the checks say, as `order place --draft` does.
 */

type Tools = Pick<CommandTools, 'clock' | 'randomBytes'>

/**
 * Keeps an order as a draft of this machine. `by` is shown as its maker (`mcp NAME`), `reason` is the maker's own text
 * (both are cut and freed of control characters), `lifeMs` is kept between a minute and a day. On disk when it
 * resolves. `room` is asked while nobody else changes the drafts. The error is a sentence: the fields do not go
 * together, the file cannot be locked, read or written, or too many drafts wait.
 */
export const keepOrderDraft = (
  account: Account,
  tools: Tools,
  content: DraftedContent,
  room: Room<DraftedOrder> = anyRoom,
): Promise<Result<DraftedOrder>> =>
  keepOrder(openOrderDrafts(account, tools), content, {
    newDraftId: createDraftIds(tools.randomBytes),
    nowMs: tools.clock.wallMs(),
    room,
  })

/** A withdrawal as a program prepares it: `by` and `reason` as for orders; the reason is kept as the draft's note. */
export type PreparedWithdrawal = Pick<DraftContent, 'currency' | 'beneficiary' | 'amount' | 'wantsApproval'> & {
  by: string
  reason: string | null
}

/**
 * Keeps a draft of a withdrawal that a program prepared. Not for an account behind a hub: drafts of withdrawals are the
 * firm's there, and no program makes one.
 */
export async function keepWithdrawalDraft(
  account: Account,
  tools: Tools,
  { by, reason, ...content }: PreparedWithdrawal,
  room: Room<WithdrawalDraft> = anyRoom,
): Promise<Result<WithdrawalDraft>> {
  const nowMs = tools.clock.wallMs()
  const note = keptNote(reason === null ? null : plainText(reason))
  const draft = newDraft({ ...content, note, origin: makerName(by) }, createDraftIds(tools.randomBytes)(), nowMs)
  const kept = await openDrafts(account, tools).update((before) => {
    for (const may of [mayAdd(before), room(before)]) if (!may.ok) return may
    return ok(withDraft(before, draft, nowMs))
  })
  return kept.ok ? ok(draft) : kept
}
