import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Result } from '../../src/base/result.ts'
import type { Level, QueueOrder } from '../../src/domain/market/book.ts'
import type { Instrument } from '../../src/domain/market/instrument.ts'
import { readAccounts } from '../../src/wire/account.ts'
import { readBook, readOrderByOrderBook } from '../../src/wire/book.ts'
import { type Known, KnownEntries, keptLengthMax } from '../../src/wire/listing.ts'
import { readFills, readOrders } from '../../src/wire/order.ts'
import { readSymbols } from '../../src/wire/symbol.ts'
import { readTickers } from '../../src/wire/ticker.ts'
import { readDeposits, readWhitelist, readWithdrawals } from '../../src/wire/transfers.ts'
import { digits, goodValue, sample } from './samples.ts'

/** Reads bodies one after the other: what a poll does. */
type Polled = (json: string) => Result<unknown>

/** A reader that has seen no answer before, and one that knows the last one. */
function pair<Entry>(read: (json: string, known?: KnownEntries<Entry>) => Result<unknown>): () => [Polled, Polled] {
  return () => {
    const known = new KnownEntries<Entry>()
    return [(json) => read(json), (json) => read(json, known)]
  }
}

const readers: readonly (() => [Polled, Polled])[] = [
  pair((json, known?: Known<Level>) => readBook(json, 'BTC-USD', known)),
  pair((json, known?: Known<QueueOrder>) => readOrderByOrderBook(json, 'BTC-USD', known)),
  pair(readTickers),
  pair(readOrders),
  pair(readFills),
  pair(readAccounts),
  pair(readWithdrawals),
  pair(readDeposits),
  pair(readWhitelist),
]

/** Objects as the samples have them, flat. */
const sampleEntries = [
  'book-level2',
  'book-level3',
  'tickers',
  'fills',
  'order-page',
  'accounts',
  'deposits',
  'whitelist',
]
  .flatMap((name) => sample(name).match(/\{[^{}]*\}/g) ?? [])
  .slice(0, 60)

const amountText = fc.constantFrom(
  '1',
  '1.0',
  '"1"',
  '1e0',
  '10',
  '10.50',
  '-3',
  '0.30000000000000004',
  '1e400',
  '01',
  'x',
)
const level = fc.tuple(amountText, amountText, amountText)

/** Entries in other words: order of fields, spaces, escapes, fields twice, braces in strings, what is no object. */
const entryText = fc.oneof(
  { weight: 4, arbitrary: level.map(([px, qty, num]) => `{"px":${px},"qty":${qty},"num":${num}}`) },
  level.map(([px, qty]) => `{ "qty" : ${qty} ,\n"px" : ${px}\t}`),
  level.map(([px, qty]) => `{"\\u0070x":${px},"qty":${qty}}`),
  level.map(([px, qty, num]) => `{"px":${px},"qty":${qty},"px":${num}}`),
  level.map(([px, qty]) => `{"px":${px},"qty":${qty},"text":"}{][\\"},"}`),
  level.map(([px, qty]) => `{"px":${px},"qty":${qty},"__proto__":{"px":1},"in":[1,[2,{"a":[3]}]]}`),
  fc.constantFrom(...sampleEntries),
  fc.constantFrom('{}', '{ }', 'null', '7', '"{}"', '[{}]', '[]', 'true', '{"px":1', '{"px":1,}', '{{}}'),
)
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r', '\u00a0')
const comma = fc.constantFrom(',', ',', ',', ',', ',', ',', ',', ' , ', '', ',,')

const listOf = (pool: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pool), space, comma), { maxLength: 8 })
    .map((parts) => `[${parts.map(([entry, gap, sign], at) => (at === 0 ? '' : sign) + gap + entry + gap).join('')}]`)

