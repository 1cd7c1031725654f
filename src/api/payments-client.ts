import type { Accounts, Balance } from '../domain/balance.ts'
import type { Listing } from '../domain/listing.ts'
import type {
  Deposit,
  DepositAddress,
  WhitelistEntry,
  Withdrawal,
  WithdrawalRequest,
} from '../domain/transfers/transfer.ts'
import { readAccounts, readBalance } from '../wire/balance.ts'
import { readDeposit, readDepositAddress, readDeposits } from '../wire/deposit.ts'
import { writeNewWithdrawal } from '../wire/new-withdrawal.ts'
import { readWhitelist } from '../wire/whitelist.ts'
import { readWithdrawal, readWithdrawalOf, readWithdrawals } from '../wire/withdrawal.ts'
import type { Caller } from './caller.ts'
import { endpointPath } from './endpoint-path.ts'
import { remembering } from './remembering.ts'

/** Times in ms since 1970, both included; what is left out does not limit. */
export type TransferQuery = { fromMs?: number; toMs?: number }

export type PaymentsClient = {
  /** GET /accounts: the balances of every account. */
  fetchAccounts(signal?: AbortSignal): Promise<Accounts>
  /** GET /accounts/{account}/{currency} */
  fetchBalance(account: string, currency: string, signal?: AbortSignal): Promise<Balance>
  /** POST /deposits/{currency}: the address to send a crypto currency to. A write: it may make a new address. */
  createDepositAddress(currency: string, signal?: AbortSignal): Promise<DepositAddress>
  /** GET /deposits */
  fetchDeposits(query: TransferQuery, signal?: AbortSignal): Promise<Listing<Deposit>>
  /** GET /deposits/{depositId} */
  fetchDeposit(depositId: string, signal?: AbortSignal): Promise<Deposit>
  /** GET /whitelist */
  fetchWhitelist(signal?: AbortSignal): Promise<Listing<WhitelistEntry>>
  /** GET /whitelist/{currency} */
  fetchWhitelistOf(currency: string, signal?: AbortSignal): Promise<Listing<WhitelistEntry>>
  /** GET /withdrawals */
  fetchWithdrawals(query: TransferQuery, signal?: AbortSignal): Promise<Listing<Withdrawal>>
  /** POST /withdrawals */
  createWithdrawal(request: WithdrawalRequest, signal?: AbortSignal): Promise<Withdrawal>
  /** GET /withdrawals/{withdrawalId} */
  fetchWithdrawal(withdrawalId: string, signal?: AbortSignal): Promise<Withdrawal>
}

/** What is polled comes as the very object of before while the service says the same, letter by letter. */
export function createPaymentsClient(caller: Caller): PaymentsClient {
  const accounts = remembering(readAccounts)
  const deposits = remembering(readDeposits)
  const whitelist = remembering(readWhitelist)
  const withdrawals = remembering(readWithdrawals)
  return {
    fetchAccounts: (signal) => caller.get(endpointPath`/accounts`, accounts, signal),
    fetchBalance: (account, currency, signal) =>
      caller.get(endpointPath`/accounts/${account}/${currency}`, (json) => readBalance(json, currency), signal),
    createDepositAddress: (currency, signal) =>
      caller.post(endpointPath`/deposits/${currency}`, null, readDepositAddress, signal),
    fetchDeposits: (query, signal) => caller.get(endpointPath`/deposits`, deposits, signal, timeFields(query)),
    fetchDeposit: (depositId, signal) =>
      caller.get(endpointPath`/deposits/${depositId}`, (json) => readDeposit(json, depositId), signal),
    fetchWhitelist: (signal) => caller.get(endpointPath`/whitelist`, whitelist, signal),
    fetchWhitelistOf: (currency, signal) => caller.get(endpointPath`/whitelist/${currency}`, readWhitelist, signal),
    fetchWithdrawals: (query, signal) => caller.get(endpointPath`/withdrawals`, withdrawals, signal, timeFields(query)),
    createWithdrawal: (request, signal) =>
      caller.post(endpointPath`/withdrawals`, writeNewWithdrawal(request, 'numbers'), readWithdrawal, signal),
    fetchWithdrawal: (withdrawalId, signal) =>
      caller.get(endpointPath`/withdrawals/${withdrawalId}`, (json) => readWithdrawalOf(json, withdrawalId), signal),
  }
}

const timeFields = ({ fromMs, toMs }: TransferQuery) => ({ from: fromMs ?? null, to: toMs ?? null })
