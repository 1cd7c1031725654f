import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Deposit, Withdrawal } from '../domain/transfer.ts'
import { createFeedPoller } from './feed-poller.ts'
import type { Poller } from './poller.ts'
import type { ServiceContext } from './service-context.ts'
import { createTransferList } from './transfer-list.ts'

export type TransfersClient = Pick<ExchangeClient, 'fetchWithdrawals' | 'fetchDeposits' | 'fetchWhitelist'>
export type Transfers = { withdrawals: Poller; deposits: Poller; whitelist: Poller }

/** Polls the money that goes out and comes in, and whom it may go to. */
export function createTransfers(client: TransfersClient, context: ServiceContext): Transfers {
  const { clock, emit } = context
  const now = () => clock.now()
  const withdrawals = createTransferList<Withdrawal>({
    fetch: (query, signal) => client.fetchWithdrawals(query, signal),
    idOf: ({ withdrawalId }) => withdrawalId,
    // One without a state may be anything.
    isUnderWay: ({ state }) => state === 'PENDING' || state === null,
    now,
  })
  const deposits = createTransferList<Deposit>({
    fetch: (query, signal) => client.fetchDeposits(query, signal),
    idOf: ({ depositId }) => depositId,
    isUnderWay: ({ state }) => state === 'UNCONFIRMED',
    now,
  })
  return {
    withdrawals: createFeedPoller('withdrawals', context, async (signal) => {
      emit({ type: 'withdrawals', withdrawals: await withdrawals(signal), atMs: now() })
    }),
    deposits: createFeedPoller('deposits', context, async (signal) => {
      emit({ type: 'deposits', deposits: await deposits(signal), atMs: now() })
    }),
    whitelist: createFeedPoller('whitelist', context, async (signal) => {
      emit({ type: 'whitelist', whitelist: await client.fetchWhitelist(signal), atMs: now() })
    }),
  }
}
