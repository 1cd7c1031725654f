import { execFile, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { historyFileName } from '../../src/history/history-file.ts'
import { firstLine, nodeArgv } from '../fakes/child-program.ts'
import { eventually } from '../fakes/eventually.ts'
import { type DeskHome, isQuoted, openDeskHome } from './desk-home.ts'
import { builtForTests, program, spawnProgram } from './program.ts'

const homes: DeskHome[] = []

builtForTests()
afterAll(() => Promise.all(homes.map((home) => home.stop())))

async function aHome(config = ''): Promise<DeskHome> {
  const home = await openDeskHome(program, config)
  homes.push(home)
  return home
}

/** The header's word on it, in full or short of room. */
const watchShown = /watch (up )?\d+[sm]/

type Line = { time: string; level: string; event: string; text: string; url?: string; pid?: number }

/** A watch in a process of its own, from when it has said its first line. */
async function aWatch(home: DeskHome, ...flags: string[]) {
  const { child, log, ended } = spawnProgram(['watch', ...flags], home.variables)
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const start: Line = JSON.parse(await firstLine(child))
  const lines = (): Line[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { child, log, ended, start, lines, text: () => text }
}

const run = promisify(execFile)
/** How a command ended, and what it said. */
const pitdesk = (home: DeskHome, ...argv: string[]) =>
  run(process.execPath, nodeArgv(program, ...argv), { env: home.variables }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )

/** How many fills a history has on file: a command that is asked for them again and again is a start each time. */
function recordedCount({ folder }: DeskHome): unknown {
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (each) => basename(each) === historyFileName,
  )
  if (name === undefined) return 0
  const file = new DatabaseSync(join(folder, name), { readOnly: true })
  try {
    return file.prepare('SELECT count(*) AS count FROM fills').get()?.count
  } finally {
    file.close()
  }
}

test('a watch logs JSON, serves its health, refuses a second one, and ends in order on SIGTERM', async () => {
  const home = await aHome()
  const watch = await aWatch(home, '--listen', '127.0.0.1:0')
  expect(watch.start).toMatchObject({ level: 'info', event: 'start', pid: watch.child.pid })
  const health = () => globalThis.fetch(`${watch.start.url}/healthz`)
  await eventually(async () => expect(await (await health()).json()).toEqual({ isWell: true, problems: [] }))
  const metrics = await (await globalThis.fetch(`${watch.start.url}/metrics`)).text()
  expect(metrics).toMatch(/^pitdesk_watch_on_duty 1$/m)
  await eventually(async () => expect((await pitdesk(home, 'watch', '--status')).code).toBe(0))
  // A stopped one is a watch all the same: its lock is its own until its process ends.
  watch.child.kill('SIGSTOP')
  const second = await pitdesk(home, 'watch')
  watch.child.kill('SIGCONT')
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toMatch(
    new RegExp(`a watch of paper runs already \\(pid ${watch.child.pid}, since 20.* UTC\\)`),
  )
  expect(JSON.parse((await pitdesk(home, 'watch', '--status', '--json')).stdout)).toMatchObject({
    ...{ isRunning: true, pid: watch.child.pid, hasDuties: true, troubles: [] },
  })
  watch.child.kill('SIGTERM')
  expect(await watch.ended).toBe(0)
  expect(watch.lines().at(-1)).toMatchObject({ event: 'end', text: 'Ended in order.' })
  expect(watch.text()).not.toContain(home.variables.PITDESK_API_TOKEN)
  expect(await pitdesk(home, 'watch', '--status')).toMatchObject({ code: 1, stdout: '' })
})

test('a console shows the watch, and has its duties again within seconds of its kill', async () => {
  const home = await aHome()
  const watch = await aWatch(home)
  const terminal = home.start({ columns: 140, rows: 40 })
  await terminal.until((text) => isQuoted(text) && watchShown.test(text))
  watch.child.kill('SIGKILL')
  await watch.ended
  await terminal.until((text) => text.includes('The watch has ended: this desk has its duties now.'))
  await terminal.until((text) => !watchShown.test(text))
  // And gives them to the next one.
  const next = await aWatch(home)
  // A desk that looks before the watch has said anything of itself knows no number.
  const begun = new RegExp(`A watch( \\(pid ${next.child.pid}\\))? has begun`)
  await terminal.until((text) => begun.test(text))
  await eventually(() => expect(next.lines().some(({ text }) => text === 'This desk has the duties now.')).toBe(true))
  terminal.type('q')
  next.child.kill('SIGTERM')
  expect(await next.ended).toBe(0)
})

test('a log whose reader leaves, or whose disk is full, neither ends nor holds up the watch', async () => {
  const home = await aHome()
  const watch = await aWatch(home, '--listen', '127.0.0.1:0')
  watch.child.stdout?.destroy()
  const order = home.variables
  expect(order.PITDESK_PROFILE).toBe('paper')
  await home.quote('64000.00', '64000.50')
  // What is logged next meets the closed pipe: the first line of it is lost, the others are on stderr.
  for (const _ of [1, 2]) await pitdesk(home, 'order', 'place', 'buy', '0.001', 'BTC-USD', '--market', '--yes')
  await eventually(() => expect(watch.log()).toContain('stdout cannot be written: logging to stderr.'))
  const health = await globalThis.fetch(`${watch.start.url}/healthz`)
  expect([health.status, await health.text()]).toEqual([200, expect.stringContaining('stdout cannot be written')])
  await eventually(() => expect(watch.log()).toContain('Fill BUY'))
  watch.child.kill('SIGTERM')
  expect(await watch.ended).toBe(0)
  // What happened meanwhile is in the history, which takes it once a minute, and at the end.
  expect(recordedCount(home)).toBeGreaterThan(0)
  const exported = await pitdesk(home, 'history', 'export', '--fills', '--json')
  expect(JSON.parse(exported.stdout)).not.toHaveLength(0)

  const full = spawn('sh', ['-c', '$DESK watch > /dev/full'], {
    env: home.variables,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void full.kill('SIGKILL'))
  let said = ''
  full.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  await eventually(async () => expect((await pitdesk(home, 'watch', '--status')).code).toBe(0))
  const { pid } = JSON.parse((await pitdesk(home, 'watch', '--status', '--json')).stdout)
  const gone = new Promise<number | null>((resolve) => full.once('close', resolve))
  process.kill(pid, 'SIGTERM')
  expect(await gone).toBe(1)
  expect(said).toContain('stdout not written')
})

test('an address that other machines reach has to be asked for', async () => {
  const home = await aHome('watch_listen = "0.0.0.0:9464"')
  expect(await pitdesk(home, 'watch')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('watch_listen: 0.0.0.0 is reached from other machines; that needs --allow-remote'),
  })
  expect((await pitdesk(home, 'watch', '--listen', 'everywhere')).code).toBe(2)
})
