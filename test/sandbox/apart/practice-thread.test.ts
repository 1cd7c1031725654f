import { existsSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import type { PracticeServices } from '../../../src/sandbox/apart/practice-services.ts'
import { PracticeStopped } from '../../../src/sandbox/apart/practice-services.ts'
import {
  newWorker,
  type PracticeFailure,
  startPracticeThread,
} from '../../../src/sandbox/apart/start-practice-thread.ts'
import { UnusableData } from '../../../src/sandbox/persistence/unusable-data.ts'
import type { SandboxOptions } from '../../../src/sandbox/start-sandbox.ts'
import { eventually } from '../../fakes/eventually.ts'
import { httpCall } from '../http/harness.ts'
import { newFolder } from '../persistence/scene.ts'
import { type Disk, gateOf } from './disks.ts'

/** A practice exchange in a thread of its own on this folder, without a market, with ways to call it. */
async function open(data: string, startWorker = newWorker) {
  const failures: PracticeFailure[] = []
  let goneOnCount = 0
  const workers: Worker[] = []
  const services = await startPracticeThread(
    { port: 0, gatewayPort: 0, adminPort: 0, seed: 1, market: 'off', data },
    {
      onFailure: (failure) => failures.push(failure),
      onGoingOn: () => {
        goneOnCount += 1
      },
      startWorker: (options) => {
        const worker = startWorker(options)
        workers.push(worker)
        return worker
      },
    },
  )
  onTestFinished(() => services.stop())
  const [worker] = workers
  if (worker === undefined) throw new Error('no thread was started')
  return { services, worker, failures, goneOn: () => goneOnCount, ...callsOf(services) }
}

function callsOf({ exchangeUrl, adminUrl, adminToken, accounts }: PracticeServices) {
  const token = accounts.find(({ name }) => name === 'trader')?.token ?? ''
  const headers = { 'X-API-Token': token, 'content-type': 'application/json' }
  const get = async (path: string) =>
    (await httpCall(exchangeUrl, { path: `/v3${path}`, headers: { 'X-API-Token': token } })).json
  let orderCount = 0
  const place = () => {
    orderCount += 1
    const order = { ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', price: 60_000, orderQty: 0.01 }
    const body = JSON.stringify({ clOrdId: `order${orderCount}`, ...order })
    return httpCall(exchangeUrl, { method: 'POST', path: '/v3/orders', headers, body })
  }
  const admin = (path: string, values: unknown) =>
    httpCall(adminUrl, {
      ...{ method: 'POST', path, body: JSON.stringify(values) },
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    })
  return { get, place, admin }
}

/** A thread on such a disk. */
const onDisk = (disk: Disk) => (options: SandboxOptions) =>
  new Worker(new URL('./disk-thread.ts', import.meta.url), { workerData: { ...options, disk }, env: {} })

const shut = () => {
  const gate = new Int32Array(new SharedArrayBuffer(8))
  Atomics.store(gate, 0, gateOf.shut)
  return gate
}

/** A partner's server that answers as told; its address, and how often it was called. */
async function partner(status: () => number) {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    request.resume().on('end', () => response.writeHead(status()).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/events`, count: () => count }
}

test('it trades over HTTP, and a later start on the same folder finds the order; it ends with its thread', async () => {
  const folder = newFolder()
  const first = await open(folder)
  expect((await first.place()).status).toBe(200)
  const orders = await first.get('/orders')
  expect(orders).toMatchObject([{ clOrdId: 'order1' }])
  await Promise.all([first.services.stop(), first.services.stop()])
  expect(first.worker.threadId).toBe(-1)
  const second = await open(folder)
  expect(await second.get('/orders')).toEqual(orders)
  expect(second.services.adminToken).toBe(first.services.adminToken)
  expect([first.failures, second.failures]).toEqual([[], []])
})

test('events go to a registered webhook, changes are told of, and a failed delivery is retried when asked', async () => {
  const { services, admin } = await open(newFolder())
  const { webhooks } = services
  let told = 0
  const leave = webhooks.onChange(() => {
    told += 1
  })
  let status = 500
  const { url, count } = await partner(() => status)
  expect(await webhooks.register({ url, name: 'desk' })).toMatchObject({ ok: true, value: { url, name: 'desk' } })
  expect(await webhooks.list(10)).toEqual([])
  expect((await admin('/gateway-order/create', { orderType: 'BUY' })).status).toBe(200)
  const [failed] = await eventually(async () => {
    const list = await webhooks.list(10)
    expect(list).toMatchObject([{ endpoint: 'desk', state: 'pending', attemptCount: 1, lastStatus: 500 }])
    return list
  })
  expect(told).toBeGreaterThan(0)
  status = 204
  const id = failed?.deliveryId ?? ''
  expect(await webhooks.retry(id)).toEqual({ ok: true, value: `Retrying delivery ${id} now.` })
  await eventually(async () =>
    expect(await webhooks.list(10)).toMatchObject([{ state: 'delivered', attemptCount: 2, lastStatus: 204 }]),
  )
  expect(count()).toBe(2)
  expect(await webhooks.retry('99')).toEqual({ ok: false, error: 'Unknown delivery 99.' })
  leave()
  await services.stop()
  await expect(webhooks.list(10)).rejects.toThrow(PracticeStopped)
})

test('a folder in use is told of as that, and whoever uses it goes on', async () => {
  const folder = newFolder()
  const first = await open(folder)
  const second = open(folder)
  await expect(second).rejects.toThrow(UnusableData)
  await expect(second).rejects.toMatchObject({ isInUse: true, message: expect.stringContaining(folder) })
  expect((await first.place()).status).toBe(200)
})

test('a disk that waits holds up the one who ordered and nobody else', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const { place, services } = await open(newFolder(), onDisk({ kind: 'gated', gate }))
  Atomics.store(gate, 0, gateOf.shut)
  let isAnswered = false
  const placed = place().then((answer) => {
    isAnswered = true
    return answer
  })
  // In this thread nothing waits for that disk.
  await eventually(() => expect(Atomics.load(gate, 0)).toBe(gateOf.waiting))
  const listed = services.webhooks.list(1)
  expect(isAnswered).toBe(false)
  Atomics.store(gate, 0, gateOf.open)
  Atomics.notify(gate, 0)
  expect((await placed).status).toBe(200)
  expect(await listed).toEqual([])
})

test('a disk that fills up is told of once, all that is asked later is refused with it, and it can be stopped', async () => {
  const folder = newFolder()
  await (await open(folder)).services.stop()
  const { services, place, failures, worker } = await open(folder, onDisk({ kind: 'full', gate: shut() }))
  let accepted = 0
  while ((await place()).status === 200) accepted += 1
  expect(accepted).toBeGreaterThan(0)
  const sentence = expect.stringMatching(/^The data folder \S+ cannot be written: the disk is full\. /)
  await eventually(() => expect(failures).toEqual([{ sentence, bug: null, isPassing: true }]))
  await expect(services.webhooks.register({ url: 'http://127.0.0.1:1/', name: 'desk' })).rejects.toThrow(
    PracticeStopped,
  )
  await expect(services.webhooks.list(10)).rejects.toThrow('the disk is full')
  await services.stop()
  expect(worker.threadId).toBe(-1)
  expect(failures).toHaveLength(1)
  expect(await (await open(folder)).get('/orders')).toHaveLength(Math.min(accepted, 100))
})

test('a full disk that has room again lets it go on: what was accepted is there, and nothing else', async () => {
  const folder = newFolder()
  await (await open(folder)).services.stop()
  const gate = shut()
  const { services, get, place, failures, worker, goneOn } = await open(folder, onDisk({ kind: 'full', gate }))
  const { url, count } = await partner(() => 204)
  let changes = 0
  services.webhooks.onChange(() => {
    changes += 1
  })
  let accepted = 0
  while ((await place()).status === 200) accepted += 1
  await eventually(() => expect(failures).toHaveLength(1))
  expect((await place()).status).toBe(500)
  expect(goneOn()).toBe(0)
  Atomics.store(gate, 0, gateOf.open)
  await eventually(() => expect(goneOn()).toBe(1))
  expect(changes).toBeGreaterThan(0)
  const listed = async () => ((await get('/orders')) as { clOrdId: string }[]).map(({ clOrdId }) => clOrdId)
  const newest = Array.from({ length: Math.min(accepted, 100) }, (_, at) => `order${accepted - at}`)
  expect(await listed()).toEqual(newest)
  expect((await place()).status).toBe(200)
  expect((await listed())[0]).toBe(`order${accepted + 3}`)
  expect(await services.webhooks.register({ url, name: 'desk' })).toMatchObject({ ok: true })
  expect(count()).toBe(0)
  await services.stop()
  expect([failures.length, goneOn(), worker.threadId]).toEqual([1, 1, -1])
})

test('where the file of a full disk was taken away none is made anew, and it can be stopped', async () => {
  const folder = newFolder()
  await (await open(folder)).services.stop()
  const gate = shut()
  const { services, place, failures, goneOn } = await open(folder, onDisk({ kind: 'full', gate }))
  for (let status = 200; status === 200; ) ({ status } = await place())
  await eventually(() => expect(failures).toHaveLength(1))
  renameSync(folder, `${folder}.away`)
  onTestFinished(() => rmSync(`${folder}.away`, { recursive: true }))
  Atomics.store(gate, 0, gateOf.open)
  const asked = Atomics.load(gate, 1)
  await eventually(() => expect(Atomics.load(gate, 1)).toBeGreaterThan(asked))
  await services.stop()
  expect([existsSync(folder), goneOn()]).toEqual([false, 0])
})

test('when its thread ends by itself that is told of once, what waits is rejected, and the folder is free', async () => {
  const folder = newFolder()
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const { services, place, worker, failures } = await open(folder, onDisk({ kind: 'gated', gate }))
  Atomics.store(gate, 0, gateOf.shut)
  const placed = place().then(
    () => 'answered',
    () => 'no answer',
  )
  await eventually(() => expect(Atomics.load(gate, 0)).toBe(gateOf.waiting))
  const { webhooks } = services
  const asked = [webhooks.list(1), webhooks.retry('1'), webhooks.register({ url: 'http://127.0.0.1:1/', name: 'x' })]
  const ending = worker.terminate()
  for (const each of await Promise.allSettled(asked))
    expect(each).toMatchObject({ status: 'rejected', reason: expect.any(PracticeStopped) })
  await ending
  expect(await placed).toBe('no answer')
  await expect(webhooks.list(1)).rejects.toThrow('Its thread has ended: restart the desk.')
  await services.stop()
  expect(failures).toEqual([{ sentence: 'Its thread has ended: restart the desk.', bug: null, isPassing: false }])
  await (await open(folder)).services.stop()
})

test('a bug in it ends the thread and is handed over', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const { place, failures } = await open(newFolder(), onDisk({ kind: 'faulty', gate }))
  Atomics.store(gate, 0, gateOf.shut)
  await expect(place()).rejects.toThrow()
  await eventually(() => expect(failures).toHaveLength(1))
  expect(failures[0]?.bug).toMatchObject({ message: 'a bug of the practice exchange' })
  expect(failures[0]?.bug?.stack).toContain('durable-exchange.ts')
})

/** A thread that runs out of memory, as soon as it hears of something or at once. */
const greedy = (when: 'asked' | 'at once') => () =>
  new Worker(
    `const { parentPort } = require('node:worker_threads')
    let kept = null
    const take = () => { for (;;) kept = { kept } }
    if (${when === 'at once'}) take()
    parentPort.on('message', take)
    parentPort.postMessage({ kind: 'open', services: { accounts: [] } })`,
    { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } },
  )

test('a thread that runs out of memory says so, while it runs and as it starts; neither is a bug of the program', async () => {
  const failures: PracticeFailure[] = []
  const start = (when: 'asked' | 'at once') =>
    startPracticeThread(
      { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', data: newFolder() },
      { onFailure: (failure) => failures.push(failure), startWorker: greedy(when) },
    )
  const { webhooks } = await start('asked')
  const sentence = 'Its thread ran out of memory: restart the desk.'
  await expect(webhooks.list(1)).rejects.toThrow(new PracticeStopped(sentence))
  await expect(webhooks.list(1)).rejects.toThrow(new PracticeStopped(sentence))
  expect(failures).toEqual([{ sentence, bug: null, isPassing: false }])
  await expect(start('at once')).rejects.toThrow(new UnusableData(`The practice exchange did not start. ${sentence}`))
  expect(failures).toHaveLength(1)
})
