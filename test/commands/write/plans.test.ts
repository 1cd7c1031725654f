import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { takeLock } from '../../../src/journal/locks.ts'
import { type Exchange, failureIn, limitOrder, openExchange, openShell, quotes, type Shell, told } from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
  await quotes(exchange)
})

/** The shell while a watch runs the plans of its account. */
async function watched<T>(run: () => Promise<T>): Promise<T> {
  const watching = shell.start('watch')
  await watching.until(() => watching.ran.stdout.some((line) => line.includes('has the duties')))
  const value = await run()
  watching.signal('SIGTERM')
  await watching.until(() => watching.ran.code !== -1)
  return value
}

const dryTerms = async (line: string): Promise<string> => {
  const ran = await shell.run(`plan add ${line} --dry-run --json`)
  const shown: { request?: { terms: string } } = JSON.parse(ran.stdout.at(-1) ?? '')
  return shown.request?.terms ?? ran.stderr.join(' ')
}

test('a share of the price or of the balance is of what the exchange says now', async () => {
  expect(await dryTerms('trail sell 0.1 btc by 1%')).toBe('trailing sell 0.1000 BTC-USD by 600.00')
  expect(await dryTerms('oco sell all btc stop 59000 target 62000')).toMatch(/^oco sell 0\.5000 BTC-USD /)
  expect(await dryTerms('trail sell half btc by 2%')).toBe('trailing sell 0.2500 BTC-USD by 1,200.00')
})

test('a dry run says that nobody runs plans where the command itself would be refused for that', async () => {
  const line = 'plan add trail sell 0.1 btc by 600 --dry-run'
  const says = 'No watch or desk runs the plans of this account now: without one it is refused.'
  const alone = await shell.run(line)
  expect([alone.code, alone.stderr.at(-1)]).toEqual([0, says])
  const beside = await watched(() => shell.run(line))
  expect([beside.code, beside.stderr.includes(says)]).toEqual([0, false])
})

test('a currency that several symbols trade is refused with their names, and a symbol in full is taken', async () => {
  // Nobody in a script sees which one is taken, and a symbol that is listed later would change it.
  const refusal = { code: 2, message: '"eth" may be ETH-USD or ETH-BTC: write which' }
  for (const eth of ['1 eth', '1eth'])
    expect(told(await shell.run(`plan add oco sell ${eth} stop 2900 target 3300 --dry-run --json`))).toMatchObject(
      refusal,
    )
  for (const eth of ['eth-usd', 'ETHUSD', 'ETH/USD'])
    expect(await dryTerms(`oco sell 1 ${eth} stop 2900 target 3300`)).toBe(
      'oco sell 1.000 ETH-USD stop 2,900.00 target 3,300.00',
    )
  expect(await dryTerms('oco sell 1 eth-btc stop 0.04 target 0.06')).toMatch(/^oco sell 1\.000 ETH-BTC /)
})

test('a bracket that would be stopped out at once is not made', async () => {
  const ran = await shell.run('plan add bracket buy 0.01 btc market stop 61000 target 62000 --dry-run --json')
  expect({ code: ran.code, told: failureIn(ran).message }).toEqual({
    code: 3,
    told: expect.stringContaining('which is not between stop and target'),
  })
})

test('of a scale every order is checked, not the first alone', async () => {
  const ran = await shell.run('plan add scale buy 0.1 btc 59000 to 61000 in 5 post --dry-run --json')
  expect({ code: ran.code, told: failureIn(ran).message }).toEqual({
    code: 3,
    told: expect.stringContaining('a post-only price must be below it'),
  })
})

test('a change is checked as an order is: --yes alone accepts no stop that triggers at once', async () => {
  await watched(async () => {
    const added = await shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes --json')
    expect(added.stdout).toEqual(['{"plan":"p1","outcome":"begun"}'])
    const ran = await shell.runThrough('plan edit p1 stop 61000 --yes --json')
    expect({ code: ran.code, told: failureIn(ran) }).toMatchObject({
      code: 3,
      told: { kind: 'notSent', todo: 'To accept that, add --accept stop-price.' },
    })
    const edited = await shell.runThrough('plan edit p1 stop 59500 --yes --json')
    expect(edited.stdout).toEqual(['{"plan":"p1","outcome":"changed"}'])
  })
})

