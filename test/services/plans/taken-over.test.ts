import { expect, test } from 'vitest'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { PlanMove, PlanStep } from '../../../src/domain/plans/next-step.ts'
import type { Plan, PlanEvent, PlanRole } from '../../../src/domain/plans/plan.ts'
import type { PlanState } from '../../../src/domain/plans/plan-table.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import type { Ahead, Waiting } from '../../../src/services/plans/next-orders.ts'
import { takeAhead } from '../../../src/services/plans/taken-over.ts'
import { amount } from '../../fakes/amounts.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { ocoTerms, planAfter, seen, stopSent, tenth, tenthLegs, tenthTrailing } from '../../fakes/plans.ts'

// What a plan takes over that its record lacks, by the order alone. On a whole desk: next-orders.test.ts.

const bracket: PlanTerms = { ...tenth, kind: 'bracket', side: 'BUY', entryPrice: amount('64000'), ...tenthLegs }
const slices = ['64000', '63900'].map((price) => ({ price: amount(price), quantity: amount('0.05') }))
const scale: PlanTerms = { ...tenth, kind: 'scale', side: 'BUY', slices, postOnly: true }

const placing = (role: PlanRole, slice: number | null = null): PlanStep => ({
  ...{ do: 'place', role, slice },
  draft: aDraft({ stopPrice: amount('62900'), timeInForce: 'FOK', postOnly: true }),
})
const ended = { kind: 'end', how: 'done', why: 'Fully exited' } as const

async function taken(plan: Plan, asked: PlanStep | PlanMove, ahead: Ahead, state: PlanState = 'protected') {
  const move: PlanMove = 'do' in asked ? { kind: 'step', step: asked, why: 'next' } : asked
  const [lines, reports, told]: [PlanEvent[], Order[], string[]] = [[], [], []]
  const waiting: Waiting[] = []
  const isAgain = await takeAhead(
    plan,
    { ...move, state },
    {
      next: {
        ahead: (_plan, what) => {
          waiting.push(what)
          return Promise.resolve(ahead)
        },
        isUnsure: () => ahead === 'unseen' || ahead.length > 0,
      },
      book: { learn: (line) => lines.push(line), tellOf: ({ why }) => told.push(why) },
      report: (order) => reports.push(order),
      wallMs: () => 5_000,
    },
  )
  return { isAgain, lines, reports, told, waiting }
}

const stop = { side: 'SELL', type: 'STOP', limitPrice: null } as const
const stopBefore = [{ ...stopSent('s1'), draft: { ...stopSent('s1').draft, stopPrice: amount('63400') } }]
const gone = seen('s1', { standing: 'ended', status: 'CANCELED' })
const planned = { timeInForce: 'FOK', postOnly: true }
const unplanned = { timeInForce: 'GTC', postOnly: false }

test.each<[string, PlanTerms, PlanStep | PlanMove, Partial<Order>, object]>([
  ['the stop that is next', ocoTerms, placing('stop'), stop, { role: 'stop', stopPrice: '62900', ...planned }],
  [
    'a stop in the place of the target',
    ocoTerms,
    placing('target'),
    stop,
    { role: 'stop', stopPrice: '63000', ...unplanned },
  ],
  [
    'a target in the place of the stop',
    ocoTerms,
    placing('stop'),
    { side: 'SELL' },
    { role: 'target', stopPrice: null, ...unplanned },
  ],
  [
    'the entry of a bracket',
    bracket,
    placing('stop'),
    { side: 'BUY' },
    { role: 'entry', stopPrice: null, ...unplanned },
  ],
  ['the stop of a bracket', bracket, ended, stop, { role: 'stop', stopPrice: '63000', ...unplanned }],
  [
    'a trailing stop at its limit',
    tenthTrailing,
    ended,
    { side: 'SELL' },
    { role: 'stop', stopPrice: null, ...unplanned },
  ],
  [
    'a market order of the target',
    ocoTerms,
    placing('target'),
    { side: 'SELL', type: 'MARKET' },
    { role: 'target', ...planned },
  ],
  ['a market order', ocoTerms, ended, { side: 'SELL', type: 'MARKET' }, { role: 'stop', timeInForce: 'IOC' }],
  [
    'the first slice',
    scale,
    placing('slice', 1),
    { limitPrice: amount('64000') },
    { role: 'slice', slice: 0, ...planned },
  ],
  ['a slice at a price of none', scale, placing('slice', 1), { limitPrice: amount('1') }, { role: 'slice', slice: 1 }],
  [
    'a slice without a price',
    scale,
    placing('slice', 1),
    { limitPrice: null },
    { role: 'slice', slice: 1, stopPrice: null },
  ],
  ['a slice of an end', scale, ended, { limitPrice: amount('1') }, { role: 'slice', slice: null }],
  ['no slice', ocoTerms, placing('slice', 1), { side: 'SELL' }, { role: 'target', slice: null }],
])('%s is taken as what it is', async (_what, terms, move, change, expected) => {
  const order = anOrder({ clientOrderId: 'n1', ...change })
  const { isAgain, lines, reports } = await taken(planAfter('p1', terms), move, [order])
  const [sending, held] = lines
  if (sending?.event !== 'sending') throw new Error('nothing was taken')
  const { role, slice, draft } = sending
  const { stopPrice, timeInForce, postOnly, orderQuantity } = draft
  expect({ role, slice, stopPrice: stopPrice?.toFixed() ?? null, timeInForce, postOnly }).toMatchObject(expected)
  expect([orderQuantity.toFixed(), reports, held?.event, isAgain]).toEqual(['0.05', [order], 'held', true])
})

