import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { readingSignal } from '../../../src/base/process/command-io.ts'
import { readArguments } from '../../../src/commands/cli/arguments.ts'
import { failed } from '../../../src/commands/cli/exit-codes.ts'
import { withSession } from '../../../src/commands/cli/session.ts'
import { firmRows } from '../../../src/commands/firm/rows.ts'
import { readAudit } from '../../../src/hub/people/audit.ts'
import { describeAudit } from '../../../src/hub/people/audit-events.ts'
import { eventually } from '../../fakes/eventually.ts'
import { outputTo } from '../../fakes/output.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { quietIo } from '../../fakes/quiet-io.ts'
import { failing, json, openOffice } from '../office.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start(['fsync=on'])
})
afterAll(() => cluster.stop())

const buy = 'order place buy 0.01 btc-usd --limit 59000 --yes'

test("the stop of a plan of the firm stands in the way of no order by command: its size is the plan's", async () => {
  const { anna, machine } = await openOffice(cluster, { kind: 'never' })
  const ben = await machine('ben', 'trader')
  expect(await anna.run('plan add oco sell 0.01 btc stop 55000 target 66000 --yes --json')).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await ben.run('plan list --json'))).toMatchObject([{ state: 'protected' }]))
  const [stop] = json(await ben.run('orders --json'))
  expect(stop).toMatchObject({ ordType: expect.stringContaining('STOP') })
  expect(failing(await ben.run(buy))).toEqual({ code: 0, said: '' })
})

test("a stop of a firm's plan has its trigger, size and plan in every list, and whoever cancels it hears whose plan it was", async () => {
  const { anna, machine } = await openOffice(cluster, { kind: 'never' })
  const ben = await machine('ben', 'trader')
  const stops = async () => {
    const rows: { ordType: string; exOrdId: number }[] = json(await ben.run('orders --json'))
    return rows.filter(({ ordType }) => ordType.startsWith('STOP'))
  }
  expect(await anna.run('plan add oco sell 0.01 btc stop 55000 target 66000 --yes --json')).toMatchObject({ code: 0 })
  await eventually(async () => expect(await stops()).toHaveLength(1))
  const [stop] = await stops()
  expect(stop).toMatchObject({ stopPx: '55000', orderQty: '0.01', leavesQty: '0.01', plan: 'p1' })
  expect(json(await ben.run(`order show ${stop?.exOrdId} --json`))).toMatchObject({ stopPx: '55000', orderQty: '0.01' })
  const one = await ben.run(`order cancel ${stop?.exOrdId}`)
  expect(one.code).toBe(0)
  expect(one.stderr.join('\n')).toMatch(
    /Plan p1 of anna loses its stop: it is held now, and what it protected may be bare\. .* lets it go on for anna\./,
  )
  await eventually(async () => expect(json(await ben.run('plan list --json'))).toMatchObject([{ state: 'held' }]))
  expect(await anna.run('plan resume p1 --yes')).toMatchObject({ code: 0 })
  await eventually(async () => expect(await stops()).toHaveLength(1))
  const all = await ben.run('order cancel-all --symbol BTC-USD --yes')
  expect(all.code).toBe(0)
  expect(all.stderr.join('\n')).toContain('Plan p1 of anna loses its stop: it is held now')
  await eventually(async () => expect(json(await ben.run('plan list --json'))).toMatchObject([{ state: 'held' }]))
  const vera = await machine('vera', 'viewer')
  expect(failing(await vera.run('order cancel-all --every-symbol --yes'))).toEqual({
    code: 4,
    said: expect.not.stringContaining('loses its stop'),
  })
})

test('what a role may not is exit code 4 whatever it is, and a rejection needs its reason at the hub too', async () => {
  const { anna, machine, firm, hub, to } = await openOffice(cluster, { kind: 'never' })
  const vera = await machine('vera', 'viewer')
  const lines = [
    buy,
    'order cancel 1',
    'deposit-address btc',
    'firm halt because',
    `withdraw btc 0.01 --to ${to} --draft`,
    'plan add oco sell 0.01 btc stop 55000 target 66000 --yes',
  ]
  const codes = []
  for (const line of lines) codes.push([line, (await vera.run(line)).code])
  expect(codes).toEqual(lines.map((line) => [line, 4]))
  const { draftId } = json(await anna.run(`withdraw btc 0.01 --to ${to} --draft --json`))
  const vic = (await firm.member('vic', 'approver')).at(hub)
  const reject = (body?: object) => vic('POST', `/hub/drafts/${draftId}/reject`, body)
  await eventually(async () => expect((await reject()).status).toBe(400))
  expect((await reject({ reason: ' ' })).status).toBe(400)
  expect((await reject({ reason: 'late' })).status).toBe(200)
})

