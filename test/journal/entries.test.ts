import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { Entries, entriesInOrder, LateRecords, recordsOf } from '../../src/journal/entries.ts'
import {
  describeIntent,
  isOpen,
  type JournalEntry,
  JournalError,
  type JournalOutcome,
  keysOf,
  mayHaveLeft,
  nameIntent,
  placedId,
  placedQuantity,
  type Settlement,
  termsOf,
  type WriteIntent,
} from '../../src/journal/entry.ts'
import { joinedPath, LineGroups, removeJoined, writeJoined } from '../../src/journal/joined-file.ts'
import { type JournalRecord, readLineHead, recordLine, writeLine } from '../../src/journal/record.ts'
import { aDraft } from '../fakes/orders.ts'
import { aFolder, anIntent, atMs } from './scene.ts'

const entry = (change: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ id: 'a', atMs, intent: anIntent('c1'), steps: [], outcome: null, settlement: null },
  ...change,
})
const accepted: JournalOutcome = { kind: 'accepted', id: '7', status: 'OPEN' }
const unknown: JournalOutcome = { kind: 'unknown', reason: 'reset' }
const settlement: Settlement = { how: 'placed', by: 'person', id: '7', evidence: 'seen' }
const money: WriteIntent = {
  ...{
    kind: 'withdrawal',
    request: { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') },
    draftId: null,
  },
}
const move: WriteIntent = { kind: 'move', orderId: '9', clientOrderId: 'c2', draft: aDraft() }

/** Entries of these records, one after the other. */
const made = (...records: readonly JournalRecord[]) => {
  const entries = new Entries()
  for (const record of records) entries.add(record)
  return entries
}
const begin: JournalRecord = { record: 'begin', at: atMs, id: 'a', intent: anIntent('c1') }

test('an entry is what its records say, in whatever copies they come: the first beginning and settlement count', () => {
  const whole = entry({
    steps: [{ step: 'place', quantity: new Decimal(2) }],
    ...{ outcome: accepted, settlement },
  })
  const records = recordsOf(whole)
  expect(records.map(({ record }) => record)).toEqual(['begin', 'step', 'outcome', 'settled'])
  expect(made(...records).all()).toEqual([whole])
  expect(made(...records, ...records).all()).toEqual([whole])
  const later: JournalRecord = { record: 'begin', at: atMs + 1, id: 'a', intent: anIntent('other') }
  const unknownWrites: JournalRecord = {
    record: 'settled',
    at: atMs,
    id: 'a',
    settlement: { ...settlement, how: 'notPlaced' },
  }
  expect(made(...records, later, unknownWrites).all()).toEqual([whole])
  expect(recordsOf(entry())).toEqual([begin])
})

test('an entry has the time of its end, also when it is carried over, whichever copy is read last', () => {
  const ended = (at: number): JournalRecord => ({ record: 'outcome', at, id: 'a', outcome: accepted })
  const entries = [[ended(atMs + 5)], [ended(atMs + 5), ended(atMs)], [ended(atMs), ended(atMs + 5)]].map((ends) =>
    made(begin, ...ends).get('a'),
  )
  for (const each of entries) expect(each?.endedAtMs).toBe(atMs + 5)
  const carried = recordsOf(entry({ outcome: accepted, endedAtMs: atMs + 5 }))
  expect(carried).toEqual([begin, ended(atMs + 5)])
})

test('a late "unknown" from a copy takes no answer away; an answer replaces an "unknown"', () => {
  const outcome = (of: JournalOutcome): JournalRecord => ({ record: 'outcome', at: atMs, id: 'a', outcome: of })
  expect(made(begin, outcome(accepted), outcome(unknown)).get('a')?.outcome).toEqual(accepted)
  expect(made(begin, outcome(unknown), outcome(accepted)).get('a')?.outcome).toEqual(accepted)
  expect(made(begin, outcome(unknown)).get('a')?.outcome).toEqual(unknown)
})

test('of each step of a move the last one counts, and both steps stay', () => {
  const step = (of: JournalEntry['steps'][number]): JournalRecord => ({ record: 'step', at: atMs, id: 'a', step: of })
  const canceled = { step: 'canceled', cumQuantity: new Decimal(1) } as const
  const place = (quantity: number) => ({ step: 'place', quantity: new Decimal(quantity) }) as const
  const steps = made(begin, step(canceled), step(place(3)), step(place(2))).get('a')?.steps ?? []
  expect(steps).toEqual([canceled, place(2)])
  expect(placedQuantity(steps)).toEqual(new Decimal(2))
  expect(placedQuantity([place(2), canceled])).toEqual(new Decimal(2))
  expect(placedQuantity([canceled])).toBeNull()
})

test('what has no beginning, or is about a desk, makes no entry; what is forgotten is gone', () => {
  const desk: JournalRecord = { record: 'desk', at: atMs, version: 2, exchange: 'practice' }
  const entries = made(desk, { record: 'outcome', at: atMs, id: 'a', outcome: accepted }, { ...begin, id: 'b' })
  expect(entries.all().map(({ id }) => id)).toEqual(['b'])
  entries.forget('b')
  expect(entries.all()).toEqual([])
})

test('only an entry without an answer or with an unknown one, and without a settlement, is open', () => {
  const open = [entry(), entry({ outcome: unknown }), entry({ outcome: accepted })].map(isOpen)
  expect(open).toEqual([true, true, false])
  expect([entry({ settlement }), entry({ outcome: unknown, settlement })].map(isOpen)).toEqual([false, false])
})

test('only what is known not to have been sent, and was never resolved otherwise, cannot have left', () => {
  const notSent: JournalOutcome = { kind: 'notSent', reason: 'full' }
  expect(mayHaveLeft(entry({ outcome: notSent }))).toBe(false)
  const others = [entry(), entry({ outcome: unknown }), entry({ outcome: accepted }), entry({ settlement })]
  for (const each of [...others, entry({ outcome: notSent, settlement })]) expect(mayHaveLeft(each)).toBe(true)
})

test('an order has the id of its settlement, else of its answer, and none where it is not known to be there', () => {
  const placed: Settlement = { how: 'placed', by: 'exchange', id: '8', evidence: '' }
  const refused: JournalOutcome = { kind: 'rejected', reason: 'no funds' }
  expect(placedId(entry({ outcome: { kind: 'accepted', id: '7', status: 'OPEN' } }))).toBe('7')
  expect(placedId(entry({ outcome: { kind: 'accepted', id: null, status: null } }))).toBeNull()
  expect(placedId(entry({ outcome: refused, settlement: placed }))).toBe('8')
  expect(placedId(entry({ outcome: accepted, settlement: { ...placed, how: 'notPlaced' } }))).toBeUndefined()
  for (const none of [entry(), entry({ outcome: unknown }), entry({ outcome: refused })])
    expect(placedId(none)).toBeUndefined()
})

test('a write is looked for by every name that it went out under; a cancel has none', () => {
  expect(keysOf(anIntent('c1'))).toEqual([{ kind: 'order', id: 'c1' }])
  expect(keysOf(move)).toEqual([{ kind: 'order', id: 'c2' }])
  expect(keysOf(money)).toEqual([])
  expect(keysOf({ ...money, draftId: 'd1' })).toEqual([{ kind: 'draft', id: 'd1' }])
  expect(keysOf({ ...money, draftId: 'd1', key: 'k1' })).toEqual([
    { kind: 'draft', id: 'd1' },
    { kind: 'key', id: 'k1' },
  ])
  expect([keysOf({ kind: 'cancel', orderId: '9' }), keysOf({ kind: 'cancelAll', symbol: null })]).toEqual([[], []])
})

test('a write in words: whole, by its terms, and in few words', () => {
  const terms = 'BUY 0.05 BTC-USD LIMIT 64,209.50 GTC'
  const order = anIntent('c1')
  const text = describeIntent(order)
  expect(text).toMatch(/^order BUY 0\.05 BTC-USD .* as c1$/)
  const said = text.slice('order '.length, -' as c1'.length)
  expect(said.length).toBeGreaterThan(terms.length - 15)
  expect(termsOf(order)).toBe(`order: ${said}`)
  expect(nameIntent(order)).toBe('order c1')
  expect(describeIntent(move)).toBe(`move of order 9 to ${said} as c2`)
  expect(termsOf(move)).toBe(`move of order 9: ${said}`)
  expect(nameIntent(move)).toBe('move of order 9 as c2')
  for (const say of [describeIntent, termsOf, nameIntent]) {
    expect(say({ kind: 'cancel', orderId: '9' })).toBe('cancel of order 9')
    expect(say({ kind: 'cancelAll', symbol: null })).toBe('cancel of all orders in every symbol')
    expect(say(money)).toBe('withdrawal of 0.5 BTC to wl-1')
  }
  // With decimals on record every reader sees the same digits.
  const scaled = describeIntent({ ...order, scales: { priceScale: 4, quantityScale: 4 } } as WriteIntent)
  expect(scaled).toContain('0.0500')
})

test('an error of the journal is final only where it says so', () => {
  expect(new JournalError('full')).toMatchObject({ name: 'JournalError', message: 'full', isFinal: false })
  expect(new JournalError('newer', { isFinal: true }).isFinal).toBe(true)
})

/** What a person is told of an entry that the disk did not take, and when it did. */
function told(of: Partial<JournalEntry>): string[] {
  const sentences: string[] = []
  const late = new LateRecords((sentence) => sentences.push(sentence))
  late.keep(entry(of), new Error('the disk is full'))
  late.taken(late.all)
  return sentences
}

test.each<[Partial<JournalEntry>, string]>([
  [{}, 'order c1, sent'],
  [{ outcome: unknown }, 'order c1, sent, no answer'],
  [{ outcome: accepted }, 'order c1, accepted as 7'],
  [{ outcome: { ...accepted, id: null } }, 'order c1, accepted'],
  [{ outcome: { kind: 'notSent', reason: 'x' } }, 'order c1, not sent'],
  [{ outcome: { kind: 'rejected', reason: 'x' } }, 'order c1, rejected'],
  [{ outcome: { kind: 'canceled' } }, 'order c1, canceled'],
  [{ settlement }, 'order c1, resolved as placed (7)'],
  [{ settlement: { ...settlement, how: 'rejected', id: null } }, 'order c1, resolved as rejected'],
  [{ settlement: { ...settlement, how: 'canceled', id: null } }, 'order c1, resolved as canceled'],
  [{ settlement: { ...settlement, how: 'notCanceled', id: null } }, 'order c1, resolved as not canceled'],
  [{ settlement: { ...settlement, how: 'notPlaced', id: null } }, 'order c1, resolved as not placed'],
])(
  'what the disk did not take is told with all that is known of it, and again when it is on record: %o',
  (of, what) => {
    expect(told(of)).toEqual([`Not on record: ${what}; the disk is full. Do not resubmit`, `Back on record: ${what}`])
  },
)

test('a cancel that is on no record may be sent again: it does no harm twice', () => {
  expect(told({ intent: { kind: 'cancel', orderId: '9' } })[0]).toBe(
    'Not on record: cancel of order 9, sent; the disk is full',
  )
  expect(told({ intent: { kind: 'cancelAll', symbol: 'BTC-USD' } })[0]).toBe(
    'Not on record: cancel of all orders in BTC-USD, sent; the disk is full',
  )
})

test('what is kept without a reason is told to nobody, and what was learned since stays when the older is taken', () => {
  const sentences: string[] = []
  const late = new LateRecords((sentence) => sentences.push(sentence))
  late.keep(undefined, new Error('full'))
  late.keep(entry())
  expect(late.all).toEqual([entry()])
  const before = late.all
  late.keep(entry({ outcome: accepted }))
  late.taken(before)
  expect(late.all).toEqual([entry({ outcome: accepted })])
  late.taken(late.all)
  expect({ all: late.all, sentences }).toEqual({ all: [], sentences: [] })
})

/** A joined file of these entries, as it would be written. */
const aJoined = (folder: string, number: number, entries: readonly JournalEntry[]) =>
  write(folder, number, entries.flatMap(recordsOf))

function write(folder: string, number: number, records: readonly JournalRecord[]): string {
  mkdirSync(join(folder, 'joined'), { recursive: true })
  const groups = new LineGroups()
  for (const record of records) {
    const text = recordLine(record).trimEnd()
    const head = readLineHead(text)
    if (typeof head === 'string') throw new Error(head)
    groups.add(text, head)
  }
  const path = joinedPath(join(folder, 'joined'), number)
  writeJoined(path, groups.sorted(), atMs)
  return path
}

const at = (number: number, more: Partial<JournalEntry> = {}) =>
  entry({ id: `e${number}`, atMs: atMs + number, intent: anIntent(`c${number}`), outcome: accepted, ...more })

test('a list of everything comes in pages of 500, in the order of time, whatever files it stands in', () => {
  const folder = aFolder()
  aJoined(
    folder,
    1,
    Array.from({ length: 400 }, (_, number) => at(number * 3)),
  )
  aJoined(
    folder,
    2,
    Array.from({ length: 400 }, (_, number) => at(number * 3 + 1)),
  )
  const loose = Array.from({ length: 400 }, (_, number) => at(number * 3 + 2)).toReversed()
  const pages = [...entriesInOrder(folder, loose, 0)]
  expect(pages.map((page) => page.length)).toEqual([500, 500, 200])
  expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 1_200 }, (_, number) => `e${number}`))
  expect(pages.flat()[4]).toEqual(at(4))
  const since = [...entriesInOrder(folder, loose, atMs + 1_198)].flat()
  expect(since.map(({ id }) => id)).toEqual(['e1198', 'e1199'])
  expect([...entriesInOrder(folder, loose, atMs + 1_200)]).toEqual([])
  expect([...entriesInOrder(aFolder(), [], 0)]).toEqual([])
})

