import { randomBytes } from 'node:crypto'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeToken } from '../../../src/base/token-signature.ts'
import { freePort } from '../../fakes/free-port.ts'
import {
  type Exchange,
  failureIn,
  notPlacedByPerson,
  openExchange,
  openShell,
  quotes,
  type Shell,
  told,
} from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

/** Prepares a draft by the name of its beneficiary; its id. */
async function prepare(amount = '0.01', flags = ''): Promise<string> {
  const { name } = await exchange.bitcoinEntry()
  const { code, stdout } = await shell.run(`withdraw btc ${amount} --to "${name.toUpperCase()}" --draft ${flags}`)
  expect(code).toBe(0)
  return JSON.parse(stdout[0] ?? '').draftId
}

const states = async (): Promise<string[]> =>
  JSON.parse((await shell.run('withdrawals --drafts --json')).stdout[0] ?? '').map(
    ({ draftId, state }: { draftId: string; state: string }) => `${draftId} ${state}`,
  )

test('a draft is kept without a question, listed, and sent once by its id', async () => {
  const entry = await exchange.bitcoinEntry()
  const draftId = await prepare('0.01', '--note "for the office"')
  expect(await exchange.withdrawn()).toHaveLength(0)
  const { stdout } = await shell.run('withdrawals --drafts')
  expect(JSON.parse(stdout[0] ?? '')).toEqual([
    {
      draftId,
      currency: 'BTC',
      amount: '0.01',
      beneficiary: entry.whitelistId,
      name: entry.name,
      state: 'draft',
      approval: 'none',
      note: 'for the office',
      timestamp: expect.any(Number),
    },
  ])
  const slip = await shell.run(`withdraw --send ${draftId}`, { isTerminal: true, typed: '0.1\n' })
  expect(slip.code).toBe(3)
  expect(slip.stderr.join('\n')).toContain(`Withdraw 0.01 BTC to ${entry.name} (${entry.whitelistId}) on LIVE`)
  expect(await exchange.withdrawn()).toHaveLength(0)
  const gone = await shell.run(`withdraw --send ${draftId}`, { isTerminal: true, typed: '0.010\n' })
  expect({ code: gone.code, line: gone.stdout[0] }).toEqual({ code: 0, line: expect.stringMatching(/ is PENDING\.$/) })
  const [withdrawal] = await exchange.withdrawn()
  expect(withdrawal).toMatchObject({ beneficiary: entry.whitelistId, currency: 'BTC', state: 'PENDING' })
  expect(shell.journalText()).toContain(draftId)
  const again = await shell.run(`withdraw --send ${draftId} --yes`)
  expect({ code: again.code, answer: JSON.parse(again.stdout[0] ?? '') }).toMatchObject({
    ...{ code: 0, answer: { withdrawalId: withdrawal?.withdrawalId, amount: '0.01' } },
  })
  expect(again.stderr).toEqual([expect.stringMatching(/^Draft \w+ was sent before, at .* UTC: not sent again\.$/)])
  expect(await exchange.withdrawn()).toHaveLength(1)
  expect(await states()).toEqual([`${draftId} sent`])
})

test('on a terminal drafts are a table, and what to do next is said', async () => {
  const { name } = await exchange.bitcoinEntry()
  const kept = await shell.run(`withdraw BTC --max --to "${name}" --draft`, { isTerminal: true })
  expect(kept.stdout[0]).toMatch(
    /^Saved as draft (\S+): Withdraw all available BTC less the fee to .*\. Nothing left the account\. Next: pitdesk withdraw --send \1$/,
  )
  const { stdout } = await shell.run('withdrawals --drafts', { isTerminal: true })
  expect(stdout[0]).toMatch(/DRAFT +AMOUNT +CURRENCY +TO/)
  expect(stdout[1]).toMatch(/ max +BTC /)
  const csv = await shell.run('withdrawals --drafts --csv')
  expect(csv.stdout[0]).toBe(
    'timestamp,draftId,amount,currency,name,beneficiary,state,approval,withdrawalId,note,madeBy,approvedBy,reason,timestampUtc',
  )
  expect(csv.stdout[1]).toContain(',max,BTC,')
})

test('a draft that was given up is not sent', async () => {
  const draftId = await prepare()
  expect((await shell.run(`withdraw --drop ${draftId}`)).code).toBe(0)
  const { code, stderr } = await shell.run(`withdraw --send ${draftId} --yes`)
  expect(code).toBe(3)
  expect(stderr.at(-1)).toContain(`draft ${draftId} was dropped. Nothing left the account. Make a new one.`)
  expect(await exchange.withdrawn()).toHaveLength(0)
})

