import type { CommandTools } from '../../base/process/command-io.ts'
import { ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { keptNote, makerName, mayAdd, type Room } from '../../domain/draft.ts'
import type { DraftedContent, DraftedOrder } from '../../domain/orders/drafted-order.ts'
import { type DraftContent, newDraft, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { withDraft } from '../../services/draft-list.ts'
import { keepOrder } from '../../services/orders/order-queue.ts'
import { createDraftIds } from '../../services/trading.ts'
import { openDrafts, openOrderDrafts } from './account.ts'
import type { Account } from './account-folder.ts'

/*
 * For a program that only prepares, such as `pitdesk mcp`: the user reviews and sends its drafts. It needs the account
 * (`openAccount`), but no exchange, journal or lock of the desk; a running desk shows a draft within seconds. Nothing
 * is checked: the caller checks and reports the result, as `order place --draft` does.
 */

type Tools = Pick<CommandTools, 'clock' | 'randomBytes'>

/**
 * Saves an order as a draft of this machine. `by` is shown as its maker (`mcp NAME`), `reason` is the maker's own text
 * (both are shortened, without control characters), `lifeMs` is limited to between a minute and a day. On disk when it
 * resolves. `room` is asked while no other process changes the drafts. The error is a sentence: the fields conflict,
 * the file cannot be locked, read or written, or too many drafts wait.
 */
export const keepOrderDraft = (
  account: Account,
  tools: Tools,
  content: DraftedContent,
  room: Room<DraftedOrder>,
): Promise<Result<DraftedOrder>> =>
  keepOrder(openOrderDrafts(account, tools), content, {
    newDraftId: createDraftIds(tools.randomBytes),
    nowMs: tools.clock.wallMs(),
    room,
  })

/** A withdrawal prepared by a program: `by` and `reason` as for orders; the reason becomes the draft's note. */
export type PreparedWithdrawal = Pick<DraftContent, 'currency' | 'beneficiary' | 'amount' | 'wantsApproval'> & {
  by: string
  reason: string | null
}

/**
 * Saves a program's draft of a withdrawal. Not for an account behind a hub: there drafts of withdrawals are the firm's,
 * and no program makes one.
 */
export async function keepWithdrawalDraft(
  account: Account,
  tools: Tools,
  { by, reason, ...content }: PreparedWithdrawal,
  room: Room<WithdrawalDraft>,
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
