import type { SymbolStatus } from '../../domain/market/instrument.ts'
import type { OrderType, Side, TimeInForce } from '../../domain/orders/order.ts'

/** An account's number: 1 and up, in the order of `addAccount`. Account 0 collects the fees and cannot trade. */
export type AccountId = number
/** An exact amount as text, plain or with an exponent: what `parseAmount` of the domain accepts. */
export type AmountText = string

/**
 * A currency. `scale` is the number of decimals it can be split in: what a withdrawal's amount is checked against. A
 * crypto currency has deposit addresses; with `hasTag` they carry `:tag`. `withdrawalFee` is charged on top of a
 * withdrawal's amount. `usdRate` serves until a trade in CODE-USD gives a better one; USD itself is always 1.
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
 * A symbol's rules in the wire's own whole numbers: each is `value` × 10^-`scale`. `maxOrderSize` 0 means no limit.
 * The scales of tick and lot may be 18 together, so that every notional and fee is exact in the ledger.
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

/** From `volumeUsd` of the last 30 days on, these rates count: parts per million, 0 ≤ maker ≤ taker < 1,000,000. */
export type FeeTier = {
  volumeUsd: AmountText
  makerPpm: number
  takerPpm: number
}

/** Amounts as a person or a program sent them, on the tick and lot or not. */
export type TextAmounts = {
  orderQty: AmountText
  price?: AmountText
  stopPx?: AmountText
  minQty?: AmountText
}
/** The same in whole lots and ticks: the short way in for the practice market's own flow. */
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
  /** What to send: an amount, or everything available less the fee. */
  send: { amount: AmountText } | 'max'
}

/**
 * Every command by its name, with its arguments. All plain JSON, so a journal can write and replay them as they are.
 */
export type CommandArguments = {
  /** Only moves the time on, so that what is due (GTD orders) ends. */
  advanceTime: Nothing
  addCurrency: { currency: CurrencySpec }
  /** A new symbol starts with `status`, open unless told. Both currencies must exist. */
  addSymbol: { spec: SymbolSpec; status?: SymbolStatus }
  /** Leaving for `open` uncrosses a book that crossed in a halt. */
  setSymbolStatus: SymbolStatusChange
  /** Announces the opening time `HHMM` (UTC) shown while halted; null takes it back. It opens nothing by itself. */
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
/** `atMs` is the time the command counts for; one that is earlier than the last command's counts as that one's. */
export type CommandOf<T extends CommandType> = {
  [K in T]: { type: K; atMs: number } & CommandArguments[K]
}[T]
export type Command = CommandOf<CommandType>