test('of two scripts that begin the same plan in the same moment one begins it, and the other is told', async () => {
  await watched(async () => {
    for (const words of ['oco sell 0.1 btc stop 59000 target 62000', 'trail sell 0.1 btc by 500']) {
      const line = `plan add ${words} --yes --json`
      const ran = await Promise.all([shell.runThrough(line), shell.runThrough(line)])
      expect(ran.map(({ code }) => code).toSorted()).toEqual([0, 3])
      const refused = ran.find(({ code }) => code === 3)
      expect(refused && failureIn(refused)).toEqual({
        kind: 'notSent',
        message: expect.stringMatching(/^Nothing was planned: plan p\d is the same, begun after this one was checked$/),
      })
    }
  })
})

test.each([
  ['oco sell 0.1 btc stop 59.000 target 62.000', '"59.000" can be read in two ways: write 59000 or 59'],
  ['trail sell 0.1 btc by 1.000', '"1.000" can be read in two ways: write 1000 or 1'],
  [
    'oco sell 59000 62000 60000 btc',
    'Which is the quantity, 59000 BTC or 60000 BTC? Write oco sell 59000 btc-usd stop 60000 target 62000, or oco sell 60000 btc-usd stop 59000 target 62000',
  ],
  [
    'oco sell btc 0.1 59000 62000',
    'Name each price: stop 59000 target 62000. Write oco sell 0.1 btc-usd stop 59000 target 62000',
  ],
  ['trail sell 0.1 btc by 1', '"by 1" may be 1% of the price, or 1 USD behind it: write by 1% or by 1 usd'],
])('a plan with an amount that can be meant otherwise is refused with both ways: %s', async (words, sentence) => {
  const ran = await shell.run(`plan add ${words} --dry-run`)
  expect([ran.code, failureIn(ran)]).toEqual([2, { kind: 'usage', message: sentence }])
})

test('what can be meant in one way only is no doubt', async () => {
  expect(await dryTerms('trail sell 0.100 btc by 1%')).toBe('trailing sell 0.1000 BTC-USD by 600.00')
  expect(await dryTerms('trail sell 0.1 btc by 1 usd')).toBe('trailing sell 0.1000 BTC-USD by 1.00')
})

test('where nobody runs the plans a list says so, in a pipe too', async () => {
  await watched(() => shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes'))
  for (const line of ['plan list', 'plan show p1']) {
    const { code, stderr } = await shell.run(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: [expect.stringContaining('No watch or desk runs them')] })
  }
})

test('where a stopped process keeps the plans, a list and a refused request say which one and what to do', async () => {
  await watched(() => shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes'))
  const record = shell.files().find(({ path }) => path.endsWith('plans.jsonl'))?.path ?? ''
  const lock = takeLock(join(dirname(record), 'plans.lock'))
  if (!lock.ok || lock.value === null) throw new Error('not locked')
  const note = join(dirname(record), 'plans-owner')
  writeFileSync(note, '4321\n')
  const movedAt = (agoMs: number) => {
    const seconds = (exchange.clock.wallMs() - agoMs) / 1_000
    utimesSync(note, seconds, seconds)
  }
  movedAt(5_000)
  expect((await shell.run('plan list')).stderr).toEqual([])
  writeFileSync(join(dirname(record), 'plans-halted'), '4321\n')
  expect((await shell.run('plan list')).stderr).toEqual([
    'The desk that runs them (pid 4321) is HALTED: orders that rest stay, nothing else happens until it is armed there.',
  ])
  movedAt(180_000)
  const todo =
    'Let it go on (fg, or kill -CONT 4321), or end it (kill -9 4321): ' +
    'an open desk or watch, or the next one, goes on with the plans then.'
  const silent =
    'The process that runs them (pid 4321) is stopped or stuck, for 3 min: ' +
    `orders that rest stay, nothing else happens. ${todo}`
  for (const line of ['plan list', 'plan show p1']) {
    const { code, stderr } = await shell.run(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: [silent] })
  }
  const ran = await shell.runThrough('plan cancel p1 --yes --json')
  expect({ code: ran.code, told: failureIn(ran) }).toEqual({
    code: 3,
    told: {
      ...{ kind: 'notSent', todo },
      message: 'the process that runs the plans (pid 4321) is stopped or stuck. Nothing was changed.',
    },
  })
  rmSync(note)
  const unnamed = await shell.runThrough('plan cancel p1 --yes --json')
  expect({ code: unnamed.code, todo: failureIn(unnamed).todo }).toEqual({
    code: 3,
    todo: 'Look at pitdesk watch --status.',
  })
  lock.value.release()
})

