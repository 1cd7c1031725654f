import { textFromUnits } from '../ledger/units.ts'
import {
  type CommandOf,
  type CommandType,
  type CommandValues,
  type Done,
  done,
  invalid,
  type Outcome,
} from './commands.ts'
import type { Currency } from './entities.ts'
import { expireDue } from './execution.ts'
import { type History, MemoryHistory } from './history.ts'
import { cancelOrder, cancelOrders, placeOrder } from './order-commands.ts'
import { type ExchangeSnapshot, restoreState, takeSnapshot } from './snapshot.ts'
import { ExchangeState, feeAccountId } from './state.ts'
import { StateReader } from './state-reader.ts'
import { addCurrency, addSymbol, setAuctionTime, setFeeTiers, setSymbolStatus } from './symbol-commands.ts'
import {
  addAccount,
  addKey,
  addWhitelistEntry,
  completeWithdrawal,
  confirmDeposit,
  createWithdrawal,
  failWithdrawal,
  refundWithdrawal,
  rejectDeposit,
  rejectWithdrawal,
  removeWhitelistEntry,
  requestDepositAddress,
  revokeKey,
  setTwoFactor,
  startDeposit,
  verifyKey,
} from './transfer-commands.ts'
import type { ExchangeReader } from './views.ts'

/**
 * The core of the practice exchange: commands in, events out. Pure and synchronous: no clock, no randomness, no I/O;
 * the same commands always give the same state.
 */
export class Exchange {
  readonly read: ExchangeReader
  private readonly state: ExchangeState

  /** Empty: no currency, no symbol, no account. Ended orders and fills go to `history`. */
  constructor(history: History = new MemoryHistory(), state = new ExchangeState(history)) {
    this.state = state
    this.read = new StateReader(state)
  }

  /**
   * Executes one command and all its consequences: first those of its time (orders that expire), then the command
   * itself. Throws only on a broken invariant; the exchange must not be used afterwards.
   */
  execute<T extends CommandType>(command: CommandOf<T>): Outcome<T> {
    const { state } = this
    if (!Number.isSafeInteger(command.atMs) || command.atMs < 0)
      return { ...invalid('atMs', 'atMs must be milliseconds since 1970'), events: [] }
    const previousMs = state.nowMs
    state.nowMs = Math.max(previousMs, command.atMs)
    state.events = []
    expireDue(state)
    const handler: Handlers[T] = handlers[command.type]
    const result = handler(state, command)
    const { events } = state
    if (result.ok) return { ok: true, value: result.value, events }
    // A refused command must leave no trace, not even its time; otherwise a replay without it would differ.
    if (events.length === 0) state.nowMs = previousMs
    return { ok: false, refusal: result.refusal, events }
  }

  /** A JSON value from which `restore` recreates this exchange. The history is not included. */
  snapshot(): ExchangeSnapshot {
    return takeSnapshot(this.state)
  }

  /** Restores the exchange from a snapshot and the history that belongs to it. */
  static restore(snapshot: ExchangeSnapshot, history: History = new MemoryHistory()): Exchange {
    return new Exchange(history, restoreState(snapshot, history))
  }

  /** Throws if money was created or lost, or if the held amounts are not what working orders and withdrawals need. */
  checkConservation(): void {
    checkConservation(this.state)
  }
}

/** A currency's money, in minor units: balances + in flight + fees = deposits − withdrawals. */
type CurrencySums = {
  currency: string
  balances: bigint
  /** Held for PENDING withdrawals. */
  inFlight: bigint
  fees: bigint
  deposits: bigint
  withdrawals: bigint
}

function currencySums(state: ExchangeState): readonly CurrencySums[] {
  const inFlight = new Map<string, bigint>()
  for (const { state: status, currency, units, feeUnits } of state.withdrawals.values())
    if (status === 'PENDING') inFlight.set(currency, (inFlight.get(currency) ?? 0n) + units + feeUnits)
  return [...state.currencies.values()].map((currency) =>
    sumsOf(state, currency, inFlight.get(currency.spec.code) ?? 0n),
  )
}

function sumsOf(state: ExchangeState, currency: Currency, inFlight: bigint): CurrencySums {
  let balances = -inFlight
  for (const account of state.accounts)
    if (account.id !== feeAccountId) balances += account.wallet.cell(currency.index).balance
  return {
    currency: currency.spec.code,
    balances,
    inFlight,
    fees: state.feeAccount.wallet.cell(currency.index).balance,
    deposits: currency.depositedUnits,
    withdrawals: currency.withdrawnUnits,
  }
}

/**
 * Throws if money was created or lost in any currency, or if the held amounts differ from what working orders and
 * pending withdrawals need. Walks the whole state: for startup and tests.
 */
function checkConservation(state: ExchangeState): void {
  for (const { currency, balances, inFlight, fees, deposits, withdrawals } of currencySums(state)) {
    const surplus = balances + inFlight + fees - deposits + withdrawals
    if (surplus !== 0n) throw new Error(`${currency} is off by ${textFromUnits(surplus)}`)
  }
  checkHolds(state)
}

function checkHolds(state: ExchangeState): void {
  const needed = new Map<string, bigint>()
  const need = (account: number, index: number, units: bigint) => {
    const key = `${account} ${index}`
    needed.set(key, (needed.get(key) ?? 0n) + units)
  }
  for (const { account, side, market, holdPerLot, openLots } of state.orders.values())
    need(account, (side === 'BUY' ? market.counter : market.base).index, holdPerLot * BigInt(openLots))
  for (const { account, currency, state: status, units, feeUnits } of state.withdrawals.values())
    if (status === 'PENDING') need(account, state.currencies.get(currency)?.index ?? -1, units + feeUnits)
  for (const account of state.accounts)
    for (const { index, spec } of state.currencies.values()) {
      const cell = account.wallet.cell(index)
      const expected = needed.get(`${account.id} ${index}`) ?? 0n
      if (cell.held !== expected || cell.available < 0n)
        throw new Error(`account ${account.name} holds ${cell.held} units of ${spec.code}, not ${expected}`)
    }
}

/** One handler per command. It changes the state and returns its effect, or refuses and changes nothing. */
type Handlers = {
  readonly [T in CommandType]: (state: ExchangeState, command: CommandOf<T>) => Done<CommandValues[T]>
}

const handlers: Handlers = {
  // Time advances before every command; this one does nothing else.
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
