import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import {
  type FollowedTransfers,
  type FollowedWithdrawal,
  nothingFollowed,
} from '../../src/domain/transfers/followed.ts'
import { createTransfersFile } from '../../src/state-files/transfers-file.ts'

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'accounts', 'a', 'transfers.json')
}

const moment = (available: string) => ({
  balance: new Decimal('1e-18'),
  available: new Decimal(available),
  atMs: 1_000,
})
const withdrawal: FollowedWithdrawal = {
  currency: 'BTC',
  history: [
    { state: 'PENDING', atMs: 5 },
    { state: 'FAILED', atMs: 9 },
  ],
  tookMs: null,
  before: moment('12345678901234567890.123456789012345678'),
  after: null,
}
const followed: FollowedTransfers = {
  withdrawals: new Map([['w-1', withdrawal]]),
  deposits: new Map([['d-1', { currency: 'XRP', history: [{ state: 'COMPLETED', atMs: 7 }], tookMs: 4 }]]),
  sinceMs: { withdrawals: 1, deposits: null },
  leaving: [
    { request: { currency: 'BTC', beneficiary: 'wl-1', amount: 'max' }, atMs: 3, before: null, key: 'withdrawal e' },
    { request: { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.1') }, atMs: 3, before: null, key: null },
  ],
  awaitingBalance: ['w-1'],
  twoFactorRefusal: { atMs: 4, reason: 'no' },
}

test('what is followed comes back as it was, to the last digit, in a file for its owner alone', async () => {
  const path = await aPath()
  const file = createTransfersFile(path)
  expect(await file.read()).toEqual({ ok: true, value: null })
  expect(await file.write(followed)).toEqual({ ok: true, value: null })
  expect(await createTransfersFile(path).read()).toEqual({ ok: true, value: followed })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('ids longer than will be read are cut as they are written, and cost the file nothing', async () => {
  const path = await aPath()
  const long = 'w'.repeat(5_063)
  const cut = `${'w'.repeat(199)}…`
  const leaving = followed.leaving.map((each) => ({
    ...each,
    request: { ...each.request, beneficiary: long },
    key: long,
  }))
  await createTransfersFile(path).write({
    ...followed,
    withdrawals: new Map([...followed.withdrawals, [long, { ...withdrawal, currency: long }]]),
    deposits: new Map([[long, { currency: 'XRP', history: [], tookMs: null }]]),
    leaving,
    awaitingBalance: ['w-1', long],
    twoFactorRefusal: { atMs: 4, reason: long },
  })
  const read = await createTransfersFile(path).read()
  if (!read.ok || read.value === null) throw new Error('not read back')
  const { withdrawals, deposits, awaitingBalance, twoFactorRefusal } = read.value
  expect(withdrawals.get('w-1')).toEqual(withdrawal)
  expect([[...withdrawals.keys()], [...deposits.keys()], awaitingBalance]).toEqual([['w-1', cut], [cut], ['w-1', cut]])
  expect(read.value.leaving.map(({ request, key }) => [request.beneficiary, key])).toEqual([
    [cut, cut],
    [cut, cut],
  ])
  expect(twoFactorRefusal?.reason).toHaveLength(2_000)
})

test('a damaged file is told of, and kept when it is written over', async () => {
  const path = await aPath()
  await createTransfersFile(path).write(nothingFollowed)
  await writeFile(path, '{"version":1,"withdrawals":{}}')
  const file = createTransfersFile(path)
  const read = await file.read()
  expect(read.ok ? '' : read.error).toContain('is damaged: the followed transfers cannot be read')
  await file.write(nothingFollowed)
  expect(await readdir(dirname(path))).toEqual(['transfers.json', 'transfers.json.damaged-1'])
})
