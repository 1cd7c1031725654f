import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { argumentsOf } from '../../../src/domain/desk/practice-verb.ts'
import { announceAdmin } from '../../../src/sandbox/admin/admin-note.ts'
import { adminTable } from '../../../src/sandbox/admin/verb-table.ts'
import { answerWith, startRawServer, startServer } from '../../api/stub-server.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { freePort } from '../../fakes/free-port.ts'
import { linesTo } from '../../fakes/output.ts'
import { newStateHome, openAdministered, runAdmin } from './admin-command.ts'
import { runSandboxCommand } from './sandbox-command.ts'

const turnOff = ['2fa', 'off', 'trader']
const notesIn = (stateHome: string) => join(stateHome, 'pitdesk', 'sandbox')

const notesOf = (stateHome: string): unknown[] =>
  readdirSync(notesIn(stateHome)).map((name) => JSON.parse(readFileSync(join(notesIn(stateHome), name), 'utf8')))

/** A note as an exchange leaves it. */
function leaveNote(stateHome: string, port: number | string, pid: number): string {
  const folder = notesIn(stateHome)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `admin-${port}.json`)
  writeFileSync(path, JSON.stringify({ admin: `http://127.0.0.1:${port}`, adminToken: 'old-token', pid }))
  return path
}

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid

test('an exchange’s note is for its user alone, and goes with it', async () => {
  const stateHome = newStateHome()
  const { exchange, port, withdraw } = await openAdministered(stateHome)
  const path = join(notesIn(stateHome), `admin-${port}.json`)
  const { adminUrl, adminToken } = exchange.sandbox
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ admin: adminUrl, adminToken, pid: process.pid })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(notesIn(stateHome)).mode & 0o777).toBe(0o700)
  expect(readdirSync(notesIn(stateHome))).toEqual([`admin-${port}.json`])
  withdraw()
  expect(existsSync(path)).toBe(false)
  withdraw()
})

test('pitdesk sandbox leaves its note from its first line to its end', async () => {
  const stateHome = newStateHome()
  const ended = new AbortController()
  const environment = { XDG_STATE_HOME: stateHome }
  const found: unknown[] = []
  const io = {
    environment,
    stdout: { isTTY: false, columns: 80 },
    ...linesTo((line) => {
      const { admin, adminToken } = JSON.parse(line) as { admin: string; adminToken: string }
      found.push({ admin, adminToken, pid: process.pid }, ...notesOf(stateHome))
      ended.abort('SIGTERM')
    }),
    printError: () => {},
    signal: ended.signal,
  }
  const argv = ['--port', '0', '--gateway-port', '0', '--admin-port', '0', '--market', 'off']
  expect(await runSandboxCommand(argv, io, new FakeClock())).toBe(0)
  expect(found).toHaveLength(2)
  expect(found[1]).toEqual(found[0])
  expect(notesOf(stateHome)).toEqual([])
})

