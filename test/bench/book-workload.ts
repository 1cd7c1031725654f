import type { Side } from '../../src/domain/side.ts'

/** What both books can do. Ids are given by the workload: whole numbers from 0 in the order of their use. */
export type Book = {
  add(id: number, side: Side, ticks: number, lots: number): void
  take(id: number, side: Side, lots: number): void
  cancel(id: number): void
}
/** A book that also tells what rests, so that cancels can be aimed. */
export type Reference = Book & { isResting(id: number): boolean }

const addKind = 0
const takeKind = 1
const cancelKind = 2

/** A list of steps in columns: small, so that reading it leaves the processor's caches to the books. */
export class Steps {
  count = 0
  private readonly kinds: Uint8Array
  private readonly buys: Uint8Array
  private readonly ids: Int32Array
  private readonly ticks: Int32Array
  private readonly lots: Int16Array

  constructor(countMax: number) {
    this.kinds = new Uint8Array(countMax)
    this.buys = new Uint8Array(countMax)
    this.ids = new Int32Array(countMax)
    this.ticks = new Int32Array(countMax)
    this.lots = new Int16Array(countMax)
  }

  add(id: number, side: Side, ticks: number, lots: number): void {
    this.push(addKind, id, side, ticks, lots)
  }

  take(id: number, side: Side, lots: number): void {
    this.push(takeKind, id, side, 0, lots)
  }

  cancel(id: number): void {
    this.push(cancelKind, id, 'BUY', 0, 0)
  }

  /** Carries out the steps from one index up to another. */
  play(book: Book, from = 0, to = this.count): void {
    for (let index = from; index < to; index++) {
      const id = this.ids[index] ?? 0
      const kind = this.kinds[index]
      const side = this.buys[index] === 1 ? 'BUY' : 'SELL'
      if (kind === cancelKind) book.cancel(id)
      else if (kind === takeKind) book.take(id, side, this.lots[index] ?? 0)
      else book.add(id, side, this.ticks[index] ?? 0, this.lots[index] ?? 0)
    }
  }

  private push(kind: number, id: number, side: Side, ticks: number, lots: number): void {
    this.kinds[this.count] = kind
    this.buys[this.count] = side === 'BUY' ? 1 : 0
    this.ids[this.count] = id
    this.ticks[this.count] = ticks
    this.lots[this.count] = lots
    this.count += 1
  }
}

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
export function restingSteps(levels: number, perLevel: number, random: (below: number) => number): Steps {
  const steps = new Steps(levels * perLevel * 2)
  for (let level = 1; level <= levels; level++)
    for (let place = 0; place < perLevel; place++) {
      steps.add(steps.count, 'BUY', startTicks - level, 1 + random(100))
      steps.add(steps.count, 'SELL', startTicks + level, 1 + random(100))
    }
  return steps
}

/**
 * `count` steps: 60% limit adds up to `spreadTicks` away from a random-walk mid, 35% cancels of a random resting order,
 * 5% takers of 100–399 lots. `reference` is an empty book; it takes part to tell what rests.
 */
export function workload(
  resting: Steps,
  count: number,
  spreadTicks: number,
  random: (below: number) => number,
  reference: Reference,
): Steps {
  const steps = new Steps(count)
  resting.play(reference)
  const live = Array.from({ length: resting.count }, (_, id) => id)
  let nextId = resting.count
  let midTicks = startTicks
  while (steps.count < count) {
    const draw = random(100)
    const side: Side = random(2) === 0 ? 'BUY' : 'SELL'
    midTicks += random(3) - 1
    if (draw < 5) steps.take(nextId++, side, 100 + random(300))
    else if (draw < 40) {
      const target = takeLive(live, random, reference)
      if (target === undefined) continue
      steps.cancel(target)
    } else {
      const away = 1 + random(spreadTicks)
      live.push(nextId)
      steps.add(nextId++, side, side === 'BUY' ? midTicks - away : midTicks + away, 1 + random(100))
    }
    steps.play(reference, steps.count - 1)
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
