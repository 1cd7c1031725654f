import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { readAudit } from '../../../src/hub/people/audit.ts'
import { openShell, type Shell } from '../../commands/harness.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { httpCall } from '../../sandbox/http/harness.ts'
import type { Firm, openFirm } from '../harness.ts'
import { failing, json, openOffice } from '../office.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  // A command takes no server that does not wait for its disk.
  cluster = await PostgresCluster.start(['fsync=on'])
})
afterAll(() => cluster.stop())

const office = (approval: Parameters<typeof openFirm>[2] = { kind: 'always' }) => openOffice(cluster, approval)

const sentAt = async ({ exchange }: Firm): Promise<number> => {
  const trader = exchange.accounts.find(({ name }) => name === 'trader')
  const { json: listed } = await httpCall(exchange.exchangeUrl.replace(/\/v3$/, ''), {
    path: '/v3/withdrawals',
    headers: { 'x-api-token': trader?.token ?? '' },
  })
  return Array.isArray(listed) ? listed.length : -1
}

/** The same person with the same token, and a home folder of its own. */
function onAnotherMachine({ environment }: Shell): Shell {
  const { HOME: _, ...variables } = environment
  return openShell(variables, new FakeClock(systemClock.wallMs()))
}

type Answered = { status: number; text: string }
type Passing = { method: string; path: string; deliver: () => Promise<Answered> }

/** Puts something in front of the hub of this machine, which gives other answers than the hub, or none at all: null. */
async function between(
  { environment }: Shell,
  hub: { url: string },
  pass: (asked: Passing) => Promise<Answered | null>,
): Promise<void> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = 'GET', url: path = '', headers } = request
    if (path.endsWith('/stream')) return void response.writeHead(404, { 'x-hub': '1' }).end()
    const token = { 'x-api-token': String(headers['x-api-token']) }
    const given = body === '' ? { headers: token } : { headers: { ...token, 'content-type': 'application/json' }, body }
    const answer = await pass({ method, path, deliver: () => httpCall(hub.url, { method, path, ...given }) })
    if (answer === null) return void request.destroy()
    const ofHub = { 'content-type': 'application/json', 'x-hub': '1', 'x-hub-age-ms': '0' }
    response.writeHead(answer.status, ofHub).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  Object.assign(environment, { PITDESK_EXCHANGE_BASE_URL: `http://127.0.0.1:${port}/v3` })
}

test('a trader drafts, another person approves on their own machine what they were shown, and it is sent once', async () => {
  const { firm, anna, machine, to } = await office()
  const vic = await machine('vic', 'approver')
  const refused = failing(await anna.run(`withdraw btc 0.05 --to ${to} --yes --accept fee`))
  expect(refused.code).not.toBe(0)
  const made = json(await anna.run(`withdraw btc 0.05 --to ${to} --draft --approval --note rent --json`))
  expect(made).toMatchObject({ state: 'draft', approval: 'wanted', madeBy: 'anna', note: 'rent' })
  const early = failing(await anna.run(`withdraw --send ${made.draftId} --yes --accept fee`))
  expect(early).toMatchObject({ code: 3, said: expect.stringContaining('approve') })
  // Nobody approves their own, and a trader approves nothing.
  expect(failing(await anna.run(`withdraw --approve ${made.draftId} --yes`)).code).toBe(4)
  const asked = await vic.run(`withdraw --approve ${made.draftId}`, {
    isTerminal: true,
    answers: { 'Type approve': 'no\n' },
  })
  expect(failing(asked)).toMatchObject({ code: 3 })
  expect(asked.stderr.join('\n')).toContain('made by anna')
  expect(asked.stderr.join('\n')).toContain('["withdrawal draft"')
  expect(asked.stderr.join('\n')).toContain(`"0.05"]`)
  const done = await vic.run(`withdraw --approve ${made.draftId}`, {
    isTerminal: true,
    answers: { 'Type approve': 'approve\n' },
  })
  expect(done).toMatchObject({ code: 0, stdout: [expect.stringContaining('Approved by vic')] })
  const listed = json(await anna.run('withdrawals --drafts --json'))
  expect(listed[0]).toMatchObject({ draftId: made.draftId, approval: 'given', approvedBy: 'vic', madeBy: 'anna' })
  // What was wanted at once and could not go is not found among what was prepared.
  expect(listed[1]).toMatchObject({ state: 'dropped' })
  // As it may be read out: letters of a draft's name count in either case.
  const sent = await anna.run(`withdraw --send ${String(made.draftId).toUpperCase()} --yes --accept fee`)
  expect(sent.code).toBe(0)
  expect(await sentAt(firm)).toBe(1)
  const again = await anna.run(`withdraw --send ${made.draftId} --yes --accept fee,repeat`)
  expect(again.code).toBe(0)
  expect(await sentAt(firm)).toBe(1)
  expect(json(await vic.run('withdrawals --drafts --json'))[0]).toMatchObject({ state: 'sent' })
})

