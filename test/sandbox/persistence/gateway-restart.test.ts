import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { dataFileName } from '../../../src/sandbox/persistence/data-file.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { countingBytes, httpCall, noonMs } from '../http/harness.ts'
import { newFolder, rowsOnDisk } from './scene.ts'

/** The practice services on this folder, with ways to call the gateway and the administration. */
async function open(data: string, clock = new FakeClock(noonMs), market: 'on' | 'off' = 'off') {
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, seed: 1, market, data },
    { clock, randomBytes: countingBytes(), log: () => {} },
  )
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= sandbox.stop()
    return stopping
  }
  onTestFinished(stop)
  const admin = async (command: string, values: unknown = {}) => {
    const headers = { authorization: `Bearer ${sandbox.adminToken}` }
    return httpCall(sandbox.adminUrl, { method: 'POST', path: `/${command}`, headers, body: JSON.stringify(values) })
  }
  const currencies = async (key = sandbox.partnerKey) =>
    httpCall(sandbox.gatewayUrl, {
      path: '/partner-gateway/partner-api/v1/currencies',
      headers: { 'X-Public-API-Key': key },
    })
  return { sandbox, clock, stop, admin, currencies }
}

const fieldOf = (answer: { json: unknown }, name: string): unknown => Reflect.get(Object(answer.json), name)

test('the gateway goes on after a restart: its keys, what was set, and orders under way', async () => {
  const folder = newFolder()
  const first = await open(folder)
  const added = await first.admin('partner/add', { name: 'acme' })
  await first.admin('eligibility/set', { kind: 'currency', code: 'BTC', state: 'off' })
  const made = await first.admin('gateway-order/create', { orderType: 'BUY' })
  await first.stop()
  const second = await open(folder)
  expect((await second.currencies()).text).not.toContain('"BTC"')
  expect((await second.currencies(String(fieldOf(added, 'partnerKey')))).text).toContain('"BTC"')
  const moved = await second.admin('gateway-order/advance', { orderId: fieldOf(made, 'orderId') })
  expect([moved.status, fieldOf(moved, 'orderState')]).toEqual([200, 'WITHDRAWING'])
})

test('after a restart time goes on from the last event, though the clock had been put forward', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await first.admin('clock/advance', { ms: 86_400_000 })
  await first.admin('gateway-order/create', { orderType: 'BUY' })
  await first.stop()
  const second = await open(folder, new FakeClock(noonMs + 1_000))
  const answer = await second.admin('clock/advance', { ms: 0 })
  expect(fieldOf(answer, 'nowMs')).toBe(noonMs + 86_400_000)
})

test('a reset forgets orders and what was set; the key stays, and no id comes again though the clock stands still', async () => {
  const folder = newFolder()
  const { admin, currencies } = await open(folder)
  const first = await admin('gateway-order/create', { orderType: 'BUY' })
  await admin('eligibility/set', { kind: 'currency', code: 'BTC', state: 'off' })
  expect((await admin('reset')).status).toBe(200)
  expect(rowsOnDisk(folder, 'gateway_event')).toBe(0)
  expect((await currencies()).text).toContain('"BTC"')
  const second = await admin('gateway-order/create', { orderType: 'BUY' })
  expect(second.status).toBe(200)
  for (const name of ['orderId', 'eventId']) expect(fieldOf(second, name)).not.toBe(fieldOf(first, name))
  expect((await admin('gateway-order/advance', { orderId: fieldOf(first, 'orderId') })).status).not.toBe(200)
})

test('a data folder from before there was a gateway gets one, with the key its partner has', async () => {
  const folder = newFolder()
  const first = await open(folder)
  const { partnerKey } = first.sandbox
  await first.stop()
  const database = new DatabaseSync(join(folder, dataFileName))
  const later = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'gateway%' OR name LIKE 'delivery%' OR name LIKE 'webhook%')",
    )
    .all()
  expect(later.length).toBeGreaterThan(2)
  for (const { name } of later) database.exec(`DROP TABLE ${String(name)}`)
  database.exec("DELETE FROM note WHERE name = 'gateway'; PRAGMA user_version = 1")
  database.close()
  const second = await open(folder)
  expect(second.sandbox.partnerKey).toBe(partnerKey)
  expect((await second.currencies()).status).toBe(200)
  expect((await second.admin('gateway-order/create', { orderType: 'SELL' })).status).toBe(200)
  await second.stop()
  expect(rowsOnDisk(folder, 'gateway_partner')).toBe(1)
})

test('with the market on orders come and move by themselves; with it off none does', async () => {
  const folders = [newFolder(), newFolder()] as const
  const clock = new FakeClock(noonMs)
  const [on, off] = [await open(folders[0], clock, 'on'), await open(folders[1], clock)]
  await off.admin('gateway-order/create', { orderType: 'BUY' })
  await clock.advance(60_000)
  await Promise.all([on.stop(), off.stop()])
  expect(rowsOnDisk(folders[0], 'gateway_event')).toBeGreaterThan(3)
  expect(rowsOnDisk(folders[1], 'gateway_event')).toBe(1)
})

test('orders take their next step as soon as the clock is put forward', async () => {
  const folder = newFolder()
  const { admin } = await open(folder, new FakeClock(noonMs), 'on')
  await admin('gateway-order/create', { orderType: 'BUY' })
  const answer = await admin('clock/advance', { ms: 3_600_000 })
  expect(answer.status).toBe(200)
  const ofFirst = "order_number = 1 AND json_extract(body, '$.orderState') <> 'PENDING'"
  expect(rowsOnDisk(folder, 'gateway_event', ofFirst)).toBe(1)
})
