import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../src/base/text/time-text.ts'
import { Decimal } from '../../src/domain/money.ts'
import { historyFileName, openHistory } from '../../src/history/history-file.ts'
import { anOrder } from '../fakes/orders.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { aBar, aFill, dayStartMs, opened } from './aids.ts'

const everMs = Number.MAX_SAFE_INTEGER
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const dec = (text: string) => new Decimal(text)

test('what is put is there after the file is opened again, every digit of it', () => {
  const folder = temporaryFolder('history')
  const fills = [aFill(7, { execId: '9223372036854775807', price: dec('0.000000000000000001234567890123456789') })]
  const order = anOrder({ status: 'CANCELED', text: 'Self match', cumQuantity: dec('0.010') })
  const point = { startMs: dayStartMs, equityUsd: null, knownUsd: dec('10.10'), unknown: ['ETH', 'XRP'] }
  const whole = { ...point, startMs: dayStartMs + minuteMs, equityUsd: dec('12'), unknown: [] }
  const before = opened(folder)
  before.putFills(fills)
  before.putBars([['BTC-USD', aBar(dayStartMs)]])
  before.putEquity([point, whole])
  before.putEndedOrders([order])
  before.close()
  const file = opened(folder)
  expect(file.notice).toBeNull()
  expect(plain([...file.fills()])).toEqual(plain(fills))
  expect([file.newestFill(everMs)?.execId, file.fillCount()]).toEqual(['9223372036854775807', 1])
  expect(plain(file.bars('BTC-USD', 0, everMs))).toEqual(plain([aBar(dayStartMs)]))
  expect(file.bars('ETH-USD', 0, everMs)).toEqual([])
  expect(plain(file.equity(0, everMs))).toEqual(plain([point, whole]))
  expect(plain([...file.endedOrders()])).toEqual(plain([order]))
  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  file.close()
})

test('bars of two desks become one: the highest high, the lowest low, all looks', () => {
  const file = opened(temporaryFolder('history'))
  const other = aBar(dayStartMs, { open: dec('100.5'), high: dec('104'), low: dec('100'), lookCount: 5, spread: null })
  file.putBars([['BTC-USD', aBar(dayStartMs)]])
  file.putBars([['BTC-USD', { ...other, close: dec('103') }]])
  expect(plain(file.bars('BTC-USD', 0, everMs))).toEqual(
    plain([aBar(dayStartMs, { high: dec('104'), close: dec('103'), lookCount: 35 })]),
  )
  file.close()
})

test('long lists come in pages, in order, each once', () => {
  const file = opened(temporaryFolder('history'))
  const count = 2_500
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  file.putFills(numbers.toReversed().map((number) => aFill(number)))
  file.putFills([aFill(1)])
  file.putBars(numbers.map((number) => ['BTC-USD', aBar(number * minuteMs)] as const))
  // Many of one millisecond, and some without a time.
  file.putEndedOrders(
    numbers.map((number) =>
      anOrder({ orderId: String(number), status: 'FILLED', timestampMs: number < 10 ? null : dayStartMs }),
    ),
  )
  expect([...file.fills()].map(({ execId }) => Number(execId))).toEqual(numbers)
  expect([...file.fills({ afterMs: dayStartMs + 2_400 })]).toHaveLength(100)
  expect([...file.fills({ toMs: dayStartMs + 10 })]).toHaveLength(10)
  expect(file.fillCount()).toBe(count)
  expect(file.bars('BTC-USD', 0, everMs).map(({ startMs }) => startMs / minuteMs)).toEqual(numbers)
  expect(new Set([...file.endedOrders()].map(({ orderId }) => orderId)).size).toBe(count)
  expect([...file.endedOrders(dayStartMs, dayStartMs)]).toHaveLength(count - 9)
  file.close()
})

