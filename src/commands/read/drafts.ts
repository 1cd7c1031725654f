import { plainText, withoutStop } from '../../base/plain-text.ts'
import { openAccount, openDrafts } from '../../desk/account.ts'
import { fetchToken } from '../../desk/profile.ts'
import { draftStateName, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { Run } from '../cli/command.ts'
import { done, type Fields, failed, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, list, printReading, text, time } from '../cli/output.ts'
import { readProfile } from '../cli/session.ts'

const columns: readonly Column[] = [
  time('timestamp', 'DRAFTED (UTC)', 2),
  text('draftId', 'DRAFT'),
  amount('amount', 'AMOUNT'),
  text('currency', 'CURRENCY'),
  text('name', 'TO', 1),
  text('beneficiary', 'BENEFICIARY', 3),
  text('state', 'STATE'),
  text('approval', 'APPROVAL', 2),
  text('withdrawalId', 'WITHDRAWAL', 2),
  text('note', 'NOTE', 4),
]

/** A draft by the wire's names, where it has them. All that is available is `sendMax`, as on the wire. */
export function draftFields({ amount: asked, beneficiary, approval, state, ...draft }: WithdrawalDraft): Fields {
  return {
    draftId: draft.draftId,
    currency: draft.currency,
    amount: asked === 'max' ? null : asked,
    sendMax: asked === 'max' ? true : null,
    beneficiary: beneficiary.whitelistId,
    name: beneficiary.name,
    state: draftStateName(state),
    approval: approval.kind,
    approvedBy: approval.kind === 'given' ? approval.by : null,
    reason: state.kind === 'refused' ? state.reason : null,
    withdrawalId: state.kind === 'sent' ? state.withdrawalId : null,
    note: draft.note,
    key: draft.key,
    timestamp: draft.createdAtMs,
  }
}

/** The drafts on this machine, the newest first; nothing is asked of the exchange. */
export const runDrafts: Run = async (given, io, tools) => {
  if (given.has('from') || given.has('to') || given.words.length > 0)
    return wrongUsage('--drafts lists all drafts: neither an id nor times go with it')
  const settings = readProfile(given, io)
  if (!settings.ok) return failed(settings.error)
  const token = await fetchToken(settings.value, io, tools)
  if (!token.ok) return failed(token.error)
  const opened = await openAccount(settings.value, token.value, io, tools)
  if (!opened.ok) return failed(withoutStop(opened.error))
  for (const notice of opened.value.notices) io.printError(plainText(notice))
  const drafts = await openDrafts(opened.value.account, tools).read()
  if (!drafts.ok) return failed(withoutStop(drafts.error))
  const form = formOf(given, io.stdout)
  const rows = drafts.value.map(draftFields)
  // A table and a spreadsheet say it in the column of the amount.
  const shown = rows.map((row) => (row.sendMax === true ? { ...row, amount: 'max' } : row))
  await printReading(form === 'json' ? list(rows) : list(shown), columns, form, io)
  return done
}
