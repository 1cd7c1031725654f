import { expect, test } from 'vitest'
import { runDrill } from './run-drill.ts'

test('plans come through lost answers, gaps, and kills of watch, console and exchange: nothing doubled, overfilled or forgotten', async () => {
  const { code, output } = await runDrill('plans', '--plans', '30', '--seconds', '20', '--seed', '7')
  expect(output).toContain('"untold":0,"doubled":0,"overfilled":0,"forgotten":0')
  expect(code, output).toBe(0)
})