test('a stop that followed the price counts with its last trigger on record, any other with that of its plan', async () => {
  const order = anOrder({ clientOrderId: 'n1', ...stop })
  const stopPrice = async (terms: PlanTerms) => {
    const plan = planAfter('p1', terms, ...stopBefore, gone)
    const [sending] = (await taken(plan, ended, [order])).lines
    return sending?.event === 'sending' ? sending.draft.stopPrice?.toFixed() : undefined
  }
  expect(await stopPrice(tenthTrailing)).toBe('63400')
  expect(await stopPrice(ocoTerms)).toBe('63000')
})

test('a plan that ends takes what works or has traded, and ends without what did neither', async () => {
  const plan = planAfter('p1', ocoTerms)
  const canceled = (filled: string | null) =>
    anOrder({ ...stop, status: 'CANCELED', cumQuantity: filled === null ? null : amount(filled) })
  for (const order of [anOrder({ ...stop, cumQuantity: amount('0') }), canceled('0.01'), canceled(null)])
    expect((await taken(plan, ended, [order])).lines).toHaveLength(2)
  expect((await taken(plan, ended, [canceled('0')])).lines).toEqual([])
  // What goes on is held against it.
  expect((await taken(plan, placing('stop'), [canceled('0')])).lines).toHaveLength(2)
})

test('two orders under one id are both named, and taken once', async () => {
  const orders = ['7', '8'].map((orderId) => anOrder({ ...stop, orderId, clientOrderId: 'n1' }))
  const { lines, reports } = await taken(planAfter('p1', ocoTerms), placing('stop'), orders)
  expect(lines.map(({ event }) => event)).toEqual(['sending', 'held'])
  expect(lines[1]).toMatchObject({
    why: expect.stringMatching(/^orders 7, 8 are at the exchange under the ids .* ones: /),
  })
  expect(reports).toHaveLength(1)
})

test('how long is waited for the lists is by what waits: a leg, the end that a person asked for, or nothing', async () => {
  const plan = planAfter('p1', ocoTerms)
  const asked: Plan = { ...plan, cancel: 'takeBack' }
  const waits = { kind: 'wait', why: 'Held' } as const
  const waiting = async (...[of, move, state]: [Plan, PlanStep | PlanMove, PlanState?]) => {
    const { isAgain, told, waiting } = await taken(of, move, 'unseen', state)
    return [...waiting, isAgain, ...told]
  }
  const looking = 'Looking at the exchange for orders of its own first'
  expect(await waiting(plan, placing('stop'))).toEqual(['leg', false, looking])
  expect(await waiting(plan, placing('target'))).toEqual(['leg', false, looking])
  expect(await waiting(plan, placing('entry'))).toEqual(['nothing', false, looking])
  expect(await waiting(asked, placing('entry'))).toEqual(['nothing', false, looking])
  expect(await waiting(asked, ended)).toEqual(['end', false, looking])
  expect(await waiting(plan, ended)).toEqual(['nothing', false, looking])
  // One that is held by itself waits for nothing, and what needs no look is not looked for.
  expect(await waiting(plan, waits, 'held')).toEqual(['nothing', null])
  expect(await waiting({ ...plan, hold: 'a person looks' }, waits, 'held')).toEqual([null])
  expect(await waiting(plan, waits)).toEqual([null])
  const [own] = planAfter('p1', ocoTerms, ...stopBefore).orders
  if (own === undefined) throw new Error('no order')
  expect(await waiting(plan, { do: 'cancel', order: own })).toEqual([null])
})
