import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import { dayStartMs, opened, recordSome } from '../../history/aids.ts'
import { openShell, told } from '../harness.ts'

/** A home in which a desk on its own practice exchange has recorded. */
function aHome() {
  const shell = openShell()
  recordSome(join(shell.home, '.local/state/pitdesk/accounts/practice'), false)
  return shell
}

test('prints each list as CSV or JSON, the oldest first, within times', async () => {
  const shell = aHome()
  expect((await shell.run('history export --bars btc-usd --csv')).stdout.join('\n').trim().split('\n')).toEqual([
    'timestamp,seconds,open,high,low,close,looks,spread,timestampUtc',
    `${dayStartMs - hourMs},3600,100,103,99,101,30,,2026-11-19T23:00:00.000Z`,
    `${dayStartMs},60,100,103,99,101,30,0.5,2026-11-20T00:00:00.000Z`,
    `${dayStartMs + minuteMs},60,100,103,99,101,30,0.5,2026-11-20T00:01:00.000Z`,
  ])
  const day = JSON.parse(
    (await shell.run(`history export --bars BTC-USD --from ${dayStartMs}ms --json`)).stdout.join(''),
  )
  expect(day).toHaveLength(2)
  expect(JSON.parse((await shell.run('history export --equity')).stdout.join(''))).toEqual([
    { timestamp: dayStartMs, knownUsd: '10.5', unknown: 'XRP' },
  ])
  const orders = await shell.run('history export --orders --json')
  expect(JSON.parse(orders.stdout.join(''))).toMatchObject([{ exOrdId: 9_912_041, ordStatus: 'FILLED' }])
})

test('says how much there is of each list, how much of it stays, and how large the file is', async () => {
  const shell = aHome()
  const { code, stdout } = await shell.run('history', { isTerminal: true })
  expect(code).toBe(0)
  const text = stdout.join('\n')
  expect(text).toMatch(/history.sqlite, 0\.\d MB/)
  expect(text).toMatch(/fills +2 +every one: not all are read yet/)
  expect(text).toMatch(/ended orders +1 +the newest 100,000/)
  expect(JSON.parse((await shell.run('history --json')).stdout.join(''))).toMatchObject({
    ...{ fills: 2, endedOrders: 1, bars: 3, symbols: 1, equityPoints: 1, isFillsWhole: false },
    bytes: expect.any(Number),
  })
  expect((await openShell().run('history')).code).toBe(1)
})

test('fills that were not all read yet are printed, and that is said', async () => {
  const shell = aHome()
  const { code, stdout, stderr } = await shell.run(`history export --fills --to ${dayStartMs + 1}ms --csv`)
  expect([code, stdout.join('\n').trim().split('\n').length]).toEqual([0, 2])
  expect(stderr).toEqual([expect.stringMatching(/^Not all fills have been read from the exchange yet/)])
})

test('fills that cannot be read are said to be missing, and the list with them is not done', async () => {
  const shell = aHome()
  const file = opened(join(shell.home, '.local/state/pitdesk/accounts/practice'))
  const [gap] = file.gaps()
  if (gap !== undefined) file.putFills([], { id: gap.id, isClosed: true })
  file.addUnreadable([{ reason: 'field "side" is missing', atMs: null, fields: { execId: '7' } }])
  file.close()
  const { code, stdout, stderr } = await shell.run('history export --fills --json')
  const lacks = '1 or fewer fills that the exchange lists and that cannot be read'
  expect([code, JSON.parse(stdout.join('')).length, stderr]).toEqual([1, 2, [`Left out: ${lacks}.`]])
  expect((await shell.run('history', { isTerminal: true })).stdout.join('\n')).toContain(`every one: all but ${lacks}`)
})

test('says what is missing: which list, and a history at all', async () => {
  const shell = openShell()
  for (const flags of ['', '--equity --fills', '--bars'])
    expect((await shell.run(`history export ${flags}`)).code).toBe(2)
  expect(told(await shell.run('history export --fills --json'))).toMatchObject({
    code: 1,
    message: expect.stringMatching(/^there is no history yet/),
  })
})

test.each([
  ['btcusd', 'no bars of BTCUSD are recorded, did you mean "BTC-USD"? There are BTC-USD'],
  ['XBT', 'no bars of XBT are recorded. There are BTC-USD'],
])('bars of %s, which is in no record, are wrong usage: a typo is not an empty history', async (symbol, message) => {
  const ran = await aHome().run(`history export --bars ${symbol} --csv`)
  expect([ran.code, ran.stdout]).toEqual([2, []])
  expect(ran.stderr.join()).toContain(message)
})