test('a plan whose beginning is damaged is told of by the watch and by every list', async () => {
  await watched(() => shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes'))
  const [file] = shell.files().filter(({ path }) => path.endsWith('plans.jsonl'))
  if (file === undefined) throw new Error('no record')
  writeFileSync(file.path, file.text.replace('59000', '49000'))
  const lost = 'The beginning of plan p1 cannot be read: nothing carries it out.'
  const list = await shell.run('plan list')
  expect([list.code, list.stdout, list.stderr.join()]).toEqual([1, ['[]'], expect.stringContaining(lost)])
  expect(list.stderr.join()).toContain('Lines of the record of plans that cannot be read: 1.')
  expect(failureIn(await shell.run('plan show p1')).message).toContain(lost)
  const watching = shell.start('watch')
  await watching.until(() => watching.ran.stdout.some((line) => line.includes(lost)))
  watching.signal('SIGTERM')
  await watching.until(() => watching.ran.code !== -1)
})

test('an emptied record is told of by a list until a watch has opened it, and by the watch', async () => {
  await watched(() => shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes'))
  const [file] = shell.files().filter(({ path }) => path.endsWith('plans.jsonl'))
  if (file === undefined) throw new Error('no record')
  writeFileSync(file.path, '')
  const missing = 'it has nothing of plan p1, which was begun here.'
  const list = await shell.run('plan list')
  expect([list.code, list.stdout, list.stderr.join()]).toEqual([1, ['[]'], expect.stringContaining(missing)])
  const watching = shell.start('watch')
  await watching.until(() => watching.ran.stdout.some((line) => line.includes(missing)))
  watching.signal('SIGTERM')
  await watching.until(() => watching.ran.code !== -1)
  expect((await shell.run('plan list')).code).toBe(0)
})

test('lists and an order alone name the plan that an order is of', async () => {
  await watched(() => shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes'))
  const placed = await shell.runThrough('order place buy 0.01 BTC-USD --limit 59000 --yes')
  expect(placed.code).toBe(0)
  const rows: { exOrdId: number; plan?: string }[] = JSON.parse((await shell.run('orders --json')).stdout.join(''))
  expect(rows).toHaveLength(2)
  expect(rows.filter((row) => 'plan' in row)).toHaveLength(1)
  const leg = rows.find(({ plan }) => plan === 'p1')
  expect(JSON.parse((await shell.run(`order show ${leg?.exOrdId} --json`)).stdout.join(''))).toMatchObject({
    plan: 'p1',
  })
  const csv = (await shell.run('orders --csv')).stdout.flatMap((text) => text.split('\n'))
  expect(csv[0]).toMatch(/,timestampUtc,plan$/)
  expect(csv.filter((line) => line.endsWith('Z,p1'))).toHaveLength(1)
  const [head = '', ...lines] = (await shell.run('orders', { isTerminal: true })).stdout.join('\n').split('\n')
  expect(head).toMatch(/ PLAN *$/)
  expect(lines.filter((line) => / p1 *$/.test(line))).toHaveLength(1)
})

test('a cancel by command says which plan loses an order by it', async () => {
  await watched(() => shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes'))
  const legs = async () => JSON.parse((await shell.run('orders --json')).stdout.join('')) as { exOrdId: number }[]
  const [stop] = await legs()
  if (stop === undefined) throw new Error('no stop rests')
  const one = await shell.run(`order cancel ${stop.exOrdId}`)
  expect(one.code).toBe(0)
  expect(one.stderr.join()).toContain('Plan p1 loses its stop: it is held now, and what it protected may be bare.')
})

test('a cancel of all names the plans it takes from before it is confirmed, and those that lost their orders after', async () => {
  await watched(async () => {
    await shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes')
    for (let seconds = 0; seconds < 60 && (await exchange.working()).length === 0; seconds += 1)
      await exchange.clock.advance(1_000)
    const asked = await shell.runThrough('order cancel-all --symbol BTC-USD', { isTerminal: true, typed: 'no\r' })
    const said = asked.stderr.join('\n')
    expect(said).toContain('Plan p1 loses its orders and is held: what is protected by that would be bare.')
    expect(said).not.toContain('loses its stop')
    const all = await shell.runThrough('order cancel-all --symbol BTC-USD --yes')
    expect(all.code).toBe(0)
    expect(all.stderr.join()).toContain('Plan p1 loses its stop: it is held now, and what it protected may be bare.')
  })
})

test('a cancel of all does not tell of a plan that was held before as if it had taken its stop', async () => {
  await watched(async () => {
    await begun('oco sell 0.1 btc stop 59000 target 62000', 1)
    const first = async () => JSON.parse((await shell.run('plan show p1 --json')).stdout.join(''))
    const one = await shell.runThrough(`order cancel ${(await first()).orders[0].exOrdId}`)
    expect(one.stderr.join()).toContain('Plan p1 loses its stop')
    for (let seconds = 0; seconds < 60 && (await first()).state !== 'held'; seconds += 1)
      await exchange.clock.advance(1_000)
    expect(await first()).toMatchObject({ state: 'held' })
    const all = await shell.runThrough('order cancel-all --symbol BTC-USD --yes')
    expect(all.code).toBe(0)
    expect(all.stderr.join('\n')).not.toContain('Plan p1')
  })
})

test('a cancel of all says of a plan whose entry has not filled that it ends, before and after', async () => {
  await watched(async () => {
    await begun('bracket buy 0.01 btc 59500 stop 59000 target 62000', 1)
    const asked = await shell.runThrough('order cancel-all --symbol BTC-USD', { isTerminal: true, typed: 'no\r' })
    expect(asked.stderr.join('\n')).toContain('Plan p1 loses its orders and ends: it has nothing to protect.')
    const all = await shell.runThrough('order cancel-all --symbol BTC-USD --yes')
    expect([all.code, all.stderr.join()]).toEqual([0, expect.not.stringContaining('is held')])
  })
  const shown = JSON.parse((await shell.run('plan show p1 --json')).stdout.join(''))
  expect(shown).toMatchObject({ state: 'ended', why: 'Entry ended without a fill' })
})

test('on a terminal a plan is asked about, and only yes makes it', async () => {
  await watched(async () => {
    const line = 'plan add oco sell 0.1 btc stop 59000 target 62000'
    const no = await shell.runThrough(line, { isTerminal: true, typed: 'y\r' })
    expect({ code: no.code, said: no.stderr.at(-1) }).toEqual({
      code: 3,
      said: expect.stringContaining('not confirmed: nothing was planned'),
    })
    expect((await shell.run('plan list --json')).stdout).toEqual(['[]'])
    expect((await shell.runThrough(line, { isTerminal: true, typed: 'yes\r' })).code).toBe(0)
    expect((await shell.run('plan list --json')).stdout.join()).toContain('"p1"')
    const elsewhere = await shell.runThrough(line)
    expect({ code: elsewhere.code, ...failureIn(elsewhere) }).toMatchObject({
      code: 2,
      message: expect.stringContaining('--yes'),
    })
  })
})

test('an end takes the orders back, or leaves them where that is asked for', async () => {
  await watched(async () => {
    const become = async (count: number) => {
      for (let seconds = 0; seconds < 60 && (await exchange.working()).length !== count; seconds += 1)
        await exchange.clock.advance(1_000)
      expect(await exchange.working()).toHaveLength(count)
    }
    const line = 'plan add oco sell 0.1 btc stop 59000 target 62000 --yes'
    expect((await shell.runThrough(line)).code).toBe(0)
    await become(1)
    expect((await shell.runThrough('plan cancel p1 --yes')).code).toBe(0)
    await become(0)
    await exchange.clock.advance(10_000)
    expect((await shell.runThrough(line)).code).toBe(0)
    await become(1)
    expect((await shell.runThrough('plan cancel p2 --leave --yes')).code).toBe(0)
    await exchange.clock.advance(60_000)
    await become(1)
  })
})

const oco = 'oco sell 0.1 btc stop 59000 target 62000'

/** Begins a plan, and waits until so many orders work. */
async function begun(line: string, count: number): Promise<readonly string[]> {
  expect((await shell.runThrough(`plan add ${line} --yes`)).code).toBe(0)
  for (let seconds = 0; seconds < 30 && (await exchange.working()).length !== count; seconds += 1)
    await exchange.clock.advance(1_000)
  const ids = (await exchange.working()).map(({ orderId }) => orderId ?? '')
  expect(ids).toHaveLength(count)
  return ids
}

test('a cancel of a plan is done once none of its orders works', async () => {
  await watched(async () => {
    await begun(oco, 1)
    const { code, stdout } = await shell.runThrough('plan cancel p1 --yes --json')
    // Nothing passes between the end of the command and this look.
    expect([code, stdout, await exchange.working()]).toEqual([
      0,
      ['{"plan":"p1","outcome":"ended","why":"Ended by a user; 0.1000 stays without a stop"}'],
      [],
    ])
    const again = await shell.runThrough('plan cancel p1 --yes --json')
    expect(told(again)).toMatchObject({
      code: 3,
      message: expect.stringMatching(/^plan p1 has ended: Ended by a user/),
    })
  })
})

test('a cancel of a plan whose order is seen working fails, and names it', async () => {
  await watched(async () => {
    const [stop] = await begun(oco, 1)
    await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status: 401 })
    const refused = await shell.runThrough('plan cancel p1 --yes --json')
    expect(told(refused)).toMatchObject({ code: 1, kind: 'failed', todo: expect.stringContaining('plan show p1') })
    expect(failureIn(refused).message).toMatch(
      new RegExp(`^plan p1 has not ended yet \\(.+\\): its stop ${stop} is still PENDING\\.$`),
    )
    expect(JSON.parse(refused.stdout.at(-1) ?? '').orders).toEqual([
      { exOrdId: Number(stop), outcome: 'working', ordStatus: 'PENDING' },
    ])
    await exchange.admin('/fault/off', {})
  })
})

test('a cancel of a plan whose order cannot be seen is unknown', async () => {
  await watched(async () => {
    const [stop] = await begun(oco, 1)
    await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'before' })
    const running = shell.start('plan cancel p1 --yes --json')
    await running.until(() =>
      shell.files().some(({ path, text }) => path.endsWith('plans.jsonl') && text.includes('cancelAsked')),
    )
    await exchange.admin('/fault/status', { rate: 1, path: 'GET /orders*', status: 503 })
    await running.until(() => running.ran.code !== -1)
    expect(told(running.ran)).toMatchObject({ code: 6, kind: 'unknown' })
    expect(failureIn(running.ran).message).toContain(`: its stop ${stop} may still be working.`)
    await exchange.admin('/fault/off', {})
  })
})

