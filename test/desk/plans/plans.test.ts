import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import type { Duty } from '../../../src/desk/duties/duties.ts'
import { claimWatch, dutyPlace } from '../../../src/desk/duties/duty-place.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { News } from '../../../src/domain/notify/message.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { askPlanOwner, isOwnerHalted } from '../../../src/journal/plan-requests.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { createClientOrderIds } from '../../../src/services/trading.ts'
import { createWatchFile } from '../../../src/state-files/watch-file.ts'
import { accountClients } from '../../fakes/account-clients.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'
import { beat, beatsUntil, type DeskOptions, practiceDesk } from '../../fakes/practice-desk.ts'

const d = (text: string) => new Decimal(text)
const oco: PlanTerms = {
  ...{ kind: 'oco', symbol: 'ETH-USD', side: 'SELL', quantity: d('1') },
  ...{ stopPrice: d('3000'), stopLimit: null, targetPrice: d('4000'), nearBy: d('6'), backBy: d('12') },
}

/** An account on an exchange of its own, with a market beside the symbol on screen, and desks that share its folder. */
async function aPlace() {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14))
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-plans-'))
  const started = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 } as const
  const sandbox = await startSandbox(started, { clock, randomBytes, log: () => {} })
  const { trader, counterparty, close } = accountClients(sandbox, clock)
  const toward = async (bid: string, ask: string) => {
    await counterparty.cancelAllOrders('ETH-USD')
    for (const [side, limitPrice] of [
      ['BUY', bid],
      ['SELL', ask],
    ] as const)
      await counterparty.placeOrder({
        ...aDraft({ symbol: 'ETH-USD', side, orderQuantity: d('5'), limitPrice: d(limitPrice) }),
        clientOrderId: `market${side}${limitPrice}`,
      })
  }
  await toward('3400', '3401')
  const desks: { stop(): Promise<void> }[] = []
  onTestFinished(async () => {
    for (const desk of desks) await desk.stop()
    await close()
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })
  /** Has something go wrong at the exchange, for the calls of every account. */
  const administer = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${sandbox.adminToken}`, 'Content-Type': 'application/json' }
    const answer = await request(`${sandbox.adminUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.statusCode).toBe(200)
    await answer.body.dump()
  }
  return {
    ...{ clock, folder, trader, toward, administer },
    desk(more: Partial<DeskOptions> = {}) {
      const desk = practiceDesk(sandbox, clock, {
        plans: { folder, exchange: 'practice' },
        dutyPlace: dutyPlace({ folder, profileName: 'paper' }),
        ...more,
      })
      desks.push(desk)
      desk.start()
      return desk
    },
    ask: (request: Parameters<typeof askPlanOwner>[0]) =>
      askPlanOwner(request, {
        ...{ folder, clock, signal: new AbortController().signal },
        newId: createClientOrderIds(randomBytes),
      }),
  }
}

test('a record of plans that cannot be read is told on screen and elsewhere, once: nobody takes its plans for carried out', async () => {
  const { clock, folder, desk } = await aPlace()
  await mkdir(join(folder, 'plans.jsonl'))
  const told: News[] = []
  const teller: Duty = {
    ...{ name: 'messages', start: () => undefined, stop: () => Promise.resolve(), holds: () => null },
    ...{ trouble: () => null, tell: (news) => told.push(news) },
  }
  const { store } = desk({ duties: [teller] })
  const said = () =>
    store.getState().log.flatMap(({ level, text }) => (/The plans in/.test(text) ? [{ level, text }] : []))
  expect(await beatsUntil(clock, () => said().length > 0, 200)).toBe(true)
  for (let beats = 0; beats < 20; beats += 1) await beat(clock)
  const text = expect.stringMatching(/plans\.jsonl cannot be read: .*\. No plan runs here\.$/)
  expect(said()).toEqual([{ level: 'bad', text }])
  expect(told).toMatchObject([{ kind: 'plan', level: 'bad', text }])
})

