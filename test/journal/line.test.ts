import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test as propertyTest } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import {
  type JournalRecord,
  readJournalLine,
  readLine,
  readLineHead,
  readRecord,
  recordLine,
  writeLine,
} from '../../src/journal/record.ts'
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

propertyTest('whatever stands before a whole line or after it, or in the place of its text, it is no line', () => {
  const line = writeLine({ record: 'x' }).trimEnd()
  for (const odd of [
    `{"at":"20${line}`,
    `half a li${line}`,
    `${line}x`,
    `${line}${line}`,
    `${line}\n`,
    line.slice(0, -1),
  ])
    expect(readLine(odd)).toBeUndefined()
  expect(readLine('')).toBeUndefined()
  // Whoever changed it made the checksum anew.
  const crc = crc32('{no JSON}').toString(16).padStart(8, '0')
  expect(readLine(`{no JSON,"crc":"${crc}"}`)).toBeUndefined()
  expect(readLine(writeLine({ text: 'a\u2028\n' }).trimEnd())).toEqual({ text: 'a\u2028\n' })
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
    {
      ...{ record: 'outcome', at: atMs, id: 'c' },
      outcome: { kind: 'refused', reason: 'slow down', refusedFor: 'tooManyCalls' },
    },
    {
      ...{ record: 'outcome', at: atMs, id: 'd' },
      outcome: { kind: 'unknown', reason: 'slow down', refusedFor: 'tooManyCalls', isRefusal: true },
    },
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

propertyTest('what a refusal was for is left out where this program does not know it, and the refusal is read', () => {
  const outcome = { kind: 'rejected', reason: 'no' } as const
  const record = { record: 'outcome', at: atMs, id: 'a', outcome } as const
  expect(readRecord(readLine(lineOf(record)))).toEqual(record)
  const later = { at: '2026-01-05T14:00:00.000Z', record: 'outcome', id: 'a', outcome: { ...outcome, refusedFor: 'x' } }
  expect(readRecord(readLine(writeLine(later).trimEnd()))).toEqual(record)
})

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

propertyTest('the head of a line says what it is about without the rest, and what ends an entry', () => {
  const head = (record: JournalRecord) => readLineHead(lineOf(record))
  const order = { kind: 'order', clientOrderId: 'c1', draft: aDraft() } as const
  const base = { at: atMs, id: 'a', keys: [], isEnd: false, exchange: null }
  expect(head({ record: 'begin', at: atMs, id: 'a', intent: order })).toEqual({
    ...{ ...base, record: 'begin', keys: ['entry a', 'order c1'] },
  })
  const request = { currency: 'BTC', beneficiary: 'w', amount: 'max' } as const
  const money = { kind: 'withdrawal', request, draftId: 'd1', key: 'k1' } as const
  expect(head({ record: 'begin', at: atMs, id: 'a', intent: money })).toMatchObject({
    keys: ['entry a', 'draft d1', 'key k1'],
  })
  expect(head({ record: 'desk', at: atMs, version: 2, exchange: 'practice' })).toEqual({
    ...{ ...base, record: 'desk', id: '2026-01-05T14:00:00.000Z', exchange: 'practice' },
  })
  expect(head({ record: 'outcome', at: atMs, id: 'a', outcome: { kind: 'unknown', reason: '' } })).toEqual({
    ...{ ...base, record: 'outcome' },
  })
  expect(head({ record: 'outcome', at: atMs, id: 'a', outcome: { kind: 'canceled' } })).toMatchObject({ isEnd: true })
  const settlement = { how: 'placed', by: 'person', id: null, evidence: '' } as const
  expect(head({ record: 'settled', at: atMs, id: 'a', settlement })).toEqual({
    ...base,
    record: 'settled',
    isEnd: true,
  })
  const step = { step: 'place', quantity: new Decimal(1) } as const
  expect(head({ record: 'step', at: atMs, id: 'a', step })).toEqual({ ...base, record: 'step' })
})

propertyTest(
  'a whole line with a word of tomorrow is a newer program’s, and a changed one is damaged, never the other',
  () => {
    const at = '2026-01-05T14:00:00.000Z'
    const newer: Readonly<Record<string, unknown>>[] = [
      { at, record: 'tomorrow', id: 'a' },
      { at, record: 'begin', id: 'a', intent: { kind: 'tomorrow' } },
      { at, record: 'begin', id: 'a', intent: null },
      { at, record: 'begin', id: 'a', intent: 'order' },
      { at, record: 'begin', id: 7, intent: { kind: 'cancel', orderId: '9' } },
      { at: 'tomorrow', record: 'begin', id: 'a', intent: { kind: 'cancel', orderId: '9' } },
      { at: 7, record: 'begin', id: 'a', intent: { kind: 'cancel', orderId: '9' } },
      { at, record: 'step', id: 'a', step: { step: 'tomorrow' } },
      { at, record: 'outcome', id: 'a', outcome: { kind: 'tomorrow' } },
      { at, record: 'settled', id: 'a', settlement: { how: 'tomorrow', by: 'person', id: null, evidence: '' } },
      { at, record: 'desk', version: 3, exchange: 'practice' },
    ]
    for (const record of newer) {
      const line = writeLine(record).trimEnd()
      expect([record, readLineHead(line), readJournalLine(line)]).toEqual([record, 'newer', 'newer'])
      expect(readLineHead(line.slice(1))).toBe('damaged')
      expect(readJournalLine(line.slice(1))).toBe('damaged')
    }
    expect(readLineHead(writeLine({ at, record: 'desk', version: 1 }).trimEnd())).toMatchObject({ exchange: null })
  },
)

propertyTest('words that every release wrote are read, each of them, and amounts that are none are not', () => {
  const at = '2026-01-05T14:00:00.000Z'
  const isKnown = (record: Readonly<Record<string, unknown>>) => {
    const line = writeLine({ at, id: 'a', ...record }).trimEnd()
    return [typeof readJournalLine(line), typeof readLineHead(line)].join() === 'object,object'
  }
  const outcomes = ['accepted', 'canceled', 'rejected', 'refused', 'notSent', 'unknown'].map((kind) => ({
    ...{ kind, reason: 'x', id: null, status: null },
  }))
  for (const outcome of outcomes) expect(isKnown({ record: 'outcome', outcome })).toBe(true)
  for (const how of ['placed', 'rejected', 'canceled', 'notCanceled', 'notPlaced'])
    for (const by of ['exchange', 'person'])
      expect(isKnown({ record: 'settled', settlement: { how, by, id: '7', evidence: 'x' } })).toBe(true)
  expect(isKnown({ record: 'step', step: { step: 'canceled', cumQuantity: '1.5' } })).toBe(true)
  expect(isKnown({ record: 'step', step: { step: 'canceled', cumQuantity: 'many' } })).toBe(false)
  expect(isKnown({ record: 'begin', intent: { kind: 'cancelAll', symbol: 'BTC-USD' } })).toBe(true)
  // What a later release may add to a line without making it another one.
  const more = { record: 'begin', id: 'a', version: 9, exchange: 'other', intent: { kind: 'cancel', orderId: '9' } }
  expect(isKnown(more)).toBe(true)
  expect(readLineHead(writeLine({ at, ...more }).trimEnd())).toMatchObject({ exchange: null })
  expect(isKnown({ record: 'outcome', outcome: { kind: ['canceled'] } })).toBe(false)
})