test('a cancel of a plan whose orders filled meanwhile is told as an order that filled', async () => {
  const maker = exchange.client('counterparty')
  await watched(async () => {
    const ids = await begun('scale buy 0.02 btc 59000 to 59500 in 2', 2)
    await maker.cancelAllOrders(null)
    await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'before' })
    const running = shell.start('plan cancel p1 --yes --json')
    await running.until(() =>
      shell.files().some(({ path, text }) => path.endsWith('plans.jsonl') && text.includes('cancelAsked')),
    )
    await maker.placeOrder(limitOrder('SELL', '0.02', '59000'))
    await running.until(() => running.ran.code !== -1)
    expect(told(running.ran)).toMatchObject({ code: 4, kind: 'rejected' })
    expect(failureIn(running.ran).message).toMatch(/^plan p1 has ended, but not all of it was canceled: its slice /)
    for (const id of ids) expect(failureIn(running.ran).message).toContain(`its slice ${id} is FILLED`)
    await exchange.admin('/fault/off', {})
  })
})

test('a question names the plan where its name belongs, and of a scale it speaks of no stop', async () => {
  await watched(async () => {
    for (const line of ['oco sell 0.1 btc stop 59000 target 62000', 'scale buy 0.02 btc 59000 to 59500 in 2'])
      expect(await shell.runThrough(`plan add ${line} --yes`)).toMatchObject({ code: 0 })
    const asked = async (line: string) => {
      const ran = await shell.runThrough(line, { isTerminal: true, typed: 'no\r' })
      return ran.stderr.find((each) => each.includes('Type yes')) ?? ran.stderr.join()
    }
    expect(await asked('plan cancel p1')).toMatch(/^Cancel plan p1 and its orders, its stop too: oco sell /)
    expect(await asked('plan cancel p2')).toMatch(/^Cancel plan p2 and its orders: scale buy /)
    expect(await asked('plan cancel p2 --leave')).toMatch(/^End plan p2, and leave its orders at the exchange: scale /)
    expect(await asked('plan edit p1 stop 59100')).toMatch(/^Change plan p1: oco sell .* to oco sell /)
    const refused = await shell.runThrough('plan edit p1 stop 67000 --yes')
    expect([refused.code, failureIn(refused).message]).toEqual([
      2,
      'To sell, the target must be above the stop: nothing was changed',
    ])
    for (let seconds = 0; seconds < 60 && (await exchange.working()).length < 3; seconds += 1)
      await exchange.clock.advance(1_000)
  })
  const canceled = await shell.run('order cancel-all --every-symbol --yes')
  expect(canceled.stderr.join('\n')).toContain('Plan p2 loses its slice: it is held now. "pitdesk plan cancel p2"')
})

