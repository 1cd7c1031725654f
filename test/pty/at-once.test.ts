import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { aHome, builtForTests, program } from './program.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

// The same command in several processes at the same time, on one state folder.

const home = aHome('at-once')
const count = 3

let sandbox: SandboxProcess

builtForTests()

beforeAll(async () => {
  sandbox = await startSandboxProcess(program, home, '--market', 'on')
})

afterAll(async () => {
  await sandbox.stop()
})

type Ran = { code: number; stdout: string; stderr: string; answer: Record<string, unknown> }

const run = (line: string): Promise<Ran> =>
  new Promise((resolve) => {
    const environment = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      XDG_CACHE_HOME: cacheOf(program),
      PITDESK_EXCHANGE_BASE_URL: sandbox.url,
      PITDESK_API_TOKEN: sandbox.token,
    }
    const child = execFile(
      process.execPath,
      nodeArgv(program, ...line.split(' ')),
      { env: environment },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr, answer: JSON.parse(stdout) }),
    )
    child.stdin?.end()
  })

const atOnce = (line: string): Promise<Ran[]> => Promise.all(Array.from({ length: count }, () => run(line)))
const codesOf = (ran: readonly Ran[]) => ran.map(({ code }) => code).toSorted((left, right) => left - right)
const oneOf = (code: number) => [0, ...Array.from({ length: count - 1 }, () => code)]
const listed = async (what: 'orders' | 'withdrawals') => z.array(z.unknown()).parse(await sandbox.read(`/${what}`))
const book = z.object({ bids: z.array(z.object({ px: z.number() })) })

/** A price far below the market, so that the order rests. */
async function restingPrice(): Promise<string> {
  const [best] = book.parse(await sandbox.read('/l2/BTC-USD')).bids
  return String(Math.round((best?.px ?? 0) * 0.97))
}

test('of the same withdrawal one goes', async () => {
  const line = 'withdraw BTC 0.01 --to wl-1 --yes --accept fee'
  const ran = await atOnce(line)
  expect(codesOf(ran)).toEqual(oneOf(3))
  expect(await listed('withdrawals')).toHaveLength(1)
  for (const { code, stderr } of ran)
    if (code === 3)
      expect(stderr).toMatch(
        /not sent: .*((the same 0\.01 BTC went to|like one).*Nothing left the account|is sending.*Nothing more was sent)/,
      )
})

test('of the same withdrawal under one key one goes, and all say what became of it', async () => {
  const ran = await atOnce('withdraw BTC 0.02 --to wl-1 --key payout-9 --yes --accept fee')
  expect(codesOf(ran)).toEqual(oneOf(0))
  expect(new Set(ran.map(({ answer }) => answer.withdrawalId)).size).toBe(1)
  expect(await listed('withdrawals')).toHaveLength(2)
})

test('of the same order one goes', async () => {
  const ran = await atOnce(`order place buy 0.01 BTC-USD --limit ${await restingPrice()} --yes --accept soft-limit`)
  expect(codesOf(ran)).toEqual(oneOf(3))
  expect(await listed('orders')).toHaveLength(1)
})

test('of the same order under one id one goes, and all say what became of it', async () => {
  const price = await restingPrice()
  const ran = await atOnce(
    `order place buy 0.02 BTC-USD --limit ${price} --client-order-id once42 --yes --accept soft-limit`,
  )
  expect(codesOf(ran)).toEqual(oneOf(0))
  for (const { answer } of ran) expect(answer).toMatchObject({ clOrdId: 'once42', ordStatus: 'OPEN' })
  expect(new Set(ran.map(({ answer }) => answer.exOrdId)).size).toBe(1)
  expect(await listed('orders')).toHaveLength(2)
})
