import { expect, test } from 'vitest'
import { runDrill } from './run-drill.ts'

test('an inbox that is killed again and again keeps all it said yes to, once, and hands all of it on', async () => {
  const counts = ['--orders', '300', '--kills', '3', '--seed', '5']
  const { code, output } = await runDrill('inbox', ...counts)
  expect(output).toContain('"killed":3,"complaints":0')
  expect(code, output).toBe(0)
})
