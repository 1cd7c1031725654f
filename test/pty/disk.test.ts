import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { openDeskHome } from './desk-home.ts'
import { type HeldExchange, startHeldExchange } from './held-exchange.ts'
import { aHome, builtForTests, program } from './program.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

const homes = aHome('disk')

let sandbox: SandboxProcess
let exchange: HeldExchange
let home = ''

builtForTests()

beforeAll(async () => {
  sandbox = await startSandboxProcess(program, homes, '--market', 'off')
  exchange = await startHeldExchange(sandbox.url)
})

afterAll(async () => {
  await exchange.close()
  await sandbox.stop()
})

beforeEach(() => {
  home = mkdtempSync(join(homes, 'home-'))
  amountCount += 1
  amount = `0.001${amountCount}`
})

type Ran = { code: number; stdout: string; stderr: string }
type Running = { child: ChildProcess; ended: Promise<Ran> }

/** The built program, as a script runs it; `shell` stands before it. */
function start(argv: readonly string[], shell = ''): Running {
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CACHE_HOME: cacheOf(program),
    LANG: 'C.UTF-8',
    PITDESK_EXCHANGE_BASE_URL: exchange.url,
    PITDESK_API_TOKEN: sandbox.token,
  }
  const child = spawn('bash', ['-c', `${shell} exec "$@"`, '-', process.execPath, ...nodeArgv(program, ...argv)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ran: Ran = { code: -1, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    ran.stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    ran.stderr += String(chunk)
  })
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => resolve({ ...ran, code: code ?? -1 }))
  })
  return { child, ended }
}
const run = (line: string, shell?: string) => start(line.split(' '), shell).ended

let amountCount = 0
/** An amount of its own for each test, so that what is found can be no other's. */
let amount = ''
const withdrawing = () => `withdraw btc ${amount} --to wl-1 --yes --accept fee`
const state = () => join(home, '.local/state/pitdesk')
const accountFolder = () => {
  const accounts = join(state(), 'accounts')
  const [name = ''] = readdirSync(accounts).filter((each) => !each.endsWith('.lock'))
  return join(accounts, name)
}
const openFiles = () => readdirSync(join(accountFolder(), 'journal')).filter((name) => name.endsWith('.jsonl'))
/** What the exchange has, from the exchange itself. */
const withdrawals = async () => z.array(z.unknown()).parse(await sandbox.read('/withdrawals'))
const journal = async (): Promise<{ result: string }[]> => JSON.parse((await run('journal')).stdout)

/** No fault of the program's own, and no stack. */
const isPlain = ({ stderr }: Ran) => !/could not start|crashed|\n {4}at /.test(stderr)

