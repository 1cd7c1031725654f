import fc from 'fast-check'
import { expect, test as propertyTest } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { type JournalRecord, readLine, readRecord, recordLine, writeLine } from '../../src/journal/record.ts'
import { aDraft } from '../fakes/orders.ts'
import { atMs } from './scene.ts'

const scales = { priceScale: 2, quantityScale: 4 }
const lineOf = (record: JournalRecord) => recordLine(record).trimEnd()

propertyTest('a line is read as it was written, and not at all once a character of it is another', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1 }), fc.nat(), (fields, at) => {
      const line = writeLine({ ...fields, record: 'x' }).slice(0, -1)
      expect(readLine(line)).toEqual({ ...fields, record: 'x' })
      const index = at % line.length
      const changed = `${line.slice(0, index)}${line[index] === '~' ? '-' : '~'}${line.slice(index + 1)}`
      expect(readLine(changed)).toBeUndefined()
    }),
  )
})

propertyTest('every record comes back as it was, amounts as text and exact', () => {
  const records: JournalRecord[] = [
    { record: 'desk', at: atMs, version: 1, exchange: 'practice' },
    {
      record: 'begin',
      at: atMs,
      id: 'a',
      intent: { kind: 'order', clientOrderId: 'c1', draft: aDraft({ orderQuantity: new Decimal('1e-18') }) },
    },
    { record: 'begin', at: atMs, id: 'b', intent: { kind: 'cancel', orderId: '9007199254740993' } },
    { record: 'begin', at: atMs, id: 'c', intent: { kind: 'cancelAll', symbol: null } },
    {
      record: 'begin',
      at: atMs,
      id: 'd',
      intent: { kind: 'move', orderId: '9', clientOrderId: 'c2', draft: aDraft(), scales },
    },
    {
      record: 'begin',
      at: atMs,
      id: 'e',
      intent: {
        kind: 'withdrawal',
        request: { currency: 'BTC', beneficiary: 'w', amount: new Decimal('12345678901.12345678') },
        draftId: 'd-1',
      },
    },
    {
      record: 'begin',
      at: atMs,
      id: 'f',
      intent: { kind: 'withdrawal', request: { currency: 'BTC', beneficiary: 'w', amount: 'max' }, draftId: null },
    },
    { record: 'step', at: atMs, id: 'd', step: { step: 'place', quantity: new Decimal('0.03') } },
    { record: 'outcome', at: atMs, id: 'a', outcome: { kind: 'accepted', id: '9007199254740993', status: 'OPEN' } },
    { record: 'outcome', at: atMs, id: 'b', outcome: { kind: 'unknown', reason: 'line\nbreak "quoted"' } },
    { record: 'settled', at: atMs, id: 'b', settlement: { how: 'canceled', by: 'person', id: null, evidence: 'é' } },
  ]
  for (const record of records) {
    expect(readRecord(readLine(lineOf(record)))).toEqual(record)
    expect(lineOf(record)).not.toContain('\n')
  }
  expect(lineOf(records[1] as JournalRecord)).toContain('"orderQuantity":"0.000000000000000001"')
  expect(lineOf(records[0] as JournalRecord)).toContain('"at":"2026-01-05T14:00:00.000Z"')
})

propertyTest(
  'how amounts are shown is no part of what counts: a record whose decimals make no sense is read without them',
  () => {
    const intent = { kind: 'order', clientOrderId: 'c1', draft: aDraft(), scales } as const
    const record = readLine(lineOf({ record: 'begin', at: atMs, id: 'a', intent }))
    const odd = JSON.parse(JSON.stringify(record).replace('"priceScale":2', '"priceScale":"many"'))
    expect(readRecord(odd)).toEqual({ record: 'begin', at: atMs, id: 'a', intent: { ...intent, scales: undefined } })
  },
)

propertyTest('a withdrawal from before there were drafts is read as one of no draft', () => {
  const request = { currency: 'BTC', beneficiary: 'w', amount: '0.5' }
  const record = { at: '2026-01-05T14:00:00.000Z', record: 'begin', id: 'e1', intent: { kind: 'withdrawal', request } }
  expect(readRecord(readLine(writeLine(record).trimEnd()))).toEqual({
    record: 'begin',
    at: atMs,
    id: 'e1',
    intent: { kind: 'withdrawal', request: { ...request, amount: new Decimal('0.5') }, draftId: null },
  })
})