test('a cancel of all that the role may not is of the hub, exit code 4, and nobody is told to repeat it', async () => {
  const { anna, machine } = await openOffice(cluster, { kind: 'never' })
  const [adam, vera] = [await machine('adam', 'admin'), await machine('vera', 'viewer')]
  for (const shell of [adam, vera])
    expect(failing(await shell.run('order cancel-all --every-symbol --yes'))).toEqual({
      code: 4,
      said: expect.stringMatching(
        /the hub refused to cancel all in every symbol: .*may not cancel.*\. No order is listed\.$/,
      ),
    })
  expect((await anna.run(buy)).code).toBe(0)
  for (const shell of [adam, vera]) {
    const { code, said } = failing(await shell.run('order cancel-all --symbol BTC-USD --yes'))
    expect(said).toMatch(
      /the hub refused to cancel all in BTC-USD: .*1 order is still working: .* Look at pitdesk orders\.$/,
    )
    expect([code, said]).toEqual([4, expect.not.stringContaining('cancel again')])
  }
})

test('a withdrawal that needs an approval is refused in the words of the hub, and the exchange is not blamed', async () => {
  const { anna, to, firm } = await openOffice(cluster, { kind: 'always' })
  const { code, said } = failing(await anna.run(`withdraw btc 0.05 --to ${to} --yes --accept fee`))
  expect(code).toBe(4)
  expect(said).toContain('the hub refused it: an approver has to approve it')
  expect(said).not.toContain('the exchange rejected')
  expect(said).not.toMatch(/\b403\b/)
  await anna.run(buy)
  await eventually(async () => {
    const rows = (await readAudit(firm.database.pool, { before: null, most: 200 })).map(describeAudit)
    expect(rows.join()).toContain('order BUY 0.01 BTC-USD LIMIT @ 59000 as')
  })
})

test('a draft that was sent too early and then rejected is told as rejected, not as still to be approved', async () => {
  const { anna, machine, to } = await openOffice(cluster, { kind: 'always' })
  const vic = await machine('vic', 'approver')
  const { draftId } = json(await anna.run(`withdraw btc 0.01 --to ${to} --draft --json`))
  const send = `withdraw --send ${draftId} --yes --accept fee`
  const early = failing(await anna.run(send)).said
  expect(early).toContain('an approver has to approve it')
  expect(early).not.toContain('save it')
  expect((await vic.run(`withdraw --reject ${draftId} --reason late --yes`)).code).toBe(0)
  const { code, said } = failing(await anna.run(send))
  expect([code, said]).toEqual([3, expect.stringContaining('rejected by vic: late')])
  expect(said).not.toMatch(/sent before|the exchange rejected|has to approve/)
})

test('spreadsheets have who approved, why not, and every limit; a key that is no token is told so', async () => {
  const { anna, machine, to, firm } = await openOffice(cluster, { kind: 'never' })
  const vic = await machine('vic', 'approver')
  const draft = async () => json(await anna.run(`withdraw btc 0.01 --to ${to} --draft --json`)).draftId
  expect((await vic.run(`withdraw --approve ${await draft()} --yes`)).code).toBe(0)
  expect((await vic.run(`withdraw --reject ${await draft()} --reason late --yes`)).code).toBe(0)
  const csv = (await anna.run('withdrawals --drafts --csv')).stdout.join('\n')
  expect(csv).toMatch(/approvedBy,reason/)
  expect(csv).toMatch(/,vic,/)
  expect(csv).toContain('rejected by vic: late')
  await firm.database.pool.query(
    "INSERT INTO hub_role_limit (role, order_usd) VALUES ('trader', 700) ON CONFLICT (role) DO UPDATE SET order_usd = 700",
  )
  await eventually(async () => {
    const me = (await anna.run('firm me --csv')).stdout.join('\n')
    expect(me).toContain('orderUsd,dayUsd,withdrawDayUsd')
    expect(me).toContain(',700,')
  })
  Object.assign(anna.environment, { PITDESK_API_TOKEN: 'mistyped' })
  expect(failing(await anna.run('firm me'))).toEqual({
    code: 1,
    said: expect.stringContaining('is not at a hub, or its token is mistyped'),
  })
})

test('while no hub answers the plans are not told of as none', async () => {
  const { anna, hub } = await openOffice(cluster, { kind: 'never' })
  await hub.stop()
  const ran = await anna.run('plan list --json')
  expect(ran.code).toBe(5)
  expect(ran.stdout.join()).not.toContain('[]')
})

test('whoever reads no more of the list of who did what ends it without a failure; a full disk is one', async () => {
  const { machine } = await openOffice(cluster, { kind: 'never' })
  const otto = await machine('otto', 'admin')
  const codeAfter = async (code: string) => {
    const running = otto.start('firm audit --all')
    running.breakOutput(code)
    return (await running.ended).code
  }
  expect([await codeAfter('EPIPE'), await codeAfter('ENOSPC')]).toEqual([0, 1])
  // The same in the middle of a question to the hub.
  const row = firmRows.find(({ name }) => name === 'firm audit')
  const given = row === undefined ? null : readArguments(row, [])
  if (given?.ok !== true) throw new Error('no arguments')
  const out = outputTo(() => undefined)
  const io = { ...quietIo(otto.environment), ...out }
  const tools = { clock: systemClock, random: Math.random, randomBytes, isOwnProcess: false }
  out.breakWith('EPIPE')
  const ending = await withSession(given.value, { io, tools, mayWrite: false }, async ({ client }) => {
    await Promise.all([client.fetchHubAudit({ before: null, limit: 1 }, readingSignal(io)), io.print('x')])
    return failed('somebody reads')
  })
  expect(ending).toEqual({ code: 0 })
})
