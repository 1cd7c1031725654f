import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { accountClients, tokenOf } from '../fakes/account-clients.ts'
import { amount } from '../fakes/amounts.ts'
import { aDraft } from '../fakes/orders.ts'
import { type HeldExchange, startHeldExchange } from './held-exchange.ts'
import { aHome, builtForTests, environmentOf, spawnProgram } from './program.ts'

builtForTests()
let sandbox: Sandbox
let held: HeldExchange
let clients: ReturnType<typeof accountClients>

beforeAll(async () => {
  const started = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 } as const
  sandbox = await startSandbox(started, { clock: systemClock, randomBytes, log: () => undefined })
  held = await startHeldExchange(sandbox.exchangeUrl)
  clients = accountClients(sandbox, systemClock)
  for (const [side, price] of [
    ['BUY', '59999.50'],
    ['SELL', '60000.50'],
  ] as const) {
    const quote = aDraft({ side, limitPrice: amount(price), orderQuantity: amount('1') })
    await clients.counterparty.placeOrder({ ...quote, clientOrderId: `quote${side}` })
  }
})
afterAll(async () => {
  await clients.close()
  await held.close()
  await sandbox.stop()
})

/** The built program in processes of their own, over one home folder. */
function aMachine(name: string) {
  const environment = {
    ...environmentOf(aHome(name)),
    PITDESK_EXCHANGE_BASE_URL: held.url,
    PITDESK_API_TOKEN: tokenOf(sandbox, 'trader').reveal(),
  }
  const start = (line: string) => {
    const spawned = spawnProgram(line.split(' '), environment)
    let stdout = ''
    spawned.child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    return { ...spawned, ran: spawned.ended.then((code) => ({ code, stdout, stderr: spawned.log() })) }
  }
  const run = (line: string) => start(line).ran
  const prepare = async (price: string): Promise<string> => {
    const { stdout, stderr } = await run(`order place buy 0.01 BTC-USD --limit ${price} --draft --json`)
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout).draftId
  }
  return { start, run, prepare }
}

const placed = async (draftId: string) =>
  (await clients.trader.fetchOrders({})).entries.filter(({ clientOrderId }) => clientOrderId === `draft${draftId}`)

test('killed with -9 after its draft was placed and before the answer: the next command tells of it and sends nothing', async () => {
  const { start, run, prepare } = aMachine('draft-kill')
  const draftId = await prepare('59500')
  const answered = held.hold('/orders')
  const killed = start(`order send ${draftId} --yes`)
  await answered
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await placed(draftId)).toHaveLength(1)
  const again = await run(`order send ${draftId} --yes --json`)
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    ...{ code: 0, stderr: expect.stringContaining('not sent again') },
  })
  expect(JSON.parse(again.stdout)).toMatchObject({ clOrdId: `draft${draftId}`, ordStatus: 'OPEN' })
  expect(await placed(draftId)).toHaveLength(1)
  const listed = JSON.parse((await run('order drafts --json')).stdout)
  expect(listed).toMatchObject([{ draftId, state: 'sent' }])
})

test('two processes that send one draft at once place one order, and both say what became of it', async () => {
  const { start, prepare } = aMachine('draft-both')
  const draftId = await prepare('59600')
  const both = await Promise.all([1, 2].map(() => start(`order send ${draftId} --yes --json`).ran))
  expect(
    both.map(({ code }) => code),
    both.map(({ stderr }) => stderr).join('\n'),
  ).toEqual([0, 0])
  for (const { stdout } of both) expect(JSON.parse(stdout)).toMatchObject({ clOrdId: `draft${draftId}` })
  expect(await placed(draftId)).toHaveLength(1)
})
