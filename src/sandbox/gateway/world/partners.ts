import { z } from 'zod'
import { readOnce } from '../../../base/read-once.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { gatewayPaymentMethods } from '../../../domain/gateway/event.ts'
import { Decimal, parseAmount } from '../../../domain/money.ts'
import { type Writable, writeJson } from '../../../wire/exact-json.ts'
import type { Eligibility, EligibilityChange, Partner } from '../partner-gateway.ts'
import { countries, listed, listedCurrency, paymentCurrencies, usStates } from './catalog.ts'

const defaultFeeRate = new Decimal('0.01')
const maxFeeRate = new Decimal('0.5')
const namePattern = /^[a-z0-9-]{1,40}$/

/** Everything the gateway offers. */
const everything: Eligibility = {
  currencies: listed.map(({ shown }) => shown),
  countries,
  usStates,
  paymentMethods: gatewayPaymentMethods.map((type) => ({ type, supportedCurrencies: paymentCurrencies[type] })),
}

/** A partner with everything enabled. The error is a clause. */
export function newPartner(name: string, key: string, feeRate: Decimal = defaultFeeRate): Result<Partner> {
  if (!namePattern.test(name)) return err('the name of a partner is 1 to 40 lower-case letters, digits and hyphens')
  if (feeRate.lt(0) || feeRate.gt(maxFeeRate)) return err('the share of a partner is from 0 to 0.5')
  return ok({ name, key, feeRate, eligibility: everything })
}

/** The partner after this change. The error is a clause. */
export function withEligibility(partner: Partner, change: EligibilityChange): Result<Partner> {
  const changed = eligibilityAfter(partner.eligibility, change)
  return changed.ok ? ok({ ...partner, eligibility: changed.value }) : changed
}

function eligibilityAfter(from: Eligibility, change: EligibilityChange): Result<Eligibility> {
  if (change.kind === 'currency') return withCurrency(from, change)
  if (change.kind === 'region') return withRegion(from, change)
  const { paymentMethod, currencies } = change
  const unknown = currencies.find((code) => listedCurrency(code)?.shown.type !== 'FIAT')
  if (unknown !== undefined) return err(`unknown fiat currency ${unknown}`)
  const others = from.paymentMethods.filter(({ type }) => type !== paymentMethod)
  const method = { type: paymentMethod, supportedCurrencies: [...new Set(currencies)] }
  return ok({ ...from, paymentMethods: currencies.length === 0 ? others : [...others, method] })
}

function withCurrency(
  from: Eligibility,
  change: Extract<EligibilityChange, { kind: 'currency' }>,
): Result<Eligibility> {
  const known = listedCurrency(change.code)
  if (known === undefined) return err(`unknown currency ${change.code}`)
  const others = from.currencies.filter(({ code }) => code !== change.code)
  if (!change.isEnabled) return ok({ ...from, currencies: others })
  const now = from.currencies.find(({ code }) => code === change.code) ?? known.shown
  const least = change.minBuyAmount ?? now.minBuyAmount
  const most = change.maxBuyAmount ?? now.maxBuyAmount
  if (known.shown.type !== 'FIAT' && (change.minBuyAmount ?? change.maxBuyAmount) !== undefined)
    return err(`limits are for fiat currencies, and ${change.code} is not one`)
  if (least !== null && most !== null && (least.lt(0) || most.lt(least)))
    return err('minBuyAmount must be 0 or more, and at most maxBuyAmount')
  const enabled = { ...now, minBuyAmount: least, maxBuyAmount: most }
  // In the order of the gateway's list, so that it does not reveal the sequence of changes.
  return ok({
    ...from,
    currencies: listed.flatMap(({ shown: { code } }) =>
      code === change.code ? [enabled] : others.filter((other) => other.code === code),
    ),
  })
}

function withRegion(
  from: Eligibility,
  { region, isBuyAllowed }: Extract<EligibilityChange, { kind: 'region' }>,
): Result<Eligibility> {
  const set = <T extends { alpha2: string }>(list: readonly T[], alpha2: string) =>
    list.map((each) => (each.alpha2 === alpha2 ? { ...each, isBuyAllowed } : each))
  const state = /^US-([A-Z]{2})$/.exec(region)?.[1]
  if (state !== undefined && from.usStates.some(({ alpha2 }) => alpha2 === state))
    return ok({ ...from, usStates: set(from.usStates, state) })
  if (from.countries.some(({ alpha2 }) => alpha2 === region))
    return ok({ ...from, countries: set(from.countries, region) })
  return err(`unknown region ${region}`)
}

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

/** A partner in the format of the data file. */
export const writePartner = (partner: Partner): string => writeJson(partner satisfies Writable, 'strings')

/** Null if the text is not a partner. */
export function readPartner(content: string): Partner | null {
  const read = partnerSchema.safeParse(JSON.parse(content), readOnce)
  return read.success ? read.data : null
}
