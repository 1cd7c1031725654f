import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Exchange,
  failureIn,
  limitOrder,
  openExchange,
  openShell,
  quotes,
  type Ran,
  type Shell,
  told,
} from '../harness.ts'

// What a script relies on: that it says what it accepts, that it may ask again, and that the exit code tells of the
// money.

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

const printed = (ran: Ran) => JSON.parse(ran.stdout[0] ?? '')

function configure(text: string): void {
  mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true })
  writeFileSync(join(shell.home, '.config', 'pitdesk', 'config.toml'), text)
}

describe('what is soft is accepted by name', () => {
  beforeEach(() => quotes(exchange))

  test('an order is not sent until every word is there, and the sentence says which is missing', async () => {
    configure(
      '[profiles.small]\nkind = "practice"\n[profiles.small.limits]\norder_notional_usd = { soft = 1000, hard = 4000 }\n',
    )
    const line = 'order place buy 0.05 BTC-USD --limit 59000 --profile small --yes'
    const bare = await shell.run(line)
    expect(told(bare)).toEqual({
      code: 3,
      kind: 'notSent',
      message: expect.stringMatching(/^not sent: .*soft limit 1,000\.00 USD.*Nothing was placed\.$/),
      todo: 'To accept that, add --accept soft-limit,unusual-size.',
    })
    expect(bare.stderr.slice(0, 2)).toEqual([
      expect.stringMatching(/^Warning: .*soft limit/),
      expect.stringMatching(/^Warning: .*over half of the hard limit/),
    ])
    const half = await shell.run(`${line} --accept unusual-size`)
    expect(told(half)).toMatchObject({ code: 3, todo: 'To accept that, add --accept unusual-size,soft-limit.' })
    expect(await exchange.working()).toHaveLength(0)
    expect((await shell.run(`${line} --accept unusual-size --accept soft-limit`)).code).toBe(0)
    expect(await exchange.working()).toHaveLength(1)
  })

  test.each([
    ['buy 0.05 BTC-USD --limit 59000 --tif IOC', 'partial-fill'],
    ['sell 0.05 BTC-USD --limit 59000 --tif FOK --min-quantity 5', null],
    ['buy 0.05 BTC-USD --stop 59000', 'stop-price'],
    ['sell 0.05 BTC-USD --stop 58000 --limit 58500', 'stop-price'],
  ])('%s needs %s', async (order, word) => {
    const ran = await shell.run(`order place ${order} --yes`)
    expect(ran.code).toBe(3)
    if (word === null) expect(failureIn(ran).todo).toBeUndefined()
    else expect(failureIn(ran).todo).toContain(word)
    expect(await exchange.working()).toHaveLength(0)
  })

  test('a dry run names the words that a script needs', async () => {
    const { code, stdout } = await shell.run('order place buy 0.05 BTC-USD --stop 59000 --dry-run')
    expect({ code, accept: JSON.parse(stdout[0] ?? '').accept }).toEqual({ code: 0, accept: ['stop-price'] })
  })

  test.each([
    ['order place buy 0.05 BTC-USD --limit 59000 --yes --accept soft-limt', 'did you mean "soft-limit"?'],
    ['order place buy 0.05 BTC-USD --limit 59000 --yes --accept everything', 'it takes soft-limit, unusual-size'],
    ['order place buy 0.05 BTC-USD --limit 59000 --yes --accept repeat', '--accept does not know "repeat"'],
    ['withdraw BTC 0.01 --to x --yes --accept repeet', 'did you mean "repeat"?'],
  ])('%s is wrong usage', async (line, reason) => {
    expect(told(await shell.run(line))).toMatchObject({
      code: 2,
      kind: 'usage',
      message: expect.stringContaining(reason),
    })
  })

  test('a withdrawal: an unknown fee, then the same again, then a new beneficiary', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    const line = `withdraw BTC 0.01 --to ${whitelistId} --yes`
    expect(told(await shell.run(line))).toMatchObject({ code: 3, todo: 'To accept that, add --accept fee.' })
    expect(await exchange.withdrawn()).toHaveLength(0)
    expect(printed(await shell.run(`${line} --accept fee`))).toMatchObject({ amount: '0.01', state: 'PENDING' })
    const again = await shell.run(`${line} --accept fee`)
    expect(told(again)).toMatchObject({
      code: 3,
      kind: 'notSent',
      message: expect.stringContaining('the same 0.01 BTC went to'),
      todo: 'To accept that, add --accept fee,repeat.',
    })
    expect(await exchange.withdrawn()).toHaveLength(1)
    await exchange.admin('/whitelist/add', { account: 'trader', currency: 'BTC', address: 'bc1qnew', name: 'new one' })
    const toNew = 'withdraw BTC 0.02 --to "new one" --yes'
    expect(told(await shell.run(toNew))).toMatchObject({ code: 3, todo: expect.stringContaining('new-beneficiary') })
    expect((await shell.run(`${toNew} --accept new-beneficiary`)).code).toBe(0)
    expect(await exchange.withdrawn()).toHaveLength(2)
  })
})

