import { expect, test } from 'vitest'
import type { PlanNews, PlanNow } from '../../../src/domain/plans/news.ts'
import type { PlanMove } from '../../../src/domain/plans/next-step.ts'
import type { Plan, PlanEvent } from '../../../src/domain/plans/plan.ts'
import { JournalError } from '../../../src/journal/entry.ts'
import { PlanBook } from '../../../src/services/plans/plan-book.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { oco, planOf, scale, startMs, stopSeen, stopSent } from './lone-runner.ts'

/** A book over these plans, and what it puts on disk and tells. */
function aBookOf(...plans: readonly Plan[]) {
  const clock = new FakeClock(startMs)
  const [lines, news, bugs] = [[] as PlanEvent[], [] as PlanNews[], [] as unknown[]]
  const disk = { error: null as Error | null }
  let changes = 0
  const book = new PlanBook({
    record: {
      plans: new Map(plans.map((plan) => [plan.planId, plan])),
      lastNumber: plans.length,
      append: async (event) => {
        if (disk.error !== null) throw disk.error
        lines.push(event)
      },
      close: () => Promise.resolve(),
    },
    clock,
    tell: (each) => news.push(each),
    onBug: (error) => bugs.push(error),
  })
  book.onChange(() => {
    changes += 1
  })
  return { book, clock, lines, news, bugs, disk, changes: () => changes, texts: () => news.map(({ text }) => text) }
}

const ended = { event: 'ended', how: 'done', why: 'Fully exited: 0.1000' }
const held: PlanEvent = { event: 'held', planId: 'p1', atMs: startMs, why: 'odd' }
const bare = planOf('p1', oco)
const safe = planOf('p1', oco, stopSent, stopSeen)
const waits = (why: string): PlanMove => ({ kind: 'wait', why })
const step: PlanMove = { kind: 'step', step: { do: 'cancel', order: null as never }, why: 'cancels' }
const nowOf = (plan: Plan, state: PlanNow['state'], why: string, refused: string | null = null): PlanNow => ({
  ...{ plan, state, why, refused },
})
const full = new JournalError('no space left')

test('an order belongs to an open plan alone, and every open plan’s orders are named', () => {
  const over = planOf('p2', oco, { ...stopSent, clientOrderId: 's2' }, ended)
  const { book } = aBookOf(safe, over, planOf('p3', oco, { ...stopSent, clientOrderId: 's3' }))
  expect(book.orderOf('s1')).toMatchObject({ plan: { planId: 'p1' }, order: { orderId: 'x-s1' } })
  expect(book.orderOf('s3')).toMatchObject({ plan: { planId: 'p3' }, order: { orderId: null } })
  expect([book.orderOf('s2'), book.orderOf('s4')]).toEqual([null, null])
  expect(book.sentIds()).toEqual(['s1', 's3'])
  expect(book.open().map(({ planId }) => planId)).toEqual(['p1', 'p3'])
  expect(book.get('p2')?.ended?.why).toBe('Fully exited: 0.1000')
})

test('before a plan has decided anything it says that it looks; one that has ended says how', () => {
  const { book } = aBookOf(bare, planOf('p2', oco, ended))
  expect(book.all()).toEqual([
    nowOf(bare, 'unsettled', 'Checking its orders'),
    nowOf(planOf('p2', oco, ended), 'ended', 'Fully exited: 0.1000'),
  ])
})

test('a plan that changes between two decisions keeps why it waits', () => {
  const { book } = aBookOf(bare)
  book.tellOf(nowOf(bare, 'unprotected', 'Not protected: no price'), waits(''))
  book.apply(held)
  expect(book.all()).toMatchObject([{ plan: { hold: 'odd' }, state: 'unprotected', why: 'Not protected: no price' }])
})

test('a line that the disk does not take is told of once, until it takes one again', async () => {
  const { book, clock, disk, news, lines } = aBookOf(bare)
  disk.error = full
  expect([await book.keep(held), await book.keep(held)]).toEqual(['no space left', 'no space left'])
  const text = 'Plan p1: no space left. No plan does anything until it can.'
  expect(news).toEqual([{ planId: 'p1', level: 'bad', text, atMs: startMs }])
  expect(book.trouble()).toBe('no space left')
  disk.error = null
  expect(await book.keep(held)).toBeNull()
  expect(book.trouble()).toBeNull()
  expect(lines).toEqual([held])
  disk.error = full
  await book.keep(held)
  expect(news).toHaveLength(2)
  expect(book.trouble()).toBe('no space left')
  // Nothing waits for the disk any more.
  await clock.advance(31_000)
  expect(book.trouble()).toBeNull()
  disk.error = new TypeError('a fault')
  await expect(book.keep(held)).rejects.toThrow('a fault')
})

