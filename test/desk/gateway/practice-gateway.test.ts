import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { createListeners } from '../../../src/base/listeners.ts'
import { err, ok } from '../../../src/base/result.ts'
import { openPracticeGateway } from '../../../src/desk/gateway/practice-gateway.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import {
  PracticeStopped,
  type PracticeWebhooks,
  practiceServices,
} from '../../../src/sandbox/apart/practice-services.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { beatsUntil, practiceDesk } from '../../fakes/practice-desk.ts'

const startMs = Date.UTC(2026, 0, 5, 14)

/** What the inbox of a desk whose practice gateway answers a registration like this tells of; null: nothing yet. */
async function openedWith(
  register: PracticeWebhooks['register'],
  onChange: PracticeWebhooks['onChange'] = () => () => undefined,
) {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-practice-gateway-'))
  const clock = new FakeClock(startMs)
  const inbox = openSqliteStore({ path: join(folder, 'inbox.sqlite'), clock })
  const webhooks: PracticeWebhooks = {
    register,
    list: () => Promise.resolve([]),
    retry: () => Promise.resolve(err('')),
    onChange,
  }
  const { gateway, stop } = await openPracticeGateway(
    { gatewayUrl: 'http://127.0.0.1:1', partnerKey: 'key', webhooks },
    { store: inbox, clock, stuckAfterMs: 600_000, seen: { sequence: 0, keep: () => undefined } },
  )
  onTestFinished(async () => {
    await stop()
    await inbox.close()
    rmSync(folder, { recursive: true })
  })
  const told: string[] = []
  gateway.alarms?.follow(({ line }) => told.push(line))
  return { gateway, told }
}

test('it is open before a practice exchange that still begins has taken the address of its inbox', async () => {
  const { gateway, told } = await openedWith(() => new Promise(() => undefined))
  expect(gateway.receiver?.state).toMatchObject({ kind: 'listening' })
  expect(told).toEqual([])
})

test('an address that is not taken is told of; that the exchange has stopped is told by others', async () => {
  const unknownPartner = { kind: 'notFound', what: 'partner', name: 'practice' } as const
  const refused = await openedWith(() => Promise.resolve(err(unknownPartner)))
  await eventually(() => expect(refused.told).toEqual([expect.stringContaining('did not take its inbox')]))
  const stopped = await openedWith(() => Promise.reject(new PracticeStopped('Its thread has ended.')))
  expect(stopped.gateway.receiver?.state).toMatchObject({ kind: 'listening' })
  expect(stopped.told).toEqual([])
})

test('the address that a stopped exchange did not take is given to it once it goes on', async () => {
  const changes = createListeners()
  const asked: string[] = []
  const { gateway, told } = await openedWith(({ url, name }) => {
    asked.push(url)
    if (asked.length === 1) return Promise.reject(new PracticeStopped('The disk is full.'))
    return Promise.resolve(ok({ id: 1, name, partner: 'practice', url, registeredAtMs: startMs }))
  }, changes.add)
  await settle()
  expect(asked).toHaveLength(1)
  changes.tell()
  changes.tell()
  await settle()
  expect([asked.length, asked[1]]).toEqual([2, asked[0]])
  expect([told, gateway.receiver?.state.kind]).toEqual([[], 'listening'])
})