test('--accept goes with what is sent: beside another act on a draft it is refused, and the draft stays', async () => {
  const draftId = await prepare()
  for (const act of ['--drop', '--approve', '--reject']) {
    const reason = act === '--reject' ? '--reason "not ours"' : ''
    const ran = await shell.run(`withdraw ${act} ${draftId} ${reason} --accept repeat --json`)
    expect([ran.code, failureIn(ran).message]).toEqual([
      2,
      `${act} takes the id of a draft and nothing else: a draft cannot be changed here`,
    ])
  }
  expect(await states()).toEqual([`${draftId} draft`])
})

test('a second person approves by a passphrase of their own before such a draft goes', async () => {
  const own = { 'New passphrase': 'first horse\r', 'once more:': 'first horse\r' }
  expect((await shell.run('lock setup', { isTerminal: true, answers: own })).code).toBe(0)
  const other = { 'Unlock it': 'first horse\r', 'New passphrase': 'second horse\r', 'once more:': 'second horse\r' }
  expect((await shell.run('lock approver setup Ada', { isTerminal: true, answers: other })).code).toBe(0)
  const draftId = await prepare('0.01', '--approval')
  const early = await shell.run(`withdraw --send ${draftId} --yes`)
  expect(early.code).toBe(3)
  expect(early.stderr.at(-1)).toContain('the approver has to approve it')
  expect((await shell.run(`withdraw --approve ${draftId}`)).stderr.at(-1)).toContain('typed in a terminal')
  const wrong = await shell.run(`withdraw --approve ${draftId}`, {
    isTerminal: true,
    answers: { 'your passphrase': 'another horse\r' },
  })
  expect({ code: wrong.code, said: wrong.stderr.at(-1) }).toEqual({
    code: 3,
    said: expect.stringContaining('not approved'),
  })
  const approved = await shell.run(`withdraw --approve ${draftId}`, {
    isTerminal: true,
    answers: { 'your passphrase': 'second horse\r' },
  })
  expect({ code: approved.code, line: approved.stdout[0] }).toEqual({
    code: 0,
    line: expect.stringMatching(/^Approved by Ada: Withdraw 0\.01 BTC/),
  })
  const opening = { 'Desk lock': 'first horse\r', 'the amount once more': '0.01\n' }
  const gone = await shell.run(`withdraw --send ${draftId}`, { isTerminal: true, answers: opening })
  expect({ code: gone.code, said: gone.stdout[0] }).toEqual({ code: 0, said: expect.stringContaining('PENDING') })
  expect(await exchange.withdrawn()).toHaveLength(1)
})

test('a draft whose answer was lost is never sent again, and ends as the exchange reports it', async () => {
  const draftId = await prepare()
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when: 'after' })
  const lost = await shell.runThrough(`withdraw --send ${draftId} --yes --accept fee`)
  expect(lost.stderr.join('\n')).toContain('May be on its way: no answer for the withdrawal of ')
  await exchange.admin('/fault/off', {})
  expect(await exchange.withdrawn()).toHaveLength(1)
  const again = await shell.runThrough(`withdraw --send ${draftId} --yes`)
  expect({ code: again.code, amount: JSON.parse(again.stdout[0] ?? '').amount }).toEqual({ code: 0, amount: '0.01' })
  expect(await exchange.withdrawn()).toHaveLength(1)
  expect(await states()).toEqual([`${draftId} sent`])
})

test('one whose outcome a person has settled as not sent says what to make anew: a draft, or a key', async () => {
  const { whitelistId } = await exchange.bitcoinEntry()
  const draftId = await prepare()
  for (const [words, todo] of [
    [`--send ${draftId}`, 'To send it again, make a new draft.'],
    [`BTC 0.02 --to ${whitelistId} --key k1`, 'To send it again, use a new key: this one is used up.'],
  ] as const) {
    const line = `withdraw ${words} --yes --accept fee`
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when: 'before' })
    expect((await shell.runThrough(line)).code).toBe(6)
    await exchange.admin('/fault/off', {})
    await notPlacedByPerson(shell, exchange)
    const message = 'it was resolved as not sent. Nothing left the account.'
    expect(told(await shell.run(line))).toEqual({ code: 3, kind: 'notSent', message, todo })
  }
})

