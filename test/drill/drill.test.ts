import { expect, test } from 'vitest'
import { runs } from '../fakes/runs.ts'
import { runDrill } from './run-drill.ts'

test('under lost, reset, stalled, failed and garbled answers, and killed again and again, nothing is doubled or forgotten', async () => {
  const counts = runs(
    ['--writes', '30', '--withdrawals', '6', '--kills', '3', '--seed', '7'],
    ['--writes', '60', '--withdrawals', '12', '--kills', '5', '--seed', '7'],
  )
  const { code, output } = await runDrill('orders', ...counts)
  expect(output).toContain('"doubled":0,"forgotten":0,"disagreements":0')
  expect(code, output).toBe(0)
})
