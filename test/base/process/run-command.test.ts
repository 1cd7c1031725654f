import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type CommandLine,
  type CommandOptions,
  commandEnvironment,
  runCommand,
} from '../../../src/base/process/run-command.ts'
import { errorCode } from '../../../src/base/text/error-text.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

const shell = (line: string): CommandLine => ({ kind: 'shell', line })

function run(command: CommandLine, options: Partial<CommandOptions> = {}) {
  const clock = new FakeClock()
  const running = runCommand(command, {
    environment: commandEnvironment(process.env),
    input: null,
    patienceMs: 30_000,
    hasOwnGroup: true,
    clock,
    signal: new AbortController().signal,
    ...options,
  })
  return { clock, running }
}

/** Whether a process is still there. One that has ended and was not fetched by its parent is a zombie, and gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    if (['ESRCH', 'ENOENT'].includes(errorCode(error))) return false
    throw error
  }
}

/** Whether a child has ended and its end was fetched by this process: even a zombie still takes the empty signal. */
function isFetched(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return true
    throw error
  }
}

const numberIn = (path: string) =>
  eventually(() => {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
    if (!(pid > 0)) throw new Error('not written yet')
    return pid
  })

test('gives a program its input, and tells what it said and how it ended', async () => {
  const echoed = await run(shell('cat; echo trouble >&2; exit 3'), { input: 'line ✓\n' }).running
  expect(echoed).toEqual({ end: { kind: 'ended', code: 3 }, stdout: 'line ✓\n', stderr: 'trouble\n' })
  const missing = await run({ kind: 'words', file: '/no/such/program', argv: [] }, { input: 'x' }).running
  expect(missing.end).toEqual({ kind: 'failed', reason: 'ENOENT' })
})

test('words that cannot be those of a program are told like a program that is not there', async () => {
  const withNul = await run({ kind: 'words', file: 'cat', argv: ['a\0b'] }).running
  expect(withNul).toEqual({ end: { kind: 'failed', reason: 'ERR_INVALID_ARG_VALUE' }, stdout: '', stderr: '' })
  const tooLong = await run({ kind: 'words', file: 'cat', argv: ['x'.repeat(8_000_000)] }).running
  expect(tooLong.end).toEqual({ kind: 'failed', reason: 'E2BIG' })
})

test('one that does not read a long input is judged by its exit code alone', async () => {
  expect((await run(shell('exit 0'), { input: 'x'.repeat(1_000_000) }).running).end).toEqual({ kind: 'ended', code: 0 })
})

test('at its limit the whole group is ended, also what refuses to be asked', async () => {
  const folder = temporaryFolder('group')
  const stubborn = join(folder, 'stubborn.sh')
  // Deaf to SIGTERM, and with nothing of its parent's pipes.
  writeFileSync(stubborn, `trap '' TERM\necho $$ > ${folder}/child\nwhile :; do sleep 1; done\n`)
  const { clock, running } = run(shell(`sh ${stubborn} >/dev/null 2>&1 & echo $$ > ${folder}/leader; wait`))
  const [leader, child] = [await numberIn(join(folder, 'leader')), await numberIn(join(folder, 'child'))]
  expect([isAlive(leader), isAlive(child)]).toEqual([true, true])
  const over = clock.advance(30_000)
  await clock.reached(2_000)
  await over
  await clock.advance(2_000)
  expect((await running).end).toEqual({ kind: 'timedOut' })
  await eventually(() => expect([isAlive(leader), isAlive(child)]).toEqual([false, false]))
})

test('one in the group of the desk is ended at its limit too, when it does not heed being asked', async () => {
  const folder = temporaryFolder('alone')
  const deaf = `trap '' TERM; echo $$ > ${folder}/pid; while :; do read -r _ < ${folder}/never; done`
  execFileSync('mkfifo', [join(folder, 'never')])
  const { clock, running } = run(shell(deaf), { hasOwnGroup: false })
  const pid = await numberIn(join(folder, 'pid'))
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')))
  await clock.advance(30_000)
  expect(isAlive(pid)).toBe(true)
  await clock.advance(2_000)
  expect((await running).end).toEqual({ kind: 'timedOut' })
  await eventually(() => expect(isAlive(pid)).toBe(false))
})

test('one that is done itself is done, also when what it left behind holds its output and is ended', async () => {
  const folder = temporaryFolder('left')
  const { clock, running } = run(shell(`sleep 300 & echo $! > ${folder}/left; echo $$ > ${folder}/leader; exit 0`))
  const [left, leader] = [await numberIn(join(folder, 'left')), await numberIn(join(folder, 'leader'))]
  // Its end has to be known here before the limit passes: on a busy machine it writes long before it ends.
  await eventually(() => expect(isFetched(leader)).toBe(true))
  await clock.advance(30_000)
  await clock.advance(2_000)
  expect((await running).end).toEqual({ kind: 'ended', code: 0 })
  await eventually(() => expect(isAlive(left)).toBe(false))
})

test('the end of the desk ends it', async () => {
  const ending = new AbortController()
  const { clock, running } = run(shell('sleep 300'), { signal: ending.signal })
  ending.abort()
  await clock.reached(2_000)
  await clock.advance(2_000)
  expect((await running).end).toEqual({ kind: 'aborted' })
})

test('no key is among the variables that are passed on, of this desk or of anything else', () => {
  const secrets = {
    PITDESK_API_TOKEN: 'k',
    PITDESK_NOTIFY_SECRET: 'k',
    PITDESK_NOTIFY_URL: 'k',
    AWS_SECRET_ACCESS_KEY: 'k',
    VAULT_TOKEN: 'k',
    https_proxy: 'http://user:k@proxy',
    SSH_AUTH_SOCK: 'k',
    GPG_TTY: 'k',
  }
  const environment = { HOME: '/home/ada', PATH: '/bin', XDG_RUNTIME_DIR: '/run/user/1', LC_ALL: 'C', ...secrets }
  expect(commandEnvironment(environment)).toEqual({
    HOME: '/home/ada',
    PATH: '/bin',
    XDG_RUNTIME_DIR: '/run/user/1',
    LC_ALL: 'C',
  })
})
