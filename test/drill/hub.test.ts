import { expect, test } from 'vitest'
import { runDrill } from './run-drill.ts'

test('two hubs, the one that leads killed and stopped, with lost answers: nothing doubled, forgotten, untrue or over a limit', async () => {
  const { code, output } = await runDrill('hub', '--orders', '200', '--drafts', '150', '--blows', 'kill', '--seed', '5')
  expect(output).toContain('"doubled":0,"forgotten":0,"untrue":0,"overrun":0')
  expect(code, output).toBe(0)
})
