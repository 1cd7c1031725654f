import { expect, test } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { JournalError } from '../../../src/journal/entry.ts'
import { amount } from '../../fakes/amounts.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { aLoneRunner, bracket, oco, planOf, scale, startMs, stopSeen, stopSent, trailing } from './lone-runner.ts'

const kim = { person: 'kim', askedAs: 'k1', countedUsd: amount('6400') }
const full = new JournalError('the record of plans cannot be written: no space left')
const ended = { event: 'ended', how: 'done', why: 'Fully exited: 0.1000' }

test('a plan is on record, with who asked for it, when it has its number, which follows the last one ever given', async () => {
  const { runner, rules, lines, now } = aLoneRunner({ lastNumber: 11 })
  rules('BTC-USD')
  expect(await runner.add(oco, kim)).toEqual(ok('p12'))
  expect(await runner.add(oco)).toEqual(ok('p13'))
  expect(lines).toStrictEqual([
    { event: 'begun', planId: 'p12', terms: oco, seed: 'n1', atMs: startMs, by: kim },
    { event: 'begun', planId: 'p13', terms: oco, seed: 'n2', atMs: startMs },
  ])
  expect(now('p12')?.plan).toMatchObject({ person: 'kim', terms: oco, atMs: startMs })
  expect(now('p13')?.plan.person).toBeNull()
})

test('what cannot be planned is said in a sentence, and nothing is on record', async () => {
  const { runner, rules, lines, world } = aLoneRunner()
  expect(await runner.add(oco)).toEqual(err('The rules of BTC-USD are not loaded: nothing was planned.'))
  rules('BTC-USD')
  expect(await runner.add({ ...oco, quantity: amount('0.00001') })).toEqual(
    err('The quantity 0.00001 is off the lot 0.0001: nothing was planned.'),
  )
  world.disk = full
  expect(await runner.add(oco)).toEqual(
    err('Nothing was planned: the record of plans cannot be written: no space left.'),
  )
  world.disk = null
  await runner.stop()
  expect(await runner.add(oco)).toEqual(err('The desk is closing: nothing was planned.'))
  expect([lines, runner.plans()]).toEqual([[], []])
})

test('a plan whose check did not see an equal one that is there by now is not begun a second time', async () => {
  const { runner, rules, lines } = aLoneRunner()
  rules('BTC-USD')
  expect(await runner.add(oco, undefined, 0)).toEqual(ok('p1'))
  const refused = err('Nothing was planned: plan p1 is the same, begun after this one was checked.')
  expect(await runner.add(oco, kim, 0)).toEqual(refused)
  await runner.cancel('p1', 'leave')
  expect(await runner.add(oco, undefined, 0)).toEqual(refused)
  // One that has seen it, is another, or was not checked for that is begun.
  expect(await runner.add(oco, undefined, 1)).toEqual(ok('p2'))
  expect(await runner.add(trailing, undefined, 0)).toEqual(ok('p3'))
  expect(await runner.add(oco)).toEqual(ok('p4'))
  expect(lines.filter(({ event }) => event === 'begun')).toHaveLength(4)
})

test('two equal plans that are asked for at once: the second is held against the first, whose line is not on disk yet', async () => {
  const { runner, rules } = aLoneRunner()
  rules('BTC-USD')
  expect(await Promise.all([runner.add(oco, kim, 0), runner.add(oco, undefined, 0)])).toEqual([
    ok('p1'),
    err('Nothing was planned: plan p1 is the same, begun after this one was checked.'),
  ])
})

test('what would buy or sell and is stopped now is not planned; what is not loaded may come, and protection waits', async () => {
  const { runner, rules, lines, world } = aLoneRunner()
  rules('BTC-USD')
  world.stops = ['4 open orders with this one are over the hard limit 3']
  for (const terms of [bracket, { ...bracket, entryPrice: null }, scale])
    expect(await runner.add(terms)).toEqual(
      err('Nothing was planned: 4 open orders with this one are over the hard limit 3.'),
    )
  expect([lines, runner.plans()]).toEqual([[], []])
  expect([await runner.add(oco), await runner.add(trailing)]).toEqual([ok('p1'), ok('p2')])
  world.stopRule = 'freshness'
  world.stops = ['the book of BTC-USD is not loaded']
  expect(await runner.add(bracket)).toEqual(ok('p3'))
  world.stopRule = 'mode'
  world.stops = ['the desk is HALTED']
  for (const terms of [bracket, oco])
    expect(await runner.add(terms)).toEqual(err('Nothing was planned: the desk is HALTED.'))
})

