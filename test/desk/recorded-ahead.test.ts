import { request } from 'undici'
import { expect, test } from 'vitest'
import { dayMs } from '../../src/base/text/time-text.ts'
import { openHistory } from '../../src/history/history-file.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { opened } from '../history/aids.ts'
import { startCountedDesk } from './counted-desk.ts'

test('what a practice exchange does with its clock put ahead is recorded, at its own time', async () => {
  const folder = temporaryFolder('ahead')
  const counted = await startCountedDesk('on', { history: { open: async (options) => openHistory(folder, options) } })
  const { sandbox, clock } = counted
  await counted.looksAt('trade', 120, 40)
  const headers = { Authorization: `Bearer ${sandbox.adminToken}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ ms: 3 * dayMs })
  const answer = await request(`${sandbox.adminUrl}/clock/advance`, { method: 'POST', headers, body })
  expect(answer.statusCode).toBe(200)
  await answer.body.dump()
  await counted.passes(200_000)
  const file = opened(folder)
  const ahead = file.bars('BTC-USD', clock.now() + 2 * dayMs, Number.MAX_SAFE_INTEGER)
  expect(ahead.length).toBeGreaterThan(1)
  file.close()
})
