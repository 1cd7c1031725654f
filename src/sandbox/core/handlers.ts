import {
  addAccount,
  addKey,
  addWhitelistEntry,
  removeWhitelistEntry,
  revokeKey,
  setTwoFactor,
  verifyKey,
} from './account-commands.ts'
import type { CommandOf, CommandType } from './commands.ts'
import { cancelOrder, cancelOrders, placeOrder } from './order-commands.ts'
import { type CommandValues, type Done, done } from './results.ts'
import type { ExchangeState } from './state.ts'
import { addCurrency, addSymbol, setAuctionTime, setFeeTiers, setSymbolStatus } from './symbol-commands.ts'
import {
  completeWithdrawal,
  confirmDeposit,
  createWithdrawal,
  failWithdrawal,
  refundWithdrawal,
  rejectDeposit,
  rejectWithdrawal,
  requestDepositAddress,
  startDeposit,
} from './transfer-commands.ts'

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