test('old minutes become hours, old hours days, in small steps, and no high or look is lost', () => {
  const file = opened(temporaryFolder('history'))
  const nowMs = dayStartMs + 400 * dayMs
  const bars = Array.from({ length: 3 * 1_440 }, (_, at) => aBar(dayStartMs + at * minuteMs, { lookCount: 1 }))
  const youngMs = nowMs - dayMs
  for (const symbol of ['BTC-USD', 'ETH-USD'])
    file.putBars([...bars, aBar(youngMs)].map((bar) => [symbol, bar] as const))
  file.putBars([['ETH-USD', aBar(dayStartMs + dayMs + hourMs, { high: dec('500'), lookCount: 1 })]])
  file.putEquity(bars.map(({ startMs }) => ({ startMs, equityUsd: dec('1'), knownUsd: dec('1'), unknown: [] })))
  let steps = 0
  while (file.thin(dayStartMs + 40 * dayMs)) steps += 1
  expect(file.bars('BTC-USD', 0, dayStartMs + 3 * dayMs)).toHaveLength(72)
  expect(steps).toBe(72 * 3)
  expect(file.equity(0, everMs).map(({ startMs }) => startMs - dayStartMs)[1]).toBe(2 * hourMs - minuteMs)
  while (file.thin(nowMs)) steps += 1
  const [first, second, third, young] = file.bars('ETH-USD', 0, everMs)
  expect([first?.startMs, second?.startMs, third?.startMs]).toEqual([0, 1, 2].map((day) => dayStartMs + day * dayMs))
  expect([first?.lookCount, second?.lookCount, second?.high.toFixed(), second?.spanMs]).toEqual([
    1_440,
    1_441,
    '500',
    dayMs,
  ])
  expect(young?.startMs).toBe(youngMs)
  expect(file.equity(0, everMs)).toHaveLength(3)
  expect(file.thin(nowMs)).toBe(false)
  file.close()
})

test('of very many symbols a step looks at some, and goes on from there', () => {
  const file = opened(temporaryFolder('history'))
  const nowMs = dayStartMs + 30 * dayMs
  const symbols = Array.from({ length: 1_100 }, (_, at) => `S${String(at).padStart(4, '0')}-USD`)
  // Only the first and the last are old enough for something to be done.
  const old = [symbols[0], symbols.at(-1)].map((symbol) => [symbol ?? '', aBar(dayStartMs)] as const)
  file.putBars([...old, ...symbols.map((symbol) => [symbol, aBar(nowMs)] as const)])
  let steps = 0
  while (file.thin(nowMs)) steps += 1
  // The rounds of minutes, of hours and of what goes are four looks at 250 symbols and a rest; two steps do something.
  expect(steps).toBe(2 + 3 * 4)
  for (const symbol of [symbols[0], symbols.at(-1)])
    expect(file.bars(symbol ?? '', 0, everMs).map(({ spanMs = minuteMs }) => spanMs)).toEqual([hourMs, minuteMs])
  // The next round sees what has come since.
  file.putBars([[symbols[1] ?? '', aBar(dayStartMs)]])
  while (file.thin(nowMs)) {}
  expect(file.bars(symbols[1] ?? '', 0, everMs)[0]?.spanMs).toBe(hourMs)
  file.close()
})

test('minutes are kept for 14 days, hours for a year', () => {
  const file = opened(temporaryFolder('history'))
  const nowMs = dayStartMs
  const ages = [13, 15, 364, 368]
  const bars = ages.flatMap((days) => [0, 1].map((minute) => aBar(nowMs - days * dayMs + minute * minuteMs)))
  file.putBars(bars.map((bar) => ['BTC-USD', bar] as const))
  while (file.thin(nowMs)) {}
  const spans = file.bars('BTC-USD', 0, everMs).map(({ spanMs = minuteMs }) => spanMs)
  expect(spans).toEqual([dayMs, hourMs, hourMs, minuteMs, minuteMs])
  file.close()
})

test('what was not read of the fills is known after any end, and whole when all gaps are closed', () => {
  const folder = temporaryFolder('history')
  const file = opened(folder)
  expect(file.isFillsWhole).toBe(false)
  file.addGap({ aboveMs: null, belowMs: null })
  // Another desk that begins at the same time.
  file.addGap({ aboveMs: null, belowMs: null })
  expect(file.gaps()).toEqual([{ id: 1, aboveMs: null, belowMs: null }])
  file.putFills([aFill(90), aFill(80)], { id: 1, belowMs: 80 })
  // A desk that is further up does not take it back.
  file.putFills([aFill(90), aFill(85)], { id: 1, belowMs: 85 })
  file.close()
  const later = opened(folder)
  later.addGap({ aboveMs: 90, belowMs: null })
  expect(later.gaps()).toEqual([
    { id: 3, aboveMs: 90, belowMs: null },
    { id: 1, aboveMs: null, belowMs: 80 },
  ])
  later.putFills([], { id: 3, isClosed: true })
  expect(later.isFillsWhole).toBe(false)
  later.putFills([aFill(10)], { id: 1, isClosed: true })
  expect([later.isFillsWhole, later.fillCount()]).toEqual([true, 4])
  later.close()
})