test('a plan that another process changed while a question was open stays as it is: nobody agreed to those terms', async () => {
  await watched(async () => {
    await shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes')
    const answered = async (line: string, meanwhile: string) => {
      const asking = shell.start(line, { isTerminal: true })
      await asking.until(() => asking.ran.stderr.join('').includes('Type yes'))
      expect(await shell.runThrough(meanwhile)).toMatchObject({ code: 0 })
      asking.type('yes\n')
      await asking.until(() => asking.ran.code !== -1)
      const shown = await shell.run('plan list --json')
      return {
        code: asking.ran.code,
        said: asking.ran.stderr.at(-1),
        terms: JSON.parse(shown.stdout.join(''))[0]?.terms,
      }
    }
    expect(await answered('plan edit p1 stop 59100', 'plan edit p1 target 63000 --yes')).toEqual({
      code: 3,
      said: expect.stringContaining('Plan p1 was changed meanwhile: look at it again'),
      terms: expect.stringContaining('stop 59000 target 63000'),
    })
    // What is there by now may be agreed to.
    expect(await shell.runThrough('plan edit p1 stop 59100 --yes')).toMatchObject({ code: 0 })
  })
})

test('a plan is shown with as many decimals as its figures need, and scripts read every digit as it is', async () => {
  await watched(async () => {
    await shell.runThrough('plan add oco sell 0.125 btc stop 59000.5 target 62000 --yes --json')
    const { stdout } = await shell.run('plan show p1', { isTerminal: true, columns: 300 })
    expect(stdout.join('\n')).toContain('oco sell 0.125 BTC-USD stop 59,000.50 target 62,000.00')
    expect(stdout.join('\n')).toMatch(/ 0\.125 .* (59000\.50|62000\.00) /)
    const told = JSON.parse((await shell.run('plan show p1 --json')).stdout[0] ?? '')
    expect(told.terms).toBe('oco sell 0.125 BTC-USD stop 59000.5 target 62000')
  })
})