test('a note that was there before is replaced, whatever its mode', async () => {
  const stateHome = newStateHome()
  const path = leaveNote(stateHome, 4012, process.pid)
  chmodSync(path, 0o644)
  const announced = announceAdmin(
    { XDG_STATE_HOME: stateHome },
    { adminUrl: 'http://127.0.0.1:4012', adminToken: 'new-token' },
    process.pid,
  )
  expect(announced.ok).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain('new-token')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('an exchange that ends leaves the note of its successor on the same port alone', async () => {
  const environment = { XDG_STATE_HOME: newStateHome() }
  const announce = (adminToken: string) =>
    announceAdmin(environment, { adminUrl: 'http://127.0.0.1:4012', adminToken }, process.pid)
  const first = announce('first')
  announce('second')
  if (first.ok) first.value()
  const path = join(notesIn(environment.XDG_STATE_HOME), 'admin-4012.json')
  expect(readFileSync(path, 'utf8')).toContain('second')
})

test('a state folder that cannot be written to is one sentence', () => {
  const stateHome = newStateHome()
  writeFileSync(join(stateHome, 'pitdesk'), 'a file where a folder should be')
  const administered = { adminUrl: 'http://127.0.0.1:4012', adminToken: 'never-shown' }
  const announced = announceAdmin({ XDG_STATE_HOME: stateHome }, administered, process.pid)
  expect(announced).toEqual({ ok: false, error: expect.stringContaining('could not be written') })
  expect(JSON.stringify(announced)).not.toContain('never-shown')
})

test('none that runs is told with what to do', async () => {
  const ran = await runAdmin(turnOff, { XDG_STATE_HOME: newStateHome() })
  const message = 'no practice exchange is running: start one with "pitdesk sandbox", or open a desk on one'
  expect(ran).toMatchObject({ exitCode: 1, complained: `pitdesk sandbox admin: ${message}` })
  expect(JSON.parse(ran.printed)).toEqual({ error: { kind: 'failed', message } })
})

test('notes of exchanges that are gone are passed over and removed', async () => {
  const { environment, port } = await openAdministered()
  const folder = notesIn(environment.XDG_STATE_HOME)
  // One whose process has ended, though somebody listens there; and one whose process number lives on in another
  // program.
  const { port: stubPort } = new URL((await startServer(answerWith(200, '{}'))).url)
  leaveNote(environment.XDG_STATE_HOME, stubPort, deadPid())
  leaveNote(environment.XDG_STATE_HOME, await freePort(), process.pid)
  expect(readdirSync(folder)).toHaveLength(3)
  expect(await runAdmin(turnOff, environment)).toMatchObject({ exitCode: 0, complained: '' })
  expect(readdirSync(folder)).toEqual([`admin-${port}.json`])
})

test('a file that is no note is neither obeyed nor touched', async () => {
  const { environment, port } = await openAdministered()
  const folder = notesIn(environment.XDG_STATE_HOME)
  for (const text of ['', '{', '{"admin":1}', 'null']) {
    writeFileSync(join(folder, 'admin-1.json'), text)
    expect(await runAdmin(turnOff, environment)).toMatchObject({ exitCode: 0 })
  }
  // Reading a pipe that nobody writes to would never end.
  execFileSync('mkfifo', [join(folder, 'admin-2.json')])
  expect(await runAdmin(turnOff, environment)).toMatchObject({ exitCode: 0 })
  expect(readdirSync(folder)).toEqual(['admin-1.json', 'admin-2.json', `admin-${port}.json`])
})

test('of two that run one has to be chosen by its port', async () => {
  const stateHome = newStateHome()
  const first = await openAdministered(stateHome)
  const second = await openAdministered(stateHome)
  const undecided = await runAdmin(turnOff, first.environment)
  expect(undecided.exitCode).toBe(1)
  expect(undecided.complained).toContain('2 practice exchanges are running')
  for (const { port } of [first, second]) expect(undecided.complained).toContain(`--admin-port ${port}`)
  const chosen = ['--admin-port', second.port]
  expect(await runAdmin([...chosen, ...turnOff], first.environment)).toMatchObject({ exitCode: 0 })
  expect((await first.exchange.admin('account/show', { account: 'trader' })).json).toMatchObject({ twoFactor: true })
  expect((await second.exchange.admin('account/show', { account: 'trader' })).json).toMatchObject({ twoFactor: false })
  const neither = await runAdmin([...turnOff, '--admin-port', '1'], first.environment)
  expect(neither.exitCode).toBe(1)
  expect(neither.complained).toContain('on port 1')
})

test('the environment names one that has no note here; a port on the command line is stronger', async () => {
  const named = await openAdministered()
  const noted = await openAdministered()
  const environment = {
    XDG_STATE_HOME: noted.environment.XDG_STATE_HOME,
    PITDESK_ADMIN_URL: `${named.exchange.sandbox.adminUrl}/`,
    PITDESK_ADMIN_TOKEN: named.exchange.sandbox.adminToken,
  }
  const twoFactorOf = async ({ exchange }: typeof named) =>
    (await exchange.admin('account/show', { account: 'trader' })).json
  expect((await runAdmin(turnOff, environment)).exitCode).toBe(0)
  expect(await twoFactorOf(named)).toMatchObject({ twoFactor: false })
  expect(await twoFactorOf(noted)).toMatchObject({ twoFactor: true })
  expect((await runAdmin([...turnOff, '--admin-port', noted.port], environment)).exitCode).toBe(0)
  expect(await twoFactorOf(noted)).toMatchObject({ twoFactor: false })
})

test.each([
  [{ PITDESK_ADMIN_URL: 'http://127.0.0.1:4012' }, 'PITDESK_ADMIN_TOKEN is not set'],
  [{ PITDESK_ADMIN_TOKEN: 'tok-never-shown' }, 'PITDESK_ADMIN_URL is not set'],
  [{ PITDESK_ADMIN_URL: 'here', PITDESK_ADMIN_TOKEN: 'tok-never-shown' }, 'PITDESK_ADMIN_URL: '],
  [{ PITDESK_ADMIN_URL: 'https://example.org', PITDESK_ADMIN_TOKEN: 'tok-never-shown' }, 'its own machine only'],
  [{ PITDESK_ADMIN_URL: 'http://10.0.0.1', PITDESK_ADMIN_TOKEN: 'tok-never-shown' }, 'PITDESK_ADMIN_URL: '],
  [{ PITDESK_ADMIN_URL: 'http://127.0.0.1:1', PITDESK_ADMIN_TOKEN: 'tok-never shown' }, 'PITDESK_ADMIN_TOKEN: '],
])('an environment that cannot serve is one sentence: %j', async (named, sentence) => {
  const { environment } = await openAdministered()
  const ran = await runAdmin(turnOff, { ...environment, ...named })
  expect(ran.exitCode).toBe(1)
  expect(ran.complained).toContain(sentence)
  expect(ran.complained).not.toMatch(/never.shown|\n/)
})

test('a token that is not accepted is told without the token', async () => {
  const { exchange } = await openAdministered()
  const named = { PITDESK_ADMIN_URL: exchange.sandbox.adminUrl, PITDESK_ADMIN_TOKEN: 'tok-never-shown' }
  const ran = await runAdmin(turnOff, named)
  expect(ran.exitCode).toBe(1)
  expect(ran.complained).toContain('refuses this admin token')
  expect(ran.complained).not.toContain('never-shown')
})

test('no flag takes a secret, and a flag that does not exist is told without what was behind it', async () => {
  const names = adminTable.flatMap(argumentsOf).map(({ name }) => name)
  expect(names.filter((name) => /token|secret|password/.test(name))).toEqual([])
  for (const argv of [['--admin-token=never-shown'], ['--admin-token', 'never-shown'], ['--token=never-shown']]) {
    const ran = await runAdmin([...argv, ...turnOff], { XDG_STATE_HOME: newStateHome() })
    expect(ran.exitCode).toBe(2)
    expect(ran.complained).toMatch(/unknown flag|no flag takes a key/)
    expect(ran.complained).not.toContain('never-shown')
  }
})

const named = (url: string) => ({ PITDESK_ADMIN_URL: url, PITDESK_ADMIN_TOKEN: 'tok-never-shown' })

test('the call carries the token as a header and the arguments as JSON, once', async () => {
  const server = await startServer(answerWith(200, '{"done":1.50,"big":9007199254740993,"text":"\\u009b2J\\u202e"}'))
  const argv = ['deposit', 'start', 'trader', 'btc', '0.10', '--tx-hash', 'x"y']
  const ran = await runAdmin(argv, named(`${server.url}/under/`))
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/under/deposit/start' })
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer tok-never-shown',
    'content-type': 'application/json',
  })
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
    account: 'trader',
    currency: 'BTC',
    amount: '0.1',
    txHash: 'x"y',
  })
  // Every digit stays, an amount becomes a string, and what a terminal would obey is escaped.
  expect(ran.printed).toBe('{"done":"1.5","big":9007199254740993,"text":"\\u009b2J\\u202e"}')
  const shown = await runAdmin(argv, named(server.url), { isTerminal: true })
  expect(shown.printed).toBe('done  1.5\nbig   9007199254740993\ntext  2J')
})

