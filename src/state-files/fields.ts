import { z } from 'zod'
import { type Decimal, parseAmount } from '../domain/money.ts'

const amountWhere = (isTaken: (value: Decimal) => boolean) =>
  z.string().transform((text, context) => {
    const value = parseAmount(text)
    if (value !== undefined && isTaken(value)) return value
    context.issues.push({ code: 'custom', message: 'is no amount', input: text })
    return z.NEVER
  })

/** An amount, written as text. */
export const amount = amountWhere(() => true)
/** An amount above zero. */
export const positiveAmount = amountWhere((value) => value.gt(0))
/** A count, or a time in ms since 1970. */
export const whole = z.int().nonnegative()