test('what was seen counts at once, whatever the disk says; a fault of the program is handed on', async () => {
  const { book, disk, bugs, changes } = aBookOf(bare)
  disk.error = full
  book.learn(held)
  expect([book.get('p1')?.hold, changes()]).toEqual(['odd', 1])
  await settle()
  expect(bugs).toEqual([])
  disk.error = new TypeError('a fault')
  book.learn(held)
  await settle()
  expect(bugs).toEqual([disk.error])
})

test('a line of a plan that is not there changes nothing, and nobody is told', () => {
  const { book, changes } = aBookOf(bare)
  book.apply({ ...held, planId: 'p9' })
  expect([book.all().length, changes()]).toEqual([1, 0])
})

test('with enough newer ones ended a plan leaves the memory, as it leaves the record', () => {
  const past = Array.from({ length: 200 }, (_, at) => planOf(`p${at + 1}`, oco, { ...ended, atMs: startMs + at }))
  const { book } = aBookOf(...past, planOf('p201', oco))
  book.apply({ ...held, planId: 'p201' })
  expect(book.all()).toHaveLength(201)
  book.take(planOf('p201', oco, { ...ended, atMs: startMs + 999 }))
  expect(book.all()).toHaveLength(100)
  expect([book.get('p1'), book.get('p101'), book.get('p201')?.planId]).toEqual([undefined, undefined, 'p201'])
})

test('what stays bare is told of before the promised time is over, once, and again when it is bare anew', async () => {
  const { book, clock, news, texts } = aBookOf(bare, planOf('p2', scale))
  const busy = new Set<string>()
  const look = () => book.tellBare((planId) => busy.has(planId))
  await clock.advance(2_999)
  look()
  expect(news).toEqual([])
  await clock.advance(1)
  look()
  look()
  const text = 'Plan p1: Checking its orders. Not protected since 2026-11-20 12:00:00 UTC.'
  expect(news).toEqual([{ planId: 'p1', level: 'bad', text, atMs: startMs + 3_000 }])
  book.take(safe)
  book.take(bare)
  await clock.advance(2_999)
  look()
  expect(news).toHaveLength(1)
  busy.add('p1')
  await clock.advance(1)
  look()
  expect(texts()[1]).toMatch(/^Plan p1: one of its steps has no answer yet\. Perhaps not protected since /)
  // That it goes on does not begin the time anew.
  book.take(bare)
  await clock.advance(10_000)
  look()
  expect(news).toHaveLength(2)
})

test('a plan that has ended is bare no more', async () => {
  const { book, clock, news } = aBookOf(bare)
  book.take(planOf('p1', oco, ended))
  await clock.advance(10_000)
  book.tellBare(() => false)
  expect(news).toEqual([])
})

test('a decision to wait is told where it is news, and remembered as what the plan waits for', () => {
  const { book, texts, changes, clock, news } = aBookOf(safe)
  const rests = nowOf(safe, 'protected', 'The stop rests')
  book.tellOf(rests, waits(''))
  expect(news).toEqual([{ planId: 'p1', level: 'info', text: 'Plan p1: The stop rests.', atMs: clock.wallMs() }])
  expect(book.all()).toEqual([rests])
  expect(changes()).toBe(1)
  book.tellOf({ ...rests }, waits(''))
  expect([texts().length, changes()]).toEqual([1, 1])
  // Another reason for the same is shown, and no news.
  book.tellOf({ ...rests, why: 'The stop rests on' }, waits(''))
  expect([texts().length, changes(), book.all()[0]?.why]).toEqual([1, 2, 'The stop rests on'])
  book.tellOf({ ...rests, why: 'The stop rests on', refused: 'halted' }, waits(''))
  expect([texts().at(-1), changes()]).toEqual(['Plan p1: The stop rests on.', 4])
})