test('a watch runs the plans that another process asks for, with a book that nothing else needs', async () => {
  const { clock, desk, ask, trader } = await aPlace()
  const told: News[] = []
  const teller: Duty = {
    ...{ name: 'messages', start: () => undefined, stop: () => Promise.resolve(), holds: () => null },
    ...{ trouble: () => null, tell: (news) => told.push(news) },
  }
  const watch = desk({ role: 'watch', duties: [teller] })
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  let answer: Awaited<ReturnType<typeof ask>> | null = null
  void ask({ ask: 'add', terms: oco }).then((came) => {
    answer = came
  })
  expect(await beatsUntil(clock, () => answer !== null, 200)).toBe(true)
  expect(answer).toEqual({ kind: 'done', planId: 'p1' })
  const stateOf = () => watch.store.getState().plans.list[0]?.state
  await beatsUntil(clock, () => stateOf() === 'protected', 400)
  expect([stateOf(), watch.store.getState().log.map(({ text }) => text)]).toEqual(['protected', expect.anything()])
  const { entries } = await trader.fetchOrders({ symbol: 'ETH-USD', status: 'PENDING' })
  expect(entries.map(({ type, side }) => `${side} ${type}`)).toEqual(['SELL STOP'])
  expect(watch.duties.duties.map((duty) => duty.holds())).toEqual([
    expect.stringMatching(/^1 plan \(stops that rest/),
    null,
  ])
  const numbers = () => watch.duties.duties[0]?.numbers?.()
  expect(numbers()).toMatchObject({ plans_open: 1, plans_held: 0, plans_unprotected: 0 })
  // By hand, elsewhere: the plan is held, and what it protected is bare.
  await trader.cancelOrder(entries[0]?.orderId ?? '')
  await beatsUntil(clock, () => stateOf() === 'held', 400)
  expect(numbers()).toMatchObject({ plans_open: 1, plans_held: 1, plans_unprotected: 1 })
  // Each step is told elsewhere, and so is, as an alert, what may need a person.
  expect(new Set(told.map(({ kind, text }) => `${kind} ${text.slice(0, 8)}`))).toEqual(new Set(['plan Plan p1:']))
  const { fired } = watch.store.getState().alerts
  expect(fired.filter(({ kind }) => kind === 'plan').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('canceled or moved by hand'),
  )
})

test('plans whose record takes no line are a trouble of the watch that runs them', async () => {
  const { clock, desk, ask, folder } = await aPlace()
  const watch = desk({ role: 'watch' })
  const state = () => watch.store.getState()
  const isReady = () => state().duties.where === 'here' && state().instruments.value !== null
  expect(await beatsUntil(clock, isReady, 200)).toBe(true)
  const trouble = () => watch.duties.duties[0]?.trouble()
  expect(trouble()).toBeNull()
  await rm(join(folder, 'plans.jsonl'))
  let answer: Awaited<ReturnType<typeof ask>> | null = null
  void ask({ ask: 'add', terms: oco }).then((came) => {
    answer = came
  })
  expect(await beatsUntil(clock, () => answer !== null, 200)).toBe(true)
  expect(answer).toMatchObject({ kind: 'refused' })
  expect(trouble()).toBe('the record of plans cannot be written: its file was removed or replaced')
})

test('a console beside a watch shows its plans and hands it what is asked', async () => {
  const { clock, desk, folder } = await aPlace()
  const watch = desk({ role: 'watch' })
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  const place = dutyPlace({ folder, profileName: 'paper' })
  const watchLock = claimWatch(place)
  await createWatchFile(place.statusFile).write({
    ...{ pid: 4711, sinceMs: 0, beatMs: 0, hasDuties: true, does: [], troubles: [] },
    ...{ isExchangeSilent: false, unsaid: 0 },
  })
  onTestFinished(() => void (watchLock.ok && watchLock.value?.release()))
  const beside = desk()
  await beatsUntil(clock, () => beside.store.getState().duties.watch !== null, 200)
  const asked = async <T>(work: Promise<T> | undefined): Promise<T | 'nothing'> => {
    let came: T | 'nothing' = 'nothing'
    void work?.then((answer) => {
      came = answer
    })
    await beatsUntil(clock, () => came !== 'nothing', 400)
    return came
  }
  expect(await asked(beside.plans?.add(oco))).toEqual({ ok: true, value: 'p1' })
  const shown = () => beside.store.getState().plans
  expect(await beatsUntil(clock, () => shown().list[0]?.state === 'protected', 400)).toBe(true)
  expect([shown().owner, watch.store.getState().plans.owner]).toEqual(['watch', 'desk'])
  // The watch says no in its own words, and does what is asked of it.
  expect(await asked(beside.plans?.resume('p9'))).toEqual({ ok: false, error: 'There is no plan p9.' })
  const tighter = { ...oco, stopPrice: d('3100') }
  // What was shown goes with what is asked.
  const changed = { ok: false, error: 'Plan p1 was changed meanwhile: look at it again. Nothing was done.' }
  expect(await asked(beside.plans?.edit('p1', tighter, tighter))).toEqual(changed)
  expect(await asked(beside.plans?.resume('p1', tighter))).toEqual(changed)
  const terms = shown().list[0]?.plan.terms
  expect(await asked(beside.plans?.resume('p1', terms))).toEqual({ ok: true, value: null })
  expect(await asked(beside.plans?.edit('p1', tighter, terms))).toEqual({ ok: true, value: null })
  expect(await beatsUntil(clock, () => watch.store.getState().plans.list[0]?.plan.orders.length === 2, 400)).toBe(true)
  expect(await asked(beside.plans?.cancel('p1', 'takeBack'))).toEqual({ ok: true, value: null })
  expect(await beatsUntil(clock, () => shown().list[0]?.state === 'ended', 400)).toBe(true)
  expect(beside.duties.isHere()).toBe(false)
})

test('a console takes over from a watch that ends; SAFE keeps it from none of it', async () => {
  const { clock, desk } = await aPlace()
  const watch = desk({ role: 'watch' })
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  const desk2 = desk()
  await beatsUntil(clock, () => desk2.store.getState().instruments.value !== null, 200)
  desk2.store.dispatch({ type: 'modeChanged', mode: { kind: 'SAFE' }, atMs: clock.now() })
  expect(desk2.store.getState().duties.where).toBe('elsewhere')
  await watch.stop()
  expect(await beatsUntil(clock, () => desk2.store.getState().duties.where === 'here', 400)).toBe(true)
  const { plans } = desk2
  let added: unknown = null
  void plans?.add(oco).then((done) => {
    added = done
  })
  expect(await beatsUntil(clock, () => added !== null, 200)).toBe(true)
  expect(added).toEqual({ ok: true, value: 'p1' })
  expect(await beatsUntil(clock, () => desk2.store.getState().plans.list[0]?.state === 'protected', 400)).toBe(true)
  expect(desk2.store.getState().plans.owner).toBe('desk')
})

test('a console says that the watch runs the plans as soon as it sees one, and that nobody does once it is gone', async () => {
  const { store } = (await aPlace()).desk()
  const owner = () => store.getState().plans.owner
  const status = { pid: 1, sinceMs: 0, beatMs: 0, hasDuties: true, does: [], troubles: [] }
  store.dispatch({ type: 'dutiesChanged', duties: { watch: { ...status, isExchangeSilent: false, unsaid: 0 } } })
  expect(owner()).toBe('watch')
  store.dispatch({ type: 'dutiesChanged', duties: { watch: null } })
  expect(owner()).toBe('nobody')
})

test('a second desk says that another desk runs the plans, for as long as that one does', async () => {
  const { clock, desk } = await aPlace()
  const [first, second] = [desk(), desk()]
  const owner = () => second.store.getState().plans.owner
  expect(await beatsUntil(clock, () => first.store.getState().duties.where === 'here', 200)).toBe(true)
  expect(await beatsUntil(clock, () => owner() === 'otherDesk', 200)).toBe(true)
  let added: unknown = null
  void first.plans?.add(oco).then((done) => {
    added = done
  })
  expect(await beatsUntil(clock, () => added !== null, 200)).toBe(true)
  expect(await beatsUntil(clock, () => second.store.getState().plans.list.length === 1, 200)).toBe(true)
  expect([first.store.getState().plans.owner, owner()]).toEqual(['desk', 'otherDesk'])
  second.store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: clock.now() })
  expect(second.store.getState().log.map(({ text }) => text)).toContain(
    '1 plan goes on in another desk: to stop it, cancel it.',
  )
  await first.stop()
  expect(await beatsUntil(clock, () => owner() === 'desk', 400)).toBe(true)
})

