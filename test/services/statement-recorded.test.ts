import { expect, test } from 'vitest'
import type { FillQuery } from '../../src/api/exchange-client.ts'
import { hourMs } from '../../src/base/text/time-text.ts'
import { readableListing } from '../../src/domain/listing.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import { compareIds } from '../../src/domain/orders/order.ts'
import { HistoryError } from '../../src/history/history-database.ts'
import { openHistory } from '../../src/history/history-file.ts'
import { recordedOf, withRecorded } from '../../src/services/history/recorded.ts'
import { fetchPnl, type PnlClient } from '../../src/services/pnl.ts'
import {
  fetchRecord,
  fetchStatement,
  type StatementClient,
  type StatementContext,
  wholeHistory,
} from '../../src/services/statement.ts'
import { aBalance } from '../fakes/balances.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { aFill, dayStartMs, opened, recordSome } from '../history/aids.ts'

/** An exchange with these fills, which tells of so many a call; what was asked is counted. */
function anExchange(fills: readonly Fill[], pageSize: number, isById = false) {
  let calls = 0
  const client = {
    fetchSymbols: async () => ({ instruments: new Map(), unreadable: [] }),
    fetchAccounts: async () => new Map(),
    fetchDeposits: async () => readableListing([]),
    fetchWithdrawals: async () => readableListing([]),
    fetchFills: async ({ fromMs = 0, toMs = Number.POSITIVE_INFINITY, toExecId = '9999999' }: FillQuery = {}) => {
      calls += 1
      const asked = fills.filter(
        ({ timestampMs: atMs, execId }) => atMs >= fromMs && atMs <= toMs && compareIds(execId, toExecId) <= 0,
      )
      const listed = isById ? asked.toSorted((one, two) => compareIds(one.execId, two.execId)) : asked
      return readableListing(listed.toReversed().slice(0, pageSize))
    },
  } as unknown as StatementClient
  return { client, calls: () => calls }
}

const signal = new AbortController().signal
async function fetchBooks(client: StatementClient, context: Omit<StatementContext, 'nowMs'>) {
  const record = await fetchRecord(client, { ...context, nowMs: () => dayStartMs + 60 * hourMs })
  return { ...record, history: await wholeHistory(record, signal) }
}
const idsOf = (fills: readonly Fill[]) => fills.map(({ execId }) => Number(execId)).toSorted((one, two) => one - two)
const numbers = Array.from({ length: 50 }, (_, at) => at + 1)
const everyHour = (id: number): Fill => aFill(id, { timestampMs: dayStartMs + id * hourMs })
const all = numbers.map(everyHour)

test('of what was recorded only what came later is asked for', async () => {
  const { client, calls } = anExchange(all, 10)
  const { history, recordedCount } = await fetchBooks(client, {
    signal,
    recorded: recordedOf(all.slice(0, 45)),
  })
  expect(idsOf(history.fills)).toEqual(numbers)
  // A page, and the one that shows its end.
  expect([calls(), recordedCount]).toEqual([2, 45])
})

test('a history that turns out to be damaged while it is used is done without', async () => {
  const folder = temporaryFolder('recorded')
  recordSome(folder)
  const runs: number[] = []
  const found = await withRecorded(
    async () => openHistory(folder, { isReadOnly: true }),
    async ({ fillCount }) => {
      runs.push(fillCount)
      if (fillCount > 0) throw new HistoryError('damaged', 'a page of prices is damaged')
      return fillCount
    },
  )
  expect([found, runs]).toEqual([0, [2, 0]])
})

test('one that came late, with whatever id, is found behind those that were recorded', async () => {
  const late = aFill(7_000_000, { timestampMs: dayStartMs + 45 * hourMs - 1 })
  const { client } = anExchange(
    [...all, late].toSorted((one, two) => one.timestampMs - two.timestampMs),
    3,
  )
  const { history } = await fetchBooks(client, { signal, recorded: recordedOf(all.slice(0, 45)) })
  expect(idsOf(history.fills)).toEqual([...numbers, 7_000_000])
})

test('what came later is found in a list by id too, behind what was recorded', async () => {
  // Of one symbol all ids are above those of the other.
  const fills = all.map((fill, at) => (at % 10 === 0 ? { ...fill, execId: `${9_000 + at}` } : fill))
  const { client } = anExchange(fills, 10, true)
  const { history } = await fetchBooks(client, { signal, recorded: recordedOf(fills.slice(0, 20)) })
  expect(idsOf(history.fills)).toEqual(idsOf(fills))
})

test('what was recorded is asked for no more in a list by id either, and a fill dated years ahead hides none', async () => {
  const fills = all.map((fill, at) => (at % 10 === 0 ? { ...fill, execId: `${9_000 + at}` } : fill))
  const ahead = aFill(8_000, { timestampMs: dayStartMs + 10_000 * hourMs })
  const { client, calls } = anExchange([...fills, ahead], 10, true)
  const { history } = await fetchBooks(client, { signal, recorded: recordedOf([...fills.slice(0, 45), ahead]) })
  expect(idsOf(history.fills)).toEqual(idsOf([...fills, ahead]))
  expect(calls()).toBeLessThan(4)
})

