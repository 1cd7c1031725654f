import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../../fakes/eventually.ts'
import { eventBody } from '../../fakes/memory-events.ts'
import { clusterPassword, PostgresCluster } from '../../fakes/postgres.ts'
import { openShell } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start([])
  return () => cluster.stop()
})

test('two receivers over one PostgreSQL, read by a command, and the password stays unsaid', async () => {
  const shell = openShell({ PITDESK_INBOX_STORE: await cluster.createDatabase() })
  const receivers = [0, 1].map(() => shell.start('inbox serve --port 0 --allow 127.0.0.1'))
  const urls: string[] = []
  for (const { ran } of receivers) {
    await eventually(() => expect(ran.stdout).not.toHaveLength(0))
    urls.push(JSON.parse(ran.stdout[0] ?? '').url)
  }
  for (const [index, url] of [...urls, ...urls].entries()) {
    const body = eventBody({ eventId: `e${index % 3}` })
    expect((await globalThis.fetch(url, { method: 'POST', body })).status).toBeLessThan(300)
  }
  for (const { signal } of receivers) signal('SIGTERM')
  for (const { ended } of receivers) expect((await ended).code).toBe(0)
  const { stdout, code } = await shell.run('inbox ls')
  expect(code).toBe(0)
  const rows: Array<{ eventId: string; copies: number }> = JSON.parse(stdout[0] ?? '')
  expect(rows.map(({ eventId, copies }) => [eventId, copies])).toEqual([
    ['e2', 0],
    ['e1', 0],
    ['e0', 1],
  ])
  const other = await cluster.createDatabase()
  shell.environment.PITDESK_INBOX_STORE = other
  const none = await shell.run('inbox ls')
  expect({ code: none.code, stderr: none.stderr }).toEqual({
    ...{
      code: 1,
      stderr: [expect.stringMatching(/test_\d+: there is no inbox in it, and nothing was received there yet\.$/)],
    },
  })
  expect(await cluster.ask("SELECT to_regclass('inbox_version') AS made", other)).toEqual([{ made: null }])
  shell.environment.PITDESK_INBOX_STORE = (await cluster.createDatabase()).replace(clusterPassword, 'wrong-agave')
  const refused = await shell.run('inbox ls')
  expect(refused.code).toBe(1)
  expect(refused.stderr.join('\n')).not.toContain('agave')
})
