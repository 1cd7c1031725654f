import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Clock } from '../base/clock.ts'
import type { DeskLock } from '../lock/desk-lock.ts'
import type { WithdrawalQueue } from '../services/transfers/withdrawal-queue.ts'
import type { DeskStore } from '../store/desk.ts'
import { depositPort } from './deposit-port.ts'
import { statementPort } from './statement-port.ts'
import { withdrawFormPort } from './withdraw-form-port.ts'
import { type DraftPort, draftPort } from './withdrawals-port.ts'

type Options = { exportsFolder: string; copy?: (text: string) => boolean; clock: Clock }
type Parts = {
  client: ExchangeClient
  queue: WithdrawalQueue
  lock: DeskLock
  store: DeskStore
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
}

export type MoneyPort = ReturnType<typeof depositPort> &
  ReturnType<typeof statementPort> &
  ReturnType<typeof withdrawFormPort> &
  DraftPort

/** What a person may do about money that comes in and leaves, and the account's books. */
export function moneyPort({ exportsFolder, copy, clock }: Options, parts: Parts): MoneyPort {
  const { client, queue, lock, store, signal, track } = parts
  return {
    ...depositPort({ client, store, signal, track, copy }),
    ...statementPort({ client, exportsFolder, store, clock, signal, track }),
    ...withdrawFormPort({ lock, queue, track }),
    ...draftPort({ queue, store, clock, track }),
  }
}