test.each([
  ['in step with time', [1, 2, 3], []],
  ['not in step with time', [3, 1, 2], [{ id: 1, aboveMs: null, belowMs: null }]],
])('a file of an older version whose ids are %s', (_, ids, gaps) => {
  const folder = temporaryFolder('history')
  const before = opened(folder)
  before.addGap({ aboveMs: null, belowMs: null })
  before.putFills(
    ids.map((id, at) => aFill(id, { timestampMs: dayStartMs + at })),
    { id: 1, isClosed: true },
  )
  before.close()
  const database = new DatabaseSync(before.path)
  database.exec(`DROP TABLE fill_gaps; CREATE TABLE fill_gaps (id INTEGER PRIMARY KEY, above INTEGER, below INTEGER) STRICT;
    DROP TABLE valuations; DROP TABLE unvalued_fills; DROP TABLE told_otherwise; PRAGMA user_version = 2`)
  database.close()
  const file = opened(folder)
  expect([file.gaps(), file.isFillsWhole, file.fillCount()]).toEqual([gaps, gaps.length === 0, 3])
  file.close()
})

test('what one desk read of a gap that another has closed says nothing of a gap that came later', () => {
  const folder = temporaryFolder('history')
  const [one, other] = [opened(folder), opened(folder)]
  one.addGap({ aboveMs: null, belowMs: null })
  const [read] = other.gaps()
  if (read === undefined) throw new Error('no gap')
  one.putFills([], { id: read.id, isClosed: true })
  one.addGap({ aboveMs: 500, belowMs: 900 })
  other.putFills([], { id: read.id, belowMs: 100 })
  other.putFills([], { id: read.id, isClosed: true })
  expect(one.gaps()).toMatchObject([{ aboveMs: 500, belowMs: 900 }])
  one.close()
  other.close()
})

test('working orders are remembered until they end', () => {
  const file = opened(temporaryFolder('history'))
  file.putEndedOrders([anOrder({ orderId: '1', status: 'FILLED' })], {
    working: ['2', '3'],
    marks: { ordersReadTo: '3', ordersReadCount: '3' },
  })
  expect([file.workingOrderIds(), file.mark('ordersReadTo')]).toEqual([['2', '3'], '3'])
  file.putEndedOrders([anOrder({ orderId: '2', status: 'CANCELED' })])
  file.forgetWorking('3')
  expect(file.workingOrderIds()).toEqual([])
  file.close()
})

test('a file of a newer version is refused with a sentence and left alone', () => {
  const folder = temporaryFolder('history')
  const path = opened(folder).path
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  const before = readFileSync(path)
  const refused = openHistory(folder)
  expect(refused.ok ? '' : refused.error.message).toBe(`${path} was written by a newer pitdesk: it is left alone`)
  expect(readFileSync(path)).toEqual(before)
})

test('a file that is not a history is put aside with a sentence, and a new one begins', () => {
  const folder = temporaryFolder('history')
  writeFileSync(join(folder, 'history.sqlite'), 'not a database, and longer than the head of one '.repeat(400))
  const file = opened(folder)
  expect(file.notice).toMatch(
    /is damaged: kept as .*history\.sqlite\.damaged-1\. Fills and ended orders are read again/,
  )
  expect(readdirSync(folder)).toContain('history.sqlite.damaged-1')
  expect([...file.fills()]).toEqual([])
  file.close()
})

test('damage that shows later: what no exchange tells again is taken over as far as it is readable', () => {
  const folder = temporaryFolder('history')
  const before = opened(folder)
  before.putFills(Array.from({ length: 3_000 }, (_, at) => aFill(at + 1)))
  before.putBars([['BTC-USD', aBar(dayStartMs)]])
  before.close()
  const database = new DatabaseSync(before.path)
  const page = Number(database.prepare(`SELECT max(pageno) AS page FROM dbstat WHERE name = 'fills'`).get()?.page)
  database.close()
  const bytes = readFileSync(before.path)
  bytes.fill(0x5a, (page - 1) * 4_096, page * 4_096)
  writeFileSync(before.path, bytes)
  const file = opened(folder)
  expect(() => [...file.fills()]).toThrow(expect.objectContaining({ kind: 'damaged' }))
  file.close()
  const anew = opened(folder, { putAside: 'damaged' })
  expect(anew.notice).toMatch(/1 rows were still readable/)
  expect(anew.bars('BTC-USD', 0, everMs)).toHaveLength(1)
  expect([...anew.fills()]).toEqual([])
  anew.close()
})

