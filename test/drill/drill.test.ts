import { expect, test } from 'vitest'
import { runDrill } from './run-drill.ts'

test('under lost, reset, stalled, failed and garbled answers, and killed again and again, nothing is doubled or forgotten', async () => {
  const counts = ['--writes', '60', '--withdrawals', '12', '--kills', '5', '--seed', '7']
  const { code, output } = await runDrill('orders', ...counts)
  expect(output).toContain('"doubled":0,"forgotten":0,"disagreements":0')
  expect(code, output).toBe(0)
})
