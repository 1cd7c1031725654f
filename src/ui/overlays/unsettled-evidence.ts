import type { Unsettled } from '../../domain/orders/unknown-write.ts'
import type { BalanceMoment } from '../../domain/transfers/followed.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import type { DeskState } from '../../store/desk.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { clockText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'

export type EvidenceState = Pick<DeskState, 'balances' | 'followed' | 'whitelist'>

function nameOf({ whitelist }: EvidenceState, beneficiary: string): string {
  const name = whitelist.value?.find(({ whitelistId }) => whitelistId === beneficiary)?.name ?? ''
  return name === '' || name === beneficiary ? beneficiary : `${name} (${beneficiary})`
}

function inWords(state: EvidenceState, each: Withdrawal): string {
  const fee = each.fee === null ? '' : ` + fee ${each.fee.toFixed()}`
  const time = each.timestampMs === null ? 'no time' : `${clockText(each.timestampMs)}Z`
  const what = `${each.amount.toFixed()} ${each.currency}${fee} to ${nameOf(state, each.beneficiary)}`
  return cellText(`${each.withdrawalId ?? 'no id'}  ${what}  ${each.state ?? 'no state'}  ${time}`)
}

/** One withdrawal over as many lines as it needs; the chosen one is marked. */
function listed(text: string, isChosen: boolean, width: number): Row[] {
  const [first = '', ...rest] = wrapWords(text, width - 4)
  const tone = isChosen ? 'cursor' : 'text'
  return [
    [span(isChosen ? ' > ' : '   ', tone), span(first, tone)],
    ...rest.map((line): Row => [span(`     ${line}`.slice(0, width), tone)]),
  ]
}

/** What could be spent when it was sent and can be now: money that left shows there. */
function balanceRows(before: BalanceMoment | null, currency: string, { balances }: EvidenceState, width: number) {
  const now = balances.value?.find((each) => each.currency === currency)
  if (before === null || now === undefined) return []
  const change = now.available.minus(before.available)
  const changed = change.isZero() ? 'the same' : `${change.gt(0) ? '+' : ''}${change.toFixed()}`
  const text =
    `Available in ${currency}: ${before.available.toFixed()} before it was sent, ${now.available.toFixed()} now ` +
    `(${changed}); orders and other transfers move it too.`
  return wrapWords(cellText(text), width).map((line): Row => [span(` ${line}`)])
}

/** The evidence beside the question about a withdrawal: those that may be it, others of that time, and the balance. */
export function evidenceRows(
  { key, question }: Unsettled,
  selected: number,
  state: EvidenceState,
  width: number,
): Row[] {
  const evidence = question?.withdrawals
  if (evidence === undefined) return []
  const { request, matches, others } = evidence
  const before = state.followed.leaving.find((each) => each.key === key)?.before ?? null
  const rows = matches.flatMap((each, index) => listed(inWords(state, each), index === selected, width))
  const rest = others.flatMap((each) => listed(inWords(state, each), false, width))
  const restTitle: Row[] = rest.length === 0 ? [] : [[span(` Others in ${cellText(request.currency)} of that time:`)]]
  const money = balanceRows(before, request.currency, state, width)
  const parts = [rows, [...restTitle, ...rest], money].filter((part) => part.length > 0)
  return parts.flatMap((part): Row[] => [...part, []])
}
