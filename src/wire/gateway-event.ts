import { err, ok, type Result } from '../base/result.ts'
import {
  type GatewayEvent,
  type GatewayTime,
  gatewayOrderStates,
  gatewayOrderTypes,
  gatewayPaymentMethods,
  readGatewayTime,
} from '../domain/gateway/event.ts'
import { type Decimal, isAmountText, parseAmount } from '../domain/money.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { type FlatField, readFlatObject } from './flat-object.ts'

type Kind = 'text' | 'amount' | 'time' | 'word'
type Rule = { kind: Kind; isOptional?: true; isId?: true; most?: number; words?: readonly string[] }

const text: Rule = { kind: 'text' }
const id: Rule = { kind: 'text', isId: true }
const amount: Rule = { kind: 'amount' }
const time: Rule = { kind: 'time' }
const optionalText: Rule = { kind: 'text', isOptional: true }
const word = (words: readonly string[]): Rule => ({ kind: 'word', words })

/** All fields of an event. A body with any other field is not an event. */
const rules: Readonly<Record<keyof GatewayEvent, Rule>> = {
  eventId: id,
  orderId: id,
  externalReference: { kind: 'text', isOptional: true, most: 100 },
  subPartnerId: { kind: 'text', isOptional: true, most: 50 },
  orderType: word(gatewayOrderTypes),
  createdAt: time,
  orderState: word(gatewayOrderStates),
  orderStateUpdatedAt: time,
  paymentMethod: word(gatewayPaymentMethods),
  inputCurrency: text,
  inputAmount: amount,
  outputCurrency: text,
  outputAmount: amount,
  amountUsd: { kind: 'amount', isOptional: true },
  processingFee: amount,
  processingFeeUsd: amount,
  partnerFee: amount,
  partnerFeeUsd: amount,
  networkFee: amount,
  networkFeeUsd: amount,
  network: text,
  userId: text,
  userCountry: optionalText,
  userState: optionalText,
  targetWalletAddress: text,
  transactionHash: optionalText,
}
const ruleOf = new Map<string, Rule>(Object.entries(rules))
const requiredNames = Object.entries(rules).flatMap(([name, rule]) => (rule.isOptional === true ? [] : [name]))

/** What is wrong with a field, to follow its name in a sentence; null when it is valid. */
function fault(rule: Rule, { kind, text: value }: FlatField): string | null {
  if (kind === 'null') return rule.isOptional === true ? null : 'is missing'
  if (rule.kind === 'amount')
    return (kind === 'number' || kind === 'string') && isAmountText(value) ? null : 'must be a number'
  if (kind !== 'string') return 'must be a string'
  if (rule.kind === 'time') return readGatewayTime(value) === undefined ? 'must be a date and time' : null
  if (rule.words !== undefined) return rule.words.includes(value) ? null : `must be one of ${rule.words.join(', ')}`
  // Stores keep half a character as a sign for any of them: two ids would be one.
  if (rule.isId === true && !value.isWellFormed()) return 'has half a character in it'
  if (rule.most !== undefined && value.length > rule.most && [...value].length > rule.most)
    return `is longer than ${rule.most} characters`
  return null
}

/** The valid fields of an event. `text` of a number or string is exactly what was sent. */
type EventFields = ReadonlyMap<string, FlatField>

/**
 * Checks a body against the interface without converting values; the receiver calls it before it acknowledges. The
 * error is one sentence.
 */
export function checkGatewayEvent(json: string): Result<EventFields> {
  const read = readFlatObject(json)
  if (!read.ok) return read
  const fields = read.value
  for (const [name, field] of fields) {
    const rule = ruleOf.get(name)
    if (rule === undefined) return err(`the field ${name.slice(0, 60)} is not one of an event`)
    const wrong = fault(rule, field)
    if (wrong !== null) return err(`the field ${name} ${wrong}`)
  }
  const missing = requiredNames.find((name) => !fields.has(name))
  return missing === undefined ? read : err(`the field ${missing} is missing`)
}

const isNothing = (field: FlatField | undefined): boolean => field === undefined || field.kind === 'null'