test('recorded fills count where the newest of them is told otherwise now, or cannot be read any more', async () => {
  const { client, calls } = anExchange(all, 10)
  const newest = all.slice(44, 45)
  const odd = { reason: 'field "price" is missing', atMs: dayStartMs + 45 * hourMs, fields: { execId: '45' } }
  const later = newest.map((fill) => ({ ...fill, timestampMs: fill.timestampMs + 1 }))
  for (const { entries: instead, unreadable: lost } of [
    { entries: [], unreadable: [odd] },
    { entries: later, unreadable: [] },
  ]) {
    const fetchFills = async (query: FillQuery) => {
      const { entries } = await client.fetchFills(query)
      const isListed = entries.some(({ execId }) => execId === '45')
      const changed = entries.flatMap((fill) => (fill.execId === '45' ? instead : [fill]))
      return { entries: changed, unreadable: isListed ? lost : [] }
    }
    const recorded = recordedOf(all.slice(0, 45))
    const { history, recordedCount, unreadable } = await fetchBooks({ ...client, fetchFills }, { signal, recorded })
    expect(history.fills.toSorted((one, two) => one.timestampMs - two.timestampMs)).toEqual(all)
    expect([recordedCount, unreadable?.fills.length]).toEqual([45, 1])
  }
  expect(calls()).toBeLessThan(9)
})

test('an entry that cannot be read, behind what is read again while balances move, is said all the same', async () => {
  const { client } = anExchange(all, 10)
  let readings = 0
  const odd = { reason: 'field "price" is missing', atMs: dayStartMs, fields: { execId: '0' } }
  const moving = {
    ...client,
    // They are the same from the second reading on.
    fetchAccounts: async () => {
      readings += 1
      const balance = aBalance('BTC', `${Math.min(readings, 2)}`)
      return new Map([['primary', readableListing([balance])]])
    },
    fetchFills: async (query: FillQuery) => {
      const page = await client.fetchFills(query)
      return page.entries.some(({ execId }) => execId === '1') ? { ...page, unreadable: [odd] } : page
    },
  }
  const { unreadable, history } = await fetchBooks(moving, { signal })
  expect(idsOf(history.fills)).toEqual(numbers)
  expect([readings, unreadable?.fills]).toEqual([3, [odd]])
})

test('an exchange that began anew with the same ids is read in whole, and nothing recorded counts', async () => {
  const { client } = anExchange(all, 10)
  const others = numbers.map((id) => aFill(id, { orderId: `old${id}`, timestampMs: 1_000 }))
  const { history, recordedCount } = await fetchBooks(client, {
    signal,
    recorded: recordedOf(others),
  })
  expect(idsOf(history.fills)).toEqual(numbers)
  expect(history.fills.some(({ orderId }) => orderId.startsWith('old'))).toBe(false)
  expect(recordedCount).toBe(0)
  const later = [aFill(900), aFill(901)]
  const gone = await fetchBooks(anExchange(all.slice(0, 3), 10).client, {
    signal,
    recorded: recordedOf(later),
  })
  expect(idsOf(gone.history.fills)).toEqual([1, 2, 3])
})

test('a fill that is told again with other terms stays as it was first, and is said with both', async () => {
  const [first, ...rest] = all.slice(40).toReversed()
  if (first === undefined) throw new Error('no fill')
  const again = { ...first, quantity: first.quantity.plus(1) }
  // One that was recorded, and one that a list tells twice: of two the one that stands first in it, here the later.
  for (const [listed, recorded, quantity] of [
    [[...rest.toReversed(), again], all, '0.05'],
    [[...all, again], [], '1.05'],
  ] as const) {
    const { history, unreadable } = await fetchBooks(anExchange(listed, 100).client, {
      signal,
      recorded: recordedOf(recorded),
    })
    expect(idsOf(history.fills)).toEqual(numbers)
    expect(history.fills.find(({ execId }) => execId === '50')?.quantity.toFixed()).toBe(quantity)
    const said = unreadable?.fills.map(({ reason }) => reason).join() ?? ''
    for (const part of ['execution 50 was told first as', '0.05 BTC-USD', '1.05 BTC-USD']) expect(said).toContain(part)
  }
})

const period = { fromMs: dayStartMs + 10 * hourMs, toMs: dayStartMs + 20 * hourMs }
const pnlAsked = { period, method: 'fifo', mark: 'mid', statedCosts: [], hasLots: true } as const
const nowMs = () => dayStartMs + 1_000 * hourMs

/** A history of all these fills. */
function recordAll(): string {
  const folder = temporaryFolder('recorded')
  const file = opened(folder)
  file.addGap({ aboveMs: null, belowMs: null })
  file.putFills(all, { id: 1, isClosed: true })
  file.close()
  return folder
}

