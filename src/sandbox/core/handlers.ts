import {
  addAccount,
  addKey,
  addWhitelistEntry,
  removeWhitelistEntry,
  revokeKey,
  setTwoFactor,
  verifyKey,
} from './account-commands.ts'
import { cancelOrder, cancelOrders } from './cancel-commands.ts'
import type { CommandOf, CommandType } from './commands.ts'
import { confirmDeposit, rejectDeposit, requestDepositAddress, startDeposit } from './deposit-commands.ts'
import { type Done, done } from './done.ts'
import { placeOrder } from './order-entry.ts'
import type { CommandValues } from './results.ts'
import type { ExchangeState } from './state.ts'
import { addCurrency, addSymbol, setAuctionTime, setFeeTiers, setSymbolStatus } from './symbol-commands.ts'
import {
  completeWithdrawal,
  createWithdrawal,
  failWithdrawal,
  refundWithdrawal,
  rejectWithdrawal,
} from './withdrawal-commands.ts'

/** One handler a command. It changes the state and says what it did, or refuses and changes nothing. */
export type Handlers = {
  readonly [T in CommandType]: (state: ExchangeState, command: CommandOf<T>) => Done<CommandValues[T]>
}

export const handlers: Handlers = {
  // Time moves before every command; this one has nothing to add.
  advanceTime: () => done(null),
  addCurrency,
  addSymbol,
  setSymbolStatus,
  setAuctionTime,
  setFeeTiers,
  addAccount,
  setTwoFactor,
  addKey,
  verifyKey,
  revokeKey,
  addWhitelistEntry,
  removeWhitelistEntry,
  placeOrder,
  cancelOrder,
  cancelOrders,
  requestDepositAddress,
  startDeposit,
  confirmDeposit,
  rejectDeposit,
  createWithdrawal,
  completeWithdrawal,
  failWithdrawal,
  refundWithdrawal,
  rejectWithdrawal,
}