test('an entry that a limit holds up is held after ten seconds, and room that comes later does not send it', async () => {
  const desk = aLoneRunner()
  desk.begin()
  desk.world.stopRule = 'freshness'
  desk.world.stops = ['the book of BTC-USD is not loaded']
  await desk.runner.add({ ...bracket, entryPrice: null })
  await desk.rest(10_000)
  expect(desk.now()?.state).toBe('entering')
  await desk.rest(1_000)
  desk.world.stops = []
  await desk.rest(60_000)
  expect(desk.now()).toMatchObject({
    state: 'held',
    why: 'Held: the entry could not be placed for 10 s. Resume or cancel it',
  })
  expect(desk.asked).toEqual([])
  await desk.runner.resume('p1')
  await desk.rest()
  expect(desk.asked).toEqual(['submit MARKET BUY 0.1'])
  await desk.runner.stop()
})

test('a halted desk resumes no plan: it says so, nothing is on record, and nothing goes out as it is armed', async () => {
  const held = { event: 'held', why: 'the stop was canceled' }
  const desk = aLoneRunner({ plans: [planOf('p1', oco, held)] })
  desk.begin()
  desk.world.halted = 'the desk that runs it is HALTED'
  expect(await desk.runner.resume('p1')).toEqual(
    err('Plan p1 is not resumed: the desk that runs it is HALTED. Nothing was sent, its resting orders stay.'),
  )
  desk.world.halted = null
  await desk.rest(5_000)
  expect([desk.lines, desk.now()?.state, desk.asked]).toEqual([[], 'held', []])
  expect(await desk.runner.resume('p1')).toEqual(ok(null))
  await desk.rest()
  expect(desk.asked).toEqual(['submit STOP SELL 0.1'])
  await desk.runner.stop()
})

test('a halted desk changes no plan: it says so, and nothing is on record', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
  desk.begin()
  await desk.rest()
  const before = desk.lines.length
  desk.world.halted = 'the desk that runs it is HALTED'
  expect(await desk.runner.edit('p1', { ...oco, stopPrice: oco.stopPrice.minus(1) })).toEqual(
    err('Plan p1 is not changed: the desk that runs it is HALTED. Nothing was sent, its resting orders stay.'),
  )
  expect(desk.lines.length).toBe(before)
  desk.world.halted = null
  expect(await desk.runner.edit('p1', { ...oco, stopPrice: oco.stopPrice.minus(1) })).toEqual(ok(null))
  await desk.runner.stop()
})

test('a hundred plans are open at most; one that has ended makes room', async () => {
  const open = Array.from({ length: 99 }, (_, at) => planOf(`p${at + 1}`, oco))
  const { runner, rules } = aLoneRunner({ plans: [...open, planOf('p100', oco, ended)] })
  rules('BTC-USD')
  expect(await runner.add(oco)).toEqual(ok('p101'))
  expect(await runner.add(oco)).toEqual(err('100 plans are open: cancel one. Nothing was planned.'))
})

test('who asks for an end, a change or a going on is on record with it', async () => {
  const { runner, rules, lines } = aLoneRunner({ plans: [planOf('p1', oco)] })
  rules('BTC-USD')
  const changed = { ...oco, quantity: amount('0.2') }
  expect(await runner.edit('p1', changed, kim)).toEqual(ok(null))
  expect(await runner.resume('p1', kim)).toEqual(ok(null))
  expect(await runner.cancel('p1', 'leave', kim)).toEqual(ok(null))
  expect(await runner.edit('p1', oco)).toEqual(ok(null))
  const of = { planId: 'p1', atMs: startMs }
  expect(lines).toStrictEqual([
    { event: 'edited', ...of, terms: changed, by: kim },
    { event: 'resumed', ...of, by: kim },
    { event: 'cancelAsked', ...of, how: 'leave', by: kim },
    { event: 'edited', ...of, terms: oco },
  ])
  expect(runner.plans()[0]?.plan).toMatchObject({ terms: oco, cancel: 'leave' })
})

