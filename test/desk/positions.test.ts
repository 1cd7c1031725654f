import { expect, test } from 'vitest'
import { dayMs, utcDayStart } from '../../src/base/time-text.ts'
import { followPositions, type PositionTimes } from '../../src/desk/positions.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { reckonedPositions } from '../fakes/worth.ts'
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
