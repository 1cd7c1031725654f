import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { Secret } from '../../../src/base/secret.ts'
import type { Hub } from '../../../src/desk/hub/hub.ts'
import { leftPlansText } from '../../../src/desk/plans/left-plans.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { openPlanRecord } from '../../../src/journal/plan-file.ts'
import { openShell, type Ran } from '../../commands/harness.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { httpCall } from '../../sandbox/http/harness.ts'
import { openFirm, ready } from '../harness.ts'
import { deskAt, until } from '../hub-desk.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const d = (text: string) => new Decimal(text)
const oco: PlanTerms = {
  ...{ kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: d('0.01') },
  ...{ stopPrice: d('55000'), stopLimit: null, targetPrice: d('66000'), nearBy: d('99'), backBy: d('198') },
}

/** A desk of a person at these addresses, with a folder of its own for plans. */
function deskOf(
  token: Secret,
  hubs: readonly Pick<Hub, 'url'>[],
  { role = 'console', left = () => null }: { role?: 'console' | 'watch'; left?: () => string | null } = {},
) {
  const folder = temporaryFolder('plans')
  const { desk } = deskAt(token, hubs, { role, plans: { folder, exchange: 'desk', left } })
  const plans = () => desk.store.getState().plans
  const { plans: port } = desk
  if (port === null) throw new Error('no plans')
  return { desk, plans, port, folder, stateOf: () => plans().list[0]?.state }
}

test('desks behind a hub show the plans of all, have it change them, and run none; another hub goes on', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const [one, two] = [await firm.hub(), await firm.hub()]
  const [anna, bob] = [await firm.member('anna'), await firm.member('bob')]
  await ready(anna.at(one))
  const own = deskOf(anna.token, [one, two])
  const other = deskOf(bob.token, [one, two])
  const watch = deskOf(bob.token, [one, two], { role: 'watch' })
  await until(() => [own, other, watch].every(({ plans }) => plans().owner === 'hub'))
  expect(await own.port.add(oco)).toEqual({ ok: true, value: 'p1' })
  await until(() => [own, other, watch].every(({ stateOf }) => stateOf() === 'protected'))
  expect(other.plans().list[0]?.plan).toMatchObject({ person: 'anna', terms: oco })
  expect(watch.desk.duties.duties.map((duty) => duty.holds())).toEqual([null])
  expect(await other.port.cancel('p1', 'takeBack')).toEqual({
    ok: false,
    error: 'Plan p1 is of anna: nothing was changed.',
  })
  await one.stop()
  await until(() => own.plans().owner === 'hub')
  const tighter = { ...oco, stopPrice: d('56000') }
  await eventually(async () => expect((await own.port.edit('p1', tighter)).ok).toBe(true))
  await until(() => own.plans().list[0]?.plan.orders.length === 2 && own.stateOf() === 'protected')
  expect((await own.port.cancel('p1', 'takeBack')).ok).toBe(true)
  await until(() => [own, other].every(({ stateOf }) => stateOf() === 'ended'))
  const { rows } = await firm.database.pool.query(
    "SELECT count(*)::int AS n FROM hub_write WHERE intent->>'kind' = 'order'",
  )
  // The stop of the beginning; the move of it is a write of another kind.
  expect(rows).toEqual([{ n: 1 }])
  for (const { folder } of [own, other, watch]) {
    const kept = await openPlanRecord({ folder, exchange: 'desk', now: () => 0 })
    if (!kept.ok || kept.value === 'busy') throw new Error('the desk holds a record')
    expect(kept.value.plans.size).toBe(0)
    await kept.value.close()
  }
})