test('who waits in vain for another command that sends money says that it sent nothing more', async () => {
  const [first, second] = [await prepare('0.01'), await prepare('0.02')]
  await exchange.admin('/fault/stall', { rate: 1, path: 'POST /withdrawals', when: 'after' })
  const waiting = shell.start(`withdraw --send ${second}`, { isTerminal: true })
  await waiting.until(() => waiting.ran.stderr.join('').includes('the amount once more'))
  const sending = shell.start(`withdraw --send ${first} --yes --accept fee`)
  await sending.until(() => shell.journalText().includes(first))
  waiting.type('0.02\n')
  await waiting.until(() => waiting.ran.code !== -1)
  // Something has left the account in this moment, but nothing of this command.
  expect({ code: waiting.ran.code, said: waiting.ran.stderr.at(-1) }).toEqual({
    code: 3,
    said: expect.stringMatching(/not sent: .* is sending a withdrawal: try again\. Nothing more was sent\.$/),
  })
  await sending.until(() => sending.ran.code !== -1)
  expect(await exchange.withdrawn()).toHaveLength(1)
  expect(await states()).toContain(`${second} draft`)
})

test.each(['0.01', 'no'])(
  'a draft that another command sent while a question was open is told as what it came to, answered %s',
  async (typed) => {
    const draftId = await prepare()
    const asking = shell.start(`withdraw --send ${draftId}`, { isTerminal: true })
    await asking.until(() => asking.ran.stderr.join('').includes('the amount once more'))
    expect((await shell.run(`withdraw --send ${draftId} --yes --accept fee`)).code).toBe(0)
    asking.type(`${typed}\n`)
    await asking.until(() => asking.ran.code !== -1)
    expect(asking.ran.stderr.at(-1)).toMatch(/^Draft \w+ was sent before, at .* UTC: not sent again\.$/)
    expect(asking.ran).toMatchObject({ code: 0, stdout: [expect.stringMatching(/^Withdrawal w-\d+ is PENDING\.$/)] })
    expect(await exchange.withdrawn()).toHaveLength(1)
  },
)

test('a draft that a desk has changed while a question was open is not sent: nobody agreed to what it is now', async () => {
  const draftId = await prepare()
  const asking = shell.start(`withdraw --send ${draftId}`, { isTerminal: true })
  await asking.until(() => asking.ran.stderr.join('').includes('the amount once more'))
  const [path = ''] = globSync(join(shell.home, '.local/**/drafts.json'))
  writeFileSync(path, readFileSync(path, 'utf8').replace('"0.01"', '"0.02"'))
  asking.type('0.01\n')
  await asking.until(() => asking.ran.code !== -1)
  expect({ code: asking.ran.code, said: asking.ran.stderr.at(-1) }).toEqual({
    code: 3,
    said: expect.stringContaining('not sent: the draft was changed meanwhile: review it again'),
  })
  expect(await exchange.withdrawn()).toHaveLength(0)
  expect(await states()).toEqual([`${draftId} draft`])
})

test.each([
  ['withdraw --send abc --draft --yes', 2, 'and nothing else'],
  ['withdraw BTC 1 --send abc --yes', 2, 'and nothing else'],
  ['withdraw --send abc --drop abc --yes', 2, 'and nothing else'],
  ['withdraw --send abc', 2, 'add --yes'],
  ['withdraw --send abc --yes', 3, 'unknown draft abc'],
  ['withdrawals w-1 --drafts', 2, 'neither an id nor times'],
])('%s is refused', async (line, code, reason) => {
  const ran = await shell.run(line)
  expect({ code: ran.code, said: ran.stderr.at(-1) }).toEqual({ code, said: expect.stringContaining(reason) })
  expect(await exchange.withdrawn()).toHaveLength(0)
})

