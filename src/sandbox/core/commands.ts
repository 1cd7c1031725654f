import type { SymbolStatus } from '../../domain/market/instrument.ts'
import type { OrderStatus, OrderType, TimeInForce } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/side.ts'
import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'

/** An account's number: 1 and up, in the order of `addAccount`. Account 0 collects the fees and cannot trade. */
export type AccountId = number
/** An exact amount as text, plain or with an exponent: what `parseAmount` of the domain accepts. */
type AmountText = string

/**
 * A currency. `scale` is its number of decimals, which a withdrawal's amount must respect. A crypto currency has
 * deposit addresses; with `hasTag` they carry `:tag`. `withdrawalFee` is charged on top of a withdrawal's amount.
 * `usdRate` applies until a trade in CODE-USD gives a better one; USD itself is always 1.
 */
export type CurrencySpec = {
  code: string
  scale: number
  kind: 'fiat' | 'crypto'
  hasTag: boolean
  withdrawalFee: AmountText
  usdRate?: AmountText
}

/**
 * A symbol's rules in the wire's whole numbers: each is `value` × 10^-`scale`. `maxOrderSize` 0 means no limit. The
 * scales of tick and lot may add up to at most 18, so that every notional and fee is exact in the ledger.
 */
export type SymbolSpec = {
  symbol: string
  base: string
  counter: string
  minPriceIncrement: number
  minPriceIncrementScale: number
  lotSize: number
  lotSizeScale: number
  minOrderSize: number
  minOrderSizeScale: number
  maxOrderSize: number
  maxOrderSizeScale: number
}

/** Rates from a 30-day volume of `volumeUsd` on: parts per million, 0 ≤ maker ≤ taker < 1,000,000. */
export type FeeTier = {
  volumeUsd: AmountText
  makerPpm: number
  takerPpm: number
}

/** Amounts as sent by a client, whether on tick and lot or not. */
export type TextAmounts = {
  orderQty: AmountText
  price?: AmountText
  stopPx?: AmountText
  minQty?: AmountText
}
/** Amounts in whole lots and ticks: a shortcut for the practice market's own flow. */
export type UnitAmounts = {
  lots: number
  ticks?: number
  stopTicks?: number
  minLots?: number
}

/** A new order. Without `timeInForce`: IOC for MARKET, GTC for the others. `expireDate` is YYYYMMDD, with GTD only. */
export type OrderRequest = {
  account: AccountId
  clOrdId: string
  symbol: string
  side: Side
  ordType: OrderType
  amounts: TextAmounts | UnitAmounts
  timeInForce?: TimeInForce
  expireDate?: number
  execInst?: 'ALO'
}

type Nothing = Record<never, never>
type SymbolStatusChange = { symbol: string; status: SymbolStatus }
type NewDeposit = {
  account: AccountId
  currency: string
  amount: AmountText
  txHash?: string
}
type NewWithdrawal = {
  account: AccountId
  currency: string
  /** A whitelist entry's id. */
  beneficiary: string
  /** The amount to send, or everything available less the fee. */
  send: { amount: AmountText } | 'max'
}

