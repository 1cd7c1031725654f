import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { aHome, builtForTests, program } from './program.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// What moves money comes to its end, and is told of, wherever its output goes.

const home = aHome('broken-output')
let sandbox: SandboxProcess
let price = 0

builtForTests()

beforeAll(async () => {
  sandbox = await startSandboxProcess(program, home, '--market', 'on')
  const [best] = book.parse(await sandbox.read('/l2/BTC-USD')).bids
  // Far below the market, so that an order rests.
  price = Math.round((best?.px ?? 0) * 0.985)
})

afterAll(async () => {
  await sandbox.stop()
})

type Ran = { code: number; stdout: string; stderr: string }

/** The program as bash runs it, with what follows on the line; the exit code is its own, not that of what reads it. */
const shell = (line: string): Promise<Ran> =>
  new Promise((resolve) => {
    const environment = {
      ...{ PATH: process.env.PATH ?? '', HOME: home, DESK: [process.execPath, ...nodeArgv(program)].join(' ') },
      ...{ XDG_CACHE_HOME: cacheOf(program), PITDESK_EXCHANGE_BASE_URL: sandbox.url, PITDESK_API_TOKEN: sandbox.token },
    }
    const script = `$DESK ${line}; exit "\${PIPESTATUS[0]}"`
    const child = execFile('bash', ['-c', script], { env: environment }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    child.stdin?.end()
  })

const book = z.object({ bids: z.array(z.object({ px: z.number() })) })
const list = z.array(z.record(z.string(), z.unknown()))
/** What the exchange has, from the exchange itself. */
const listed = async (what: 'orders' | 'withdrawals') => list.parse(await sandbox.read(`/${what}`))
/** Each at a price of its own: the same again would be held back as a duplicate. */
const place = (id: string, off = 0) =>
  `order place buy 0.001 BTC-USD --limit ${price - off} --yes --accept soft-limit --client-order-id ${id}`
const isUntold = expect.not.stringMatching(/pitdesk|EPIPE/)
const full = 'stdout not written: the disk is full \\(ENOSPC\\)'

test('on a full disk an order is placed, told of, and not placed again by who asks again', async () => {
  const ran = await shell(`${place('full1')} > /dev/full`)
  const [order] = await listed('orders')
  expect(order).toMatchObject({ clOrdId: 'full1', ordStatus: 'OPEN' })
  expect(ran).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(`pitdesk order place: ${full}. Order ${order?.exOrdId} is working: OPEN.\n$`),
  })
  const again = await shell(place('full1'))
  expect({ code: again.code, order: JSON.parse(again.stdout) }).toMatchObject({ code: 0, order: { clOrdId: 'full1' } })
  expect(await listed('orders')).toHaveLength(1)
  const canceled = await shell(`order cancel ${order?.exOrdId} > /dev/full`)
  expect(canceled).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(`${full}. Order ${order?.exOrdId} canceled.`),
  })
  expect(await listed('orders')).toEqual([])
})

test('on a full disk a withdrawal leaves once, and is told of', async () => {
  const line = 'withdraw BTC 0.01 --to wl-1 --yes --accept fee --key once'
  const ran = await shell(`${line} > /dev/full`)
  const sent = await listed('withdrawals')
  expect(sent).toEqual([expect.objectContaining({ amount: 0.01 })])
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(`pitdesk withdraw: ${full}. Withdrawal ${sent[0]?.withdrawalId} is PENDING.\n$`),
  })
  const again = await shell(line)
  expect({ code: again.code, told: JSON.parse(again.stdout) }).toMatchObject({ code: 0, told: { amount: '0.01' } })
  expect(await listed('withdrawals')).toHaveLength(1)
})

test('a reader that has left ends no write and fails none', async () => {
  expect(await shell(`${place('left1', 1)} | true`)).toMatchObject({ code: 0, stderr: isUntold })
  expect(await listed('orders')).toEqual([expect.objectContaining({ clOrdId: 'left1' })])
  expect(await shell('order cancel-all --symbol BTC-USD --yes | true')).toMatchObject({ code: 0, stderr: isUntold })
  expect(await listed('orders')).toEqual([])
})

test('a failure keeps its own exit code, and its line where stderr cannot be written either', async () => {
  expect(await shell('order show 999 > /dev/full')).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      `^pitdesk order show: The exchange does not know this .*\npitdesk order show: ${full}\n$`,
    ),
  })
  expect(await shell('order show 999 2> /dev/full')).toMatchObject({
    ...{ code: 4, stderr: '' },
    stdout: expect.stringMatching(/^\{"error":\{"kind":"rejected"/),
  })
  const unread = await shell(`${place('mute1', 2)} > /dev/full 2>&1`)
  expect(unread.code).toBe(1)
  expect(await listed('orders')).toEqual([expect.objectContaining({ clOrdId: 'mute1' })])
})