describe('an order under an id of the script', () => {
  beforeEach(() => quotes(exchange))
  const line = 'order place buy 0.05 BTC-USD --limit 59000 --client-order-id job17 --yes'

  test('is sent once; asking again says how it is by then', async () => {
    const first = await shell.run(line)
    expect({ code: first.code, order: printed(first) }).toMatchObject({
      code: 0,
      order: { clOrdId: 'job17', ordStatus: 'OPEN' },
    })
    await exchange.client('counterparty').cancelAllOrders(null)
    await exchange.client('counterparty').placeOrder(limitOrder('SELL', '1', '59000'))
    await exchange.clock.advance(3_600_000)
    const again = await shell.run(line)
    expect({ code: again.code, order: printed(again) }).toMatchObject({
      code: 0,
      order: { clOrdId: 'job17', ordStatus: 'FILLED' },
    })
    expect(again.stderr).toEqual(['Order job17 was sent before, at 2026-01-05 14:00:00 UTC: not sent again.'])
    expect(await exchange.working()).toHaveLength(0)
    const engine = await exchange.client('trader').fetchOrderPage({})
    expect(engine.orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['job17'])
  })

  test('is refused for another order, whatever the other terms', async () => {
    expect((await shell.run(line)).code).toBe(0)
    for (const other of [line.replace('0.05', '0.06'), line.replace('buy', 'sell'), `${line} --post-only`]) {
      expect(told(await shell.run(other))).toMatchObject({
        code: 3,
        kind: 'notSent',
        message: expect.stringMatching(
          /^not sent: client order id job17 was used for another order: BUY 0\.05\d* BTC-USD(?!.* as job17).* Nothing new was placed\.$/,
        ),
        clientOrderId: 'job17',
      })
    }
    expect(await exchange.working()).toHaveLength(1)
  })

  test('that was rejected stays so', async () => {
    await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'open' })
    const reject = 'order place sell 0.05 BTC-USD --limit 60000 --client-order-id once --yes'
    await exchange.admin('/fault/status', { rate: 1, path: 'POST /orders', status: 400 })
    const todo = 'To send it again, use a new id: this one is used up.'
    expect(told(await shell.runThrough(reject))).toMatchObject({
      code: 4,
      kind: 'rejected',
      clientOrderId: 'once',
      todo,
    })
    await exchange.admin('/fault/off', {})
    expect(told(await shell.run(reject))).toMatchObject({ code: 4, kind: 'rejected', clientOrderId: 'once', todo })
    expect(await exchange.working()).toHaveLength(0)
  })

  test('that met too many calls says so, and that it takes a new id', async () => {
    await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'open' })
    await exchange.admin('/fault/status', { rate: 1, path: 'POST /orders', status: 429 })
    const ran = await shell.runThrough('order place sell 0.05 BTC-USD --limit 60000 --client-order-id busy --yes')
    expect(told(ran)).toMatchObject({
      code: 5,
      kind: 'unreachable',
      message: expect.stringMatching(/^refused for too many calls: .*\(429\).* Nothing was placed\.$/),
      todo: 'To send it again, use a new id: this one is used up.',
    })
    // Asked again it is the same answer, with the same exit code.
    const again = await shell.runThrough('order place sell 0.05 BTC-USD --limit 60000 --client-order-id busy --yes')
    expect(told(again)).toEqual(told(ran))
    const other = told(await shell.runThrough('order place sell 0.04 BTC-USD --limit 60000 --yes'))
    expect([other.kind, other.todo]).toEqual(['unreachable', undefined])
    await exchange.admin('/fault/off', {})
    expect(await exchange.working()).toHaveLength(0)
  })

  test('that never left may be sent', async () => {
    const gone = openShell(
      { ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3' },
      exchange.clock,
    )
    const lost = gone.start(line)
    await lost.until(() => lost.ran.code !== -1)
    expect(told(lost.ran)).toMatchObject({
      code: 5,
      kind: 'unreachable',
      message: expect.stringContaining('Nothing was sent.'),
    })
    expect((await shell.run(line)).code).toBe(0)
    expect(await exchange.working()).toHaveLength(1)
  })

  test('whose answer was lost is found by the run that asks again', async () => {
    await exchange.admin('/fault/stall', { rate: 1, path: 'POST /orders', when: 'after' })
    const lost = shell.start(line)
    let isLive = false
    void (async () => {
      while ((await exchange.working()).length === 0);
      await exchange.admin('/fault/status', { rate: 1, path: 'GET *', status: 503 })
      isLive = true
    })()
    await lost.until(() => isLive && lost.ran.code !== -1)
    expect(told(lost.ran)).toMatchObject({ code: 6, kind: 'unknown', clientOrderId: 'job17' })
    await exchange.admin('/fault/off', {})
    const again = await shell.runThrough(line)
    expect({ code: again.code, order: printed(again) }).toMatchObject({
      code: 0,
      order: { clOrdId: 'job17', ordStatus: 'OPEN' },
    })
    expect(await exchange.working()).toHaveLength(1)
  })

  test('that nobody finds stays unknown, and is not sent again', async () => {
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
    expect(told(await shell.runThrough(line))).toMatchObject({ code: 6, kind: 'unknown' })
    await exchange.admin('/fault/off', {})
    expect(told(await shell.runThrough(line))).toMatchObject({ code: 6, kind: 'unknown', clientOrderId: 'job17' })
    expect(await exchange.working()).toHaveLength(0)
  })

  test('is told from the journal where the exchange does not say how it is now', async () => {
    expect((await shell.run(line)).code).toBe(0)
    const [order] = await exchange.working()
    await exchange.admin('/fault/status', { rate: 1, path: 'GET /orders/*', status: 503 })
    const again = await shell.runThrough(line)
    expect({ code: again.code, order: printed(again) }).toEqual({
      code: 0,
      order: {
        exOrdId: Number(order?.orderId),
        clOrdId: 'job17',
        ordType: 'LIMIT',
        orderQty: '0.05',
        ordStatus: 'OPEN',
        side: 'BUY',
        price: '59000',
        symbol: 'BTC-USD',
        timestamp: expect.any(Number),
      },
    })
  })

  test('that was used is not said to be sent by a dry run', async () => {
    const dry = (id: string, quantity = '0.05') =>
      shell.run(`order place buy ${quantity} BTC-USD --limit 59000 --client-order-id ${id} --dry-run`)
    expect((await dry('job17')).code).toBe(0)
    expect((await shell.run(line)).code).toBe(0)
    expect(told(await dry('job17'))).toEqual({
      ...{ code: 3, kind: 'notSent', clientOrderId: 'job17' },
      message: 'it would not be sent: order job17 was sent at 2026-01-05 14:00:00 UTC',
      todo: 'Without --dry-run its outcome is told.',
    })
    expect(told(await dry('job17', '0.06'))).toMatchObject({
      code: 3,
      message: expect.stringContaining('job17 was used for another order: BUY 0.0500 BTC-USD'),
    })
  })

  test.each(['a-b', '', 'x'.repeat(21), 'a b'])('%j is none', async (id) => {
    const ran = await shell.run(`order place buy 0.05 BTC-USD --limit 59000 --yes --client-order-id "${id}"`)
    expect(told(ran)).toMatchObject({ code: 2, kind: 'usage' })
  })
})

