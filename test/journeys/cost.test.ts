import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { keys, quoteAndCenter, startJourney } from './journey.tsx'

test('what a deposit had cost is said in words, kept in a file of the account, and known to the desk', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press('cost btc 0.25 @ 60k')
  await journey.sees('0.25 BTC at 60,000 USD each, 15,000.00 USD in all.', 'nothing is sent')
  await journey.press(keys.enter)
  await journey.sees('Cost kept: 0.25 BTC at 60,000 USD each.')
  const kept = JSON.parse(readFileSync(join(dirname(journey.exportsFolder), 'costs.json'), 'utf8'))
  expect(kept.costs).toEqual([{ currency: 'BTC', quantity: '0.25', usdEach: '60000', atMs: expect.any(Number) }])
  expect(journey.store.getState().statedCosts).toHaveLength(1)
  await journey.press(':')
  await journey.press('cost btc forget')
  await journey.sees('Remove: 0.25 BTC at 60,000 USD each')
  await journey.press(keys.enter)
  await journey.sees('Cost removed: 0.25 BTC at 60,000 USD each.')
  expect(journey.store.getState().statedCosts).toEqual([])
})
