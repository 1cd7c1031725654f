import type { Decimal } from '../money.ts'

/** A currency enabled on a partner's account. Fields that are null for fiat have values for crypto, and vice versa. */
export type EligibleCurrency = {
  /** FIAT or CRYPTO; unknown types are kept as received. */
  readonly type: string
  readonly name: string
  readonly code: string
  /** Its number of decimal places. */
  readonly precision: number
  /** Minimum and maximum of an order, for fiat only. */
  readonly minBuyAmount: Decimal | null
  readonly maxBuyAmount: Decimal | null
  /** The gateway's code of the crypto network. */
  readonly network: string | null
  readonly supportsDestinationTag: boolean | null
  readonly isSupportedInUs: boolean | null
  /** Two-letter codes of the US states where it can be bought. */
  readonly allowedUsStates: readonly string[] | null
}

export type EligibleCountry = {
  readonly alpha2: string
  readonly alpha3: string
  readonly isBuyAllowed: boolean
  readonly name: string
}

export type EligibleState = { readonly alpha2: string; readonly isBuyAllowed: boolean; readonly name: string }

export type EligibleRegions = {
  readonly countries: readonly EligibleCountry[]
  readonly usStates: readonly EligibleState[]
}

/** A payment method, and the fiat currencies it supports. */
export type EligiblePaymentMethod = {
  /** Unknown types are kept as received. */
  readonly type: string
  readonly supportedCurrencies: readonly string[]
}
