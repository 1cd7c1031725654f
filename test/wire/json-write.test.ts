import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { writeJson } from '../../src/wire/json-write.ts'

const amounts = {
  price: new Decimal('5.4044E-4'),
  qty: new Decimal('100.000'),
  fee: new Decimal('-0'),
  left: new Decimal('1e21'),
}

test('amounts are plain digits without trailing zeros, as numbers, as strings, or by turns', () => {
  expect(writeJson(amounts, 'numbers')).toBe('{"price":0.00054044,"qty":100,"fee":0,"left":1000000000000000000000}')
  expect(writeJson(amounts, 'strings')).toBe(
    '{"price":"0.00054044","qty":"100","fee":"0","left":"1000000000000000000000"}',
  )
  expect(writeJson(amounts, 'mixed')).toBe('{"price":0.00054044,"qty":"100","fee":0,"left":"1000000000000000000000"}')
})

test('integers are integers in every mode, beyond 2^53 too', () => {
  for (const mode of ['numbers', 'strings', 'mixed'] as const) {
    expect(writeJson({ id: 9223372036854775807n, timestamp: 1_700_000_000_000 }, mode)).toBe(
      '{"id":9223372036854775807,"timestamp":1700000000000}',
    )
  }
})

test('fields without a value are left out, and text is escaped', () => {
  expect(writeJson({ a: null, b: undefined, c: 'x"\n\u2028', d: [null, true], e: {} }, 'numbers')).toBe(
    '{"c":"x\\"\\n\u2028","d":[null,true],"e":{}}',
  )
})

test('what cannot be written exactly is a mistake of the caller, not a wrong number on the wire', () => {
  expect(() => writeJson({ id: 2 ** 53 }, 'numbers')).toThrow(RangeError)
  expect(() => writeJson({ id: 0.5 }, 'numbers')).toThrow('0.5 is not an integer')
  expect(() => writeJson({ price: new Decimal(Number.NaN) }, 'strings')).toThrow('NaN is not an amount')
})