test('an answer that is lost is unknown, and the plan is shown', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const hub = await firm.hub()
  const anna = await firm.member('anna')
  await ready(anna.at(hub))
  // In front of the hub, something that loses the answers to whatever changes plans.
  const between = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = 'GET', url: path = '' } = request
      const token = { 'x-api-token': anna.token.reveal() }
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString() }
      const headers = chunks.length === 0 ? token : { ...token, 'content-type': 'application/json' }
      httpCall(hub.url, { method, path, headers, ...body }).then(
        ({ status, text }) => {
          if (method === 'POST') request.destroy()
          else
            response
              .writeHead(status, { 'content-type': 'application/json', 'x-hub': '1', 'x-hub-age-ms': '0' })
              .end(text)
        },
        () => request.destroy(),
      )
    })
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void between.closeAllConnections())
  onTestFinished(() => void between.close())
  const { port } = between.address() as AddressInfo
  const desk = deskOf(anna.token, [{ url: `http://127.0.0.1:${port}` }])
  await until(() => desk.plans().owner === 'hub')
  expect(await desk.port.add(oco)).toEqual({
    ok: false,
    error: 'The hub did not answer: whether the plan was begun is unknown. Look at the plans before you repeat it.',
  })
  await until(() => desk.stateOf() === 'protected')
  // Halted here, the plan goes on there; and what befalls it there is told here.
  const { store } = desk.desk
  const saying = (words: string) => store.getState().log.some(({ text }) => text.includes(words))
  await until(() => store.getState().hub !== null)
  store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: systemClock.now() })
  expect(saying('1 plan goes on at the hub: to stop it, cancel it.')).toBe(true)
  await anna.at(hub)('DELETE', '/orders')
  await until(() => desk.stateOf() === 'held' && saying('Plan p1: Held'))
})

test('plans of this machine from before the hub are said not to run, on screen and by the command', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const hub = await firm.hub()
  const anna = await firm.member('anna')
  await ready(anna.at(hub))
  const shell = openShell(
    { PITDESK_EXCHANGE_BASE_URL: `${hub.url}/v3`, PITDESK_API_TOKEN: anna.token.reveal() },
    new FakeClock(systemClock.wallMs()),
  )
  const home = shell.home
  const before = join(home, '.local/state/pitdesk/accounts/exchange-0123456789ab')
  mkdirSync(before, { recursive: true })
  writeFileSync(join(before, 'duties-environment.lock'), '')
  const opened = await openPlanRecord({ folder: before, exchange: 'e', now: () => 0 })
  if (!opened.ok || opened.value === 'busy') throw new Error('not opened')
  await opened.value.append({ event: 'begun', planId: 'p7', atMs: 0, terms: oco })
  await opened.value.close()
  const says = '1 plan of this machine (p7) does NOT run'
  const failing = ({ code, stderr }: Ran) => ({ code, said: stderr.join(' ') })
  expect(failing(await shell.run('plan list'))).toEqual({ code: 0, said: expect.stringContaining(says) })
  const left = () => leftPlansText('/nowhere', 'environment', { environment: { HOME: home } })
  const desk = deskOf(anna.token, [hub], { left })
  await until(() => desk.plans().left?.includes(says) === true)
  expect(desk.desk.store.getState().log.some(({ text }) => text.includes(says))).toBe(true)
  // The command's own way through all of it.
  const did = async (line: string) => {
    const { code, stdout, stderr } = await shell.run(`${line} --json`)
    return [code, stdout.at(-1) ?? '', stderr.filter((text) => !text.includes(says)).join(' ')]
  }
  expect(await did('plan add oco sell 0.01 btc stop 55000 target 66000 --yes')).toEqual([
    0,
    '{"plan":"p1","outcome":"begun"}',
    '',
  ])
  await until(() => desk.stateOf() === 'protected')
  expect(JSON.parse((await shell.run('plan list --json')).stdout.join(''))).toMatchObject([
    { plan: 'p1', state: 'protected', person: 'anna' },
  ])
  expect((await did('plan edit p1 stop 56000 --yes'))[1]).toBe('{"plan":"p1","outcome":"changed"}')
  expect((await did('plan resume p1 --yes'))[0]).toBe(3)
  expect((await did('plan cancel p1 --yes'))[1]).toBe(
    '{"plan":"p1","outcome":"ended","why":"Ended by a user; 0.0100 stays without a stop"}',
  )
  await until(() => desk.stateOf() === 'ended')
  expect((await did('plan cancel p1 --yes'))[0]).toBe(3)
})
