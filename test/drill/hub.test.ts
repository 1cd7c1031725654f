import { expect, test } from 'vitest'
import { runs } from '../fakes/runs.ts'
import { runDrill } from './run-drill.ts'

test('two hubs, the one that leads killed and stopped, with lost answers: nothing doubled, forgotten, untrue or over a limit', async () => {
  const counts = runs(['--orders', '100', '--drafts', '75', '--plans', '20'], ['--orders', '200', '--drafts', '150'])
  const { code, output } = await runDrill('hub', ...counts, '--blows', 'kill', '--seed', '5')
  expect(output).toContain('"doubled":0,"forgotten":0,"untrue":0,"overrun":0')
  expect(code, output).toBe(0)
})
