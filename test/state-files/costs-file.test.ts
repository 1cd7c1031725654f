import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../src/domain/money.ts'
import { createCostsFile } from '../../src/state-files/costs-file.ts'
import type { TakeLock } from '../../src/state-files/file-turns.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aMachine } from '../fakes/locks.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const half = { currency: 'BTC', quantity: new Decimal('0.500000000000000001'), usdEach: new Decimal('60000'), atMs: 1 }
const free = { ...half, usdEach: zero }

const costsFile = (path: string, takeLock: TakeLock, clock = new FakeClock()) =>
  createCostsFile({ path, takeLock, clock })

/** A file in a new folder, and a desk more with it each time one is asked for. */
function aPlace() {
  const folder = temporaryFolder('costs')
  const path = join(folder, 'costs.json')
  const machine = aMachine()
  return { folder, path, machine, aDesk: () => costsFile(path, machine.startProcess().takeLock) }
}

const pricesIn = (read: Awaited<ReturnType<ReturnType<typeof costsFile>['read']>>) =>
  read.ok ? read.value.map(({ usdEach }) => usdEach.toFixed()) : read.error

test('what is stated stays, to the last digit, and two desks of an account add to the same', async () => {
  const { aDesk } = aPlace()
  const [one, other] = [aDesk(), aDesk()]
  expect(await one.read()).toEqual({ ok: true, value: [] })
  await one.change({ forget: [], state: half })
  await other.change({ forget: [], state: free })
  const read = await one.read()
  expect(read.ok && read.value.map(({ quantity, usdEach }) => [quantity.toFixed(), usdEach.toFixed()])).toEqual([
    ['0.500000000000000001', '60000'],
    ['0.500000000000000001', '0'],
  ])
})

test('a cost is taken back or corrected where it stands, and one that another desk took back is said', async () => {
  const { aDesk } = aPlace()
  const [one, other] = [aDesk(), aDesk()]
  await one.change({ forget: [], state: half })
  await one.change({ forget: [], state: free })
  await one.change({ forget: [half], state: { ...half, usdEach: new Decimal('61000') } })
  expect(pricesIn(await other.read())).toEqual(['61000', '0'])
  await other.change({ forget: [free], state: null })
  expect(await one.change({ forget: [free], state: half })).toEqual({
    ok: false,
    error: '0.500000000000000001 BTC at 0 USD each is no longer stated. Nothing was changed: look again.',
  })
  expect(pricesIn(await one.read())).toEqual(['61000'])
})

test('while another desk changes them, a change waits its turn and gives up with a word', async () => {
  const { path, machine } = aPlace()
  const { takeLock } = machine.startProcess()
  takeLock(`${path}.change.lock`)
  const clock = new FakeClock()
  const changed = costsFile(path, machine.startProcess().takeLock, clock).change({ forget: [], state: half })
  await clock.paused()
  await clock.advance(4_000)
  expect(await changed).toEqual({
    ok: false,
    error: 'another desk or command of this account is changing its stated costs: try again',
  })
})

test.each(['{', '{"version":1,"costs":[{"currency":"BTC","quantity":"0","usdEach":"1","atMs":1}]}'])(
  'a damaged file is put aside and said, never overwritten: %s',
  async (text) => {
    const { folder, path, aDesk } = aPlace()
    writeFileSync(path, text)
    const file = aDesk()
    const state = { forget: [], state: half }
    expect(await file.change(state)).toMatchObject({
      ok: false,
      error: expect.stringContaining('costs.json is damaged'),
    })
    expect(readFileSync(join(folder, 'costs.json.damaged-1'), 'utf8')).toBe(text)
    expect((await file.change(state)).ok).toBe(true)
    expect(readdirSync(folder)).toHaveLength(2)
  },
)