test('what holds a plan that another desk carries out rings here as well, once', async () => {
  const { clock, desk, trader } = await aPlace()
  const [first, second] = [desk(), desk()]
  expect(await beatsUntil(clock, () => first.store.getState().duties.where === 'here', 200)).toBe(true)
  expect(await beatsUntil(clock, () => second.store.getState().plans.owner === 'otherDesk', 200)).toBe(true)
  // The one that confirms it is not the one that carries it out.
  void second.plans?.add(oco)
  const stateOf = () => second.store.getState().plans.list[0]?.state
  expect(await beatsUntil(clock, () => stateOf() === 'protected', 400)).toBe(true)
  const rung = (of: typeof second) =>
    of.store.getState().alerts.fired.flatMap(({ kind, level, text }) => (kind === 'plan' ? `${level}: ${text}` : []))
  expect(rung(second)).toEqual([])
  const { entries } = await trader.fetchOrders({ symbol: 'ETH-USD', status: 'PENDING' })
  await trader.cancelOrder(entries[0]?.orderId ?? '')
  expect(await beatsUntil(clock, () => stateOf() === 'held', 400)).toBe(true)
  for (let beats = 0; beats < 100; beats += 1) await beat(clock)
  expect(rung(second)).toEqual([
    expect.stringMatching(/^bad: Plan p1: Held: the stop .* was canceled or moved by hand.*Not protected since /),
  ])
  expect(rung(first)).toEqual(rung(second))
})