/** A desk on practice services of its own, its clock moved by the test alone; nothing happens by itself. */
async function openDesk() {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-practice-gateway-'))
  const clock = new FakeClock(startMs)
  const quiet = { clock, randomBytes, log: () => undefined }
  const sandbox = await startSandbox({ port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 }, quiet)
  const path = join(folder, 'inbox.sqlite')
  const inbox = openSqliteStore({ path, clock })
  const kept: number[] = []
  const seen = { sequence: 0, keep: (sequence: number) => void kept.push(sequence) }
  const services = practiceServices(sandbox)
  /** What every answer of the webhooks waits for: a rejection once they have stopped. */
  let end = Promise.resolve()
  const { webhooks } = services
  const list: typeof webhooks.list = (count) => end.then(() => webhooks.list(count))
  const retry: typeof webhooks.retry = (id) => end.then(() => webhooks.retry(id))
  const practice = await openPracticeGateway(
    { ...services, webhooks: { ...webhooks, list, retry } },
    {
      store: inbox,
      clock,
      stuckAfterMs: 600_000,
      seen,
    },
  )
  const desk = practiceDesk(sandbox, clock, { exportsFolder: folder, gateway: practice.gateway })
  const { store, commands } = desk
  desk.start()
  onTestFinished(async () => {
    await desk.stop()
    await practice.stop()
    await inbox.close()
    await sandbox.stop()
    rmSync(folder, { recursive: true })
  })
  const until = async (isThere: () => boolean) => {
    if (await beatsUntil(clock, isThere, 4_000)) return
    throw new Error(`never happened: ${JSON.stringify(store.getState().notice)}`)
  }
  const admin = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' }
    const answer = await request(`${sandbox.adminUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const fields: unknown = await answer.body.json()
    if (answer.statusCode !== 200 || typeof fields !== 'object' || fields === null)
      throw new Error(`${path} was refused`)
    return { ...fields }
  }
  const gateway = () => store.getState().gateway
  const stopWebhooks = (sentence: string) => {
    end = Promise.reject(new PracticeStopped(sentence))
    end.catch(() => undefined)
  }
  return { commands, store, until, admin, gateway, kept, path, stopWebhooks }
}

test('an order comes in through the real inbox, state by state, and counts as unread until it is looked at', async () => {
  const { commands, until, admin, gateway, kept } = await openDesk()
  const { orderId } = await admin('/gateway-order/create', { orderType: 'BUY' })
  await until(() => gateway().inbox.orders[0]?.shown.orderState === 'PENDING')
  await admin('/gateway-order/advance', { orderId })
  await until(() => gateway().inbox.orders[0]?.shown.orderState === 'WITHDRAWING')
  const [order] = gateway().inbox.orders
  expect(order).toMatchObject({ orderId, lateCount: 0, history: [{ source: '127.0.0.1' }, {}] })
  expect(gateway().inbox).toMatchObject({ receiver: { kind: 'listening' }, unreadCount: 1, counts: { events: 2 } })
  expect([...gateway().inbox.sums.values()].map(({ state }) => state)).toEqual(['WITHDRAWING', 'WITHDRAWING'])
  commands.markGatewaySeen()
  expect(gateway().inbox.unreadCount).toBe(0)
  expect(kept).toEqual([2])
  await until(() => gateway().deliveries?.value?.length === 2)
  expect(gateway().deliveries?.value).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
})

test('while the inbox is stopped deliveries fail and wait; once it runs again a retry brings them', async () => {
  const { commands, store, until, admin, gateway } = await openDesk()
  commands.switchInbox('stop')
  await until(() => gateway().inbox.receiver.kind === 'stopped')
  expect(store.getState().notice?.text).toContain('retries them')
  await admin('/gateway-order/create', { orderType: 'SELL' })
  await until(() => (gateway().deliveries?.value?.[0]?.attemptCount ?? 0) > 0)
  expect(gateway().deliveries?.value).toMatchObject([{ state: 'pending', lastStatus: null }])
  expect(gateway().inbox.orders).toEqual([])
  commands.switchInbox('start')
  await until(() => gateway().inbox.receiver.kind === 'listening')
  commands.retryDelivery(gateway().deliveries?.value?.[0]?.deliveryId ?? '')
  await until(() => gateway().inbox.orders.length === 1)
  await until(() => gateway().deliveries?.value?.[0]?.state === 'delivered')
})

test('once the practice gateway has stopped its deliveries stay as they were told of last, and a retry says why not', async () => {
  const { commands, store, until, admin, gateway, stopWebhooks } = await openDesk()
  await admin('/gateway-order/create', { orderType: 'BUY' })
  await until(() => gateway().deliveries?.value?.[0]?.state === 'delivered')
  const last = gateway().deliveries
  stopWebhooks('Its thread has ended: restart the desk.')
  await admin('/gateway-order/create', { orderType: 'BUY' })
  await until(() => gateway().inbox.orders.length === 2)
  commands.retryDelivery(last?.value?.[0]?.deliveryId ?? '')
  await until(() => store.getState().notice?.text.includes('has ended') === true)
  expect(store.getState().notice).toMatchObject({ level: 'warn', text: 'Its thread has ended: restart the desk.' })
  expect(gateway().deliveries).toBe(last)
})

test('eligibility is there, and all regions once a person wants them', async () => {
  const { commands, until, gateway } = await openDesk()
  await until(() => gateway().eligibility.paymentMethods.value !== null)
  expect(gateway().eligibility.currencies.value?.some(({ code }) => code === 'BTC')).toBe(true)
  await until(() => gateway().eligibility.regions.value !== null)
  const { countries } = gateway().eligibility.regions.value ?? { countries: [] }
  expect(new Set(countries.map(({ isBuyAllowed }) => isBuyAllowed))).toEqual(new Set([true]))
  commands.toggleOnlyBuy()
  await until(() => gateway().eligibility.regions.value?.onlyBuyAllowed === false)
  expect(gateway().eligibility.regions.value?.countries.some(({ isBuyAllowed }) => !isBuyAllowed)).toBe(true)
})

test('a failed order is told of as an alert', async () => {
  const { store, until, admin, gateway, commands } = await openDesk()
  await until(() => gateway().inbox.readAtMs !== null)
  // Nobody has set the practice gateway: it is asked for.
  expect(store.getState().alerts.standing.gatewayFailed).toBe(false)
  commands.actOnAlerts({ kind: 'standing', rule: 'gatewayFailed', isOn: true })
  const { orderId } = await admin('/gateway-order/create', { orderType: 'BUY' })
  await admin('/gateway-order/advance', { orderId, state: 'FAILED' })
  await until(() => store.getState().alerts.fired.length > 0)
  expect(store.getState().alerts.fired[0]).toMatchObject({ text: `Gateway order ${orderId} FAILED.`, level: 'bad' })
})

test('an inbox in the desk that cannot keep anything says so where a person looks', async () => {
  const { store, until, admin, path } = await openDesk()
  const said = () => store.getState().log.find(({ text }) => text.startsWith('Inbox: '))
  rmSync(path)
  await admin('/gateway-order/create', { orderType: 'BUY' })
  await until(() => said() !== undefined)
  expect(said()).toMatchObject({ level: 'bad' })
  expect(said()?.text).toMatch(
    /^Inbox: events cannot be kept, and are refused meanwhile: ALARM the inbox file .* was removed/,
  )
})