/** True when a field has the same meaning in two checked events. */
function isSameField(rule: Rule, one: FlatField | undefined, other: FlatField | undefined): boolean {
  if (one === undefined || other === undefined || isNothing(one) || isNothing(other))
    return isNothing(one) && isNothing(other)
  if (one.text === other.text) return true
  if (rule.kind === 'time') return readGatewayTime(one.text)?.epochNs === readGatewayTime(other.text)?.epochNs
  const [amount, otherAmount] = rule.kind === 'amount' ? [parseAmount(one.text), parseAmount(other.text)] : []
  return amount !== undefined && otherAmount !== undefined && amount.eq(otherAmount)
}

/**
 * True when two bodies are the same event: equal in every field, however fields are ordered and amounts, times and
 * nulls are written.
 */
export function isSameGatewayEvent(one: string, other: string): boolean {
  const [left, right] = [checkGatewayEvent(one), checkGatewayEvent(other)]
  if (!left.ok || !right.ok) return false
  return [...ruleOf].every(([name, rule]) => isSameField(rule, left.value.get(name), right.value.get(name)))
}

const oneOf = <T extends string>(words: readonly T[], value: string): T => {
  const found = words.find((each) => each === value)
  if (found === undefined) throw new Error(`${value} was checked to be one of ${words.join(', ')}`)
  return found
}

/** Converts checked fields to an event. */
function toGatewayEvent(fields: EventFields): GatewayEvent {
  const maybe = (name: keyof GatewayEvent): string | null => {
    const field = fields.get(name)
    return field === undefined || field.kind === 'null' ? null : field.text
  }
  const some = (name: keyof GatewayEvent): string => maybe(name) ?? ''
  const when = (name: keyof GatewayEvent): GatewayTime => {
    const read = readGatewayTime(some(name))
    if (read === undefined) throw new Error(`${name} was checked to be a time`)
    return read
  }
  const maybeAmount = (name: keyof GatewayEvent): Decimal | null => {
    const value = maybe(name)
    return value === null ? null : (parseAmount(value) ?? null)
  }
  const someAmount = (name: keyof GatewayEvent): Decimal => {
    const value = maybeAmount(name)
    if (value === null) throw new Error(`${name} was checked to be an amount`)
    return value
  }
  return {
    eventId: some('eventId'),
    orderId: some('orderId'),
    externalReference: maybe('externalReference'),
    subPartnerId: maybe('subPartnerId'),
    orderType: oneOf(gatewayOrderTypes, some('orderType')),
    createdAt: when('createdAt'),
    orderState: oneOf(gatewayOrderStates, some('orderState')),
    orderStateUpdatedAt: when('orderStateUpdatedAt'),
    paymentMethod: oneOf(gatewayPaymentMethods, some('paymentMethod')),
    inputCurrency: some('inputCurrency'),
    inputAmount: someAmount('inputAmount'),
    outputCurrency: some('outputCurrency'),
    outputAmount: someAmount('outputAmount'),
    amountUsd: maybeAmount('amountUsd'),
    processingFee: someAmount('processingFee'),
    processingFeeUsd: someAmount('processingFeeUsd'),
    partnerFee: someAmount('partnerFee'),
    partnerFeeUsd: someAmount('partnerFeeUsd'),
    networkFee: someAmount('networkFee'),
    networkFeeUsd: someAmount('networkFeeUsd'),
    network: some('network'),
    userId: some('userId'),
    userCountry: maybe('userCountry'),
    userState: maybe('userState'),
    targetWalletAddress: some('targetWalletAddress'),
    transactionHash: maybe('transactionHash'),
  }
}

/** Reads an event with all digits of its amounts. The error is one sentence. */
export function readGatewayEvent(json: string): Result<GatewayEvent> {
  const checked = checkGatewayEvent(json)
  return checked.ok ? ok(toGatewayEvent(checked.value)) : checked
}

/** Writes an event as the gateway sends it. */
export function writeGatewayEvent(event: GatewayEvent, mode: WireMode): string {
  const { createdAt, orderStateUpdatedAt } = event
  return writeJson({ ...event, createdAt: createdAt.text, orderStateUpdatedAt: orderStateUpdatedAt.text }, mode)
}