test('an entry in several files is one, with all that any of them says of it', () => {
  const folder = aFolder()
  aJoined(folder, 1, [at(5, { outcome: null }), at(6)])
  aJoined(folder, 2, [at(5, { outcome: unknown }), at(5, { id: 'same time' })])
  const listed = [...entriesInOrder(folder, [at(5, { outcome: unknown, settlement })], 0)].flat()
  expect(listed).toHaveLength(3)
  expect(listed.find(({ id }) => id === 'e5')).toEqual(at(5, { outcome: unknown, settlement }))
})

test('entries of one time come in the order in which they were read, first those of joined files', () => {
  const folder = aFolder()
  aJoined(folder, 1, [at(5), at(5, { id: 'x' }), at(7)])
  const loose = ['c', 'a', 'b'].map((id) => at(5, { id }))
  const listed = [...entriesInOrder(folder, [...loose, at(6)], 0)].flat()
  expect(listed.map(({ id }) => id)).toEqual(['e5', 'x', 'c', 'a', 'b', 'e6', 'e7'])
})

test('what became of an entry later, and what a desk began with in between, is no entry of another time', () => {
  const folder = aFolder()
  const records = [at(1), at(30), at(60)].flatMap(recordsOf)
  const later = records.map((each, index) => (each.record === 'outcome' ? { ...each, at: atMs + 100 + index } : each))
  const desk: JournalRecord = { record: 'desk', at: atMs + 20, version: 2, exchange: 'practice' }
  write(folder, 1, [...later, desk])
  const listed = [...entriesInOrder(folder, [at(25)], 0)].flat()
  const endedAt = (index: number) => ({ endedAtMs: atMs + 100 + index })
  expect(listed).toEqual([at(1, endedAt(1)), at(25), at(30, endedAt(3)), at(60, endedAt(5))])
})

