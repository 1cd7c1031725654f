import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError, isNotFound } from '../api/exchange-error.ts'
import type { WriteEvent } from '../domain/desk/events.ts'
import type { Deposit, Withdrawal } from '../domain/transfers/transfer.ts'
import { createFeedPoller, type FeedPoller } from './feed-poller.ts'
import type { ServiceContext } from './service-context.ts'
import { createTransferList } from './transfer-list.ts'

export type TransfersClient = Pick<
  ExchangeClient,
  'fetchWithdrawals' | 'fetchWithdrawal' | 'fetchDeposits' | 'fetchDeposit' | 'fetchWhitelist'
>
export type Transfers = {
  pollers: Record<'withdrawals' | 'deposits' | 'whitelist', FeedPoller>
  /** Told of every write and its outcome: what came of a withdrawal is asked for at once. */
  after(event: WriteEvent): void
}

/**
 * Null for what the service does not know, and for an answer that tells nothing of it: one odd answer costs one
 * transfer.
 */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isNotFound(error) || (error instanceof ExchangeError && error.kind === 'protocol')) return null
    throw error
  }
}

/** Polls the money that goes out and comes in, and whom it may go to. */
export function createTransfers(client: TransfersClient, context: ServiceContext): Transfers {
  const { clock, emit } = context
  const now = () => clock.now()
  const withdrawals = createTransferList<Withdrawal>({
    fetch: (query, signal) => client.fetchWithdrawals(query, signal),
    fetchOne: (id, signal) => orNull(client.fetchWithdrawal(id, signal)),
    idOf: ({ withdrawalId }) => withdrawalId,
    // One without a state may be anything.
    isUnderWay: ({ state }) => state === 'PENDING' || state === null,
    now,
  })
  const deposits = createTransferList<Deposit>({
    fetch: (query, signal) => client.fetchDeposits(query, signal),
    fetchOne: (id, signal) => orNull(client.fetchDeposit(id, signal)),
    idOf: ({ depositId }) => depositId,
    isUnderWay: ({ state }) => state === 'UNCONFIRMED',
    now,
  })
  const pollers = {
    withdrawals: createFeedPoller('withdrawals', context, async (signal) => {
      const { entries, unreadable } = await withdrawals.read(signal)
      emit({ type: 'withdrawals', withdrawals: entries, unreadable, atMs: now() })
      return entries
    }),
    deposits: createFeedPoller('deposits', context, async (signal) => {
      const { entries, unreadable } = await deposits.read(signal)
      emit({ type: 'deposits', deposits: entries, unreadable, atMs: now() })
      return entries
    }),
    whitelist: createFeedPoller('whitelist', context, async (signal) => {
      const { entries, unreadable } = await client.fetchWhitelist(signal)
      emit({ type: 'whitelist', whitelist: entries, unreadable, atMs: now() })
      return entries
    }),
  }
  return {
    pollers,
    after(event) {
      if (event.type !== 'withdrawalOutcome' && event.type !== 'settled') return
      if (event.type === 'withdrawalOutcome' && event.outcome.kind === 'accepted')
        withdrawals.watch(event.outcome.withdrawal)
      pollers.withdrawals.wake()
    },
  }
}
