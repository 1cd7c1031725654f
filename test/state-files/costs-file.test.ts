import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Decimal, zero } from '../../src/domain/money.ts'
import { createCostsFile } from '../../src/state-files/costs-file.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const half = { currency: 'BTC', quantity: new Decimal('0.500000000000000001'), usdEach: new Decimal('60000'), atMs: 1 }

test('what is stated stays, to the last digit, and two desks of an account add to the same', async () => {
  const path = join(temporaryFolder('costs'), 'costs.json')
  const [one, other] = [createCostsFile(path), createCostsFile(path)]
  expect(await one.read()).toEqual({ ok: true, value: [] })
  await one.add(half)
  await other.add({ ...half, usdEach: zero })
  const read = await one.read()
  expect(read.ok && read.value.map(({ quantity, usdEach }) => [quantity.toFixed(), usdEach.toFixed()])).toEqual([
    ['0.500000000000000001', '60000'],
    ['0.500000000000000001', '0'],
  ])
})

test.each(['{', '{"version":1,"costs":[{"currency":"BTC","quantity":"0","usdEach":"1","atMs":1}]}'])(
  'a damaged file is put aside and said, never overwritten: %s',
  async (text) => {
    const folder = temporaryFolder('costs')
    const path = join(folder, 'costs.json')
    writeFileSync(path, text)
    const file = createCostsFile(path)
    expect(await file.add(half)).toMatchObject({ ok: false, error: expect.stringContaining('costs.json is damaged') })
    expect(readFileSync(join(folder, 'costs.json.damaged-1'), 'utf8')).toBe(text)
    expect((await file.add(half)).ok).toBe(true)
    expect(readdirSync(folder)).toHaveLength(2)
  },
)
