import { z } from 'zod'
import { ok, type Result } from '../base/result.ts'
import type {
  EligibleCountry,
  EligibleCurrency,
  EligiblePaymentMethod,
  EligibleRegions,
  EligibleState,
} from '../domain/gateway/eligibility.ts'
import type { Decimal } from '../domain/money.ts'
import { writeAmount } from './exact-json.ts'
import {
  boolean,
  checkMessage,
  mapResult,
  message,
  optionalAmount,
  optionalBoolean,
  optionalText,
  readMessage,
  scale,
  text,
} from './message.ts'

/** Currency. Its type may be any text: the interface names FIAT and leaves the rest open. */
const currencyMessage = message({
  type: text,
  name: text,
  code: text,
  precision: scale,
  minBuyAmount: optionalAmount,
  maxBuyAmount: optionalAmount,
  network: optionalText,
  supportsDestinationTag: optionalBoolean,
  isSupportedInUS: optionalBoolean,
  allowedUSStates: z.nullish(z.array(text)),
})
const countryMessage = message({ alpha2: text, alpha3: text, isBuyAllowed: boolean, name: text })
const usStateMessage = message({ alpha2: text, isBuyAllowed: boolean, name: text })
const paymentMethodMessage = message({ type: text, supportedCurrencies: z.array(text) })

const regionsMessage = message({ countries: z.array(z.unknown()), usStates: z.array(z.unknown()) })
const listMessage = z.array(z.unknown())

/** The readable entries of a list, and in `refused` a sentence for each unreadable one, which affects no other. */
export type CurrenciesReading = {
  readonly currencies: readonly EligibleCurrency[]
  readonly refused: readonly string[]
}
export type RegionsReading = EligibleRegions & { readonly refused: readonly string[] }
export type PaymentMethodsReading = {
  readonly paymentMethods: readonly EligiblePaymentMethod[]
  readonly refused: readonly string[]
}

/** Reads each entry; `what` names the entries in the sentences of refused ones. */
function readEach<T>(entries: readonly unknown[], schema: z.ZodType<T>, what: string, refused: string[]): T[] {
  return entries.flatMap((entry, index) => {
    const read = checkMessage(schema, entry)
    if (read.ok) return [read.value]
    refused.push(`${what} ${index + 1}: ${read.error}`)
    return []
  })
}

const toCurrency = ({
  isSupportedInUS,
  allowedUSStates,
  ...same
}: z.infer<typeof currencyMessage>): EligibleCurrency => ({
  ...same,
  isSupportedInUs: isSupportedInUS,
  allowedUsStates: allowedUSStates ?? null,
})

/** Reads the list of currencies. Fails only when the text is not a list. */
export const readCurrencies = (json: string): Result<CurrenciesReading> =>
  mapResult(readMessage(listMessage, json), (entries) => {
    const refused: string[] = []
    return { currencies: readEach(entries, currencyMessage, 'currency', refused).map(toCurrency), refused }
  })

/** Reads the regions. Fails only when the text is not two lists. */
export const readRegions = (json: string): Result<RegionsReading> =>
  mapResult(readMessage(regionsMessage, json), (read) => {
    const refused: string[] = []
    return {
      countries: readEach(read.countries, countryMessage, 'country', refused),
      usStates: readEach(read.usStates, usStateMessage, 'US state', refused),
      refused,
    }
  })

/** Reads the payment methods: a list, or a list of lists. Fails only when the text is not a list. */
export function readPaymentMethods(json: string): Result<PaymentMethodsReading> {
  const read = readMessage(listMessage, json)
  if (!read.ok) return read
  const refused: string[] = []
  const paymentMethods = readEach(read.value.flat(), paymentMethodMessage, 'payment method', refused)
  return ok({ paymentMethods, refused })
}

const amountText = (amount: Decimal | null): string | undefined => (amount === null ? undefined : writeAmount(amount))

/** The fields of a currency, in the interface's order: only fiat has limits, and crypto fields are null for fiat. */
function currencyFields(currency: EligibleCurrency) {
  const isFiat = currency.type === 'FIAT'
  return {
    type: currency.type,
    name: currency.name,
    code: currency.code,
    precision: currency.precision,
    minBuyAmount: isFiat ? amountText(currency.minBuyAmount) : undefined,
    maxBuyAmount: isFiat ? amountText(currency.maxBuyAmount) : undefined,
    network: isFiat ? null : currency.network,
    supportsDestinationTag: isFiat ? null : currency.supportsDestinationTag,
    isSupportedInUS: isFiat ? null : currency.isSupportedInUs,
    allowedUSStates: isFiat ? null : currency.allowedUsStates,
  }
}

const countryFields = ({ alpha2, alpha3, isBuyAllowed, name }: EligibleCountry) => ({
  alpha2,
  alpha3,
  isBuyAllowed,
  name,
})
const stateFields = ({ alpha2, isBuyAllowed, name }: EligibleState) => ({ alpha2, isBuyAllowed, name })
const methodFields = ({ type, supportedCurrencies }: EligiblePaymentMethod) => ({ type, supportedCurrencies })

/** The gateway's answer. Amounts are strings in every mode, which is their type on this interface. */
export const writeCurrencies = (currencies: readonly EligibleCurrency[]): string =>
  JSON.stringify(currencies.map(currencyFields))

export const writeRegions = ({ countries, usStates }: EligibleRegions): string =>
  JSON.stringify({ countries: countries.map(countryFields), usStates: usStates.map(stateFields) })

/** The gateway answers nested: one list inside a list. */
export function writePaymentMethods(methods: readonly EligiblePaymentMethod[], form: 'nested' | 'flat'): string {
  const list = methods.map(methodFields)
  return JSON.stringify(form === 'nested' ? [list] : list)
}
