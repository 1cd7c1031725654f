import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { nodeComplaint } from '../../../src/base/process/node-runtime.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { eventBody } from '../../fakes/memory-events.ts'
import { failureIn, openShell, type Running, type Shell, startMs } from '../harness.ts'

let shell: Shell

beforeEach(() => {
  shell = openShell()
})

/** Starts the inbox, and says where it is. */
async function serve(flags = ''): Promise<{ running: Running; url: string; metricsUrl: string }> {
  const running = shell.start(`inbox serve --port 0 --allow 127.0.0.1 ${flags}`)
  onTestFinished(async () => {
    running.signal('SIGTERM')
    await running.ended
  })
  // A thread begins in its own time, which is not the clock's.
  while (running.ran.stdout.length === 0) await settle()
  const [line = ''] = running.ran.stdout
  return { running, ...JSON.parse(line) }
}

const send = async (url: string, body: string): Promise<number> =>
  (await globalThis.fetch(`${url}/hook`, { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
    .status

const timeOf = (nanos: number) => `2026-01-05T14:00:00.00000000${nanos}Z`
const step = (eventId: string, orderState: string, nanos: number, orderId = 'o1', inputAmount: unknown = '100.10') =>
  eventBody({ eventId, orderId, orderState, orderStateUpdatedAt: timeOf(nanos), inputAmount })

/** An order whose middle event came last and whose first came twice, another order, and a body that is no event. */
async function fill(url: string): Promise<void> {
  for (const body of [
    step('e1', 'PENDING', 1),
    step('e3', 'COMPLETED', 3),
    step('e2', 'WITHDRAWING', 2),
    step('e1', 'PENDING', 1),
    step('e4', 'FAILED', 4, 'o2', '0.12345678901234567890'),
    step('e4', 'FAILED', 5, 'o2'),
    '=cmd',
  ])
    expect(await send(url, body)).toBeLessThan(300)
}

const read = async (line: string) => {
  const { code, stdout, stderr } = await shell.run(line)
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  return stdout
}
const json = async (line: string) => JSON.parse((await read(line)).join('\n'))

describe('reading the inbox', () => {
  test('lists events, the newest first, with what came late, again, and under a known id', async () => {
    await fill((await serve()).url)
    const rows = await json('inbox ls')
    expect(
      rows.map(({ eventId, isLate, copies, conflicts }: Record<string, unknown>) => [
        eventId,
        isLate,
        copies,
        conflicts,
      ]),
    ).toEqual([
      ['e4', false, 0, 1],
      ['e2', true, 0, 0],
      ['e3', false, 0, 0],
      ['e1', false, 1, 0],
    ])
    expect(rows[0]).toMatchObject({
      receivedAt: expect.any(Number),
      source: '127.0.0.1',
      inputAmount: '0.1234567890123456789',
    })
    expect((await json('inbox ls --state COMPLETED')).map(({ eventId }: { eventId: string }) => eventId)).toEqual([
      'e3',
    ])
    expect(await json('inbox ls --order o2 --limit 1')).toHaveLength(1)
    expect(await json('inbox ls --limit 1')).toHaveLength(1)
    expect(await json('inbox ls --to 2026-01-04')).toEqual([])
  })

  test('shows orders as they stand: a late event takes none back', async () => {
    await fill((await serve()).url)
    expect(await json('inbox ls orders')).toMatchObject([
      { orderId: 'o2', orderState: 'FAILED', events: 1, conflicts: 1 },
      { orderId: 'o1', orderState: 'COMPLETED', eventId: 'e3', events: 3, late: 1, copies: 1 },
    ])
    expect(await json('inbox show o1')).toMatchObject({
      orderState: 'COMPLETED',
      history: [{ eventId: 'e1', copies: 1 }, { eventId: 'e3' }, { eventId: 'e2', isLate: true }],
    })
    const event = await json('inbox show e4')
    expect(event).toMatchObject({ orderState: 'FAILED', conflicts: [{ body: step('e4', 'FAILED', 5, 'o2') }] })
    expect(event.body).toBe(step('e4', 'FAILED', 4, 'o2', '0.12345678901234567890'))
    expect(await shell.run('inbox show o9')).toMatchObject({
      code: 1,
      stderr: ['pitdesk inbox show: no order or event o9 in the inbox: type at least 4 characters of the id'],
    })
  })

  test('the start of an id is enough where only one begins so', async () => {
    const { url } = await serve()
    const order = (orderId: string, eventId: string) => send(url, eventBody({ orderId, eventId }))
    for (const [orderId, eventId] of [
      ['5f0c8a11-order', 'aaaa-1'],
      ['5f0c8a11-order', 'aaaa-2'],
      ['5f0c9900-order', 'bbbb-1'],
      ['abcd', 'cccc-1'],
      ['abcdef', 'cccc-2'],
    ] as const)
      expect(await order(orderId, eventId)).toBe(200)
    expect(await json('inbox show 5f0c8a')).toMatchObject({ orderId: '5f0c8a11-order', events: 2 })
    expect(await json('inbox show bbbb')).toMatchObject({ eventId: 'bbbb-1' })
    // A whole id is that one, whatever else begins with it.
    expect(await json('inbox show abcd')).toMatchObject({ orderId: 'abcd', events: 1 })
    expect((await shell.run('inbox show aaaa')).stderr).toEqual([
      'pitdesk inbox show: 2 ids begin with aaaa: aaaa-2, aaaa-1',
    ])
    expect((await shell.run('inbox show 5f0c')).stderr[0]).toContain('2 ids begin with 5f0c')
    expect((await shell.run('inbox show 5f0')).stderr[0]).toMatch(
      /no order or event 5f0 in the inbox: type at least 4 characters of the id$/,
    )
    expect((await shell.run('inbox show 5f0d')).stderr[0]).toMatch(/no order or event 5f0d in the inbox$/)
  })

  test('adds orders up by day, state and currency', async () => {
    await fill((await serve()).url)
    expect(await json('inbox ls sums --state COMPLETED')).toEqual([
      expect.objectContaining({
        day: '2026-11-20',
        direction: 'output',
        currency: 'BTC',
        orderCount: 1,
        amount: '0.001234',
      }),
      expect.objectContaining({ direction: 'input', currency: 'EUR', amount: '100.1', processingFees: '1.5' }),
    ])
  })

  test('a table on a terminal, and nothing in it that steers one', async () => {
    const { url } = await serve()
    await send(url, eventBody({ eventId: 'e\u001b[2J', userId: '\u202eresu' }))
    const { stdout } = await shell.run('inbox ls', { isTerminal: true, columns: 150 })
    expect(stdout[0]).toMatch(/^RECEIVED \(UTC\) +EVENT +ORDER +STATE/)
    expect(stdout[1]).toMatch(/ e\[2J +o1 +PENDING +BUY/)
    const shown = await shell.run('inbox show o1', { isTerminal: true })
    expect(shown.stdout.join('\n')).not.toMatch(/[\u001b\u202e]/)
    expect(shown.stdout).toContain('orderState           PENDING')
  })

  test('exports every field, the oldest first, as CSV or as one array', async () => {
    await fill((await serve()).url)
    const csv = await read('inbox export')
    expect(csv[0]).toMatch(/^sequence,receivedAt,source,eventId,orderId,externalReference/)
    expect(csv.slice(1).map((line) => line.split(',')[3])).toEqual(['e1', 'e3', 'e2', 'e4'])
    const rows = await json('inbox export --json')
    expect(rows.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['e1', 'e3', 'e2', 'e4'])
    expect(await json('inbox export --json --order none')).toEqual([])
  })

  test('one stamp of a clock that was wrong ends no list: what came after it is listed too', async () => {
    const path = join(shell.home, 'stamps.sqlite')
    const store = openSqliteStore({ path, clock: shell.clock })
    const dayMs = 86_400_000
    // The last of a page of the store, forwards and backwards.
    const stamps = new Map([
      [249, startMs + 3 * dayMs],
      [251, startMs - 3 * dayMs],
    ])
    const at = (place: number) => ({ receivedAtMs: stamps.get(place) ?? startMs, source: '127.0.0.1' })
    const event = (place: number) => {
      const ids = { eventId: `e${place}`, orderId: `o${place}` }
      return { kind: 'event', ...ids, ...at(place), body: Buffer.from(eventBody(ids)) } as const
    }
    await store.record(Array.from({ length: 501 }, (_, place) => event(place)))
    await store.close()
    const day = '2026-01-05'
    expect(new Date(startMs).toISOString().slice(0, 10)).toBe(day)
    const within = `--from ${day} --to ${day} --store sqlite://${path}`
    expect(await json(`inbox export --json ${within}`)).toHaveLength(499)
    expect(await json(`inbox ls --all ${within}`)).toHaveLength(499)
  })

  test('without anything received, there is nothing', async () => {
    await serve()
    expect(await json('inbox ls')).toEqual([])
    expect(await json('inbox ls quarantine')).toEqual([])
    expect(await json('inbox replay')).toEqual([])
  })

  test.each(['ls', 'ls sums', 'show o1', 'export', 'replay', 'send-again --dead', 'forget-target old'])(
    'where there is no inbox, %s says so, and makes none: an empty list would be of another place',
    async (words) => {
      const { code, stderr } = await shell.run(`inbox ${words}`)
      expect({ code, stderr }).toEqual({
        ...{
          code: 1,
          stderr: [expect.stringMatching(/^pitdesk inbox [a-z-]+: There is no inbox at .*inbox\.sqlite: /)],
        },
      })
      expect(shell.files().filter(({ path }) => path.includes('inbox'))).toEqual([])
    },
  )
})

test('a store that fails while it is read is told of in a sentence', async () => {
  const { running, url } = await serve()
  await fill(url)
  running.signal('SIGTERM')
  await running.ended
  const path = join(shell.home, 'damaged.sqlite')
  const whole = shell.files().find((file) => file.path.endsWith('inbox.sqlite'))
  const bytes = Buffer.from(whole?.text ?? '', 'latin1')
  // The file opens, but the page with the events is damaged.
  const page = Math.floor(bytes.indexOf('"eventId":"e3"') / 4_096) * 4_096
  writeFileSync(path, bytes.fill(0x41, page, page + 4_096))
  for (const line of ['ls', 'show o1', 'show e1']) {
    const ran = await shell.run(`inbox ${line} --store sqlite://${path}`)
    expect({ code: ran.code, ...failureIn(ran) }).toEqual({
      ...{ code: 1, kind: 'failed', message: 'the inbox failed: database disk image is malformed' },
    })
  }
})

describe('quarantine', () => {
  test('is listed and shown as it came', async () => {
    await fill((await serve()).url)
    expect(await json('inbox ls quarantine')).toEqual([
      expect.objectContaining({ number: 1, source: '127.0.0.1', body: '=cmd', reason: expect.any(String) }),
    ])
    expect(await json('inbox show --quarantine 1')).toMatchObject({ body: '=cmd', bodyBase64: 'PWNtZA==' })
    // A spreadsheet would take it for a formula.
    expect((await read('inbox ls quarantine --csv'))[1]).toContain("'=cmd")
    expect(await shell.run('inbox show --quarantine 7')).toMatchObject({ code: 1 })
    expect((await shell.run('inbox show 1')).stderr).toEqual([
      'pitdesk inbox show: number 1 is in the quarantine: pitdesk inbox show 1 --quarantine',
    ])
    expect((await shell.run('inbox show 7')).stderr[0]).toContain('no order or event 7 in the inbox')
  })

  test('who writes much rests in between: an inbox found the file locked for seconds, and refused what came', async () => {
    const clock = new FakeClock(startMs)
    const rests: number[] = []
    let onRest = () => {}
    const sleep = clock.sleep.bind(clock)
    clock.sleep = (ms, signal) => {
      if (ms === 150) {
        rests.push(ms)
        onRest()
      }
      return sleep(ms, signal)
    }
    shell = openShell({}, clock)
    const path = join(shell.home, 'store.sqlite')
    const store = openSqliteStore({ path, clock })
    const from = { receivedAtMs: startMs, source: '127.0.0.1' } as const
    const odd = { ...from, kind: 'unreadable', reason: 'not known yet' } as const
    const quarantined = Array.from({ length: 101 }, (_, index) => [
      eventBody({ eventId: `q${index}`, orderId: 'o2' }),
      '{}',
    ])
    await store.record(quarantined.flat().map((body) => ({ ...odd, body: Buffer.from(body) })))
    await store.record(
      Array.from({ length: 1_001 }, (_, index) => {
        const [eventId, orderId] = [`e${index}`, 'o1']
        return { ...from, kind: 'event' as const, eventId, orderId, body: Buffer.from(eventBody({ eventId, orderId })) }
      }),
    )
    const begin = { upTo: 1_001, waiting: [] }
    await store.takeLease({ target: 'ledger', holder: 'elsewhere:1', leaseMs: 6_000, begin })
    await store.close()
    expect(await json(`inbox replay --store sqlite://${path}`)).toHaveLength(202)
    expect(rests.splice(0)).toHaveLength(2)
    // What is still no event is only read: it was a minute of rests for 20,000 bodies.
    expect(await json(`inbox replay --store sqlite://${path}`)).toHaveLength(101)
    expect(rests.splice(0)).toHaveLength(0)
    const again = await shell.run(`inbox send-again --order o1 --yes --json --store sqlite://${path}`)
    expect(JSON.parse(again.stdout.join(''))).toMatchObject([{ events: 1_001, sentAgain: 1_001 }])
    expect(rests.splice(0)).toHaveLength(2)
    // After a signal no more are sent again, and it is told how many were.
    const stopped = shell.start(`inbox send-again --order o1 --yes --json --store sqlite://${path}`)
    onRest = () => stopped.signal('SIGINT')
    await stopped.until(() => stopped.ran.code !== -1)
    expect(stopped.ran.code).toBe(130)
    expect(JSON.parse(stopped.ran.stdout[0] ?? '')).toMatchObject([{ events: 500, sentAgain: 0, waitingAnyway: 500 }])
    expect(stopped.ran.stderr.join('')).toContain('ended before all are sent again: 500 of 1001 are')
  })

  test('a signal is heard while a file is read: sums of a million events went on for half a minute', async () => {
    const path = join(shell.home, 'store.sqlite')
    const store = openSqliteStore({ path, clock: shell.clock })
    const from = { kind: 'event', receivedAtMs: startMs, source: '127.0.0.1' } as const
    const ids = Array.from({ length: 1_001 }, (_, index) => ({ eventId: `e${index}`, orderId: `o${index}` }))
    await store.record(ids.map((each) => ({ ...from, ...each, body: Buffer.from(eventBody(each)) })))
    await store.close()
    const prepare = DatabaseSync.prototype.prepare
    const asked = vi.spyOn(DatabaseSync.prototype, 'prepare')
    onTestFinished(() => asked.mockRestore())
    for (const line of ['ls sums', 'ls orders --all', 'export']) {
      const running = shell.start(`inbox ${line} --json --store sqlite://${path}`)
      // As the system hands a signal over: in a turn of its own.
      asked.mockImplementation(function (this: DatabaseSync, text) {
        if (text.startsWith('SELECT * FROM events')) setImmediate(() => running.signal('SIGINT'))
        return prepare.call(this, text)
      })
      expect(await running.ended).toMatchObject({ code: 130 })
    }
  })

  test('what this version knows to be an event is taken up by a replay, the rest stays', async () => {
    const path = join(shell.home, 'store.sqlite')
    const store = openSqliteStore({ path, clock: shell.clock })
    const from = { receivedAtMs: startMs, source: '127.0.0.1', reason: 'not known yet', kind: 'unreadable' } as const
    await store.record([
      { ...from, body: Buffer.from(eventBody({ eventId: 'e9' })) },
      { ...from, body: Buffer.from('{}') },
    ])
    await store.close()
    expect(await json(`inbox replay --store sqlite://${path}`)).toEqual([
      { number: 1, result: 'recorded', eventId: 'e9', orderId: 'o1' },
      { number: 2, result: 'still no event', reason: expect.any(String) },
    ])
    expect(await json(`inbox ls --store sqlite://${path}`)).toMatchObject([{ eventId: 'e9', receivedAt: startMs }])
    expect(await json(`inbox replay 1 --store sqlite://${path}`)).toMatchObject([{ result: 'taken up before' }])
    expect(await shell.run(`inbox replay 5 --store sqlite://${path}`)).toMatchObject({ code: 1 })
  })
})

describe('serving', () => {
  test('a Node without the latest fixes is told of in its log', async () => {
    const { running } = await serve()
    const complaint = nodeComplaint(process.versions.node)
    const told = running.ran.stderr.filter((line) => line.includes('security fixes'))
    expect(told).toEqual(complaint === null ? [] : [expect.stringContaining(`warning: ${complaint}`)])
  })

  test('refuses who is not on the list, ends well on a signal, and leaves the port', async () => {
    const running = shell.start('inbox serve --port 0')
    // A thread begins in its own time, which is not the clock's.
    while (running.ran.stdout.length === 0) await settle()
    const { url, metricsUrl } = JSON.parse(running.ran.stdout[0] ?? '')
    expect(await send(url, eventBody())).toBe(403)
    expect((await globalThis.fetch(`${url}/healthz`)).status).toBe(200)
    expect(await (await globalThis.fetch(metricsUrl)).text()).toContain('pitdesk_inbox_refused_total{status="403"} 1')
    running.signal('SIGTERM')
    expect((await running.ended).code).toBe(0)
    await expect(globalThis.fetch(url)).rejects.toThrow()
  })

  test('hands on what comes in, in order, and goes on after a restart where it stood', async () => {
    const got: string[] = []
    const partner = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      got.push(JSON.parse(text).eventId)
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      partner.closeAllConnections()
      return new Promise<void>((resolve) => void partner.close(() => resolve()))
    })
    const address = partner.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const flag = `--forward http://127.0.0.1:${address.port}/events`
    const first = await serve(flag)
    await send(first.url, step('e1', 'PENDING', 1))
    await send(first.url, step('e2', 'WITHDRAWING', 2))
    await send(first.url, step('e1', 'PENDING', 1))
    await first.running.until(() => got.length === 2)
    // It counts once the answer is there, which is after the partner has it.
    await eventually(async () =>
      expect(await (await globalThis.fetch(first.metricsUrl)).text()).toMatch(
        /pitdesk_inbox_forward_attempts_total\{target="forward-[0-9a-f]{8}",outcome="taken"\} 2/,
      ),
    )
    // Two inboxes would hand each event on twice.
    expect((await shell.run(`inbox serve --port 0 ${flag}`)).stderr.at(-1)).toMatch(/another inbox already forwards/)
    // Also one of another user, who knows the file by another name.
    const alias = join(shell.home, 'alias.sqlite')
    symlinkSync(join(shell.home, '.local/share/pitdesk/inbox.sqlite'), alias)
    const other = await openShell().run(`inbox serve --port 0 --store sqlite://${alias} ${flag}`)
    expect(other.stderr.at(-1)).toMatch(/another inbox already forwards/)
    first.running.signal('SIGTERM')
    await first.running.ended
    const second = await serve(flag)
    await send(second.url, step('e3', 'COMPLETED', 3))
    await second.running.until(() => got.length === 3)
    expect(got).toEqual(['e1', 'e2', 'e3'])
  })

  test('a port that is taken is a failure in one line', async () => {
    const { url } = await serve()
    const { port } = new URL(url)
    expect(await shell.run(`inbox serve --port ${port}`)).toMatchObject({
      code: 1,
      stdout: [],
      stderr: [
        `pitdesk inbox serve: port ${port} is in use already; choose another with --port, or 0 for any free one`,
      ],
    })
    expect((await shell.run(`inbox serve --port 0 --metrics-port ${port}`)).stderr).toEqual([
      `pitdesk inbox serve: port ${port} is in use already; choose another with --metrics-port, or 0 for any free one`,
    ])
  })

  test.each([
    ['--port 70000', '--port must be a whole number from 0 to 65535'],
    ['--allow 10.0.0.0/40', '--allow must be an address or a range such as 10.0.0.0/8'],
    ['--allow 10.1', '--allow must be an address or a range such as 10.0.0.0/8'],
    ['--trust-proxy 0.0.0.0/0', '--trust-proxy must not trust everybody'],
    ['--tls-cert /tmp/cert.pem', '--tls-cert and --tls-key go together'],
    ['--host partner.example', '--host must be an address such as 0.0.0.0'],
    ['--retention-days 3', '--retention-days must be a whole number from 30 to 3650'],
    [
      '--forward http://partner.example/',
      '--forward would send what users do over plain http to another machine: use https',
    ],
    ['--forward https://a:b@partner.example/', '--forward must not carry a user name or password'],
    ['--store mysql://x', '--store must be sqlite:///path or postgres://host/database'],
    ['--store sqlite://relative', '--store must have the full path: sqlite:///path'],
  ])('%s is wrong usage', async (flags, sentence) => {
    expect(await shell.run(`inbox serve ${flags}`)).toMatchObject({
      code: 2,
      stdout: [],
      stderr: [`pitdesk inbox serve: ${sentence}`],
    })
  })
})

describe('the address of the store', () => {
  test.each(['postgres://desk:hunter2@db/inbox', 'postgresql://db/inbox?user=desk&password=hunter2'])(
    'with a password is no argument: %s',
    async (address) => {
      const { code, stderr } = await shell.run(`inbox ls --store ${address}`)
      expect(code).toBe(2)
      expect(stderr.join('\n')).toMatch(/^pitdesk inbox ls: --store has a password in it, .* PITDESK_INBOX_STORE/)
      expect(stderr.join('\n')).not.toContain('hunter2')
    },
  )

  test('comes from a variable, or from a file for the owner alone, and its password is in no sentence', async () => {
    const address = 'postgres://desk:hunter2@127.0.0.1:1/inbox'
    shell.environment.PITDESK_INBOX_STORE = address
    const byVariable = await shell.run('inbox ls')
    expect(byVariable.code).toBe(1)
    delete shell.environment.PITDESK_INBOX_STORE
    const path = join(shell.home, 'store.address')
    writeFileSync(path, `${address}\n`, { mode: 0o644 })
    shell.environment.PITDESK_INBOX_STORE_FILE = path
    const open = await shell.run('inbox ls')
    expect(open.stderr[0]).toMatch(/PITDESK_INBOX_STORE_FILE: .* has mode 0644/)
    for (const { stderr } of [byVariable, open]) expect(stderr.join('\n')).not.toContain('hunter2')
    expect(readFileSync(path, 'utf8')).toContain('hunter2')
  })
})

const filters = {
  order: '--order o1',
  state: '--state FAILED',
  from: '--from 7d',
  to: '--to today',
  limit: '--limit 3',
  all: '--all',
}
const lists: Readonly<Record<string, readonly string[]>> = {
  events: ['order', 'state', 'from', 'to', 'limit', 'all'],
  orders: ['order', 'state', 'from', 'to', 'limit', 'all'],
  sums: ['order', 'state', 'from', 'to', 'limit', 'all'],
  quarantine: ['from', 'to', 'limit', 'all'],
  dead: ['order', 'from', 'to', 'limit', 'all'],
  targets: [],
}

test.each(Object.entries(lists))('%s takes %j, and refuses every other filter', async (what, taken) => {
  await serve()
  for (const [name, flag] of Object.entries(filters)) {
    const { code, stderr } = await shell.run(`inbox ls ${what} ${flag}`)
    expect({ name, code }).toEqual({ name, code: taken.includes(name) ? 0 : 2 })
    if (code !== 0) expect(stderr.join()).toContain(`--${name} does not go with ${what}: `)
  }
})