test('of a plan that is not there, or has ended, nothing can be asked', async () => {
  const { runner, rules, lines } = aLoneRunner({ plans: [planOf('p1', oco, ended)] })
  rules('BTC-USD')
  const none = err('There is no plan p9.')
  expect([await runner.cancel('p9', 'leave'), await runner.edit('p9', oco), await runner.resume('p9')]).toEqual([
    ...[none, none, none],
  ])
  const over = err('Plan p1 has ended: Fully exited: 0.1000.')
  expect([await runner.cancel('p1', 'takeBack'), await runner.edit('p1', oco), await runner.resume('p1')]).toEqual([
    ...[over, over, over],
  ])
  expect(lines).toEqual([])
})

test('what the disk does not take is not changed, and that is the answer', async () => {
  const { runner, rules, world } = aLoneRunner({ plans: [planOf('p1', oco)] })
  rules('BTC-USD')
  world.disk = full
  const refused = err('Nothing was changed: the record of plans cannot be written: no space left.')
  expect(await runner.cancel('p1', 'takeBack')).toEqual(refused)
  expect(await runner.edit('p1', { ...oco, quantity: amount('0.2') })).toEqual(refused)
  expect(runner.plans()[0]?.plan).toMatchObject({ cancel: null, terms: oco })
  world.disk = new TypeError('a fault')
  await expect(runner.cancel('p1', 'takeBack')).rejects.toThrow('a fault')
})

test('an edit keeps what a plan is, its symbol and its side, and is judged by the rules as they are', async () => {
  const { runner, rules } = aLoneRunner({ plans: [planOf('p1', oco), planOf('p2', scale)] })
  expect(await runner.edit('p1', oco)).toEqual(err('The rules of BTC-USD are not loaded: nothing was changed.'))
  rules('BTC-USD', 'ETH-USD')
  const kept = err('A plan keeps its kind, symbol and side: cancel it and make another.')
  for (const other of [bracket, trailing, { ...oco, symbol: 'ETH-USD' }, { ...oco, side: 'BUY' as const }])
    expect(await runner.edit('p1', other)).toEqual(kept)
  expect(await runner.edit('p2', scale)).toEqual(err('A scale cannot be changed: cancel it and make another.'))
  expect(await runner.edit('p1', { ...oco, stopPrice: amount('63000.3') })).toEqual(
    err('The stop price 63000.3 is off the tick 0.50: nothing was changed.'),
  )
})

test('a plan that is not what whoever asks was shown is neither changed nor goes on; an older asker does not tell', async () => {
  const { runner, rules, lines } = aLoneRunner({ plans: [planOf('p1', oco)] })
  rules('BTC-USD')
  const higher = { ...oco, stopPrice: oco.stopPrice.plus(10) }
  const changed = err('Plan p1 was changed meanwhile: look at it again. Nothing was done.')
  expect(await runner.edit('p1', { ...oco, quantity: amount('0.2') }, kim, higher)).toEqual(changed)
  expect(await runner.resume('p1', kim, { ...oco, nearBy: oco.nearBy.plus(1) })).toEqual(changed)
  expect(lines).toEqual([])
  // Read elsewhere they may come in another order.
  const same = { ...Object.fromEntries(Object.entries(oco).toReversed()) } as typeof oco
  expect(await runner.edit('p1', higher, kim, same)).toEqual(ok(null))
  expect(await runner.resume('p1', kim, higher)).toEqual(ok(null))
  expect(await runner.edit('p1', oco)).toEqual(ok(null))
})

