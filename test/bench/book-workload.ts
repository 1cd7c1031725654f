import type { Side } from '../../src/domain/order.ts'

/** One step of the workload; `id` numbers the adds and takers, `target` is the add to cancel. */
export type Step =
  | { kind: 'add'; id: number; side: Side; ticks: number; lots: number }
  | { kind: 'cancel'; target: number }
  | { kind: 'take'; id: number; side: Side; lots: number }

/** Tells what a step did, so that cancels can be aimed at orders that still rest. */
export type Reference = { apply(step: Step): void; isResting(id: number): boolean }

/** A small seeded generator (mulberry32): whole numbers from 0 to `below` − 1. */
export function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const startTicks = 100_000

/** Orders that rest before the clock starts: `perLevel` on each of `levels` prices a side. */
export function restingSteps(levels: number, perLevel: number, random: (below: number) => number): Step[] {
  const steps: Step[] = []
  for (let level = 1; level <= levels; level++)
    for (let place = 0; place < perLevel; place++)
      for (const side of ['BUY', 'SELL'] as const) {
        const ticks = side === 'BUY' ? startTicks - level : startTicks + level
        steps.push({ kind: 'add', id: steps.length, side, ticks, lots: 1 + random(100) })
      }
  return steps
}

/**
 * `count` steps: 60% limit adds up to `spreadTicks` away from a random-walk mid, 35% cancels of a random resting order,
 * 5% takers of 100–399 lots.
 */
export function workload(
  resting: readonly Step[],
  count: number,
  spreadTicks: number,
  random: (below: number) => number,
  reference: Reference,
): Step[] {
  const steps: Step[] = []
  const live: number[] = []
  let nextId = resting.length
  let midTicks = startTicks
  for (const step of resting) {
    reference.apply(step)
    if (step.kind === 'add') live.push(step.id)
  }
  const emit = (step: Step) => {
    steps.push(step)
    reference.apply(step)
  }
  while (steps.length < count) {
    const draw = random(100)
    const side: Side = random(2) === 0 ? 'BUY' : 'SELL'
    midTicks += random(3) - 1
    if (draw < 5) emit({ kind: 'take', id: nextId++, side, lots: 100 + random(300) })
    else if (draw < 40) {
      const target = takeLive(live, random, reference)
      if (target !== undefined) emit({ kind: 'cancel', target })
    } else {
      const away = 1 + random(spreadTicks)
      const ticks = side === 'BUY' ? midTicks - away : midTicks + away
      const id = nextId++
      emit({ kind: 'add', id, side, ticks, lots: 1 + random(100) })
      if (reference.isResting(id)) live.push(id)
    }
  }
  return steps
}

/** A random order that still rests, taken off the list together with the ended ones met on the way. */
function takeLive(live: number[], random: (below: number) => number, reference: Reference): number | undefined {
  while (live.length > 0) {
    const index = random(live.length)
    const id = live[index]
    const last = live.pop()
    if (last !== undefined && index < live.length) live[index] = last
    if (id !== undefined && reference.isResting(id)) return id
  }
  return undefined
}
