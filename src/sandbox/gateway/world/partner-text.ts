import { z } from 'zod'
import { type Decimal, parseAmount } from '../../../domain/money.ts'
import { type Writable, writeJson } from '../../../wire/json-write.ts'
import type { Partner } from '../world.ts'

const amount = z.string().transform((text, context): Decimal => {
  const value = parseAmount(text)
  if (value !== undefined) return value
  context.addIssue('not an amount')
  return z.NEVER
})
const missing = z
  .null()
  .optional()
  .transform(() => null)
const text = z.string()
const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, missing])

const partnerSchema: z.ZodType<Partner> = z.object({
  name: text,
  key: text,
  feeRate: amount,
  eligibility: z.object({
    currencies: z.array(
      z.object({
        type: text,
        name: text,
        code: text,
        precision: z.number(),
        minBuyAmount: orNull(amount),
        maxBuyAmount: orNull(amount),
        network: orNull(text),
        supportsDestinationTag: orNull(z.boolean()),
        isSupportedInUs: orNull(z.boolean()),
        allowedUsStates: orNull(z.array(text)),
      }),
    ),
    countries: z.array(z.object({ alpha2: text, alpha3: text, isBuyAllowed: z.boolean(), name: text })),
    usStates: z.array(z.object({ alpha2: text, isBuyAllowed: z.boolean(), name: text })),
    paymentMethods: z.array(z.object({ type: text, supportedCurrencies: z.array(text) })),
  }),
})

/** A partner as the data file keeps one. */
export const writePartner = (partner: Partner): string => writeJson(partner satisfies Writable, 'strings')

/** Null when the text is no partner. */
export function readPartner(content: string): Partner | null {
  const read = partnerSchema.safeParse(JSON.parse(content))
  return read.success ? read.data : null
}