describe('a withdrawal under a key', () => {
  const line = async (amount = '0.01', more = '--accept fee') =>
    `withdraw BTC ${amount} --to ${(await exchange.bitcoinEntry()).whitelistId} --key payout-7 --yes ${more}`

  test('is sent once; asking again says how it is by then', async () => {
    const first = await shell.run(await line())
    expect({ code: first.code, withdrawal: printed(first) }).toMatchObject({
      code: 0,
      withdrawal: { state: 'PENDING' },
    })
    await exchange.admin('/withdrawal/complete', { account: 'trader', withdrawalId: printed(first).withdrawalId })
    const again = await shell.run(await line())
    expect({ code: again.code, withdrawal: printed(again) }).toMatchObject({
      code: 0,
      withdrawal: { withdrawalId: printed(first).withdrawalId, state: 'COMPLETED' },
    })
    expect(again.stderr).toEqual(['Key payout-7 was used before, at 2026-01-05 14:00:00 UTC: not sent again.'])
    expect(await exchange.withdrawn()).toHaveLength(1)
  })

  test('is refused for another amount', async () => {
    expect((await shell.run(await line())).code).toBe(0)
    expect(told(await shell.run(await line('0.02')))).toMatchObject({
      code: 3,
      kind: 'notSent',
      message: expect.stringContaining('key payout-7 was used for another withdrawal'),
    })
    expect(await exchange.withdrawn()).toHaveLength(1)
  })

  test('saves one draft, and is not sent beside it', async () => {
    const [one, two] = [await shell.run(await line('0.01', '--draft')), await shell.run(await line('0.01', '--draft'))]
    expect(printed(two)).toEqual(printed(one))
    expect(printed(one)).toMatchObject({ key: 'payout-7', state: 'draft' })
    const { draftId } = printed(one)
    expect(told(await shell.runThrough(await line()))).toMatchObject({
      code: 3,
      todo: `Send it with pitdesk withdraw --send ${draftId}.`,
    })
    expect(told(await shell.runThrough(await line('0.01', '--accept fee --dry-run')))).toMatchObject({
      code: 3,
      todo: `Send it with pitdesk withdraw --send ${draftId}.`,
    })
    expect((await shell.run(`withdraw --send ${draftId} --yes --accept fee`)).code).toBe(0)
    expect(printed(await shell.run(await line()))).toMatchObject({ amount: '0.01', state: 'PENDING' })
    expect(await exchange.withdrawn()).toHaveLength(1)
  })

  test('whose command ended right after its draft was saved is sent by the same command, once', async () => {
    const { draftId } = printed(await shell.run(await line('0.01', '--draft')))
    const file = shell.files().find(({ path, text }) => path.endsWith('.json') && text.includes(draftId))
    if (file === undefined) throw new Error('no file of drafts')
    writeFileSync(file.path, file.text.replace('"key":', '"atOnce":true,"key":'))
    await exchange.clock.advance(30_000)
    await quotes(exchange)
    const ran = await shell.run(await line('0.01'))
    expect(ran.stderr).toContain(`Key payout-7 names draft ${draftId}, whose command ended before it was sent.`)
    expect({ code: ran.code, withdrawal: printed(ran) }).toMatchObject({ code: 0, withdrawal: { state: 'PENDING' } })
    expect(printed(await shell.run(await line()))).toEqual(printed(ran))
    expect(await exchange.withdrawn()).toHaveLength(1)
  })

  test('that never left may be sent', async () => {
    await exchange.admin('/2fa/off', { account: 'trader' })
    const todo = 'To send it again, use a new key: this one is used up.'
    expect(told(await shell.run(await line()))).toMatchObject({ code: 4, kind: 'rejected', todo })
    await exchange.admin('/2fa/on', { account: 'trader' })
    // The exchange said no: under this key that stays the answer.
    expect(told(await shell.run(await line()))).toMatchObject({ code: 4, kind: 'rejected' })
    const gone = openShell(
      { ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3' },
      exchange.clock,
    )
    const lost = gone.start(await line('0.03'))
    await lost.until(() => lost.ran.code !== -1)
    expect(told(lost.ran)).toMatchObject({ code: 5, kind: 'unreachable' })
  })

  test('that another command sends right now is told of once that one has found it', async () => {
    await exchange.admin('/fault/stall', { rate: 1, path: 'POST /withdrawals', when: 'after' })
    const first = shell.start(await line())
    while ((await exchange.withdrawn()).length === 0);
    const second = shell.start(await line())
    await second.until(() => second.ran.stderr.some((said) => said.startsWith('Key payout-7 was used before')))
    await exchange.admin('/fault/status', { rate: 1, path: 'GET *', status: 503 })
    await first.until(() => first.ran.stderr.some((said) => said.includes('no answer for the withdrawal')))
    await exchange.clock.advance(2_000)
    await exchange.admin('/fault/off', {})
    await first.until(() => first.ran.code !== -1 && second.ran.code !== -1)
    expect([first.ran.code, second.ran.code, printed(second.ran)]).toEqual([0, 0, printed(first.ran)])
    expect(await exchange.withdrawn()).toHaveLength(1)
  })

  test('is never the API key', async () => {
    const token = exchange.token('trader')
    const ran = await shell.run(`withdraw BTC 0.01 --to x --key ${token} --yes`)
    expect(told(ran)).toMatchObject({ code: 2, kind: 'usage' })
    expect([...ran.stdout, ...ran.stderr].join()).not.toContain(token)
  })
})

describe('a withdrawal whose answer was lost', () => {
  test('is printed when it is found, exit code 0, and the same command does not send it again', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    const line = `withdraw BTC 0.01 --to ${whitelistId} --yes --accept fee`
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when: 'after' })
    const found = await shell.runThrough(line)
    const [sent] = await exchange.withdrawn()
    expect({ code: found.code, withdrawal: printed(found) }).toMatchObject({
      code: 0,
      withdrawal: { withdrawalId: sent?.withdrawalId, amount: '0.01', state: 'PENDING' },
    })
    expect(found.stderr.slice(1)).toEqual([
      expect.stringMatching(/^May be on its way: no answer for the withdrawal of .*\. Checking\. Do not resubmit\.$/),
      expect.stringMatching(/^Found: withdrawal /),
    ])
    await exchange.admin('/fault/off', {})
    expect(told(await shell.runThrough(line))).toMatchObject({
      code: 3,
      todo: 'To accept that, add --accept fee,repeat.',
    })
    expect(await exchange.withdrawn()).toHaveLength(1)
  })

  test('is told of before it is found, also while an earlier write is looked for', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    await quotes(exchange)
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
    await shell.runThrough('order place buy 0.05 BTC-USD --limit 59000 --yes')
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when: 'after' })
    const found = await shell.runThrough(`withdraw BTC 0.01 --to ${whitelistId} --yes --accept fee`)
    expect(found.code).toBe(0)
    const at = (start: string) => found.stderr.findIndex((line) => line.startsWith(start))
    const [unknown, known] = [at('May be on its way: no answer for the withdrawal'), at('Found: withdrawal')]
    expect([unknown, known]).not.toContain(-1)
    expect(unknown).toBeLessThan(known)
  })

  test('that was rejected ends with 4, and one that nobody finds with 6 and where to look', async () => {
    const { whitelistId } = await exchange.bitcoinEntry()
    const line = `withdraw BTC 0.01 --to ${whitelistId} --yes --accept fee`
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when: 'before' })
    expect(told(await shell.runThrough(line))).toMatchObject({
      code: 6,
      kind: 'unknown',
      message: expect.stringMatching(/^the outcome of the withdrawal is unknown .*: money may be on its way\.$/),
      todo: expect.stringContaining('look at pitdesk withdrawals and pitdesk journal --open'),
    })
    await exchange.admin('/fault/off', {})
    expect(told(await shell.runThrough(line))).toMatchObject({ code: 3, kind: 'notSent' })
    expect(await exchange.withdrawn()).toHaveLength(0)
  })
})
