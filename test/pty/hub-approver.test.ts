import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../fakes/eventually.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { openFirm, ready } from '../hub/harness.ts'
import { aHome, builtForTests, program, startProgram, writtenIn } from './program.ts'

builtForTests()
let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const homes = { anna: aHome('pty-hub-trader'), vic: aHome('pty-hub-approver') }

test('two persons on two machines: one drafts, the other reads what is signed and types approve, and both desks show it', async () => {
  const firm = await openFirm(cluster, {}, { kind: 'always' })
  await firm.quote()
  const members = { anna: await firm.member('anna', 'trader'), vic: await firm.member('vic', 'approver') }
  const hub = await firm.hub()
  await ready(members.vic.at(hub))
  const start = (who: keyof typeof members, ...argv: string[]) => {
    const token = members[who].token.reveal()
    const environment = { PITDESK_EXCHANGE_BASE_URL: `${hub.url}/v3`, PITDESK_API_TOKEN: token }
    const terminal = startProgram(homes[who], argv, { columns: 170, rows: 40, environment })
    onTestFinished(async () => {
      terminal.kill('SIGKILL')
      await terminal.ended()
    })
    return terminal
  }
  const draft = start('anna', 'withdraw', 'btc', '0.05', '--to', 'cold storage', '--draft', '--approval')
  expect(await draft.ended()).toEqual({ exitCode: 0, signal: 0 })
  const draftId = /draft ([a-z0-9]{12})/.exec(draft.text())?.[1] ?? ''
  expect(draft.text()).toContain('by an approver')

  const approval = start('vic', 'withdraw', '--approve', draftId)
  await approval.until((text) => text.includes('Type approve'))
  expect(approval.text()).toContain('made by anna')
  expect(approval.text()).toContain('To be signed with your token: ["withdrawal draft"')
  approval.type('approve\r')
  expect(await approval.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect(approval.text()).toContain('Approved by vic')

  const desk = start('anna', 'desk', '--symbol', 'BTC-USD')
  await desk.until((text) => text.includes('60,100') && text.includes(draftId) && text.includes('approved by'))
  const halted = await firm.member('otto', 'admin')
  await eventually(async () => {
    expect((await halted.at(hub)('POST', '/hub/halt', { reason: 'drill' })).status).toBe(200)
  })
  await desk.until((text) => text.includes('HALTED BY HUB'))

  // The key is in no file of either machine.
  for (const [who, home] of Object.entries(homes)) {
    const { token } = members[who === 'anna' ? 'anna' : 'vic']
    expect(writtenIn(home).filter((text) => text.includes(token.reveal()))).toEqual([])
  }
})

test('a token that would go nowhere is not made: nothing is done with stdout on /dev/null, or closed', async () => {
  const own = await PostgresCluster.start(['fsync=on'])
  onTestFinished(() => own.stop())
  const store = await own.createDatabase()
  const home = homes.anna
  const run = async (argv: string, to: string) => {
    const line = `${process.execPath} ${program}/pitdesk.js ${argv} ${to}`
    const environment = { PATH: process.env.PATH ?? '', HOME: home, PITDESK_HUB_STORE: store }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { env: environment, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  for (const to of ['> /dev/null', '>&-']) {
    const { status, stderr } = await run('hub user add eve --role trader', to)
    expect([to, status]).toEqual([to, 1])
    expect(stderr).toContain('stdout')
  }
  // Not even the tables for a person are there.
  expect((await run('hub user list --json', '')).stdout).toContain('there is no hub in it')
})