test('what stops a step is on record when it begins and when it is over, and not as it goes on', () => {
  const { book, lines } = aBookOf(safe)
  const now = (refused: string | null, why = 'waits') => nowOf(book.get('p1') ?? safe, 'protected', why, refused)
  book.tellOf(now(null), waits(''))
  expect(lines).toEqual([])
  book.tellOf(now('halted', 'in 3 s'), waits(''))
  book.tellOf(now('halted', 'in 2 s'), waits(''))
  book.tellOf(now(null), waits(''))
  const of = { event: 'said', planId: 'p1', atMs: startMs }
  expect(lines).toEqual([
    { ...of, why: 'in 3 s', refused: 'halted' },
    { ...of, why: 'waits', refused: null },
  ])
})

test('a step is not told as what the plan waits for', () => {
  const { book, news, changes, lines } = aBookOf(safe)
  book.tellOf(nowOf(safe, 'atTarget', 'goes', 'x'), step)
  expect([news, changes(), lines]).toEqual([[], 0, []])
  expect(book.all()[0]?.why).toBe('Checking its orders')
})

test('at the first look of all what is bare is not told of yet; what is bare after that is, and then not twice', async () => {
  const { book, clock, texts } = aBookOf(bare)
  book.tellOf(nowOf(bare, 'unprotected', 'Not protected: no price'), waits(''))
  expect(texts()).toEqual([])
  book.tellOf(nowOf(bare, 'held', 'Held: look'), waits(''))
  expect(texts()).toEqual(['Plan p1: Held: look. Not protected since 2026-11-20 12:00:00 UTC.'])
  await clock.advance(10_000)
  book.tellBare(() => false)
  expect(texts()).toHaveLength(1)
})

test('at the first look of all what stops the first order is not told of yet; that it goes on too long is', () => {
  const slices = planOf('p1', scale)
  const { book, texts } = aBookOf(slices)
  const refused = nowOf(
    slices,
    'working',
    'The order 1 of the scale cannot be placed: fees not loaded',
    'fees not loaded',
  )
  book.tellOf(refused, waits(''))
  book.tellOf(refused, waits(''))
  expect(texts()).toEqual([])
  expect(book.all()).toMatchObject([{ refused: 'fees not loaded' }])
  book.tellOf(nowOf(slices, 'held', 'Held: it could not be placed for 10 s'), waits(''))
  expect(texts()).toEqual(['Plan p1: Held: it could not be placed for 10 s.'])
})

test('what is bare and was told of in a friendlier way is told of as bare in time', async () => {
  const { book, clock, news } = aBookOf(planOf('p1', oco))
  // Seen as unprotected in the record, and as nothing that could be told as such by the decision.
  const now = nowOf({ ...bare, bareSinceMs: null }, 'protected', 'The stop rests')
  book.tellOf(now, waits(''))
  book.tellOf({ ...now, state: 'atTarget' }, waits(''))
  expect(news.map(({ level }) => level)).toEqual(['info'])
  await clock.advance(3_000)
  book.tellBare(() => false)
  expect(news.map(({ level }) => level)).toEqual(['info', 'bad'])
})

test('an end is told of, also at the first look and of what was bare', () => {
  const { book, texts } = aBookOf(bare)
  book.tellOf(nowOf(bare, 'over', 'It is left'), { kind: 'end', how: 'left', why: 'It is left' })
  expect(texts()).toEqual(['Plan p1 has ended: It is left.'])
})

test('of a step it is told what it did; where its order was not placed, that and why', () => {
  const { book, news } = aBookOf(safe)
  book.tellOfStep(bare, 'Places the stop for 0.1000')
  const refusal = { ...stopSeen, orderId: null, standing: 'notPlaced' }
  for (const reason of ['not enough.', null]) {
    book.take(planOf('p1', oco, stopSent, { ...refusal, reason }))
    book.tellOfStep(bare, 'Places the stop for 0.1000')
  }
  // One that was refused before is not told of again.
  book.tellOfStep(book.get('p1') ?? bare, 'Takes it back')
  book.tellOfStep(planOf('p9', oco), 'Goes on')
  const of = { planId: 'p1', atMs: startMs }
  expect(news).toEqual([
    { ...of, level: 'info', text: 'Plan p1: Places the stop for 0.1000.' },
    { ...of, level: 'warn', text: 'Plan p1: Places the stop for 0.1000: not placed, not enough.' },
    { ...of, level: 'warn', text: 'Plan p1: Places the stop for 0.1000: not placed, without a reason.' },
    { ...of, level: 'info', text: 'Plan p1: Takes it back.' },
    { ...of, planId: 'p9', level: 'info', text: 'Plan p9: Goes on.' },
  ])
})