describe('where the records were put back from a backup', () => {
  const folder = () => join(shell.home, '.local')
  const backUp = () => cpSync(folder(), join(shell.home, 'backup'), { recursive: true })
  /** Later than what looks alike by its time alone. */
  const putBack = async () => {
    rmSync(folder(), { recursive: true })
    cpSync(join(shell.home, 'backup'), folder(), { recursive: true })
    await exchange.clock.advance(1_800_000)
    await quotes(exchange)
  }

  test('a draft that was sent since then is not sent again; a new one is', async () => {
    const draftId = await prepare()
    backUp()
    expect((await shell.run(`withdraw --send ${draftId} --yes --accept fee`)).code).toBe(0)
    await putBack()
    const again = await shell.run(`withdraw --send ${draftId} --yes --accept fee,repeat`)
    expect([again.code, failureIn(again)]).toMatchObject([
      3,
      {
        message: expect.stringMatching(
          /^not sent: withdrawal \S+ of the same 0\.01 BTC to \S+, at 20\S+ \S+ UTC, is not in the journal here, and may be this one\. Nothing left the account\.$/,
        ),
        todo: 'If it is another one, make a new draft.',
      },
    ])
    expect(await exchange.withdrawn()).toHaveLength(1)
    const next = await prepare()
    expect((await shell.run(`withdraw --send ${next} --yes --accept fee,repeat`)).code).toBe(0)
    expect(await exchange.withdrawn()).toHaveLength(2)
  })

  test('a key that was used since then is not used again; without it the same goes', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    const pay = (amount: string, more: string) =>
      shell.run(`withdraw BTC ${amount} --to ${whitelistId} --yes --accept fee,repeat ${more}`)
    expect((await pay('0.02', '--key first')).code).toBe(0)
    backUp()
    expect((await pay('0.01', '--key payout-7')).code).toBe(0)
    await putBack()
    for (const more of ['', ' --dry-run']) {
      const again = await pay('0.01', `--key payout-7${more}`)
      expect([again.code, failureIn(again)]).toMatchObject([
        3,
        { message: expect.stringContaining('may be this one'), todo: expect.stringContaining('without --key') },
      ])
    }
    // What the journal has is no riddle, whatever the key.
    expect((await pay('0.02', '--key second')).code).toBe(0)
    expect((await pay('0.01', '')).code).toBe(0)
    expect(await exchange.withdrawn()).toHaveLength(4)
  })

  test('a key that was used since then is not used again hours later either, whatever was written meanwhile', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    const pay = (amount: string, more: string) =>
      shell.run(`withdraw BTC ${amount} --to ${whitelistId} --yes --accept fee,repeat ${more}`)
    expect((await pay('0.02', '--key first')).code).toBe(0)
    backUp()
    expect((await pay('0.01', '--key payout-7')).code).toBe(0)
    await putBack()
    await exchange.clock.advance(2 * 3_600_000)
    await quotes(exchange)
    expect((await pay('0.03', '')).code).toBe(0)
    expect((await pay('0.01', '--key payout-7')).code).toBe(3)
    expect(await exchange.withdrawn()).toHaveLength(3)
  })

  test('what was paid before there was a journal here is not taken for it', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    const line = `withdraw BTC 0.01 --to ${whitelistId} --yes --accept fee,repeat --key`
    expect((await shell.run(`${line} november`)).code).toBe(0)
    rmSync(folder(), { recursive: true })
    expect((await shell.run(`${line} november`)).code).toBe(3)
    await exchange.clock.advance(25 * 3_600_000)
    await quotes(exchange)
    expect((await shell.run(`${line} december`)).code).toBe(0)
  })
})

test('a memory of the whitelist that cannot be read is told of: for want of it every entry counts as new', async () => {
  const draftId = await prepare()
  expect((await shell.run(`withdraw --send ${draftId} --yes --accept fee`)).code).toBe(0)
  const path = shell.files().find((file) => file.path.endsWith('whitelist.json'))?.path ?? ''
  writeFileSync(path, '{"version": 99}')
  await shell.clock.advance(3_600_000)
  const { whitelistId } = await exchange.bitcoinEntry()
  const ran = await shell.run(`withdraw btc 0.02 --to ${whitelistId} --yes --accept fee,repeat`)
  expect([ran.code, failureIn(ran).message]).toEqual([3, expect.stringContaining('is new on the whitelist')])
  expect(ran.stderr).toContain(
    `${path} was written by a newer pitdesk. It is left alone, and its memory of the whitelist with it.`,
  )
})

test('where the drafts of a hub cannot be read, a withdrawal under a key says so in sentences', async () => {
  const token = makeToken(randomBytes)
  const nowhere = `http://127.0.0.1:${await freePort()}/v3`
  const shell = openShell({ PITDESK_EXCHANGE_BASE_URL: nowhere, PITDESK_API_TOKEN: token })
  const lines = [
    'BTC 0.1 --to cold --key payout-1',
    '--send d1',
    '--approve d1',
    '--reject d1 --reason late',
    '--drop d1',
  ]
  for (const line of lines)
    expect(told(await shell.runThrough(`withdraw ${line} --yes --json`)), line).toMatchObject({
      code: 5,
      kind: 'unreachable',
      message: 'The connection was refused. Nothing was sent.',
    })
})
