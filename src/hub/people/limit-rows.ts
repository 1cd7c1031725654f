import { z } from 'zod'
import type { PersonLimits } from '../../domain/hub/person-limits.ts'
import { Decimal } from '../../domain/money.ts'

/** The driver returns 64-bit numbers as text; these stay far below 2^53. */
export const wholeColumn = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)

/** A numeric as text, with all its digits. */
const usdColumn = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform((text) => new Decimal(text))
  .nullable()

/** The three limit columns of a row. */
export const limitColumns = { order_usd: usdColumn, day_usd: usdColumn, withdraw_day_usd: usdColumn }

const limitRow = z.object(limitColumns)

export const limitsOf = (row: z.output<typeof limitRow>): PersonLimits => ({
  orderUsd: row.order_usd,
  dayUsd: row.day_usd,
  withdrawDayUsd: row.withdraw_day_usd,
})
