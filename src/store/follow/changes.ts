import type { TransferChange } from '../../domain/alerts/evaluate.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import type { FollowedTransfers } from '../../domain/transfers/followed.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import type { DeskState } from '../state.ts'

type TransferList = Extract<FeedEvent, { type: 'withdrawals' | 'deposits' }>

/** A withdrawal that is on its way from this desk, of which no id is known yet, may be the one. */
const mayBeLeaving = ({ leaving }: FollowedTransfers, { currency, beneficiary, amount }: Withdrawal): boolean =>
  leaving.some(
    ({ request }) =>
      request.currency === currency &&
      request.beneficiary === beneficiary &&
      (request.amount === 'max' || request.amount.eq(amount)),
  )

/** The state of a record before and after, where it got a new one. */
function stepOf<S>(
  id: string,
  before: ReadonlyMap<string, { history: readonly { state: S }[] }>,
  after: ReadonlyMap<string, { history: readonly { state: S }[] }>,
): { before: S | null; after: S } | null {
  const last = after.get(id)?.history.at(-1)
  const known = before.get(id)?.history ?? []
  if (last === undefined || (after.get(id)?.history.length ?? 0) <= known.length) return null
  return { before: known.at(-1)?.state ?? null, after: last.state }
}

/**
 * What a list of transfers changed, from the desk before and after it; nothing that was there at the very first look.
 */
export function transferChanges(before: DeskState, after: DeskState, event: TransferList): readonly TransferChange[] {
  if (before.followed === after.followed) return []
  const isFirst = before.followed.sinceMs[event.type] === null
  if (event.type === 'deposits')
    return event.deposits.flatMap(({ depositId: id, currency, amount }) => {
      const step = stepOf(id, before.followed.deposits, after.followed.deposits)
      return step === null || (isFirst && step.before === null)
        ? []
        : [{ kind: 'deposit', id, currency, amount, ...step }]
    })
  return event.withdrawals.flatMap((each) => {
    const { withdrawalId: id, currency, amount } = each
    const step = id === null ? null : stepOf(id, before.followed.withdrawals, after.followed.withdrawals)
    if (id === null || step === null || (isFirst && step.before === null)) return []
    const isOwn = before.followed.withdrawals.has(id) || mayBeLeaving(before.followed, each)
    return [{ kind: 'withdrawal', id, currency, amount, origin: isOwn ? 'here' : 'elsewhere', ...step }]
  })
}
