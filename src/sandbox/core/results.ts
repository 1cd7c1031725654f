import type { SymbolStatus } from '../../domain/market/instrument.ts'
import type { OrderStatus, Side } from '../../domain/orders/order.ts'
import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'
import type { AccountId, CommandType } from './commands.ts'

export type { DepositState, WithdrawalStatus }

/** Where an order stands right after its command. A refusal of the business rules is REJECTED with `text`. */
export type OrderReport = {
  exOrdId: number
  ordStatus: OrderStatus
  text: string | null
  openLots: number
  cumLots: number
}

/** What each command gives back when it was carried out. */
export type CommandValues = {
  advanceTime: null
  addCurrency: null
  addSymbol: { id: number }
  setSymbolStatus: null
  setAuctionTime: null
  setFeeTiers: null
  addAccount: { account: AccountId }
  setTwoFactor: null
  addKey: { keyId: number }
  verifyKey: null
  revokeKey: null
  addWhitelistEntry: { whitelistId: string }
  removeWhitelistEntry: null
  placeOrder: OrderReport
  cancelOrder: OrderReport
  cancelOrders: { canceledIds: readonly number[] }
  requestDepositAddress: { address: string }
  startDeposit: { depositId: string }
  confirmDeposit: null
  rejectDeposit: null
  createWithdrawal: { withdrawalId: string }
  completeWithdrawal: null
  failWithdrawal: null
  refundWithdrawal: null
  rejectWithdrawal: null
}

/**
 * Why a command was not carried out. `invalid`: an argument is wrong, `field` names it (400). `notFound`: no such
 * symbol, account, order… (404). `conflict`: it exists but its state does not allow this (409). `forbidden`: the
 * account may not (403). `message` is one sentence without a final dot.
 */
export type Refusal =
  | { kind: 'invalid'; field: string; message: string }
  | { kind: 'notFound'; message: string }
  | { kind: 'conflict'; message: string }
  | { kind: 'forbidden'; message: string }

/**
 * What a command did. A refused one changed nothing — unless the time it brought ended orders, which the events tell.
 * So a journal keeps a command when `ok` is true or `events` is not empty.
 */
export type Outcome<T extends CommandType> =
  | { ok: true; value: CommandValues[T]; events: readonly CoreEvent[] }
  | { ok: false; refusal: Refusal; events: readonly CoreEvent[] }

/** What happened, in order. Light on purpose: ids and whole numbers; the reader has the rest. */
export type CoreEvent =
  /** An order was accepted, refused, triggered, filled in part or whole, or ended; `status` is the one after it. */
  | {
      type: 'order'
      exOrdId: number
      account: AccountId
      symbol: string
      status: OrderStatus
      atMs: number
    }
  /** Two orders traded. `takerSide` is null in an auction. Each side has an execution of its own in the fills. */
  | {
      type: 'trade'
      tradeId: number
      symbol: string
      ticks: number
      lots: number
      takerSide: Side | null
      buyOrderId: number
      sellOrderId: number
      atMs: number
    }
  | { type: 'symbolStatus'; symbol: string; status: SymbolStatus; atMs: number }
  | {
      type: 'deposit'
      depositId: string
      account: AccountId
      state: DepositState
      atMs: number
    }
  | {
      type: 'withdrawal'
      withdrawalId: string
      account: AccountId
      state: WithdrawalStatus
      atMs: number
    }

/** What a command's handler gives back: its value, or why nothing was done. */
export type Refused = { ok: false; refusal: Refusal }
export type Done<T> = { ok: true; value: T } | Refused

export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const invalid = (field: string, message: string): Refused => ({
  ok: false,
  refusal: { kind: 'invalid', field, message },
})
export const notFound = (message: string): Refused => ({ ok: false, refusal: { kind: 'notFound', message } })
export const conflict = (message: string): Refused => ({ ok: false, refusal: { kind: 'conflict', message } })
export const forbidden = (message: string): Refused => ({ ok: false, refusal: { kind: 'forbidden', message } })
export const isRefused = (value: object): value is Refused => 'ok' in value && value.ok === false
