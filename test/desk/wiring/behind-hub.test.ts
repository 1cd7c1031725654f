import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { readBaseAddress } from '../../../src/api/base-address.ts'
import { Secret } from '../../../src/base/secret.ts'
import { makeToken } from '../../../src/base/token-signature.ts'
import { openDeskTransport } from '../../../src/desk/wiring/behind-hub.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { startServer } from '../../api/stub-server.ts'
import { accountClients } from '../../fakes/account-clients.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { type FakeHub, startFakeHub } from '../../fakes/fake-hub.ts'
import { aDraft } from '../../fakes/orders.ts'
import { beat, beatsUntil, type DeskOptions, practiceDesk } from '../../fakes/practice-desk.ts'
import { aDesk } from '../../store/desk.ts'

/** A desk behind one hub, or two, of a practice exchange that stands still. */
type Setup = Partial<Pick<Parameters<typeof startFakeHub>[0], 'role' | 'keptMaxMs' | 'hasStream'>> & {
  hubCount?: number
  options?: Partial<DeskOptions>
}

async function startBehindHub({ hubCount = 1, options = {}, keptMaxMs = 500, ...hubOptions }: Setup = {}) {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14, 0, 0))
  const ports = { port: 0, gatewayPort: 0, adminPort: 0 }
  const sandbox = await startSandbox({ ...ports, market: 'off', seed: 1 }, { clock, randomBytes, log: () => {} })
  const hubs: FakeHub[] = []
  for (let count = 0; count < hubCount; count += 1)
    hubs.push(await startFakeHub({ exchangeUrl: sandbox.exchangeUrl, clock, keptMaxMs, ...hubOptions }))
  const [first, ...others] = hubs
  if (first === undefined) throw new Error('a hub is needed')
  const also = others.flatMap(({ url }) => {
    const base = readBaseAddress(url)
    return base.ok ? [base.value] : []
  })
  const desk = practiceDesk(sandbox, clock, { exchangeBaseUrl: first.url, exchangeAlso: also, ...options })
  desk.start()
  const { counterparty, close } = accountClients(sandbox, clock)
  const sells = async (price: number) => {
    const draft = aDraft({ side: 'SELL', limitPrice: new Decimal(price), orderQuantity: new Decimal('0.5') })
    await counterparty.placeOrder({ ...draft, clientOrderId: `c${price}` })
  }
  await sells(60_100)
  onTestFinished(async () => {
    await desk.stop()
    await close()
    await sandbox.stop()
  })
  const { store } = desk
  const until = async (isThere: () => boolean) => {
    if (!(await beatsUntil(clock, isThere, 400))) throw new Error('never')
  }
  const ask = () => store.getState().books.get('BTC-USD')?.value?.asks[0]?.price.toNumber()
  await until(() => ask() !== undefined && store.getState().orders.value !== null)
  /** Lets time pass, in which the hub asks the exchange twice a second. */
  const passes = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 50) {
      if (passedMs % 500 === 0) await first.look()
      for (let turns = 0; turns < 5; turns += 1) await settle()
      await beat(clock)
    }
  }
  return { clock, sandbox, desk, store, hubs, hub: first, sells, until, passes, ask }
}

const calls = ({ seen }: FakeHub): number => seen.filter(({ target }) => target !== '/stream').length

test('ages on the screen are those of what the hub has, however often it is asked', async () => {
  const { store, clock, passes } = await startBehindHub({ keptMaxMs: Number.POSITIVE_INFINITY })
  const { books } = store.getState()
  const atMs = books.get('BTC-USD')?.atMs ?? 0
  // The hub keeps what it has: it is asked again and again, and nothing gets younger.
  for (let beats = 0; beats < 100; beats += 1) await beat(clock)
  expect(store.getState().books.get('BTC-USD')?.atMs).toBe(atMs)
  expect(store.getState().orders.failure).toBeNull()
  await passes(5_000)
  // As old as the hub's own last look, and the time until the desk asks it again: by then it is 10 s behind otherwise.
  expect(clock.now() - (store.getState().books.get('BTC-USD')?.atMs ?? 0)).toBeLessThan(3_000)
})

test('a desk with a stream hardly calls, and stays as young as the hub is; without one it polls as ever', async () => {
  const counts: number[] = []
  for (const hasStream of [true, false]) {
    const { store, hub, clock, passes } = await startBehindHub({ hasStream })
    await passes(5_000)
    const before = calls(hub)
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await passes(1_000)
      const { orders, balances, books } = store.getState()
      for (const feed of [orders, balances, books.get('BTC-USD')])
        expect(clock.now() - (feed?.atMs ?? 0)).toBeLessThan(9_000)
    }
    counts.push(calls(hub) - before)
  }
  const [streamed = 0, polled = 0] = counts
  // Renewals of eight targets, and what is asked for too seldom to be subscribed to.
  expect(streamed).toBeLessThan(25)
  expect(polled).toBeGreaterThan(80)
})