test('a desk that only watches knows that another one runs the plans, and when none does any more', async () => {
  const { clock, desk, folder } = await aPlace()
  const [first, monitor] = [desk(), desk({ isMonitor: true, dutyPlace: dutyPlace({ folder, profileName: 'other' }) })]
  const owner = () => monitor.store.getState().plans.owner
  expect(await beatsUntil(clock, () => owner() === 'otherDesk', 400)).toBe(true)
  await first.stop()
  expect(await beatsUntil(clock, () => owner() === 'nobody', 400)).toBe(true)
})

test('without an owner a request is refused at once, and nothing of it is carried out later', async () => {
  const { clock, desk, ask } = await aPlace()
  expect(await ask({ ask: 'add', terms: oco })).toEqual({ kind: 'noOwner' })
  const watch = desk({ role: 'watch' })
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  for (let beats = 0; beats < 40; beats += 1) await beat(clock)
  expect(watch.store.getState().plans.list).toEqual([])
})

test('HALTED stops all but cancels of the plans that run here, and says so; those of a watch go on, which is said too', async () => {
  const { clock, desk, folder, toward, trader } = await aPlace()
  const here = desk()
  const now = () => here.store.getState()
  const said = (text: string) => now().log.some((line) => line.text.includes(text))
  expect(await beatsUntil(clock, () => now().duties.where === 'here' && now().instruments.value !== null, 200)).toBe(
    true,
  )
  void here.plans?.add(oco)
  expect(await beatsUntil(clock, () => now().plans.list[0]?.state === 'protected', 400)).toBe(true)
  const mode = (kind: 'HALTED' | 'ARMED') =>
    here.store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: clock.now() })
  mode('HALTED')
  expect(said('HALTED: 1 plan may only cancel. Stops that rest stay, nothing else follows.')).toBe(true)
  await toward('3996', '3997')
  for (let beats = 0; beats < 200; beats += 1) await beat(clock)
  expect(isOwnerHalted(folder)).toBe(true)
  const { entries } = await trader.fetchOrders({ symbol: 'ETH-USD', status: 'PENDING' })
  expect([now().plans.list[0]?.state, entries.map(({ type }) => type)]).toEqual(['protected', ['STOP']])
  mode('ARMED')
  expect(await beatsUntil(clock, () => now().plans.list[0]?.state === 'atTarget', 400)).toBe(true)
  expect(isOwnerHalted(folder)).toBe(false)
  const where = { where: 'elsewhere', watch: null } as const
  here.store.dispatch({ type: 'dutiesChanged', duties: where })
  mode('HALTED')
  expect(said('1 plan goes on in the watch: to stop it, cancel it.')).toBe(true)
})