test('a rejection is told with its reason, a drop of what was rejected is refused, and codes tell a script', async () => {
  const { anna, machine, to, firm } = await office()
  const vic = await machine('vic', 'approver')
  const draft = async () =>
    String(json(await anna.run(`withdraw btc 0.05 --to ${to} --draft --approval --json`)).draftId)
  const draftId = await draft()
  expect(failing(await vic.run(`withdraw --reject ${draftId}`)).code).toBe(2)
  expect(failing(await vic.run(`withdraw --reject ${draftId} --yes`))).toMatchObject({
    code: 2,
    said: expect.stringContaining('needs --reason'),
  })
  expect(await vic.run(`withdraw --reject ${draftId} --reason nobody-knows-them --yes`)).toMatchObject({ code: 0 })
  const [row] = json(await anna.run('withdrawals --drafts --json'))
  expect(row).toMatchObject({ reason: 'rejected by vic: nobody-knows-them' })
  expect(failing(await anna.run(`withdraw --send ${draftId} --yes --accept fee`))).toMatchObject({
    said: expect.stringContaining('nobody-knows-them'),
  })
  expect(failing(await anna.run(`withdraw --drop ${draftId}`))).toMatchObject({ code: 4 })
  const late = failing(await vic.run(`withdraw --approve ${draftId} --yes`))
  expect(late).toMatchObject({ code: 3 })
  expect(late.said.match(/nothing was changed/gi)).toHaveLength(1)
  expect(failing(await vic.run('withdraw --approve nosuch --yes'))).toMatchObject({ code: 3 })
  const other = await draft()
  expect(await anna.run(`withdraw --drop ${other}`)).toMatchObject({ code: 0 })
  expect(failing(await anna.run(`withdraw --reject ${other} --reason late --yes`)).code).toBe(3)
  expect(await sentAt(firm)).toBe(0)
})

test('within the limits one command sends, a repeat of its key tells of the same, and an own draft waits for nobody', async () => {
  const { anna, machine, to, firm } = await office({ kind: 'never' })
  const ben = await machine('ben', 'trader')
  const line = `withdraw btc 0.05 --to ${to} --key rent-1 --yes --accept fee --json`
  const first = await anna.run(line)
  expect(first.code).toBe(0)
  const again = await anna.run(line)
  expect(json(again).withdrawalId).toBe(json(first).withdrawalId)
  // Another person's desk knows the key as well.
  expect(json(await ben.run(line)).withdrawalId).toBe(json(first).withdrawalId)
  expect(await sentAt(firm)).toBe(1)
  expect(json(await ben.run('withdrawals --drafts --json'))).toMatchObject([{ key: 'rent-1', state: 'sent' }])
})

test("what another person has sent is nobody else's: an id of theirs is refused, and their draft told of as sent", async () => {
  const { anna, machine, to } = await office({ kind: 'never' })
  const ben = await machine('ben', 'trader')
  const line = 'order place buy 0.01 btc-usd --limit 59000 --client-order-id same3 --yes'
  expect(await anna.run(line)).toMatchObject({ code: 0 })
  for (const _ of [1, 2]) {
    const taken = await ben.run(line)
    expect(taken.code).toBe(3)
    expect(taken.stdout.join()).not.toContain('clOrdId')
    expect(taken.stderr.join()).toContain(
      'not sent: client order id same3 is used by another person. Nothing was placed',
    )
  }
  expect((await ben.run('journal --json')).stdout.join()).not.toContain('accepted')
  // On another machine of hers the same command tells of the same order.
  const elsewhere = onAnotherMachine(anna)
  expect(json(await elsewhere.run(`${line} --json`))).toMatchObject({ clOrdId: 'same3' })
  const other = failing(await elsewhere.run(line.replace('0.01', '0.02')))
  expect(other).toMatchObject({ code: 3, said: expect.stringContaining('was used for another order') })
  const { draftId } = json(await anna.run(`withdraw btc 0.05 --to ${to} --draft --json`))
  const early = failing(await ben.run(`withdraw --send ${draftId} --yes --accept fee`))
  expect(early).toMatchObject({
    code: 4,
    said: expect.stringContaining(`anna made draft ${draftId}, and alone sends it`),
  })
  const asked = await anna.run(`withdraw --send ${draftId}`, { isTerminal: true, answers: { 'Type the': '1\n' } })
  expect(asked.stderr.join('\n')).toContain(`draft ${draftId} made by anna`)
  expect(await anna.run(`withdraw --send ${draftId} --yes --accept fee`)).toMatchObject({ code: 0 })
  const again = await ben.run(`withdraw --send ${draftId} --yes --accept fee,repeat`)
  expect(again.stderr.join('\n')).toMatch(
    new RegExp(`Draft ${draftId}, made by anna, was sent before, at .*: not sent again`),
  )
})