describe('the disk is full', () => {
  // A file may not grow at all: what a full disk does to whoever writes.
  const full = 'ulimit -f 0;'

  test('nothing that could not be repeated is sent, cancels are, and each says why', async () => {
    const placed = await run('order place buy 0.05 BTC-USD --limit 60000 --dry-run')
    expect(isPlain(placed)).toBe(true)
    const before = (await withdrawals()).length
    const withdrawn = await run(withdrawing(), full)
    expect(withdrawn).toMatchObject({ code: 3, stdout: expect.stringMatching(/^\{"error":\{"kind":"notSent"/) })
    expect(withdrawn.stderr).toMatch(/Only cancels are sent, and are not on record: .*EFBIG/)
    expect(withdrawn.stderr).toMatch(/not sent: .*EFBIG.*Nothing left the account\./s)
    expect(await withdrawals()).toHaveLength(before)
    const canceled = await run('order cancel-all --every-symbol --yes', full)
    expect(canceled.stderr).toMatch(/Not on record: cancel of all orders in every symbol, canceled; .*EFBIG/)
    for (const ran of [withdrawn, canceled]) expect(isPlain(ran), ran.stderr).toBe(true)
  })

  test('with room again everything goes on', async () => {
    await run(withdrawing(), full)
    const sent = await run(withdrawing())
    expect([sent.code, JSON.parse(sent.stdout).state]).toEqual([0, 'PENDING'])
    expect(await journal()).toMatchObject([{ result: 'accepted' }])
    expect(openFiles()).toEqual([])
  })
})

describe('the state folder goes while money is on its way', () => {
  test('and is gone: what left is said, with what is not on record, and the exit is that of what was seen', async () => {
    const before = (await withdrawals()).length
    const reached = exchange.hold('/withdrawals')
    const { ended } = start(withdrawing().split(' '))
    await reached
    rmSync(state(), { recursive: true })
    exchange.release()
    const ran = await ended
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, expect.objectContaining({ amount, state: 'PENDING' })])
    expect(ran.stderr).toMatch(
      /Not on record: withdrawal of 0\.001\d BTC to wl-1, accepted as w-\d+; .* was removed or replaced: put .* back, or restart the desk\. Do not resubmit\./,
    )
    expect(isPlain(ran), ran.stderr).toBe(true)
    expect(await withdrawals()).toHaveLength(before + 1)
  })

  test('and comes back: the open entry lies where the next command takes it up, finds it, and sends nothing again', async () => {
    const before = (await withdrawals()).length
    const reached = exchange.hold('/withdrawals')
    const { ended } = start(withdrawing().split(' '))
    await reached
    renameSync(state(), `${state()}-away`)
    exchange.release()
    expect((await ended).stderr).toContain('Not on record')
    rmSync(state(), { recursive: true, force: true })
    renameSync(`${state()}-away`, state())
    expect(openFiles()).toHaveLength(1)
    const next = await run('order place buy 0.05 BTC-USD --limit 60000 --dry-run')
    expect(next.stderr).toMatch(/Found: withdrawal w-\d+ \(0\.001\d BTC/)
    expect(await journal()).toMatchObject([{ result: 'settled by exchange: placed' }])
    expect(JSON.parse((await run('withdrawals --drafts')).stdout)).toMatchObject([{ state: 'sent' }])
    expect(await withdrawals()).toHaveLength(before + 1)
  })

  test('and something else stands in its place: commands end with a sentence', async () => {
    rmSync(state(), { recursive: true, force: true })
    mkdirSync(dirname(state()), { recursive: true })
    writeFileSync(state(), 'a file')
    for (const line of [
      withdrawing(),
      'order place buy 0.05 BTC-USD --limit 60000 --yes',
      'withdrawals --drafts',
      'journal',
    ]) {
      const ran = await run(line)
      expect(ran.code, line).not.toBe(0)
      expect(ran.stderr, line).toContain('ENOTDIR')
      expect(isPlain(ran), ran.stderr).toBe(true)
    }
    const canceled = await run('order cancel-all --every-symbol --yes')
    expect([isPlain(canceled), statSync(state()).isFile()]).toEqual([true, true])
  })
})

describe('a command is killed with -9 while it sends a draft', () => {
  /** The id of a draft whose request has left, and whose command is dead. */
  async function killSending(shell = ''): Promise<string> {
    const kept = await start(`withdraw btc ${amount} --to wl-1 --draft`.split(' '), shell).ended
    const { draftId } = JSON.parse(kept.stdout)
    const reached = exchange.hold('/withdrawals')
    const { child, ended } = start(['withdraw', '--send', draftId, '--yes', '--accept', 'fee'], shell)
    await reached
    child.kill('SIGKILL')
    await ended
    exchange.release()
    return draftId
  }

  test('and a byte of the line that begins its entry is damaged: the draft is looked for, and not sent again', async () => {
    const before = (await withdrawals()).length
    const draftId = await killSending()
    const [name = ''] = openFiles()
    const path = join(accountFolder(), 'journal', name)
    writeFileSync(path, readFileSync(path, 'utf8').replace('"record":"begin"', '"record":"begjn"'))
    const again = await run(`withdraw --send ${draftId} --yes`)
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, expect.objectContaining({ amount })])
    expect(again.stderr).toMatch(/^Draft \w+ was sent before, at .* UTC: not sent again\.$/m)
    expect(again.stderr).toMatch(/Found: withdrawal w-\d+ \(0\.001\d BTC/)
    expect(JSON.parse((await run('withdrawals --drafts')).stdout)).toMatchObject([{ draftId, state: 'sent' }])
    expect(await withdrawals()).toHaveLength(before + 1)
    expect(existsSync(join(accountFolder(), 'journal', 'damaged', name))).toBe(true)
  })

  test('and its journal is lost: the same', async () => {
    const before = (await withdrawals()).length
    const draftId = await killSending()
    rmSync(join(accountFolder(), 'journal'), { recursive: true })
    const again = await run(`withdraw --send ${draftId} --yes`)
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, expect.objectContaining({ amount })])
    expect(JSON.parse((await run('withdrawals --drafts')).stdout)).toMatchObject([{ draftId, state: 'sent' }])
    expect(await withdrawals()).toHaveLength(before + 1)
  })
})

describe('the console', () => {
  const practice = {
    PITDESK_PROFILE: undefined,
    PITDESK_EXCHANGE_BASE_URL: undefined,
    PITDESK_API_TOKEN: undefined,
    XDG_CONFIG_HOME: '/nowhere',
  }

  test('on a practice exchange whose disk fills up stays, and says that it is the disk', async () => {
    const desk = await openDeskHome(program, '')
    try {
      const first = desk.start({ variables: practice, columns: 120, rows: 40 })
      await first.until((text) => text.includes('PRACTICE') && /bk \d/.test(text))
      first.type('q')
      await first.ended()
      const second = desk.start({ variables: practice, columns: 120, rows: 40, shell: 'ulimit -f 400; $DESK' })
      await second.until((text) => text.includes('the exchange failed (500)'))
      second.type('7')
      second.type('z')
      // The lines of the log are broken where the terminal ends.
      const whole = (text: string) => text.replace(/[\s┃]+/g, ' ')
      await second.until(
        (text) =>
          text.includes('The practice exchange has stopped.') &&
          /The data folder \S+ cannot be written: /.test(whole(text)),
      )
      second.type('q')
      expect((await second.ended()).exitCode).toBe(0)
    } finally {
      await desk.stop()
    }
  })
})
