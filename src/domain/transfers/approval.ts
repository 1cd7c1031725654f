import { formatGrouped } from '../money.ts'
import type { WithdrawalRequest } from '../transfer.ts'
import type { WithdrawalCheck } from '../withdrawal-checks.ts'
import { type DayContext, mostLeaving } from './day-checks.ts'
import type { DraftApproval } from './draft.ts'
import type { ApprovalRule } from './limits.ts'
import { usdPrice } from './withdrawn-today.ts'

/** Why a withdrawal needs the agreement of a second person, as a clause; null when it needs none. */
export function approvalReason(
  request: WithdrawalRequest,
  rule: ApprovalRule,
  prices: Pick<DayContext, 'instruments' | 'tickers' | 'balances'>,
): string | null {
  if (rule.kind === 'never') return null
  if (rule.kind === 'always') return 'every withdrawal needs it'
  const price = usdPrice(request.currency, prices)
  const limit = `${formatGrouped(rule.usd, 2)} USD`
  if (price === null) return `the value of ${request.currency} in USD is not known, and from ${limit} on it is needed`
  const usd = mostLeaving(request, prices.balances).times(price)
  return usd.gte(rule.usd) ? `${formatGrouped(usd, 2)} USD: from ${limit} on it is needed` : null
}

/** The agreement of a second person: where the settings or the draft want it, nothing is sent without it. */
export function approvalCheck(
  { request, approval }: { request: WithdrawalRequest; approval: DraftApproval | null },
  { limits, approver, ...context }: DayContext & { approver: string | null },
): WithdrawalCheck {
  const done = (text: string): WithdrawalCheck => ({ rule: 'approval', level: 'ok', text })
  const needed = approvalReason(request, limits.approval, context)
  if (approval?.kind === 'given') return done(`approved by ${approval.by}`)
  const reason = needed ?? (approval?.kind === 'wanted' ? 'the draft asks for it' : null)
  if (reason === null) return done('')
  const text = `a second person has to approve it (${reason})`
  if (approver === null)
    return { rule: 'approval', level: 'block', text: `${text}, and nobody is set up: pitdesk lock approver setup` }
  if (approval === null)
    return { rule: 'approval', level: 'warn', text: `${text}: it waits as a draft for ${approver}` }
  return { rule: 'approval', level: 'block', text: `${text}: ${approver} has not yet` }
}
