import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PriceLevels } from '../../../src/sandbox/engine/price-levels.ts'
import { PlainOrder, queues } from './plain-order.ts'

type Step = { kind: 'append'; ticks: number; lots: number } | { kind: 'remove'; which: number }

const steps = (ticks: fc.Arbitrary<number>) =>
  fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('append' as const), ticks, lots: fc.integer({ min: 1, max: 9 }) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
    ),
    { maxLength: 400 },
  )

/** The same by the plainest means: a list of queues, sorted anew each time. */
class Model {
  readonly queueAt = new Map<number, PlainOrder[]>()

  sorted(best: 'highest' | 'lowest'): [number, [number, number][]][] {
    const direction = best === 'highest' ? -1 : 1
    return [...this.queueAt]
      .sort(([left], [right]) => (left - right) * direction)
      .map(([ticks, orders]) => [ticks, orders.map((order) => [order.id, order.openLots])])
  }
}

function play(best: 'highest' | 'lowest', run: readonly Step[]): void {
  const levels = new PriceLevels<PlainOrder>(best)
  const model = new Model()
  const live: { order: PlainOrder; ticks: number }[] = []
  for (const [id, step] of run.entries()) {
    if (step.kind === 'append') {
      const order = new PlainOrder(id, 'BUY', step.lots)
      levels.append(order, step.ticks)
      model.queueAt.set(step.ticks, [...(model.queueAt.get(step.ticks) ?? []), order])
      live.push({ order, ticks: step.ticks })
    } else if (live.length > 0) {
      const [gone] = live.splice(step.which % live.length, 1)
      if (gone === undefined) continue
      levels.remove(gone.order)
      const left = (model.queueAt.get(gone.ticks) ?? []).filter((order) => order !== gone.order)
      if (left.length === 0) model.queueAt.delete(gone.ticks)
      else model.queueAt.set(gone.ticks, left)
    }
  }
  expect(queues(levels.best)).toEqual(model.sorted(best))
  expect(queues(levels.best)).toHaveLength(model.queueAt.size)
  for (let level = levels.best; level !== null; level = level.worse) {
    const orders = model.queueAt.get(level.ticks) ?? []
    expect(level.lots).toBe(orders.reduce((sum, order) => sum + order.openLots, 0))
    expect(level.orderCount).toBe(orders.length)
  }
}

test.each(['highest', 'lowest'] as const)(
  'keeps prices sorted and queues in order of arrival, %s price best',
  (best) => {
    const few = fc.integer({ min: 1, max: 12 })
    // Prices 1,024 apart share a place among the levels at hand; many different ones fill several chunks.
    const sharing = fc.integer({ min: 0, max: 5 }).map((times) => 7 + times * 1_024)
    const many = fc.integer({ min: 1, max: 2 ** 40 })
    for (const ticks of [few, sharing, many])
      fc.assert(
        fc.property(steps(ticks), (run) => play(best, run)),
        { numRuns: 60 },
      )
  },
)

test('many levels, made and dropped at random places, stay sorted', () => {
  const appends = Array.from(
    { length: 3_000 },
    (_, index): Step => ({ kind: 'append', ticks: 1 + ((index * 7_919) % 3_001), lots: 1 }),
  )
  const removes = Array.from({ length: 1_500 }, (_, index): Step => ({ kind: 'remove', which: index * 104_729 }))
  play('highest', [...appends, ...removes, ...appends.slice(0, 500)])
  play('lowest', [...appends, ...removes, ...appends.slice(0, 500)])
})

test('an order that waits in no queue cannot be taken out', () => {
  const levels = new PriceLevels<PlainOrder>('highest')
  const order = new PlainOrder(1, 'BUY', 5)
  expect(() => levels.remove(order)).toThrow('waits in no queue')
  levels.append(order, 10)
  levels.remove(order)
  expect(() => levels.remove(order)).toThrow('waits in no queue')
})