test('an admin is asked about the halt there is, and ends no other; without one nothing is asked', async () => {
  const { machine, firm } = await office({ kind: 'never' })
  const otto = await machine('otto', 'admin')
  const operator = openShell({ PITDESK_HUB_STORE: firm.url }, new FakeClock(systemClock.wallMs()))
  expect(await otto.run('firm halt drill')).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await otto.run('firm me --json'))).toMatchObject({ halted: 'drill' }))
  const asking = otto.start('firm resume', { isTerminal: true })
  // The hub answers in the machine's own time, and the clock of the command must not run away from it.
  await eventually(() => expect(asking.ran.stderr.join('')).toContain('Halted: drill.'))
  expect(await operator.run('hub halt a key is lost')).toMatchObject({ code: 0 })
  asking.type('resume\n')
  // Not through its clock: hub and database answer in the machine's time.
  expect(failing(await asking.ended)).toMatchObject({
    said: expect.stringContaining('another reason by now (a key is lost)'),
  })
  await eventually(async () =>
    expect(json(await otto.run('firm me --json'))).toMatchObject({ halted: 'a key is lost' }),
  )
  expect(await otto.run('firm resume', { isTerminal: true, typed: 'resume\n' })).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await otto.run('firm me --json'))).not.toHaveProperty('halted'))
  expect(await otto.run('firm resume', { isTerminal: true })).toMatchObject({ code: 0, stdout: ['It was not halted.'] })
})

test('an admin halts and resumes from their own machine, the operator in the database; only cancels go meanwhile', async () => {
  const { anna, machine, firm, to } = await office({ kind: 'never' })
  const otto = await machine('otto', 'admin')
  const operator = openShell({ PITDESK_HUB_STORE: firm.url }, new FakeClock(systemClock.wallMs()))
  expect(failing(await anna.run('firm halt because'))).toMatchObject({ code: 4 })
  expect(await otto.run('firm halt audit')).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await anna.run('firm me --json'))).toMatchObject({ halted: 'audit' }))
  const held = failing(await anna.run(`withdraw btc 0.05 --to ${to} --yes --accept fee`))
  expect(held).toMatchObject({ code: 4, said: expect.stringContaining('the hub is halted (audit)') })
  expect(json(await anna.run('withdrawals --drafts --json')).map(({ state }: { state: string }) => state)).toEqual([
    'dropped',
  ])
  expect(failing(await otto.run('firm resume')).code).toBe(2)
  expect(await otto.run('firm resume --yes')).toMatchObject({ code: 0 })
  expect(await operator.run('hub halt again')).toMatchObject({ code: 0 })
  expect(await operator.run('hub resume --yes')).toMatchObject({ code: 0 })
  const rows = json(await otto.run('firm audit --json --limit 200'))
  const own = await readAudit(firm.database.pool, { before: null, most: 200 })
  expect(rows.map(({ number }: { number: number }) => number)).toEqual(own.map(({ number }) => number))
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(expect.arrayContaining(['halted', 'resumed']))
  expect(failing(await anna.run('firm audit')).code).toBe(4)
  expect(json(await otto.run('firm audit --limit 2 --person otto --json'))).toHaveLength(2)
  // A mistyped name must not look like a person who did nothing; a time in which one did nothing is an empty list.
  const mistyped = failing(await otto.run('firm audit --person ottto'))
  expect(mistyped).toMatchObject({ code: 1, said: expect.stringContaining('has nobody called ottto') })
  expect(json(await otto.run('firm audit --person otto --to 2020-01-01 --json'))).toEqual([])
})