test('what the hub sees is on the screen within a tenth of a second', async () => {
  const { clock, hub, sells, passes, ask, store } = await startBehindHub()
  await passes(3_000)
  const price = 60_090
  await sells(price)
  let dispatches = 0
  const stop = store.subscribe(() => {
    dispatches += 1
  })
  await hub.look()
  const seenAtMs = clock.now()
  while (ask() !== price && clock.now() - seenAtMs < 1_000) {
    for (let turns = 0; turns < 10; turns += 1) await settle()
    if (ask() !== price) await clock.advance(10)
  }
  stop()
  expect(clock.now() - seenAtMs).toBeLessThanOrEqual(100)
  expect(dispatches).toBeLessThan(5)
})

test('who may only read at the hub has a desk that says so and sends nothing', async () => {
  for (const role of ['viewer', 'approver', 'admin'] as const) {
    const { desk, store, hub, until } = await startBehindHub({ role })
    await until(() => store.getState().hub !== null)
    expect(store.getState().mode.kind).toBe('MONITOR')
    expect(store.getState().log.map(({ text }) => text)).toContain(
      `Mode is MONITOR: the hub knows you as ann (${role}).`,
    )
    desk.commands.toggleArmed()
    const what =
      role === 'admin' ? 'what you may do goes by command: pitdesk firm halt, pitdesk plan cancel.' : 'traders send.'
    expect(store.getState().notice?.text).toBe(`Read only: the hub knows you as ann (${role}), and ${what}`)
    expect(store.getState().mode.kind).toBe('MONITOR')
    expect(hub.seen.every(({ method }) => method === 'GET')).toBe(true)
  }
})

test('a trader of the hub trades as ever', async () => {
  const { store, until } = await startBehindHub()
  await until(() => store.getState().hub !== null)
  expect(store.getState().hub).toMatchObject({ name: 'ann', role: 'trader', account: 'desk' })
  expect(store.getState().mode.kind).toBe('ARMED')
})

test('a desk whose hub goes down goes on at the other one, stream and all', async () => {
  const { store, hubs, until, clock } = await startBehindHub({ hubCount: 2 })
  const [first, second] = hubs
  await until(() => first?.streamCount() === 1)
  await first?.stop()
  const stoppedAtMs = clock.now()
  await until(() => (store.getState().books.get('BTC-USD')?.atMs ?? 0) > stoppedAtMs)
  expect(clock.now() - stoppedAtMs).toBeLessThan(5_000)
  await until(() => second?.streamCount() === 1)
  expect(store.getState().orders.failure).toBeNull()
})

test('after a stop of the process no age is younger than it is', async () => {
  const { store, hub, clock, passes } = await startBehindHub({ keptMaxMs: Number.POSITIVE_INFINITY })
  await passes(5_000)
  const stoppedAtMs = clock.now()
  // Seconds of it wait in the socket while the process stands still.
  clock.standStill(6_000)
  hub.say('event: same\ndata: {"target":"/l2/BTC-USD","ageMs":0}\n\n')
  hub.say('event: same\ndata: {"target":"/orders?limit=100","ageMs":0}\n\n')
  for (let beats = 0; beats < 12; beats += 1) await beat(clock)
  const { books, orders } = store.getState()
  for (const feed of [books.get('BTC-USD'), orders]) expect(feed?.atMs ?? 0).toBeLessThanOrEqual(stoppedAtMs)
  await passes(5_000)
  expect(clock.now() - (store.getState().books.get('BTC-USD')?.atMs ?? 0)).toBeLessThan(3_000)
})

test('a desk with a stream ends at once', async () => {
  const { desk, hub, clock, passes } = await startBehindHub()
  await passes(2_000)
  expect(hub.streamCount()).toBe(1)
  const beforeMs = clock.now()
  await desk.stop()
  expect(clock.now()).toBe(beforeMs)
})

test('a hang-up behind a hub is over once its cancel is confirmed', async () => {
  const { desk, clock, store, until } = await startBehindHub({ options: { terminal: { hangUp: 'cancel' } } })
  await until(() => store.getState().hub !== null)
  const beforeMs = clock.now()
  let end: unknown = null
  void desk.hangUp().then((hungUp) => {
    end = hungUp
  })
  await until(() => end !== null)
  expect(end).toEqual({ kind: 'canceled', isConfirmed: true, startedAtMs: beforeMs })
})