/** Every command by name, with its arguments. Plain JSON, so that a journal can write and replay them unchanged. */
export type CommandArguments = {
  /** Only advances the time, so that due GTD orders expire. */
  advanceTime: Nothing
  addCurrency: { currency: CurrencySpec }
  /** A new symbol starts with `status`, open unless given. Both currencies must exist. */
  addSymbol: { spec: SymbolSpec; status?: SymbolStatus }
  /** A change to `open` uncrosses a book that crossed during a halt. */
  setSymbolStatus: SymbolStatusChange
  /** Announces the opening time `HHMM` (UTC) shown while halted; null withdraws it. It opens nothing by itself. */
  setAuctionTime: { symbol: string; time: string | null }
  /** The whole table: ascending by volume, the first from 0. Orders keep the rates they were accepted with. */
  setFeeTiers: { tiers: readonly FeeTier[] }
  addAccount: { name: string; hasTwoFactor?: boolean }
  setTwoFactor: { account: AccountId; isOn: boolean }
  /** `tokenHash` is the SHA-256 of the token in hex: the core never sees a token. A new key is unverified. */
  addKey: { account: AccountId; tokenHash: string }
  verifyKey: { keyId: number }
  revokeKey: { keyId: number }
  addWhitelistEntry: { account: AccountId; currency: string; name: string }
  removeWhitelistEntry: { account: AccountId; whitelistId: string }
  placeOrder: OrderRequest
  cancelOrder: { account: AccountId; exOrdId: number }
  /** Every working order of the account, of one symbol if given; orders of frozen symbols stay. */
  cancelOrders: { account: AccountId; symbol?: string }
  requestDepositAddress: { account: AccountId; currency: string }
  /** A payment to the account's current address was seen: UNCONFIRMED, and the address counts as used. */
  startDeposit: NewDeposit
  confirmDeposit: { depositId: string }
  rejectDeposit: { depositId: string }
  createWithdrawal: NewWithdrawal
  completeWithdrawal: { withdrawalId: string }
  failWithdrawal: { withdrawalId: string }
  /** The money was sent and came back: from PENDING or COMPLETED; amount and fee are given back. */
  refundWithdrawal: { withdrawalId: string }
  rejectWithdrawal: { withdrawalId: string }
}

export type CommandType = keyof CommandArguments
/** `atMs` is the command's effective time; one earlier than the last command's is raised to that. */
export type CommandOf<T extends CommandType> = {
  [K in T]: { type: K; atMs: number } & CommandArguments[K]
}[T]
export type Command = CommandOf<CommandType>

/** An order's state right after its command. One that breaks a business rule is REJECTED with `text`. */
export type OrderReport = {
  exOrdId: number
  ordStatus: OrderStatus
  text: string | null
  openLots: number
  cumLots: number
}

/** What each command returns on success. */
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
 * Why a command was not executed. `invalid`: an argument is wrong, `field` names it (400). `notFound`: no such symbol,
 * account, order… (404). `conflict`: it exists, but its state does not allow this (409). `forbidden`: the account may
 * not (403). `message` is one sentence without a final period.
 */
export type Refusal =
  | { kind: 'invalid'; field: string; message: string }
  | { kind: 'notFound'; message: string }
  | { kind: 'conflict'; message: string }
  | { kind: 'forbidden'; message: string }

/**
 * A command's effect. A refused one changed nothing, unless its time expired orders, which the events then report. So a
 * journal must keep a command if `ok` is true or `events` is not empty.
 */
export type Outcome<T extends CommandType> =
  | { ok: true; value: CommandValues[T]; events: readonly CoreEvent[] }
  | { ok: false; refusal: Refusal; events: readonly CoreEvent[] }

/** What happened, in order. Kept small on purpose: ids and whole numbers; the reader has the rest. */
export type CoreEvent =
  /** An order was accepted, rejected, triggered, filled in part or completely, or ended; `status` is its new one. */
  | {
      type: 'order'
      exOrdId: number
      account: AccountId
      symbol: string
      status: OrderStatus
      atMs: number
    }
  /** Two orders traded. `takerSide` is null in an auction. Each side has its own execution among the fills. */
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

/** A command handler's result: its value, or why nothing was done. */
export type Refused = { ok: false; refusal: Refusal }
export type Done<T> = { ok: true; value: T } | Refused

export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const invalid = (field: string, message: string): Refused => ({
  ok: false,
  refusal: { kind: 'invalid', field, message },
})
const notFound = (message: string): Refused => ({ ok: false, refusal: { kind: 'notFound', message } })
/** `what` is a symbol, an account, an order… */
export const unknown = (what: string): Refused => notFound(`Unknown ${what}`)
export const conflict = (message: string): Refused => ({ ok: false, refusal: { kind: 'conflict', message } })
export const forbidden = (message: string): Refused => ({ ok: false, refusal: { kind: 'forbidden', message } })
export const isRefused = (value: object): value is Refused => 'ok' in value && value.ok === false
