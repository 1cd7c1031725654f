import { expect, test } from 'vitest'
import { Stops } from '../../../src/sandbox/engine/matching-book.ts'
import { PlainOrder } from './plain-order.ts'

function taken(stops: Stops<PlainOrder>, lowTicks: number, highTicks: number): number[] {
  const ids: number[] = []
  for (let stop = stops.takeTriggered(lowTicks, highTicks); stop !== undefined; ) {
    ids.push(stop.id)
    stop = stops.takeTriggered(lowTicks, highTicks)
  }
  return ids
}

function waiting(): Stops<PlainOrder> {
  const stops = new Stops<PlainOrder>()
  stops.add(new PlainOrder(1, 'BUY', 1), 110)
  stops.add(new PlainOrder(2, 'BUY', 1), 105)
  stops.add(new PlainOrder(3, 'SELL', 1), 90)
  stops.add(new PlainOrder(4, 'SELL', 1), 95)
  stops.add(new PlainOrder(5, 'BUY', 1), 105)
  return stops
}

test('a buy goes at or above its price, a sell at or below, nearest first and then oldest', () => {
  expect(taken(waiting(), 100, 104)).toEqual([])
  expect(taken(waiting(), 100, 105)).toEqual([2, 5])
  expect(taken(waiting(), 100, 200)).toEqual([2, 5, 1])
  expect(taken(waiting(), 95, 100)).toEqual([4])
  expect(taken(waiting(), 1, 100)).toEqual([4, 3])
})

test('trades over a range set off both sides, the older order first', () => {
  expect(taken(waiting(), 90, 110)).toEqual([2, 4, 3, 5, 1])
})

test('a stop that was taken out goes no more', () => {
  const stops = new Stops<PlainOrder>()
  const order = new PlainOrder(1, 'SELL', 1)
  stops.add(order, 90)
  stops.remove(order)
  expect(taken(stops, 1, 1_000)).toEqual([])
})
