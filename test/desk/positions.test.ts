import { expect, onTestFinished, test } from 'vitest'
import { dayMs, utcDayStart } from '../../src/base/time-text.ts'
import { followPositions, type PositionTimes, RecordedPositions } from '../../src/desk/positions.ts'
import { Decimal } from '../../src/domain/money.ts'
import { openHistory } from '../../src/history/history-file.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { reckonedPositions } from '../fakes/worth.ts'
import { aFill, opened } from '../history/aids.ts'
import { aDesk, startMs } from '../store/desk.ts'

test('positions are reckoned until they are there, then with each fill, transfer and UTC day, and not in between', () => {
  const { store, wait } = aDesk()
  const asked: PositionTimes[] = []
  let isRead = false
  followPositions(
    store,
    (_, times) => {
      asked.push(times)
      return isRead ? reckonedPositions : null
    },
    new FakeClock(startMs),
  )
  expect(store.getState().positions.reckoned).toBeNull()
  isRead = true
  wait(1_000)
  expect(store.getState().positions.reckoned).toBe(reckonedPositions)
  const count = asked.length
  wait(5_000)
  expect(asked).toHaveLength(count)
  store.dispatch({ type: 'deposits', deposits: [], atMs: startMs + 6_000 })
  expect(asked).toHaveLength(count + 1)
  wait(dayMs)
  expect(asked.at(-1)?.dayStartMs).toBe(utcDayStart(startMs) + dayMs)
  expect(asked.at(-1)?.sessionStartMs).toBe(startMs)
})

test('positions come from the recorded history once it is whole, and from the fills polled since', async () => {
  const folder = temporaryFolder('positions')
  const recorded = opened(folder)
  recorded.putFills([aFill(1, { side: 'BUY', quantity: new Decimal('0.5'), price: new Decimal('60000') })])
  recorded.close()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const positions = new RecordedPositions({ open: async (how) => openHistory(folder, how) }, 'fifo', stop.signal)
  const { store } = aDesk()
  store.dispatch({ type: 'deposits', deposits: [], atMs: startMs })
  store.dispatch({ type: 'withdrawals', withdrawals: [], atMs: startMs })
  const times = { dayStartMs: 0, sessionStartMs: 0, nowMs: Number.MAX_SAFE_INTEGER }
  const reckon = () => positions.reckon(store.getState(), times)
  await positions.observe({ type: 'historyProgress', readCount: 0, isWhole: false })
  expect(reckon()).toBeNull()
  await positions.observe({ type: 'historyProgress', readCount: 1, isWhole: true })
  const btc = () => reckon()?.positions.find(({ currency }) => currency === 'BTC')
  expect([btc()?.quantity.toFixed(), btc()?.averageCostUsd?.toFixed()]).toEqual(['0.5', '60000'])
  const sold = aFill(2, { side: 'SELL', quantity: new Decimal('0.2'), price: new Decimal('61000') })
  store.dispatch({ type: 'fills', fills: [sold], atMs: startMs })
  // Asked twice, counted once.
  expect([btc()?.quantity.toFixed(), btc()?.quantity.toFixed()]).toEqual(['0.3', '0.3'])
  expect(reckon()?.realized.all.currency.get('BTC')?.realizedUsd.toFixed()).toBe('200')
})
