import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'

/** One currency of one account in minor units: always 0 ≤ held ≤ balance. */
export class Cell {
  balance = 0n
  /** Reserved for working orders and pending withdrawals. */
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

  /** Pays `units` from the balance, of which `heldUnits` were held for it. */
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

/** An account's balances by currency index; a cell is created on first use. */
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

/** An incoming transfer: credited once, when it becomes COMPLETED. */
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

/** An outgoing transfer: amount and fee are held while PENDING. */
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

/** Allowed transitions. A completed withdrawal may still come back. */
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