const openFile = (folder: string) => async () => openHistory(folder, { isReadOnly: true })

test('a report goes through the recorded fills, and through those of its period again as it is told, keeping none', async () => {
  const reads: { count: number; toMs: number | undefined }[] = []
  const recorded = recordedOf(all)
  const counted = {
    ...recorded,
    *fills(times: Parameters<typeof recorded.fills>[0] = {}) {
      const read = { count: 0, toMs: times.toMs }
      reads.push(read)
      for (const fill of recorded.fills(times)) {
        read.count += 1
        yield fill
      }
    },
  }
  const { client } = anExchange(all, 10)
  const statement = await fetchStatement(client, period, { signal, nowMs, recorded: counted })
  expect(reads).toEqual([{ count: 50, toMs: undefined }])
  expect(statement.lineCount).toBe(33)
  const movements = statement.movements[Symbol.iterator]()
  for (let at = 0; at < 4; at += 1) movements.next()
  expect(reads.slice(1)).toEqual([{ count: 2, toMs: period.toMs }])
  expect([...statement.movements]).toHaveLength(33)
  reads.length = 0
  const { lots } = await fetchPnl(client as PnlClient, pnlAsked, { signal, nowMs, recorded: counted })
  expect(reads.map(({ count }) => count)).toEqual([50])
  const [first] = lots?.matches ?? []
  expect([first?.closedId, reads.at(-1)?.count]).toEqual(['11', 12])
  expect([...(lots?.fees ?? [])].map(({ id }) => Number(id))).toEqual(numbers.slice(9, 20))
})

test('a late fill that is recorded while a report is told makes it fail at its end, and leaves its sums alone', async () => {
  const tells = {
    statement: async (folder: string, addLate: () => void) =>
      withRecorded(
        openFile(folder),
        (recorded) => fetchStatement(anExchange(all, 10).client, period, { signal, nowMs, recorded }),
        async ({ movements }) => {
          addLate()
          return [...movements].length
        },
      ),
    lots: async (folder: string, addLate: () => void) =>
      withRecorded(
        openFile(folder),
        (recorded) => fetchPnl(anExchange(all, 10).client as PnlClient, pnlAsked, { signal, nowMs, recorded }),
        async ({ lots }) => {
          addLate()
          return [...(lots?.matches ?? [])].length
        },
      ),
  }
  for (const tell of Object.values(tells)) {
    const folder = recordAll()
    const file = opened(folder)
    expect(await tell(folder, () => undefined)).toBeGreaterThan(4)
    // One behind the period changes nothing in it.
    expect(await tell(folder, () => file.putFills([aFill(8_000, { timestampMs: period.toMs + 1 })]))).toBeGreaterThan(4)
    const late = () => file.putFills([aFill(9_001, { timestampMs: period.toMs - 1 })])
    await expect(tell(folder, late)).rejects.toThrow('late fills were recorded while the report was written')
    file.close()
  }
})

test('fills that a report has read itself, and a desk records while it is told, count once and break nothing', async () => {
  const late = all.map((fill) => ({ ...fill, timestampMs: fill.timestampMs - 30 * hourMs }))
  const client = anExchange(late, 100).client as PnlClient
  const record = () => {
    const folder = temporaryFolder('recorded')
    const file = opened(folder)
    file.addGap({ aboveMs: null, belowMs: null })
    file.putFills(late.slice(0, 45), { id: 1, isClosed: true })
    return { file, open: openFile(folder) }
  }
  const [first, second] = [record(), record()]
  const asked = { fromMs: dayStartMs, toMs: null }
  const lines = await withRecorded(
    first.open,
    (recorded) => fetchStatement(client, asked, { signal, nowMs, recorded }),
    async ({ movements }) => {
      first.file.putFills(late)
      return [...movements].map(({ id }) => Number(id))
    },
  )
  expect(lines).toEqual(numbers.slice(29).flatMap((id) => [id, id, id]))
  const fees = await withRecorded(
    second.open,
    (recorded) => fetchPnl(client, { ...pnlAsked, period: asked }, { signal, nowMs, recorded }),
    async ({ lots }) => {
      second.file.putFills(late)
      return [...(lots?.fees ?? [])].map(({ id }) => Number(id))
    },
  )
  expect(fees).toEqual(numbers.slice(29))
  for (const { file } of [first, second]) file.close()
})

test('what is told of a record that fails is not made anew without it: nobody hears it twice', async () => {
  const folder = recordAll()
  const told: number[] = []
  const tell = async (count: number) => {
    told.push(count)
    throw new HistoryError('disk', 'the disk fails')
  }
  await expect(withRecorded(openFile(folder), async ({ fillCount }) => fillCount, tell)).rejects.toThrow('disk fails')
  expect(told).toEqual([50])
})
