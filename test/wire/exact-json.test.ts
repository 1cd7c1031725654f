import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { fieldTwice, NumberText, readJson, wireModes, writeJson } from '../../src/wire/exact-json.ts'
import { errorOf, goodValue } from './samples.ts'

test('a number keeps every character it was written with, and stays apart from a string', () => {
  const read = goodValue(
    readJson('[0.1000000000000000055511151231257827, -0, 1E400, 9007199254740993, "9007199254740993"]'),
  )
  expect(read).toEqual([
    new NumberText('0.1000000000000000055511151231257827'),
    new NumberText('-0'),
    new NumberText('1E400'),
    new NumberText('9007199254740993'),
    '9007199254740993',
  ])
})

test('a key __proto__ is left out, at any depth, and changes no prototype', () => {
  const read = goodValue(readJson('{"__proto__":{"polluted":true},"a":{"__proto__":null,"b":1}}'))
  expect(read).toEqual({ a: { b: new NumberText('1') } })
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect(Object.keys({})).toEqual([])
})

test.each([
  '{"price":1,"price":2}',
  '{"price":1,"pr\\u0069ce":1}',
  '{"__proto__":1,"__proto__":2}',
  '{"a":{},"b":[{"c":1,"c":2}],"a":1}',
])('an object in which a field comes twice is none: %s', (json) => {
  expect(errorOf(readJson(json))).toBe('a field comes twice')
})

test('an object inside in which a field comes twice costs itself alone', () => {
  const twice = fieldTwice
  const text = '{ "list": [{"a":1}, {"a":1,"b":{"c":{}},"a":2}, {"b":{"d":[1],"d":":"}, "a":"{\\"x\\":"}], "a" : 1 }'
  const one = new NumberText('1')
  expect(goodValue(readJson(text))).toEqual({ list: [{ a: one }, twice, { b: twice, a: '{"x":' }], a: one })
})

test('as many objects in which a field comes twice as a text may hold are read in linear time', () => {
  const list = `[${'{"a":1,"a":2},'.repeat(49_999)}{}]`
  const lists = goodValue(readJson(`[${Array.from({ length: 6 }, () => list).join(',')}]`))
  expect(lists).toEqual(Array.from({ length: 6 }, () => expect.any(Array)))
})

test.each(['{},', '1,', '[],', '{"a":1},'])('a text of too many entries or parts is refused unparsed: %s', (part) => {
  const listOf = (count: number) => `[${part.repeat(count - 1)}1]`
  expect(errorOf(readJson(listOf(50_001)))).toBe('the JSON has a list of more than 50000 entries')
  expect(readJson(listOf(50_000)).ok).toBe(true)
  const many = `[${Array.from({ length: 21 }, () => listOf(50_000)).join(',')}]`
  expect(errorOf(readJson(many))).toBe('the JSON has more than 1000000 parts')
  expect(readJson(JSON.stringify(many)).ok).toBe(true)
})

test('a text without a field that comes twice is what JSON.parse makes of it', () => {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value)
      if (json.includes('__proto__')) return
      const numbers = (each: unknown): unknown =>
        each instanceof NumberText
          ? Number(each.text)
          : Array.isArray(each)
            ? each.map(numbers)
            : typeof each === 'object' && each !== null
              ? Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, numbers(inner)]))
              : each
      expect(numbers(goodValue(readJson(json)))).toEqual(plain(value))
    }),
  )
})

test.each([
  ['', 'the JSON is empty'],
  [' \n', 'the JSON is empty'],
  ['{', 'the JSON is malformed'],
  ['{"a":1}}', 'the JSON is malformed'],
  ['{"a":01}', 'the JSON is malformed'],
  ['{"a":NaN}', 'the JSON is malformed'],
  ['"unfinished', 'the JSON is malformed'],
  ['"unfinished\\', 'the JSON is malformed'],
  ["{'a':1}", 'the JSON is malformed'],
])('malformed text %j gives the sentence: %s', (text, sentence) => {
  expect(errorOf(readJson(text))).toBe(sentence)
})

test('nesting and length are bounded before the parser sees the text', () => {
  const bounds = { maxLength: 100, maxDepth: 3 }
  expect(errorOf(readJson('[[[[1]]]]', bounds))).toBe('the JSON is nested deeper than 3 levels')
  expect(errorOf(readJson(`"${'x'.repeat(99)}"`, bounds))).toBe('the JSON is longer than 100 characters')
  expect(readJson('[[[1]],[[2]],"[[[[\\"[[[["]', bounds).ok).toBe(true)
  expect(errorOf(readJson('['.repeat(5_000_000)))).toBe('the JSON is nested deeper than 32 levels')
})

test('text as long as the bound is read, and one nested too deep for the parser is not said to be malformed', () => {
  expect(readJson(`"${'x'.repeat(98)}"`, { maxLength: 100, maxDepth: 1 }).ok).toBe(true)
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(() => readJson(deep, { maxLength: deep.length, maxDepth: deep.length })).toThrow(RangeError)
})

type Nested = string | number | Nested[] | { [name: string]: Nested }

/** Values with brackets, quotes and backslashes in their strings, which are no nesting. */
const { nested } = fc.letrec<{ nested: Nested }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 6, depthSize: 'large' },
    fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a', ':') }),
    fc.nat(),
    fc.array(tie('nested'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', '{"', '[\\'), tie('nested'), { maxKeys: 3 }),
  ),
}))

const depthOf = (value: Nested): number =>
  typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('nesting is counted as the parser nests, whatever strings hold and whatever stands before', () => {
  fc.assert(
    fc.property(nested, (value) => {
      const text = JSON.stringify(value)
      const depth = depthOf(value)
      expect(readJson(text, { maxLength: text.length, maxDepth: depth }).ok).toBe(true)
      if (depth > 0)
        expect(errorOf(readJson(text, { maxLength: text.length, maxDepth: depth - 1 }))).toBe(
          `the JSON is nested deeper than ${depth - 1} levels`,
        )
    }),
    { numRuns: 500 },
  )
})

test('there are three ways to write amounts, and each is tried wherever all are', () => {
  expect(wireModes).toEqual(['numbers', 'strings', 'mixed'])
})

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
  expect(writeJson([undefined, null], 'numbers')).toBe('[null,null]')
  expect(writeJson({ a: null, b: undefined, c: 'x"\n\u2028', d: [null, true], e: {} }, 'numbers')).toBe(
    '{"c":"x\\"\\n\u2028","d":[null,true],"e":{}}',
  )
})

test('what cannot be written exactly is a mistake of the caller, not a wrong number on the wire', () => {
  expect(() => writeJson({ id: 2 ** 53 }, 'numbers')).toThrow(RangeError)
  expect(() => writeJson({ id: 0.5 }, 'numbers')).toThrow('0.5 is not an integer')
  expect(() => writeJson({ price: new Decimal(Number.NaN) }, 'strings')).toThrow('NaN is not an amount')
})