test('joined files of before are not read for what was begun since', () => {
  const folder = aFolder()
  const path = aJoined(folder, 1, [at(1), at(9)])
  aJoined(folder, 2, [at(10), at(20)])
  const since = (number: number) => [...entriesInOrder(folder, [], atMs + number)].flat().map(({ id }) => id)
  expect([since(9), since(10), since(20), since(21)]).toEqual([['e9', 'e10', 'e20'], ['e10', 'e20'], ['e20'], []])
  writeFileSync(path, readFileSync(path).fill('x'))
  expect(since(10)).toEqual(['e10', 'e20'])
})

test('a list is never silently short: what is gone as its turn comes, or is a newer program’s, ends it', () => {
  const folder = aFolder()
  aJoined(folder, 1, [])
  const first = aJoined(folder, 2, [at(1), at(2)])
  const last = aJoined(folder, 3, [at(3)])
  expect([...entriesInOrder(folder, [], 0)].flat().map(({ id }) => id)).toEqual(['e1', 'e2', 'e3'])
  const listing = entriesInOrder(folder, [], 0)
  removeJoined(last)
  expect([...listing].flat().map(({ id }) => id)).toEqual(['e1', 'e2'])
  const pages = entriesInOrder(
    folder,
    Array.from({ length: 500 }, () => at(0)).map((each, index) => ({ ...each, id: `l${index}` })),
    0,
  )
  expect(pages.next().value).toHaveLength(500)
  removeJoined(first)
  expect(() => pages.next()).toThrow('journal 000002.jsonl was joined into another file meanwhile: try again')
  const newer = aJoined(folder, 4, [at(4)])
  rmSync(newer.replace('jsonl', 'index'))
  appendFileSync(newer, writeLine({ at: new Date(atMs).toISOString(), record: 'of 2030', id: 'a' }))
  expect(() => [...entriesInOrder(folder, [], 0)]).toThrow('journal 000004.jsonl was joined into another file')
})

test('a damaged line of a joined file costs its own entry alone', () => {
  const folder = aFolder()
  const path = aJoined(folder, 1, [at(0), at(1), at(2)])
  writeFileSync(path, readFileSync(path, 'utf8').replace('"c0"', '"x0"'))
  appendFileSync(path, 'no line of a journal\n')
  expect([...entriesInOrder(folder, [], 0)].flat().map(({ id }) => id)).toEqual(['e1', 'e2'])
})