test('drafts from before the hub are named where they are, and stay there', async () => {
  const { anna, firm } = await office()
  const { exchange } = firm
  const trader = exchange.accounts.find(({ name }) => name === 'trader')
  const { PITDESK_EXCHANGE_BASE_URL: hub = '', PITDESK_API_TOKEN: token = '' } = anna.environment
  Object.assign(anna.environment, { PITDESK_EXCHANGE_BASE_URL: exchange.exchangeUrl, PITDESK_API_TOKEN: trader?.token })
  const place = json(await anna.run('whitelist --json')).find(
    ({ currency }: { currency: string }) => currency === 'BTC',
  )
  const made = json(await anna.run(`withdraw btc 0.01 --to ${place.whitelistId} --draft --json`))
  Object.assign(anna.environment, { PITDESK_EXCHANGE_BASE_URL: hub, PITDESK_API_TOKEN: token })
  const listed = await anna.run('withdrawals --drafts --json')
  expect(json(listed)).toEqual([])
  expect(listed.stderr.join('\n')).toMatch(/1 draft from before the hub: kept in .*drafts\.json, not sent/)
  expect(failing(await anna.run(`withdraw --send ${made.draftId} --yes --accept fee`)).code).toBe(3)
  expect(await sentAt(firm)).toBe(0)
})

test('a draft of an order stays on the machine it was made on; what is sent of it the hub checks, and records once', async () => {
  const { firm, anna, machine } = await office({ kind: 'never' })
  const otto = await machine('otto', 'admin')
  const prepared = async (): Promise<string> =>
    json(await anna.run('order place buy 0.01 btc-usd --limit 59000 --draft --json')).draftId
  const draftId = await prepared()
  const elsewhere = onAnotherMachine(anna)
  expect(json(await elsewhere.run('order drafts --json'))).toEqual([])
  expect(json(await anna.run('withdrawals --drafts --json'))).toEqual([])
  const ofAnna = async () =>
    JSON.stringify(await readAudit(firm.database.pool, { person: 'anna', before: null, most: 200 }))
  expect(await ofAnna()).not.toContain(draftId)
  expect(await otto.run('firm halt audit')).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await anna.run('firm me --json'))).toMatchObject({ halted: 'audit' }))
  const held = failing(await anna.run(`order send ${draftId} --yes`))
  expect(held).toMatchObject({ code: 4, said: expect.stringContaining('the hub is halted (audit)') })
  expect(await otto.run('firm resume --yes')).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await anna.run('firm me --json')).halted ?? null).toBeNull())
  // A refusal was its turn.
  expect(json(await anna.run('order drafts --json'))).toMatchObject([{ draftId, state: 'refused' }])
  expect(failing(await anna.run(`order send ${draftId} --yes`)).code).toBe(4)
  const later = await prepared()
  expect(json(await anna.run(`order send ${later} --yes`))).toMatchObject({ clOrdId: `draft${later}` })
  // A row of the audit list follows its answer.
  await eventually(async () => expect((await ofAnna()).split(`draft${later}`)).toHaveLength(2))
})

test("an order over the person's limit at the hub is told to be so before it is sent, and by a dry run", async () => {
  const { firm, anna } = await office()
  await firm.database.pool.query("UPDATE hub_person SET order_usd = 2000 WHERE name = 'anna'")
  await eventually(async () => expect(json(await anna.run('firm me --json'))).toMatchObject({ orderUsd: '2000' }))
  const line = 'order place buy 0.05 BTC-USD --limit 59000'
  const dry = await anna.run(`${line} --dry-run`)
  const over = 'notional 2,950.00 USD is over your limit at the hub: 2,000.00 USD an order'
  expect([...dry.stdout, ...dry.stderr].join('\n')).toContain(over)
  expect(dry.stderr).toContainEqual(expect.stringContaining("limits of the firm and of a day are the hub's"))
  expect(failing(await anna.run(`${line} --yes`))).toMatchObject({ code: 3, said: expect.stringContaining(over) })
})

test('a dry run says what the hub would refuse whatever it is: a halt, or a role that does not trade', async () => {
  const { anna, machine, to } = await office({ kind: 'never' })
  const [otto, vera] = [await machine('otto', 'admin'), await machine('vera', 'viewer')]
  const lines = [
    'order place buy 0.05 BTC-USD --limit 59000 --dry-run --json',
    `withdraw btc 0.05 --to ${to} --dry-run --json`,
    'plan add scale buy 0.1 btc 58000 to 59000 in 2 --dry-run --json',
  ]
  for (const line of lines) {
    expect(await anna.run(line)).toMatchObject({ code: 0 })
    expect(failing(await vera.run(line))).toMatchObject({
      ...{ code: 3, said: expect.stringContaining('it would not be sent: the role viewer may not trade') },
    })
  }
  expect(await otto.run('firm halt drill')).toMatchObject({ code: 0 })
  await eventually(async () => expect(json(await anna.run('firm me --json'))).toMatchObject({ halted: 'drill' }))
  for (const line of lines) {
    const ran = await anna.run(line)
    expect(failing(ran)).toMatchObject({ code: 3, said: expect.stringContaining('the hub is halted (drill)') })
    expect(json(ran)).toMatchObject({ error: { kind: 'notSent' }, request: {}, checks: expect.any(Array) })
  }
})

