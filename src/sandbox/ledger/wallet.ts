import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'

/** One currency of one account in minor units: 0 ≤ held ≤ balance, always. */
export class Cell {
  balance = 0n
  /** What working orders and withdrawals in flight may still take. */
  held = 0n

  get available(): bigint {
    return this.balance - this.held
  }

  credit(units: bigint): void {
    this.balance += units
    this.check()
  }

  debit(units: bigint): void {
    this.balance -= units
    this.check()
  }

  hold(units: bigint): void {
    this.held += units
    this.check()
  }

  release(units: bigint): void {
    this.held -= units
    this.check()
  }

  /** Pays `units` out of the balance of which `heldUnits` had been held for it. */
  pay(units: bigint, heldUnits: bigint): void {
    this.balance -= units
    this.held -= heldUnits
    this.check()
  }

  private check(): void {
    if (this.held < 0n || this.balance < this.held)
      throw new Error(`a balance of ${this.balance} units would have ${this.held} held`)
  }
}

/** An account's currencies, by the currencies' index; a cell is made when it is first asked for. */
export class Wallet {
  private readonly cells: (Cell | undefined)[] = []

  cell(currencyIndex: number): Cell {
    const cell = this.cells[currencyIndex]
    if (cell !== undefined) return cell
    const made = new Cell()
    this.cells[currencyIndex] = made
    return made
  }
}

/** Money on its way in: credited once, when it becomes COMPLETED. */
export type Deposit = {
  readonly depositId: string
  readonly account: number
  readonly currency: string
  readonly units: bigint
  readonly address: string
  readonly txHash: string | null
  readonly atMs: number
  state: DepositState
}

/** Money on its way out: amount and fee are held while PENDING. */
export type Withdrawal = {
  readonly withdrawalId: string
  readonly account: number
  readonly currency: string
  readonly units: bigint
  readonly feeUnits: bigint
  readonly beneficiary: string
  readonly atMs: number
  state: WithdrawalStatus
}

/** Where each state may lead. A completed withdrawal may still come back. */
export const nextDepositStates: Record<DepositState, readonly DepositState[]> = {
  UNCONFIRMED: ['COMPLETED', 'REJECTED'],
  COMPLETED: [],
  REJECTED: [],
}
export const nextWithdrawalStates: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  PENDING: ['COMPLETED', 'FAILED', 'REFUNDED', 'REJECTED'],
  COMPLETED: ['REFUNDED'],
  FAILED: [],
  REFUNDED: [],
  REJECTED: [],
}