test('an edit of a market entry is either in the order that goes out, or is refused, at whatever moment it comes', async () => {
  const answers = new Set<string>()
  for (let turns = 0; turns < 60; turns += 1) {
    const desk = aLoneRunner({ plans: [planOf('p1', { ...bracket, entryPrice: null })] })
    desk.begin()
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    const edited = desk.runner.edit('p1', { ...bracket, entryPrice: null, quantity: amount('0.2') })
    await desk.rest()
    const answer = await edited
    const quantity = desk.runner.plans()[0]?.plan.terms.quantity.toFixed()
    expect([desk.asked, quantity]).toEqual(
      answer.ok ? [['submit MARKET BUY 0.2'], '0.2'] : [['submit MARKET BUY 0.1'], '0.1'],
    )
    answers.add(answer.ok ? 'taken' : answer.error)
    expect(desk.kinds().includes('edited')).toBe(answer.ok)
  }
  expect([...answers]).toEqual([
    ...['taken', 'Its entry is a market order under way, which cannot be changed: nothing was changed.'],
  ])
})

test('what a person asks while the end of a plan is being written is told that it has ended', async () => {
  const gone = { ...stopSeen, standing: 'ended', status: 'FILLED', filled: amount('0.1') }
  const over = err('Plan p1 has ended: Fully exited: 0.1000.')
  const seen = new Set<string>()
  for (let turns = 0; turns < 60; turns += 1) {
    const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, gone)] })
    desk.begin()
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    const answer = desk.runner.edit('p1', { ...oco, stopPrice: amount('63500') })
    await desk.rest()
    expect([await answer, desk.kinds()]).toEqual(
      desk.kinds().length === 1 ? [over, ['ended']] : [ok(null), ['edited', 'ended']],
    )
    seen.add(desk.kinds().join(' '))
  }
  expect([...seen]).toEqual(['edited ended', 'ended'])
})

test('before it begins a runner sends nothing, at its beginning it goes on with what is kept, and after its end nothing begins', async () => {
  const { runner, begin, rest, asked, price, world, rules, now } = aLoneRunner({ plans: [planOf('p1', oco)] })
  rules('BTC-USD')
  price(64_000)
  await runner.add(oco)
  await rest(5_000)
  expect(asked).toEqual([])
  begin()
  await rest()
  expect(asked).toEqual(['submit STOP SELL 0.1', 'submit STOP SELL 0.1'])
  await runner.add(oco)
  await rest()
  expect(asked).toHaveLength(3)
  await runner.stop()
  expect(world.isClosed).toBe(true)
  price(65_950)
  await rest(10_000)
  expect(asked).toHaveLength(3)
  expect(now()?.state).toBe('protected')
})

test('the end waits for the step that is under way, and for its line', async () => {
  const { runner, begin, rest, world, lines } = aLoneRunner({ plans: [planOf('p1', oco)] })
  let answer = () => {}
  const { submit } = world
  world.submit = async (draft, id) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return await submit(draft, id)
  }
  begin()
  await rest()
  let isOver = false
  const stopping = runner.stop().then(() => {
    isOver = true
  })
  await settle()
  expect([isOver, world.isClosed]).toEqual([false, false])
  answer()
  await stopping
  expect(world.isClosed).toBe(true)
  expect(lines.map(({ event }) => event)).toEqual(['sending', 'seen'])
})

test('whoever listens is told of each change until they stop to', async () => {
  const { runner, rules } = aLoneRunner()
  rules('BTC-USD')
  const told: number[] = []
  const off = runner.onChange(() => told.push(runner.plans().length))
  await runner.add(oco)
  expect(told).toEqual([1])
  off()
  await runner.add(oco)
  expect(told).toEqual([1])
})

test('the orders of all plans that are open are named with each one, as what a person has agreed to', async () => {
  const plans = [planOf('p1', oco, stopSent, stopSeen), planOf('p2', oco)]
  const { begin, rest, under, guarded, entriesOf, runner } = aLoneRunner({ plans })
  runner.observe({ type: 'orders', orders: [], isWhole: false, atMs: startMs })
  begin()
  await rest()
  expect(under).toEqual([{ clientOrderId: 'n1', besides: ['s1'] }])
  expect(guarded).toContainEqual({ type: 'STOP', kind: 'instead', orderId: null, besides: ['s1'] })
  expect(entriesOf).toContain('p2')
})