test('another role is known within fifteen seconds without the stream, and who is a trader again arms the desk', async () => {
  const { store, hub, until, clock } = await startBehindHub({ hasStream: false })
  await until(() => store.getState().hub !== null)
  expect(store.getState().mode.kind).toBe('ARMED')
  for (const [role, mode] of [
    ['viewer', 'MONITOR'],
    ['trader', 'SAFE'],
  ] as const) {
    hub.become(role)
    const atMs = clock.now()
    await until(() => store.getState().mode.kind === mode)
    expect(clock.now() - atMs).toBeLessThanOrEqual(15_500)
  }
})

test('a role or a limit that cannot be read is told once, and neither is taken for the one before or for none', async () => {
  const { store, hub, until } = await startBehindHub({ hasStream: false })
  await until(() => store.getState().hub !== null)
  const isAsked = () => hub.seen.filter(({ target }) => target === '/hub/me').length
  const told = () => store.getState().log.filter(({ level, text }) => level === 'bad' && text.includes('unreadable'))
  hub.become('auditor')
  await until(() => told().length === 1)
  hub.become('trader', { orderUsd: '-5' })
  await until(() => told().length === 2)
  const before = isAsked()
  await until(() => isAsked() > before + 2)
  expect(told().map(({ text }) => /: (field.*)\. They, and a halt, /.exec(text)?.[1])).toEqual([
    'field "role" must be one of viewer, trader, approver, admin',
    'field "limits.orderUsd" must be an amount of USD, zero or more',
  ])
  hub.become('trader', { orderUsd: '500' })
  await until(() => store.getState().hub?.limits?.orderUsd === '500')
})

test('a desk goes on following its hub where something in front of it answers 404 for a moment', async () => {
  const { store, hub, until } = await startBehindHub({ hasStream: false })
  await until(() => store.getState().hub !== null)
  const isAsked = () => hub.seen.filter(({ target }) => target === '/hub/me').length
  hub.loseRoute(true)
  const before = isAsked()
  await until(() => isAsked() > before)
  hub.loseRoute(false)
  hub.become('viewer')
  await until(() => store.getState().hub?.role === 'viewer')
})

test('while a desk is halted, or its hub is, orders and money stay here; cancels and questions leave', async () => {
  for (const halts of ['desk', 'hub'] as const) {
    let isHubHalted = false
    const { desk, store, clock, hub } = await startBehindHub({ options: { isHalted: () => isHubHalted } })
    const client = desk.client
    if (halts === 'hub') isHubHalted = true
    else store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: clock.now() })
    const before = hub.seen.filter(({ method }) => method === 'POST').length
    const order = { ...aDraft(), clientOrderId: 'held' }
    await expect(client.placeOrder(order)).rejects.toMatchObject({ fault: 'halted', outcome: 'notSent' })
    const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.01') }
    await expect(client.createWithdrawal(request)).rejects.toMatchObject({ fault: 'halted', outcome: 'notSent' })
    expect(hub.seen.filter(({ method }) => method === 'POST').length).toBe(before)
    await expect(client.cancelAllOrders('BTC-USD')).resolves.toBeUndefined()
  }
})

test('a 401 of whoever is on the way to a hub does not say that the token was revoked, one of the hub does', async () => {
  const server = await startServer((response, { url }) => {
    response.writeHead(401, url === '/tickers' ? { 'x-hub': '1' } : {}).end()
  })
  const [{ store }, base] = [aDesk('ARMED'), readBaseAddress(server.url)]
  if (!base.ok) throw new Error(base.error)
  const token = new Secret(makeToken(randomBytes))
  const nothing = () => {}
  const parts = { store, emit: nothing, onHub: nothing, onNews: nothing, onHubChange: nothing }
  const own = { token, isMonitor: false, clock: new FakeClock(), random: Math.random }
  const transport = openDeskTransport(own, base.value, parts)
  const answered = async (path: string) => {
    await expect(transport.send({ method: 'GET', path })).rejects.toMatchObject({ status: 401 })
    return { mode: store.getState().mode.kind, isTold: store.getState().notice?.text.includes('revoked') === true }
  }
  expect(await answered('/fees')).toEqual({ mode: 'ARMED', isTold: false })
  expect(await answered('/tickers')).toEqual({ mode: 'SAFE', isTold: true })
  await transport.close()
})
