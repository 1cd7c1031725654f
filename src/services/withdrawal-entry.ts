import type { ExchangeClient } from '../api/exchange-client.ts'
import type { NotSent, WithdrawalOutcome } from '../domain/order-outcome.ts'
import type { WithdrawalRequest } from '../domain/transfer.ts'
import { withdrawalKey } from '../domain/unsettled.ts'
import { journaledWrite, recordedFailure, settleCall, type WriteContext, type Written } from './journaled-write.ts'

export type WithdrawalClient = Pick<ExchangeClient, 'createWithdrawal'>

export type WithdrawalEntry = {
  /** Sends money out, once. The service gives a withdrawal no id of ours: without an answer it is matched by what it is. */
  withdraw(request: WithdrawalRequest): Promise<WithdrawalOutcome | NotSent>
}

type Outcome = WithdrawalOutcome | NotSent

/** Creates withdrawals under the same discipline as orders: journal, send once, journal again, report. */
export function createWithdrawalEntry(client: WithdrawalClient, context: WriteContext): WithdrawalEntry {
  const { clock, emit, onUnknown } = context
  return {
    async withdraw(request) {
      const outcome = await journaledWrite<Outcome>(context, { kind: 'withdrawal', request }, ({ id }) => {
        emit({ type: 'withdrawalSent', request, atMs: clock.now() })
        return settleCall<Written<Outcome>>(
          async () => {
            const withdrawal = await client.createWithdrawal(request)
            const { withdrawalId, state } = withdrawal
            if (state === 'REJECTED') {
              const reason = 'the exchange rejected it'
              return { recorded: { kind: 'rejected', reason }, outcome: { kind: 'rejected', reason } }
            }
            const recorded = { kind: 'accepted', id: withdrawalId, status: state } as const
            return { recorded, outcome: { kind: 'accepted', withdrawal } }
          },
          (error) => {
            const recorded = recordedFailure(error, 'rejected')
            const { reason } = recorded
            if (recorded.kind === 'unknown') {
              return { recorded, outcome: { kind: 'unknown', key: withdrawalKey(id), reason } }
            }
            return { recorded, outcome: { kind: recorded.kind, reason } }
          },
        )
      })
      const atMs = clock.now()
      if (outcome.kind === 'notSent') emit({ type: 'withdrawalNotSent', request, reason: outcome.reason, atMs })
      else emit({ type: 'withdrawalOutcome', request, outcome, atMs })
      if (outcome.kind === 'unknown') onUnknown()
      return outcome
    },
  }
}
