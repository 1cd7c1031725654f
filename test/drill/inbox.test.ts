import { expect, test } from 'vitest'
import { runs } from '../fakes/runs.ts'
import { runDrill } from './run-drill.ts'

test('an inbox that is killed again and again keeps all it said yes to, once, and hands all of it on', async () => {
  const kills = runs(2, 3)
  const counts = ['--orders', String(runs(150, 300)), '--kills', String(kills), '--seed', '5']
  const { code, output } = await runDrill('inbox', ...counts)
  expect(output).toContain(`"killed":${kills},"complaints":0`)
  expect(code, output).toBe(0)
})
