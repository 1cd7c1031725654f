import type { ExchangeClient } from '../api/exchange-client.ts'
import type { NotSent, WithdrawalOutcome } from '../domain/order-outcome.ts'
import type { WithdrawalRequest } from '../domain/transfer.ts'
import { withdrawalKey } from '../domain/unsettled.ts'
import { journaledWrite, recordedFailure, settleCall, type WriteContext, type Written } from './journaled-write.ts'
import { twoFactorRefusal } from './two-factor-refusal.ts'

export type WithdrawalClient = Pick<ExchangeClient, 'createWithdrawal'>

/** What became of a withdrawal. `isBegun` says whether the journal has an entry for it. */
export type SentWithdrawal = { outcome: WithdrawalOutcome | NotSent; isBegun: boolean }

type Outcome = WithdrawalOutcome | NotSent

/**
 * Sends money out, once, under the same discipline as orders: journal, send once, journal again. The service gives a withdrawal no id
 * of ours: without an answer it is matched by what it is. Only the queue may call this; nothing else sends.
 */
export async function sendWithdrawal(
  client: WithdrawalClient,
  context: WriteContext,
  request: WithdrawalRequest,
  draftId: string,
): Promise<SentWithdrawal> {
  const { clock, emit, onUnknown } = context
  let isBegun = false
  const outcome = await journaledWrite<Outcome>(context, { kind: 'withdrawal', request, draftId }, ({ id }) => {
    isBegun = true
    emit({ type: 'withdrawalSent', request, atMs: clock.now() })
    return callOnce(client, request, withdrawalKey(id))
  })
  const atMs = clock.now()
  if (outcome.kind === 'notSent') {
    emit({ type: 'withdrawalNotSent', request, reason: outcome.reason, draftId, atMs })
  } else emit({ type: 'withdrawalOutcome', request, outcome, atMs })
  if (outcome.kind === 'unknown') onUnknown()
  return { outcome, isBegun }
}

function callOnce(client: WithdrawalClient, request: WithdrawalRequest, key: string): Promise<Written<Outcome>> {
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
      const noTwoFactor = twoFactorRefusal(error)
      if (noTwoFactor !== null) {
        const recorded = { kind: 'rejected', reason: noTwoFactor } as const
        return { recorded, outcome: { ...recorded, cause: 'noTwoFactor' } }
      }
      const recorded = recordedFailure(error, 'rejected')
      const { reason } = recorded
      if (recorded.kind === 'unknown') return { recorded, outcome: { kind: 'unknown', key, reason } }
      return { recorded, outcome: { kind: recorded.kind, reason } }
    },
  )
}
