import { expect, test } from 'vitest'
import { readableListing } from '../../src/domain/listing.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import { fetchBooks, type StatementClient } from '../../src/services/statement.ts'
import { aFill } from '../history/aids.ts'

/** An exchange with these fills, which tells of so many a call; what was asked is counted. */
function anExchange(fills: readonly Fill[], pageSize: number) {
  let calls = 0
  const client = {
    fetchSymbols: async () => ({ instruments: new Map(), unreadable: [] }),
    fetchAccounts: async () => new Map(),
    fetchDeposits: async () => readableListing([]),
    fetchWithdrawals: async () => readableListing([]),
    fetchFills: async ({ toExecId }: { toExecId?: string } = {}) => {
      calls += 1
      const upTo = fills.filter(({ execId }) => toExecId === undefined || BigInt(execId) <= BigInt(toExecId))
      return readableListing(upTo.toReversed().slice(0, pageSize))
    },
  } as unknown as StatementClient
  return { client, calls: () => calls }
}

const signal = new AbortController().signal
const idsOf = (fills: readonly Fill[]) => fills.map(({ execId }) => Number(execId)).toSorted((one, two) => one - two)
const numbers = Array.from({ length: 50 }, (_, at) => at + 1)
const all = numbers.map((id) => aFill(id))

test('of what was recorded only what came later is asked for', async () => {
  const { client, calls } = anExchange(all, 10)
  const { history, recordedCount } = await fetchBooks(client, {
    signal,
    recorded: { fills: all.slice(0, 45), unreadableCount: 0 },
  })
  expect(idsOf(history.fills)).toEqual(numbers)
  expect([calls(), recordedCount]).toEqual([1, 45])
})

test('an exchange that began anew with the same ids is read in whole, and nothing recorded counts', async () => {
  const { client } = anExchange(all, 10)
  const others = numbers.map((id) => aFill(id, { orderId: `old${id}`, timestampMs: 1_000 }))
  const { history, recordedCount } = await fetchBooks(client, {
    signal,
    recorded: { fills: others, unreadableCount: 0 },
  })
  expect(idsOf(history.fills)).toEqual(numbers)
  expect(history.fills.some(({ orderId }) => orderId.startsWith('old'))).toBe(false)
  expect(recordedCount).toBe(0)
  const later = [aFill(900), aFill(901)]
  const gone = await fetchBooks(anExchange(all.slice(0, 3), 10).client, {
    signal,
    recorded: { fills: later, unreadableCount: 0 },
  })
  expect(idsOf(gone.history.fills)).toEqual([1, 2, 3])
})