test.each([
  [500, '{"error":"the exchange failed"}', 'it may have taken effect'],
  [302, '', 'it may have taken effect'],
  [400, '{"error":"field \\"account\\" says tok-never-shown\\u001b[2J"}', 'ACCOUNT says •••[2J'],
  [400, 'nonsense', 'the exchange answered 400'],
  [200, 'nonsense', 'the answer is not understood'],
  [200, '[]', 'the answer is not understood'],
])('an answer %i %s is one sentence and exit code 1', async (status, body, sentence) => {
  const server = await startServer(answerWith(status, body, { location: 'http://127.0.0.1:1/' }))
  const ran = await runAdmin(turnOff, named(server.url))
  expect([ran.exitCode, JSON.parse(ran.printed).error.kind]).toEqual([1, 'failed'])
  expect(ran.complained).toContain(sentence)
  expect(ran.complained).not.toMatch(/never-shown|\n/)
  expect(server.requests).toHaveLength(1)
})

test('nobody there: nothing was done; somebody who talks no HTTP: it may have been', async () => {
  const nobody = await runAdmin(turnOff, named(`http://127.0.0.1:${await freePort()}`))
  expect(nobody.complained).toMatch(/nothing was done, http:\/\/127.0.0.1:\d+ does not answer/)
  const stranger = await runAdmin(turnOff, named((await startRawServer('hello\r\n\r\n')).url))
  expect(stranger.complained).toContain('it may have taken effect')
  expect([nobody.exitCode, stranger.exitCode]).toEqual([1, 1])
})

test('Ctrl-C ends a command that waits', async () => {
  const server = await startServer(() => {})
  const ended = new AbortController()
  const asked = server.nextRequest()
  const running = runAdmin(turnOff, named(server.url), { signal: ended.signal })
  await asked
  ended.abort('SIGINT')
  const ran = await running
  expect(ran.exitCode).toBe(130)
  expect(ran.complained).toContain('it may have taken effect')
})
