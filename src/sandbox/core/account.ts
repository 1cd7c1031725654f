import { VolumeWindow } from '../ledger/fees.ts'
import { Wallet } from '../ledger/wallet.ts'
import type { AccountId } from './commands.ts'
import type { WorkingOrder } from './working-order.ts'

export type ApiKey = {
  readonly keyId: number
  readonly account: AccountId
  readonly tokenHash: string
  state: 'unverified' | 'verified' | 'revoked'
}
export type WhitelistEntry = { readonly whitelistId: string; readonly currency: string; readonly name: string }
export type DepositAddress = { readonly currency: string; readonly address: string }

/** One client of the exchange, with everything that is his. */
export class Account {
  readonly id: AccountId
  readonly name: string
  hasTwoFactor: boolean
  readonly wallet = new Wallet()
  readonly volume: VolumeWindow
  readonly keys: ApiKey[] = []
  readonly whitelist: WhitelistEntry[] = []
  /** By currency code: the address that the next deposit goes to. One that was used is no longer here. */
  readonly freshAddresses = new Map<string, string>()
  /** The working orders by client order id, oldest first: a live one cannot be used twice. */
  readonly workingOrders = new Map<string, WorkingOrder>()

  constructor(id: AccountId, name: string, hasTwoFactor: boolean, volume = new VolumeWindow()) {
    this.id = id
    this.name = name
    this.hasTwoFactor = hasTwoFactor
    this.volume = volume
  }
}