const bodyOf = (pool: readonly string[]) =>
  fc.tuple(listOf(pool), listOf(pool), space, fc.nat(7)).map(([left, right, gap, shape]) => {
    if (shape === 0) return `${gap}${left}${gap}`
    if (shape === 1) return `{"primary":${left}${gap},"other [{}]":${right}}`
    if (shape === 2) return `{"bids":${left},"asks":${right},"bids":${right}}`
    if (shape === 3) return `{"symbol":"BTC-USD"${gap},"more":{"a":${left}},"asks":${right},"bids":null}`
    if (shape === 4) return `{"symbol":"ETH-USD","bids":${left}`
    if (shape === 5) return `{"symbol":[0],"bids":${left},"__proto__":${right}}`
    if (shape === 6) return `{"symbol":"\\"[{}]","bids":${left}}`
    return `{"symbol":"BTC-USD","bids":${left},${gap}"asks":${right}}`
  })

const bodies = fc
  .array(entryText, { minLength: 1, maxLength: 6 })
  .chain((pool) => fc.array(bodyOf(pool), { minLength: 1, maxLength: 6 }))

test('whatever was answered before, a body reads as it does by itself: entries, their order, what cannot be read and why', () => {
  fc.assert(
    fc.property(bodies, (answers) => {
      for (const reader of readers) {
        const [alone, polled] = reader()
        for (const json of answers) expect(digits(polled(json))).toEqual(digits(alone(json)))
      }
    }),
    { numRuns: 500 },
  )
})

test('so does a true message with one character changed, after the message itself', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('book-level2', 'book-level3', 'tickers', 'fills', 'accounts', 'deposits', 'whitelist'),
      fc.nat(),
      fc.constantFrom('', '0', '-', '"', '[', ']', '{', '}', ',', '\\', 'e', '\u0000', ' '),
      (name, place, change) => {
        const json = sample(name)
        const at = place % json.length
        for (const reader of readers) {
          const [alone, polled] = reader()
          for (const each of [json, json.slice(0, at) + change + json.slice(at + 1), json])
            expect(digits(polled(each))).toEqual(digits(alone(each)))
        }
      },
    ),
    { numRuns: 300 },
  )
})

const nestedTo = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([10, 16, 17, 30, 31, 32, 40])('depth %i counts as ever', (depth) => {
  for (const json of [
    `[{"symbol":"A","deep":${nestedTo(depth)}}]`,
    `{"bids":[{"px":1,"qty":1}],"deep":${nestedTo(depth)}}`,
    `${'{"a":'.repeat(depth)}[{}]${'}'.repeat(depth)}`,
  ])
    for (const reader of readers) {
      const [alone, polled] = reader()
      expect(polled(json)).toEqual(alone(json))
    }
})

const bookOf = (bids: readonly string[], asks: readonly string[] = []) => `{"bids":[${bids}],"asks":[${asks}]}`
const levels = ['{"px":10,"qty":1}', '{"px":9,"qty":2}', '{"px":8,"qty":3}']

test('what comes again in the same words is the very object, wherever it stands; what changed is another', () => {
  const known = new KnownEntries<never>()
  const read = (json: string) => goodValue(readBook(json, 'BTC-USD', known))
  const before = read(bookOf(levels, ['{"px":11,"qty":1}']))
  const after = read(bookOf(['{"px":10.5,"qty":1}', ...levels.slice(0, 2), '{"px":8,"qty":4}'], ['{"px":11,"qty":1}']))
  expect(after.bids[1]).toBe(before.bids[0])
  expect(after.bids[2]).toBe(before.bids[1])
  expect(after.asks[0]).toBe(before.asks[0])
  expect(before.bids).not.toContain(after.bids[3])
})

test('what cannot be read is counted each time it comes, and is the very object too', () => {
  const known = new KnownEntries<never>()
  const read = (json: string) => goodValue(readBook(json, 'BTC-USD', known))
  const odd = '{"px":"?","qty":1}'
  const before = read(bookOf([odd, ...levels, odd]))
  const after = read(bookOf([odd, ...levels]))
  expect(before.unreadable).toHaveLength(2)
  expect(after.unreadable).toHaveLength(1)
  expect(after.unreadable?.[0]).toBe(before.unreadable?.[0])
})