test('a no whose answer is lost is looked for; where nobody answers any more it ends with 6', async () => {
  const { anna, machine, to, hub } = await office()
  const vic = await machine('vic', 'approver')
  const draft = async () => json(await anna.run(`withdraw btc 0.05 --to ${to} --draft --approval --json`)).draftId
  const [found, unknown] = [await draft(), await draft()]
  const state = { goes: false, isGone: false }
  await between(vic, hub, async ({ method, deliver }) => {
    if (state.isGone) return null
    const answer = await deliver()
    state.isGone = state.goes && method === 'POST'
    return method === 'POST' ? null : answer
  })
  expect((await vic.runThrough(`withdraw --reject ${found} --reason late --yes`)).code).toBe(0)
  state.goes = true
  expect((await vic.runThrough(`withdraw --reject ${unknown} --reason late --yes`)).code).toBe(6)
  const listed = json(await anna.run('withdrawals --drafts --json'))
  expect(listed.map(({ reason }: { reason: string }) => reason)).toEqual(Array(2).fill('rejected by vic: late'))
})

test('a hub that does not answer, or refuses the token, ends each command on its drafts as it ends every other one', async () => {
  const { anna, machine, to, hub } = await office()
  const vic = await machine('vic', 'approver')
  const { draftId } = json(await anna.run(`withdraw btc 0.05 --to ${to} --draft --approval --json`))
  const refusal = { status: 401, text: '{"error":"the token is not known to this hub"}' }
  for (const [answer, code] of [
    [null, 5],
    [refusal, 4],
  ] as const) {
    for (const person of [anna, vic]) await between(person, hub, () => Promise.resolve(answer))
    const lines = ['--approve', '--reject --reason late', '--drop', '--send'].map((act) => {
      const [flag = '', ...more] = act.split(' ')
      return ['withdraw', flag, draftId, ...more, ...(flag === '--drop' ? [] : ['--yes'])].join(' ')
    })
    for (const line of [...lines, `withdraw btc 0.05 --to ${to} --key rent-1 --yes --accept fee`]) {
      const ran = failing(await (/approve|reject/.test(line) ? vic : anna).runThrough(line))
      expect({ line, code: ran.code }).toEqual({ line, code })
      expect(ran.said).toContain('Nothing was sent.')
    }
  }
})

test('of two answers of a hub that contradict each other none is told as the outcome of a withdrawal', async () => {
  const { anna, to, hub, firm } = await office({ kind: 'never' })
  const invented = { withdrawalId: '999', amount: '0.05', currency: 'BTC', beneficiary: to, state: 'PENDING' }
  await between(anna, hub, async ({ method, path, deliver }) =>
    method === 'POST' && path.endsWith('/send')
      ? { status: 200, text: JSON.stringify({ ...invented, timestamp: systemClock.wallMs() }) }
      : await deliver(),
  )
  const unsent = failing(await anna.runThrough(`withdraw btc 0.05 --to ${to} --key rent-1 --yes --accept fee`))
  expect(unsent.code).toBe(6)
  expect(unsent.said).toContain('money may be on its way')
  expect(await sentAt(firm)).toBe(0)
})

test('a withdrawal that a hub says it sent, and the exchange has not, is not told as sent', async () => {
  const { anna, to, hub } = await office({ kind: 'never' })
  const line = `withdraw btc 0.05 --to ${to} --key rent-1 --yes --accept fee --json`
  const { withdrawalId } = json(await anna.run(line))
  const other = onAnotherMachine(anna)
  // A list of drafts from before the exchange was set up anew, or of another hub.
  await between(other, hub, async ({ path, deliver }) => {
    const answer = await deliver()
    return path.endsWith('/hub/drafts')
      ? { ...answer, text: answer.text.replaceAll(`"${withdrawalId}"`, '"999"') }
      : answer
  })
  for (const machine of [other, other]) {
    const told = await machine.runThrough(line)
    expect(failing(told).said).toContain('answered as accepted as 999, and the exchange does not have it')
    expect(told.code).toBe(6)
  }
  expect(json(await anna.run(line))).toMatchObject({ withdrawalId })
})
