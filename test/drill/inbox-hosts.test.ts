import { expect, test } from 'vitest'
import { runDrill } from './run-drill.ts'

test('three hosts on one database, one killed and the one that forwards stopped for longer than its lease, lose nothing', async () => {
  const { code, output } = await runDrill('inbox-hosts', '--orders', '150', '--blows', 'spare,stop', '--seed', '3')
  expect(output).toContain('"takeovers":1')
  expect(output).toContain('"complaints":0')
  expect(code, output).toBe(0)
})