test('a desk that is HALTED and gets the plans of another says that they may only cancel, and tells it elsewhere', async () => {
  const { clock, desk } = await aPlace()
  const first = desk()
  const stateOf = (from: typeof first) => from.store.getState()
  const isReady = () => stateOf(first).duties.where === 'here' && stateOf(first).instruments.value !== null
  expect(await beatsUntil(clock, isReady, 200)).toBe(true)
  void first.plans?.add(oco)
  expect(await beatsUntil(clock, () => stateOf(first).plans.list[0]?.state === 'protected', 400)).toBe(true)
  const told: News[] = []
  const teller: Duty = {
    ...{ name: 'messages', start: () => undefined, stop: () => Promise.resolve(), holds: () => null },
    ...{ trouble: () => null, tell: (news) => told.push(news) },
  }
  const heir = desk({ duties: [teller] })
  expect(await beatsUntil(clock, () => stateOf(heir).plans.owner === 'otherDesk', 200)).toBe(true)
  heir.store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: clock.now() })
  await first.stop()
  expect(await beatsUntil(clock, () => stateOf(heir).plans.owner === 'desk', 200)).toBe(true)
  const text =
    'This desk is HALTED: 1 plan may only cancel. Stops that rest stay, nothing else follows until L arms it here.'
  expect(stateOf(heir).log.filter((line) => line.text.includes('HALTED: 1 plan'))).toMatchObject([
    { level: 'bad', text },
  ])
  expect(told.filter(({ level }) => level === 'bad')).toMatchObject([{ kind: 'plan', text }])
})

test('a desk that is HALTED resumes no plan for whoever asks, and says which key arms it', async () => {
  const { clock, desk, ask } = await aPlace()
  const here = desk()
  const now = () => here.store.getState()
  const mode = (kind: 'HALTED' | 'ARMED') =>
    here.store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: clock.now() })
  expect(await beatsUntil(clock, () => now().duties.where === 'here' && now().instruments.value !== null, 200)).toBe(
    true,
  )
  void here.plans?.add(oco)
  expect(await beatsUntil(clock, () => now().plans.list[0]?.state === 'protected', 400)).toBe(true)
  const resumed = async () => {
    let answer: unknown = null
    void ask({ ask: 'resume', planId: 'p1' }).then((came) => {
      answer = came
    })
    await beatsUntil(clock, () => answer !== null, 200)
    return answer
  }
  mode('HALTED')
  expect(await resumed()).toEqual({
    kind: 'refused',
    sentence:
      'Plan p1 is not resumed: the desk that runs it is HALTED, and nothing resumes until L arms it there. ' +
      'Nothing was sent, its resting orders stay.',
  })
  mode('ARMED')
  expect(await resumed()).toEqual({ kind: 'done', planId: 'p1' })
})

test('a watch asks for the books of plans every two seconds, and for fees from the first plan on', async () => {
  const { clock, desk, ask } = await aPlace()
  const watch = desk({ role: 'watch' })
  const now = () => watch.store.getState()
  expect(await beatsUntil(clock, () => now().duties.where === 'here', 200)).toBe(true)
  for (let beats = 0; beats < 100; beats += 1) await beat(clock)
  expect([now().fees.atMs, now().books.size]).toEqual([null, 0])
  void ask({ ask: 'add', terms: oco })
  expect(await beatsUntil(clock, () => now().fees.atMs !== null && now().books.has('ETH-USD'), 400)).toBe(true)
  const looks = new Set<number>()
  const startMs = clock.now()
  while (clock.now() - startMs < 20_000) {
    await beat(clock)
    looks.add(now().books.get('ETH-USD')?.atMs ?? 0)
  }
  expect(looks.size).toBeGreaterThanOrEqual(9)
  expect(looks.size).toBeLessThanOrEqual(12)
})

test('limits on what is opened leave nothing bare that a plan protects: its stop rests over all of them', async () => {
  const { clock, desk, trader } = await aPlace()
  const hard = (text: string) => ({ soft: null, hard: d(text) })
  // Room for the entry alone: with the stop, the day is over its limit, and so is the number of orders.
  const own = { orderNotionalUsd: hard('3500'), dayNotionalUsd: hard('3500'), openOrders: { soft: null, hard: 2 } }
  const watch = desk({ role: 'watch', limits: { ...noLimits, ...own } })
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  const rest = (clientOrderId: string) =>
    trader.placeOrder({
      ...aDraft({ symbol: 'ETH-USD', side: 'BUY', orderQuantity: d('0.001'), limitPrice: d('2000') }),
      clientOrderId,
    })
  await rest('restsBefore')
  const entry = { side: 'SELL', entryPrice: null, stopPrice: d('3800'), targetPrice: d('3000') } as const
  const bracket: PlanTerms = { ...oco, ...entry, kind: 'bracket' }
  void watch.plans?.add(bracket)
  const stateOf = () => watch.store.getState().plans.list[0]?.state
  await beatsUntil(clock, () => stateOf() === 'unprotected', 400)
  await rest('restsToo')
  await beatsUntil(clock, () => stateOf() === 'protected', 400)
  expect([stateOf(), watch.store.getState().log.map(({ text }) => text)]).toEqual(['protected', expect.anything()])
})

