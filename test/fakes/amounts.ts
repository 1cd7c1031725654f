import type { Fees } from '../../src/domain/balance.ts'
import { Decimal } from '../../src/domain/money.ts'

export const amount = (text: string): Decimal => new Decimal(text)

/** What the practice exchange takes from those who have not traded yet. */
export const usualFees: Fees = { makerRate: amount('0.001'), takerRate: amount('0.002'), volumeUsd: amount('0') }