test('rows that cannot be taken over are counted in every table', () => {
  const folder = temporaryFolder('history')
  const before = opened(folder)
  const at = (minute: number) => dayStartMs + minute * minuteMs
  before.putBars([0, 1, 2].map((minute) => ['BTC-USD', aBar(at(minute))] as const))
  before.putEquity(
    [0, 1].map((minute) => ({ startMs: at(minute), equityUsd: dec('1'), knownUsd: dec('1'), unknown: [] })),
  )
  before.close()
  const database = new DatabaseSync(before.path)
  database.exec(`UPDATE bars SET high = 'x' WHERE start_ms > ${at(0)}; UPDATE equity SET known_usd = 'x'`)
  database.close()
  const anew = opened(folder, { putAside: 'damaged' })
  expect(anew.notice).toMatch(/1 rows were still readable, 4 were left out/)
  anew.close()
})

test('a folder that cannot be looked into any more is a failure of the disk, and thrown as nothing else', () => {
  const folder = join(temporaryFolder('history'), 'account')
  const file = opened(folder)
  expect(file.displaced).toBeNull()
  renameSync(folder, `${folder}.away`)
  symlinkSync('account', folder)
  const circle = `${file.path} cannot be used: links that lead in a circle (ELOOP)`
  expect(file.displaced).toMatchObject({ name: 'HistoryError', kind: 'disk', message: circle })
  expect(() => file.putFills([aFill(1)])).toThrow(circle)
  rmSync(folder)
  renameSync(`${folder}.away`, folder)
  expect(file.displaced).toBeNull()
  file.close()
})

test('a file that is taken away is not written to any more', () => {
  const folder = temporaryFolder('history')
  const file = opened(folder)
  renameSync(file.path, `${file.path}.away`)
  expect(file.displaced?.message).toBe(`${file.path} was removed or replaced`)
  expect(() => file.putFills([aFill(1)])).toThrow(expect.objectContaining({ kind: 'disk' }))
  file.close()
  rmSync(folder, { recursive: true })
})

test('a folder that cannot be made is said as such', () => {
  const refused = openHistory('/dev/null/nowhere')
  expect(refused.ok ? null : [refused.error.kind, refused.error.message]).toEqual([
    'disk',
    expect.stringMatching(/^\/dev\/null\/nowhere\/history\.sqlite cannot be used: /),
  ])
})

test('reading alone makes no file', () => {
  const folder = temporaryFolder('history')
  const refused = openHistory(folder, { isReadOnly: true })
  expect(refused.ok ? '' : refused.error.message).toMatch(/^there is no history yet/)
  expect(readdirSync(folder)).toEqual([])
  opened(folder).close()
  const file = opened(folder, { isReadOnly: true })
  expect([...file.fills()]).toEqual([])
  file.close()
})

test('an empty file, as a full disk leaves it, is no older version: nothing is there yet, and a desk sets it up', () => {
  const folder = temporaryFolder('history')
  writeFileSync(join(folder, historyFileName), '')
  const refused = openHistory(folder, { isReadOnly: true })
  expect(refused.ok ? '' : refused.error.message).toMatch(/^there is no history yet: a desk writes it to /)
  const file = opened(folder)
  expect(file.notice).toBeNull()
  file.close()
  opened(folder, { isReadOnly: true }).close()
})

const writerPath = fileURLToPath(new URL('./writer.ts', import.meta.url))
const startWriter = (...argv: string[]) =>
  spawn(process.execPath, [writerPath, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] })

test('killed in the middle of writing: the file is readable, and holds all that was said to be written', async () => {
  const folder = temporaryFolder('history')
  const file = opened(folder)
  file.addGap({ aboveMs: null, belowMs: null })
  file.close()
  for (const round of [1, 2, 3]) {
    const child = startWriter(folder, String(round * 1_000_000), '-1')
    let last = ''
    let count = 0
    for await (const line of createInterface({ input: child.stdout })) {
      last = line
      count += 1
      if (count === 150 * round) child.kill('SIGKILL')
    }
    const after = opened(folder)
    expect(after.notice).toBeNull()
    expect(after.fill(last)?.execId).toBe(last)
    expect([...after.fills()]).toHaveLength(after.fillCount())
    expect(after.bars('BTC-USD', 0, everMs)[0]?.lookCount).toBeGreaterThanOrEqual(count)
    after.close()
  }
})