test('where the hub that carries out a plan does not lead for a moment, the entry is not sent, and follows by itself', async () => {
  const { clock, desk, trader } = await aPlace()
  let isLeading = true
  const watch = desk({ role: 'watch', isLeading: () => isLeading })
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  const bracket: PlanTerms = { ...oco, side: 'BUY', entryPrice: d('3300'), kind: 'bracket' }
  const now = () => watch.store.getState().plans.list[0]
  await beatsUntil(clock, () => watch.store.getState().tickers.value !== null, 200)
  isLeading = false
  void watch.plans?.add(bracket)
  expect(await beatsUntil(clock, () => (now()?.refused ?? null) !== null, 200)).toBe(true)
  // Nobody who reads this may begin it once more: both would enter.
  expect(now()?.why).toBe(
    'The entry was not placed: this hub does not lead just now: nothing was sent; ' +
      'once a hub leads again plans go on by themselves: send anything else again then',
  )
  expect((await trader.fetchOrders({ symbol: 'ETH-USD' })).entries).toEqual([])
  isLeading = true
  expect(
    await beatsUntil(clock, () => now()?.plan.orders.some(({ standing }) => standing === 'working') === true, 400),
  ).toBe(true)
  expect((await trader.fetchOrders({ symbol: 'ETH-USD' })).entries).toHaveLength(1)
})

test('an entry that fills unseen while the exchange is out is protected as soon as it is back', async () => {
  const { clock, desk, administer } = await aPlace()
  const watch = desk({ role: 'watch' })
  const now = () => watch.store.getState().plans.list[0]
  expect(await beatsUntil(clock, () => watch.store.getState().duties.where === 'here', 200)).toBe(true)
  await beatsUntil(clock, () => watch.store.getState().tickers.value !== null, 200)
  // The entry arrives, its answer does not, and then nothing is answered for a minute and a half.
  await administer('/fault/drop', { when: 'after', path: '/orders' })
  void watch.plans?.add({ ...oco, side: 'BUY', entryPrice: d('3401'), kind: 'bracket' })
  expect(await beatsUntil(clock, () => now()?.state === 'unsettled', 400)).toBe(true)
  await administer('/fault/drop', { when: 'before' })
  for (let beats = 0; beats < 1_800; beats += 1) await beat(clock)
  await administer('/fault/off', {})
  const isAnswered = () => {
    const { orders, fills, tickers, balances } = watch.store.getState()
    return [orders, fills, tickers, balances].some(({ failure }) => failure === null)
  }
  expect(await beatsUntil(clock, isAnswered, 200)).toBe(true)
  const answeredAtMs = clock.now()
  expect(await beatsUntil(clock, () => now()?.state === 'protected', 600)).toBe(true)
  // The look for it lay up to 15 s away.
  expect(clock.now() - answeredAtMs).toBeLessThan(1_500)
})

test('a desk that ends before its plans go on says that they stop with it', async () => {
  const { clock, desk, ask, administer } = await aPlace()
  const first = desk({ role: 'watch' })
  expect(await beatsUntil(clock, () => first.store.getState().duties.where === 'here', 200)).toBe(true)
  let answer: unknown = null
  void ask({ ask: 'add', terms: oco }).then((came) => {
    answer = came
  })
  expect(await beatsUntil(clock, () => answer !== null, 200)).toBe(true)
  await first.stop()
  // Until anything answers it is not known whether a hub does, which would run them.
  await administer('/fault/stall', {})
  const next = desk()
  const held = () => next.duties.duties.map((duty) => duty.holds()).join()
  expect(await beatsUntil(clock, () => held() !== '', 100)).toBe(true)
  expect(next.store.getState().plans.owner).not.toBe('desk')
  expect(held()).toMatch(/^1 plan \(stops that rest stay/)
})
