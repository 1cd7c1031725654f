import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatewayTime } from '../../src/domain/gateway/event.ts'
import { Decimal } from '../../src/domain/money.ts'
import { type FlatField, readFlatObject } from '../../src/wire/flat-object.ts'
import {
  checkGatewayEvent,
  isSameGatewayEvent,
  readGatewayEvent,
  writeGatewayEvent,
} from '../../src/wire/gateway-event.ts'

const event = {
  eventId: 'ev-1',
  orderId: 'ord-1',
  externalReference: 'my ref',
  subPartnerId: null,
  orderType: 'BUY',
  createdAt: gatewayTime(1_767_620_000_000, 123_456),
  orderState: 'COMPLETED',
  orderStateUpdatedAt: gatewayTime(1_767_620_060_000, 0),
  paymentMethod: 'CARD',
  inputCurrency: 'USD',
  inputAmount: new Decimal('250'),
  outputCurrency: 'BTC',
  outputAmount: new Decimal('0.00380001'),
  amountUsd: new Decimal('250'),
  processingFee: new Decimal('2.5'),
  processingFeeUsd: new Decimal('2.5'),
  partnerFee: new Decimal('1'),
  partnerFeeUsd: new Decimal('1'),
  networkFee: new Decimal('0.12'),
  networkFeeUsd: new Decimal('0.12'),
  network: 'BTC',
  userId: 'u-1',
  userCountry: 'US',
  userState: 'US-CA',
  targetWalletAddress: 'bc1q',
  transactionHash: 'ab12',
} as const

test.each(['numbers', 'strings', 'mixed'] as const)('what is written as %s is read back', (mode) => {
  const read = readGatewayEvent(writeGatewayEvent(event, mode))
  if (!read.ok) throw new Error(read.error)
  expect(JSON.stringify(read.value, (_, v) => (typeof v === 'bigint' ? String(v) : v))).toBe(
    JSON.stringify(event, (_, v) => (typeof v === 'bigint' ? String(v) : v)),
  )
})

const json = writeGatewayEvent(event, 'strings')
test.each([
  ['', 'the JSON is empty'],
  ['nonsense', 'the JSON is malformed'],
  ['[]', 'the JSON is not an object'],
  [json.replace('"BUY"', '"HOLD"'), 'the field orderType must be one of BUY, SELL'],
  [json.replace('"eventId":"ev-1",', ''), 'the field eventId is missing'],
  [json.replace('"ev-1"', String.raw`"ev-\ud800"`), 'the field eventId has half a character in it'],
  [json.replace('{', '{"more":1,'), 'the field more is not one of an event'],
  [json.replace('"250"', '"2,50"'), 'the field inputAmount must be a number'],
  [json.replace('"250"', '{"a":1}'), 'the field inputAmount must be a number'],
  [json.replace('{', '{"eventId":"other",'), 'a field comes twice'],
  [json.replace('my ref', 'x'.repeat(101)), 'the field externalReference is longer than 100 characters'],
  [json.replace(event.createdAt.text, '2026-02-30T00:00:00Z'), 'the field createdAt must be a date and time'],
])('%s', (body, sentence) => {
  const read = checkGatewayEvent(body)
  expect(read.ok ? null : read.error).toBe(sentence)
})

test('the quick reader of plain objects agrees with the general one, whatever the text', () => {
  const plainOf = ({ kind, text }: FlatField): unknown =>
    kind === 'string' ? text : kind === 'nested' ? 'nested' : JSON.parse(text)
  const flat = (value: unknown): unknown => (typeof value === 'object' && value !== null ? 'nested' : value)
  let count = 0
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc
          .dictionary(
            fc.string(),
            fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
          )
          .map((o) => JSON.stringify(o, null, 1)),
      ),
      (text) => {
        const read = readFlatObject(text)
        let parsed: unknown
        try {
          parsed = JSON.parse(text)
        } catch {
          parsed = undefined
        }
        const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
        // A field that readers of objects leave out is refused.
        const isRead = isObject && !Object.hasOwn(parsed as object, '__proto__')
        expect(read.ok).toBe(isRead)
        if (!read.ok) return
        count += 1
        expect(new Map([...read.value].map(([name, field]) => [name, plainOf(field)]))).toEqual(
          new Map(Object.entries(parsed as object).map(([name, value]) => [name, flat(value)])),
        )
      },
    ),
    { numRuns: 3000 },
  )
  expect(count).toBeGreaterThan(500)
})

const texts = [
  'eventId',
  'orderId',
  'inputCurrency',
  'outputCurrency',
  'network',
  'userId',
  'targetWalletAddress',
] as const

test.each(texts)(
  'an event whose %s is empty is an event: the interface asks for a text, not for a long one',
  (name) => {
    const read = readGatewayEvent(JSON.stringify({ ...JSON.parse(json), [name]: '' }))
    expect(read).toMatchObject({ ok: true, value: { [name]: '' } })
  },
)

const fields = Object.entries<unknown>(JSON.parse(json))
const withFields = (entries: readonly (readonly [string, unknown])[]) => JSON.stringify(Object.fromEntries(entries))

test('the same event is the same in any order of its fields, and however amounts, times and nothing are written', () => {
  const anyOrder = fc.shuffledSubarray(fields, { minLength: fields.length })
  fc.assert(
    fc.property(anyOrder, fc.boolean(), (entries, isWide) => {
      const body = isWide ? JSON.stringify(Object.fromEntries(entries), null, 2) : withFields(entries)
      expect(isSameGatewayEvent(json, body)).toBe(true)
      expect(isSameGatewayEvent(body, json)).toBe(true)
    }),
  )
  expect(isSameGatewayEvent(json, writeGatewayEvent(event, 'numbers'))).toBe(true)
  expect(isSameGatewayEvent(json, json.replace('"250"', '2.50e2'))).toBe(true)
  expect(
    isSameGatewayEvent(json, json.replace(event.createdAt.text, event.createdAt.text.replace('Z', '+00:00'))),
  ).toBe(true)
  expect(isSameGatewayEvent(withFields(fields.filter(([name]) => name !== 'subPartnerId')), json)).toBe(true)
  expect(isSameGatewayEvent(json, json.replace('my ref', 'my\\u0020ref'))).toBe(true)
})

test('an event that differs in any field is another', () => {
  for (const [name, value] of fields) {
    const others = fields.map(([each, own]) => [each, each === name ? otherThan(name, value) : own] as const)
    const body = withFields(others)
    expect(checkGatewayEvent(body).ok, body).toBe(true)
    expect(isSameGatewayEvent(json, body), name).toBe(false)
  }
  expect(isSameGatewayEvent(json, withFields(fields.filter(([name]) => name !== 'userCountry')))).toBe(false)
  // What is not an event is not the same as anything, itself included.
  for (const body of ['', '{}', 'null', json.replace('{', '{"more":1,')])
    expect(isSameGatewayEvent(body, body)).toBe(false)
})

/** Another good value for a field. */
function otherThan(name: string, value: unknown): string {
  if (name === 'orderType') return 'SELL'
  if (name === 'orderState') return 'FAILED'
  if (name === 'paymentMethod') return 'APPLE_PAY'
  if (name.endsWith('At')) return gatewayTime(1_767_620_000_000, 123_457).text
  if (/Amount|Fee|Usd/.test(name)) return '0.000000000000000000001'
  return `${value}`.toUpperCase() === `${value}` ? `${value}x` : `${value}`.toUpperCase()
}
