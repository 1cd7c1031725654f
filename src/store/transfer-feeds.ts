import type { FeedEvent, FeedName } from '../domain/desk/events.ts'
import { sameDeposit, sameEntry, sameWithdrawal, type Withdrawal } from '../domain/transfers/transfer.ts'
import { answered, type Feed } from './feed.ts'
import type { DeskState } from './state.ts'

type TransferEvent = Extract<FeedEvent, { type: 'withdrawals' | 'deposits' | 'whitelist' }>

/**
 * The list with the known entries in place of those that say the same, and the known list when all do: nothing is drawn
 * anew.
 */
function keptList<T>(known: readonly T[] | null, list: readonly T[], isSame: (left: T, right: T) => boolean) {
  if (known === null) return list
  const kept = list.map((each, index) => {
    const before = known[index]
    return before !== undefined && isSame(before, each) ? before : each
  })
  return kept.length === known.length && kept.every((each, index) => each === known[index]) ? known : kept
}

function arrivedList<T>(
  feed: Feed<readonly T[]>,
  list: readonly T[],
  isSame: (left: T, right: T) => boolean,
  event: TransferEvent,
): Feed<readonly T[]> {
  return answered(keptList(feed.value, list, isSame), event)
}

/** Takes in what a poll brought of withdrawals, deposits or the whitelist. */
export function reduceTransfers(state: DeskState, event: TransferEvent): DeskState {
  switch (event.type) {
    case 'withdrawals':
      return { ...state, withdrawals: arrivedList(state.withdrawals, event.withdrawals, sameWithdrawal, event) }
    case 'deposits':
      return { ...state, deposits: arrivedList(state.deposits, event.deposits, sameDeposit, event) }
    case 'whitelist':
      return { ...state, whitelist: arrivedList(state.whitelist, event.whitelist, sameEntry, event) }
  }
}

/**
 * A withdrawal that the exchange has just taken is in the list at once; what a poll said of it meanwhile is younger and
 * stays.
 */
export function withTaken(state: DeskState, taken: Withdrawal): DeskState {
  const { value } = state.withdrawals
  if (value === null || value.some(({ withdrawalId }) => withdrawalId === taken.withdrawalId)) return state
  return { ...state, withdrawals: { ...state.withdrawals, value: [taken, ...value] } }
}

/** While money is on its way, or may be, what tells of it is asked for as if it were on screen. */
export function feedsUnderWay({ withdrawals, deposits, unsettled }: DeskState): readonly FeedName[] {
  const isOut =
    unsettled.some(({ kind }) => kind === 'withdrawal') ||
    (withdrawals.value ?? []).some(({ state }) => state === 'PENDING')
  const isIn = (deposits.value ?? []).some(({ state }) => state === 'UNCONFIRMED')
  return [...(isOut ? (['withdrawals'] as const) : []), ...(isIn ? (['deposits'] as const) : [])]
}