test('of ended orders the newest stay, in small steps; fills stay all', () => {
  const file = opened(temporaryFolder('history'))
  const orders = Array.from({ length: 1_300 }, (_, at) =>
    anOrder({ orderId: `${at + 1}`, status: 'FILLED', timestampMs: at < 5 ? null : dayStartMs + at }),
  )
  file.putEndedOrders(orders)
  file.putFills(Array.from({ length: 1_300 }, (_, at) => aFill(at + 1)))
  let steps = 0
  while (file.thin(dayStartMs, 40)) steps += 1
  expect(steps).toBe(3)
  expect([...file.endedOrders()].map(({ orderId }) => Number(orderId))).toEqual(
    Array.from({ length: 40 }, (_, at) => 1_261 + at),
  )
  expect(file.size()).toMatchObject({ fills: 1_300, endedOrders: 40 })
  file.close()
})

test('a file is no larger than the manual says', () => {
  const price = (at: number) => dec(`${64_000 + ((at * 7) % 900)}.${10 + (at % 90)}`)
  const bar = (startMs: number, at: number, spanMs?: number) => {
    const prices = { open: price(at), high: price(at + 3), low: price(at + 5), close: price(at + 1) }
    return [
      'BTC-USD',
      aBar(startMs, { ...prices, spread: dec('0.50'), ...(spanMs === undefined ? {} : { spanMs }) }),
    ] as const
  }
  const grown = (put: (file: ReturnType<typeof opened>) => void): number => {
    const file = opened(temporaryFolder('history'))
    const before = file.size().bytes
    put(file)
    const { bytes } = file.size()
    file.close()
    return bytes - before
  }
  const times = (count: number) => Array.from({ length: count }, (_, at) => at)
  // What is kept of a year: minutes for 14 days, hours before them; then a day a day.
  const minutes = times(14 * 24 * 60).map((at) => bar(dayStartMs + at * minuteMs, at))
  const hours = times(352 * 24).map((at) => bar(dayStartMs - (at + 1) * hourMs, at, hourMs))
  expect(grown((file) => file.putBars([...minutes, ...hours]))).toBeLessThan(3e6)
  const days = times(365).map((at) => bar(dayStartMs - (400 + at) * dayMs, at, dayMs))
  expect(grown((file) => file.putBars(days))).toBeLessThan(30e3 + 8_192)
  const points = [...minutes, ...hours].map(([, { startMs }], at) => {
    const worth = dec(`${15_271_000 + at}.${10 + (at % 90)}`)
    return { startMs, equityUsd: worth, knownUsd: worth, unknown: [] }
  })
  expect(grown((file) => file.putEquity(points))).toBeLessThan(6e6)
  const orders = times(5_000).map((at) =>
    anOrder({
      orderId: `${9_912_041 + at}`,
      clientOrderId: `c${at}a8Kq2mZx4Vb7Nt1`,
      status: 'FILLED',
      timestampMs: at,
    }),
  )
  expect(grown((file) => file.putEndedOrders(orders)) * 20).toBeLessThan(22e6)
  expect(grown((file) => file.putFills(times(10_000).map((at) => aFill(8_000_000 + at)))) * 100).toBeLessThan(170e6)
})

test('what is no longer used of the file is given back to the disk', () => {
  const file = opened(temporaryFolder('history'))
  const text = 'x'.repeat(2_000)
  file.putEndedOrders(
    Array.from({ length: 4_000 }, (_, at) =>
      anOrder({ orderId: `${at}`, status: 'FILLED', text, timestampMs: at + 1 }),
    ),
  )
  const before = file.size().bytes
  expect(before).toBeGreaterThan(8_000_000)
  while (file.thin(dayStartMs, 10)) {}
  expect(file.size().bytes).toBeLessThan(before - 3_000_000)
  file.close()
})

test('two desks write at once: every fill and every look is there', async () => {
  const folder = temporaryFolder('history')
  opened(folder).close()
  const writers = ['1', '2'].map((first) => startWriter(folder, first, '2', '400'))
  for (const { stdout } of writers) stdout.resume()
  expect(await Promise.all(writers.map((child) => once(child, 'exit')))).toEqual([
    [0, null],
    [0, null],
  ])
  const file = opened(folder)
  expect([...file.fills()].map(({ execId }) => Number(execId))).toEqual(Array.from({ length: 800 }, (_, at) => at + 1))
  expect(file.bars('BTC-USD', 0, everMs)[0]?.lookCount).toBe(800)
  file.close()
})