test('the status of a watch tells of a plan that waits for a person', async () => {
  await watched(async () => {
    await shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes')
    const placed = async () => (await exchange.working()).length
    for (let seconds = 0; seconds < 60 && (await placed()) < 1; seconds += 1) await exchange.clock.advance(1_000)
    expect((await shell.run('watch --status')).stderr).toEqual([])
    const [stop] = await exchange.working()
    const canceled = await shell.run(`order cancel ${stop?.orderId}`)
    expect(canceled.stderr.join()).toContain('Plan p1 loses its stop')
    let told: string[] = []
    for (let seconds = 0; seconds < 60 && told.length === 0; seconds += 1) {
      await exchange.clock.advance(1_000)
      told = (await shell.run('watch --status')).stderr
    }
    expect(told).toEqual([
      expect.stringMatching(/^Plan p1 is held, and not protected since .*: see pitdesk plan show p1\.$/),
    ])
  })
})

test('a plan that runs is not resumed, and that is said before anything is asked', async () => {
  await watched(async () => {
    await shell.runThrough('plan add oco sell 0.1 btc stop 59000 target 62000 --yes')
    const ran = await shell.runThrough('plan resume p1 --yes --json')
    expect({ code: ran.code, told: failureIn(ran) }).toMatchObject({
      code: 3,
      told: { kind: 'notSent', message: expect.stringContaining('plan p1 is running already: nothing to resume') },
    })
  })
})

test('words that are no plan are told before a terminal is asked for', async () => {
  const ran = await shell.run('plan add foo')
  expect([ran.code, failureIn(ran).message]).toEqual([
    2,
    expect.stringMatching(/^a plan reads: bracket .*; its first word is one of bracket, oco, trail, scale$/),
  ])
})