const symbolText = JSON.stringify(JSON.parse(sample('symbols'))['BTC-USD'])
const textOf = (base: string) => symbolText.replace('"BTC"', `"${base}"`)
const mapOf = (...entries: ReadonlyArray<readonly [name: string, text: string]>) =>
  `{${entries.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join(' ,\n')}}`

test('of the map of symbols one that changed is read, and all others are the same objects', () => {
  const known = new KnownEntries<Result<Instrument>>()
  const read = (json: string) => goodValue(readSymbols(json, known)).instruments
  const first = read(mapOf(['A-USD', textOf('A')], ['B-USD', textOf('B')]))
  const halted = textOf('A').replace('"open"', '"halt"')
  const second = read(mapOf(['B-USD', textOf('B')], ['A-USD', halted], ['C-USD', textOf('C')]))
  expect([...second.keys()]).toEqual(['B-USD', 'A-USD', 'C-USD'])
  expect(second.get('B-USD')).toBe(first.get('B-USD'))
  expect(second.get('A-USD')?.status).toBe('halt')
  expect(first.get('A-USD')?.status).toBe('open')
})

test('whatever a map of symbols holds, it is read as if nothing was known', () => {
  const name = fc.constantFrom('A-USD', 'B-USD', 'C-USD', 'a"b', '__proto__', '\u200b', '')
  const text = fc.constantFrom(
    textOf('A'),
    textOf('B'),
    textOf('A').replace('"open"', '"halt"'),
    symbolText.replace('"open"', '"}{"'),
    symbolText.replace('"status"', '"id":1,"id"'),
    symbolText.replace('{', '{"inner":{"a":1},'),
    '{}',
    '{"status":',
    '[]',
    '1',
  )
  const end = fc.constantFrom('', ' ', '}', ',', ' null')
  const map = fc.tuple(fc.array(fc.tuple(name, text), { maxLength: 5 }), end).map(([all, rest]) => mapOf(...all) + rest)
  fc.assert(
    fc.property(fc.array(map, { minLength: 1, maxLength: 4 }), (answers) => {
      const known = new KnownEntries<Result<Instrument>>()
      for (const answer of answers) {
        expect(readSymbols(answer, known)).toEqual(readSymbols(answer))
      }
    }),
    // A name that no object keeps as its own.
    { examples: [[[mapOf(['__proto__', textOf('A')])]]] },
  )
})

test('only the last answer is known; one that is malformed leaves it, one too long to keep does not use it', () => {
  const known = new KnownEntries<never>()
  const read = (json: string) => readBook(json, 'BTC-USD', known)
  const first = goodValue(read(bookOf(levels)))
  expect(read(`${bookOf(levels)}]`).ok).toBe(false)
  expect(goodValue(read(`${bookOf(levels)} `)).bids[0]).toBe(first.bids[0])
  const long = goodValue(read(`${bookOf(levels)}${' '.repeat(keptLengthMax)}`))
  expect(long.bids[0]).toEqual(first.bids[0])
  expect(long.bids[0]).not.toBe(first.bids[0])
  goodValue(read(bookOf(levels.slice(1))))
  const last = goodValue(read(bookOf(levels)))
  expect(last.bids[0]).not.toBe(first.bids[0])
  expect(last.bids[1]).toBe(first.bids[1])
})

test('a list too long to be read is refused whatever is known of its entries', () => {
  const known = new KnownEntries<never>()
  const tickers = (count: number) => `[${'{"symbol":"A-B"},'.repeat(count - 1)}{"symbol":"A-B"}]`
  const read = (count: number) => readTickers(tickers(count), known)
  expect(read(1).ok).toBe(true)
  expect(read(50_001)).toMatchObject({ ok: false, error: 'the JSON has a list of more than 50000 entries' })
})
