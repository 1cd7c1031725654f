import { beforeEach, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { WhitelistEntry } from '../../../src/domain/transfers/transfer.ts'
import {
  type Answer,
  type Asked,
  changed,
  type RewritingProxy,
  startRewritingProxy,
} from '../../fakes/rewriting-proxy.ts'
import { type Exchange, openExchange, openShell, quotes, type Ran, type Shell, told } from '../harness.ts'

// Something between `pitdesk withdraw` and its exchange that says one thing while another one is so.

let exchange: Exchange
let proxy: RewritingProxy
let shell: Shell
let entry: WhitelistEntry

beforeEach(async () => {
  exchange = await openExchange()
  proxy = await startRewritingProxy(exchange.environment().PITDESK_EXCHANGE_BASE_URL ?? '')
  shell = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
  entry = await exchange.bitcoinEntry()
})

const isSending = ({ method, path }: Asked) => method === 'POST' && path.startsWith('/withdrawals')
const isList = ({ method, path }: Asked) => method === 'GET' && /^\/withdrawals(\?|$)/.test(path)
const isById = ({ method, path }: Asked) => method === 'GET' && /^\/withdrawals\/./.test(path)
const asItCame = (_asked: Asked, answer: Answer): Answer => answer
const line = (key: string, more = '', amount = '0.0031') =>
  `withdraw btc ${amount} --to ${entry.whitelistId} --yes --accept fee${more} --key ${key} --json`
const printed = ({ stdout }: Ran) => JSON.parse(stdout[0] ?? '')
const ids = async () => (await exchange.withdrawn()).map(({ withdrawalId }) => withdrawalId)

/** Says no to every withdrawal, which goes through all the same, and lists none. */
const lies =
  (no: (answer: Answer) => Answer) =>
  (asked: Asked, answer: Answer): Answer => {
    if (isSending(asked)) return no(answer)
    return isList(asked) ? { status: 200, body: '[]' } : answer
  }

const rejected = (answer: Answer) => changed(answer, (made: object) => ({ ...made, state: 'REJECTED' }))

test('a withdrawal answered as REJECTED that the list does not have is asked for by the id of the answer', async () => {
  proxy.rewrite = lies(rejected)
  const ran = await shell.run(line('r1'))
  const [id] = await ids()
  expect([ran.code, printed(ran)]).toMatchObject([0, { withdrawalId: id, state: 'PENDING' }])
  proxy.rewrite = (asked, answer) => (isById(asked) ? { status: 404, body: '' } : lies(rejected)(asked, answer))
  expect(told(await shell.runThrough(line('r2', ',repeat', '0.0032')))).toMatchObject({
    ...{ code: 6, kind: 'unknown', message: expect.stringMatching(/rejected it as w-\d+, which is not there/) },
  })
  proxy.rewrite = (asked, answer) =>
    isSending(asked) || isById(asked) ? rejected(answer) : lies(rejected)(asked, answer)
  expect(told(await shell.runThrough(line('r3', ',repeat', '0.0033')))).toMatchObject({ code: 4 })
})

test.each([
  ['a 400', () => ({ status: 400, body: '{"error":"no"}' })],
  [
    'REJECTED without an id',
    (answer: Answer) => changed(answer, (made: object) => ({ ...made, state: 'REJECTED', withdrawalId: undefined })),
  ],
] as const)(
  'a withdrawal answered by %s while the list is behind is not sent twice, and its repeat finds it',
  async (_what, no) => {
    proxy.rewrite = lies(no)
    const refused = told(await shell.run(line('a1')))
    expect(refused).toMatchObject({ code: 4, message: expect.stringContaining('Nothing left the account.') })
    expect(proxy.asked.filter(isList).length).toBeGreaterThan(3)
    expect(told(await shell.run(line('a2')))).toMatchObject({
      code: 3,
      message: expect.stringMatching(/the same 0\.0031 BTC to .* was rejected \d+ s ago and may be listed later/),
      todo: 'To accept that, add --accept fee,repeat.',
    })
    expect(await ids()).toHaveLength(1)
    proxy.rewrite = asItCame
    await exchange.clock.advance(60_000)
    const [id] = await ids()
    const again = await shell.run(line('a1'))
    expect([again.code, printed(again)]).toMatchObject([0, { withdrawalId: id }])
    expect(again.stderr.join('\n')).toMatch(new RegExp(`was answered as rejected, but ${id} is .*Do not resubmit`))
    expect((await shell.run(line('a1'))).code).toBe(0)
    expect(told(await shell.run(line('a2')))).toMatchObject({ code: 3, message: expect.stringContaining('went to') })
    expect(await ids()).toHaveLength(1)
    expect(JSON.parse((await shell.run('withdrawals --drafts --json')).stdout.join(''))).toEqual(
      expect.arrayContaining([expect.objectContaining({ key: 'a1', state: 'sent', withdrawalId: id })]),
    )
  },
)

test.each([
  ['403', () => ({ status: 403, body: '{"error":"the key may only read"}' }), 'the key may only read'],
  ['429', () => ({ status: 429, body: '{"error":"slow down"}' }), 'slow down'],
  ['REJECTED', rejected, 'the exchange rejected it'],
] as const)(
  'a withdrawal answered by %s and listed at once ends with 0, and stderr has the answer',
  async (_, no, why) => {
    proxy.rewrite = (asked, answer) => (isSending(asked) ? no(answer) : answer)
    const ran = await shell.run(line('r1'))
    const [id] = await ids()
    expect([ran.code, printed(ran)]).toMatchObject([0, { withdrawalId: id, state: 'PENDING' }])
    expect(ran.stderr).toEqual([
      expect.stringContaining('the fee for BTC is unknown'),
      expect.stringMatching(
        new RegExp(
          `^Withdrawal of 0\\.0031 BTC to .* was answered as rejected \\(.*${why}.*\\), but ${id} is PENDING: ` +
            'it counts as sent\\. Do not resubmit\\.$',
        ),
      ),
    ])
    expect(await ids()).toHaveLength(1)
  },
)

test('a withdrawal without an answer that the list has as REJECTED is told as rejected, now and when asked for again', async () => {
  proxy.rewrite = async (asked, answer) => {
    if (!isSending(asked)) return answer
    await exchange.admin('/withdrawal/reject', { withdrawalId: JSON.parse(answer.body).withdrawalId })
    return { status: 503, body: '' }
  }
  const rejection = {
    code: 4,
    kind: 'rejected',
    message: expect.stringMatching(/REJECTED.*Nothing left the account\.$/),
  }
  expect(told(await shell.runThrough(line('n1')))).toMatchObject(rejection)
  expect(told(await shell.run(line('n1')))).toMatchObject(rejection)
  expect(proxy.asked.filter(isSending)).toHaveLength(1)
})

test('a list that is behind by some seconds is waited for: what was refused and is there ends with 0', async () => {
  let behindToMs = 0
  proxy.rewrite = (asked, answer) => {
    if (isSending(asked)) {
      behindToMs = exchange.clock.now() + 3_000
      return { status: 400, body: '{"error":"no"}' }
    }
    return isList(asked) && exchange.clock.now() < behindToMs ? { status: 200, body: '[]' } : answer
  }
  const ran = await shell.run(line('a1'))
  const [id] = await ids()
  expect([ran.code, printed(ran)]).toMatchObject([0, { withdrawalId: id }])
  expect(ran.stderr.join('\n')).toContain('was answered as rejected, but')
})

test('of two refused ones of the same terms each is found as one of its own', async () => {
  proxy.rewrite = lies(() => ({ status: 400, body: '{"error":"no"}' }))
  expect((await shell.run(line('a1'))).code).toBe(4)
  expect((await shell.run(line('a2', ',repeat'))).code).toBe(4)
  proxy.rewrite = asItCame
  await exchange.clock.advance(60_000)
  const named = [printed(await shell.run(line('a2'))), printed(await shell.run(line('a1')))]
  const both = await ids()
  expect(both).toHaveLength(2)
  expect(new Set(named.map(({ withdrawalId }) => withdrawalId))).toEqual(new Set(both))
})

test('a genuine refusal keeps its words, for good, and another amount goes at once', async () => {
  const over = (await shell.run(line('a1', '', '0.0031'))).code
  expect(over).toBe(0)
  await exchange.admin('/2fa/off', { account: 'trader' })
  const refused = told(await shell.run(line('a2', '', '0.0032')))
  expect(refused).toMatchObject({ code: 4, message: expect.stringContaining('Nothing left the account.') })
  await exchange.admin('/2fa/on', { account: 'trader' })
  expect((await shell.run(line('a3', '', '0.0033'))).code).toBe(0)
  expect(told(await shell.run(line('a2', '', '0.0032')))).toEqual(refused)
  expect(told(await shell.run(line('a4', '', '0.0032')))).toMatchObject({ code: 3 })
  expect((await shell.run(line('a4', ',repeat', '0.0032'))).code).toBe(0)
  await exchange.clock.advance(11 * 60_000)
  expect(told(await shell.run(line('a2', '', '0.0032')))).toEqual(refused)
})

test('a refusal that nobody can look at again is not told of as such', async () => {
  await exchange.admin('/2fa/off', { account: 'trader' })
  expect((await shell.run(line('a1'))).code).toBe(4)
  proxy.rewrite = (asked, answer) => (isList(asked) ? { status: 500, body: '' } : answer)
  expect((await shell.run(line('a1'))).code).toBe(5)
})

test.each([
  ['without an id', (made: object) => ({ ...made, withdrawalId: undefined })],
  ['with an id that is nowhere', (made: object) => ({ ...made, withdrawalId: 'w-999' })],
])('an acceptance %s of what nobody has seen ends with 6, and so does its repeat', async (_what, change) => {
  let isAsked = false
  proxy.rewrite = (asked, answer) => {
    if (isSending(asked)) {
      isAsked = true
      return changed(answer, change as never)
    }
    if (isList(asked) && isAsked) return { status: 200, body: '[]' }
    return answer
  }
  const first = told(await shell.run(line('f1')))
  expect(first).toMatchObject({ code: 6, kind: 'unknown', message: expect.stringContaining('which is not there') })
  expect((await shell.run(line('f1'))).code).toBe(6)
  expect(told(await shell.run(line('f2')))).toMatchObject({ code: 3 })
})

test('one that arrived twice ends with 6 and names both', async () => {
  proxy.rewrite = async (asked, answer, again) => (isSending(asked) ? await again() : answer)
  const ran = await shell.run(line('t1'))
  const both = await ids()
  expect(both).toHaveLength(2)
  for (const id of both) expect(told(ran)).toMatchObject({ code: 6, message: expect.stringContaining(String(id)) })
})

test('one that could not be looked at is told as answered, with a warning, and its repeat says when it is not there', async () => {
  let isAsked = false
  proxy.rewrite = (asked, answer) => {
    if (isSending(asked)) isAsked = true
    return isAsked && (isList(asked) || isById(asked)) ? { status: 500, body: '' } : answer
  }
  const ran = await shell.run(line('n1'))
  expect(ran.code).toBe(0)
  expect(ran.stderr.join('\n')).toMatch(/is shown as answered: it could not be looked at \(.*\)\. Check it before/)
  proxy.rewrite = asItCame
  expect((await shell.run(line('n1'))).code).toBe(0)
  proxy.rewrite = (asked, answer) => {
    if (isById(asked)) return { status: 404, body: '' }
    return isList(asked) ? { status: 200, body: '[]' } : answer
  }
  expect(told(await shell.run(line('n1')))).toMatchObject({
    code: 6,
    message: expect.stringContaining('and the exchange does not have it'),
  })
})

test.each([
  ['its id with a sign that nobody sees', (id: string) => `${id}\u200b`, 'has characters that cannot be seen'],
  ['its very id', (id: string) => id, 'comes twice: nothing tells to whom a withdrawal would go'],
])('an entry of another name under %s takes nobody’s money', async (_, idOf, reason) => {
  proxy.rewrite = ({ path }, answer) =>
    path.startsWith('/whitelist')
      ? changed(answer, (list: object) => [
          { whitelistId: idOf(entry.whitelistId), name: 'stranger', currency: 'BTC' },
          ...Object.values(list),
        ])
      : answer
  const ran = await shell.run('withdraw btc 0.0031 --to stranger --yes --accept fee --json')
  expect(told(ran)).toMatchObject({ code: 3, kind: 'notSent', message: expect.stringContaining(reason) })
  expect(await ids()).toEqual([])
})

test('a draft is not sent while a withdrawal of the days since cannot be read: it may be that one', async () => {
  const kept = await shell.run(`withdraw btc 0.0031 --to ${entry.whitelistId} --draft --json`)
  const { draftId } = printed(kept)
  await exchange.client('trader').createWithdrawal({
    ...{ currency: 'BTC', beneficiary: entry.whitelistId, amount: new Decimal('0.0031') },
  })
  await exchange.clock.advance(25 * 3_600_000)
  await quotes(exchange)
  proxy.rewrite = (asked, answer) =>
    isList(asked)
      ? changed(answer, (list: object) => Object.values(list).map((each) => ({ ...each, state: 'ODD' })))
      : answer
  const send = `withdraw --send ${draftId} --yes --accept fee --json`
  expect(told(await shell.run(send))).toMatchObject({
    ...{ code: 3, todo: 'If it is another one, make a new draft.' },
    message: 'not sent: a withdrawal listed is unreadable, and may be this one. Nothing left the account.',
  })
  expect(await ids()).toHaveLength(1)
})
