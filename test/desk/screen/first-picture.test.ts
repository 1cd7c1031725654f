import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CommandIo } from '../../../src/base/process/command-io.ts'
import { readSettings } from '../../../src/config/settings.ts'
import { showFirstPicture } from '../../../src/desk/screen/first-picture.ts'
import { openWaitingDesk } from '../../../src/desk/screen/on-screen.ts'
import { usualLooks } from '../../../src/store/looks.ts'
import { openConsole } from '../../../src/ui/console/open-console.tsx'
import { lookVariables, readColorDepth, readGlyphSet } from '../../../src/ui/terminal/colors.ts'
import { deskNowMs } from '../../fakes/desk-state.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { quietIo } from '../../fakes/quiet-io.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { createFakeTerminal } from '../../fakes/terminal.ts'

type Start = {
  columns?: number
  rows?: number
  variables?: Record<string, string>
  looks?: Partial<typeof usualLooks>
  session?: unknown
  atMs?: number
}

/** A start of a person whose home is `home`, up to where what draws is loaded. */
function aStart(home: string, start: Start = {}) {
  const { columns = 120, rows = 40, variables = {}, looks = {}, session = null, atMs = deskNowMs } = start
  const environment = { HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...variables }
  const settings = readSettings(environment, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const terminal = createFakeTerminal(columns, rows)
  const { stdin, stdout } = terminal
  const clock = new FakeClock(atMs)
  const quit = new AbortController()
  const restorers: Array<() => void> = []
  const io = {
    ...quietIo(environment),
    // What a terminal of the system has besides is not used here.
    stdin: stdin as unknown as CommandIo['stdin'],
    stdout: stdout as unknown as CommandIo['stdout'],
    restoreAtCrash: (restore: () => void) => void restorers.push(restore),
  }
  const tools = { clock, random: Math.random, randomBytes: () => Buffer.alloc(0), isOwnProcess: false }
  const plan = {
    ...{ settings: settings.value, looks: { ...usualLooks, ...looks }, reboundKeys: new Map(), quit, io, tools },
  }
  const picture = showFirstPicture(plan, { dressedIn: session })
  onTestFinished(() => quit.abort())
  /** What draws is loaded. */
  const draw = () => {
    const desk = openWaitingDesk(plan)
    onTestFinished(desk.stop)
    const parts = { store: desk.store, commands: desk.commands, stdin, stdout, clock, env: environment }
    const console = openConsole({ ...parts, isScreenTaken: picture.isShown, onExit: () => undefined })
    if (!console.ok) throw new Error(console.error)
    onTestFinished(console.value.close)
    picture.handOver(console.value.firstPicture)
    return console.value
  }
  const settled = () => new Promise<void>((resolve) => void stdout.write('', () => resolve()))
  return { ...terminal, picture, draw, quit, clock, settled, restorers, environment }
}

/** A start that has drawn and ended. */
async function earlier(home: string, start?: Start): Promise<string> {
  const { draw, quit, settled, screen } = aStart(home, start)
  const console = draw()
  await settled()
  const text = screen()
  quit.abort()
  console.close()
  await settled()
  return text
}

const folderOf = (home: string): string => join(home, '.cache/pitdesk/first-pictures')
const filesOf = (home: string): string[] => readdirSync(folderOf(home)).map((name) => join(folderOf(home), name))
const timeOfDay = /\d\d:\d\d:\d\dZ?/g

test('a start shows what the one before drew, without its time, before what draws is loaded', async () => {
  const home = temporaryFolder('first-picture')
  const drawn = await earlier(home)
  expect(drawn).toContain('1 Ladder BTC-USD')
  const { picture, stdin, stdout, settled, screen, isAlternateScreen, draw } = aStart(home, {
    atMs: deskNowMs + 86_399_000,
  })
  await settled()
  expect([picture.isShown, stdin.isRaw, isAlternateScreen()]).toEqual([true, true, true])
  const lines = (text: string) => text.split('\n').map((line) => line.trimEnd())
  expect(lines(screen())).toEqual(lines(drawn.replace(timeOfDay, (text) => ' '.repeat(text.length))))
  draw()
  await settled()
  // Taken once: a terminal that takes it anew blanks it.
  expect(stdout.written.split('\u001b[?1049h')).toHaveLength(2)
  expect(screen().replace(timeOfDay, '')).toBe(drawn.replace(timeOfDay, ''))
  expect(screen()).not.toBe(drawn)
})

test.each<[string, Start]>([
  ['size', { columns: 121 }],
  ['number of rows', { rows: 41 }],
  ['terminal', { variables: { TERM: 'linux' } }],
  ['wish for no color', { variables: { NO_COLOR: '1' } }],
  ['locale', { variables: { LC_ALL: 'C' } }],
  ['symbol', { variables: { PITDESK_SYMBOL: 'ETH-USD' } }],
  ['theme', { looks: { theme: 'light' } }],
  ['session', { session: { layout: 'chart' } }],
  ['way to draw', { looks: { screenOutput: 'lines' } }],
  ['voice', { looks: { isSpoken: true } }],
])('with another %s nothing is shown before it is drawn', async (_, other) => {
  const home = temporaryFolder('first-picture')
  await earlier(home)
  const { picture, stdin, stdout } = aStart(home, other)
  expect([picture.isShown, stdin.isRaw, stdout.written]).toEqual([false, false, ''])
  expect(aStart(home).picture.isShown).toBe(true)
})

test('a desk that is being opened says SAFE: nothing can be sent yet, and it may be locked or refused', async () => {
  expect(await earlier(temporaryFolder('first-picture'))).toMatch(/^ SAFE /)
})

test('what the looks of a picture depend on in the environment is known by name', () => {
  const asked = new Set<string>()
  const values: Record<string, string> = { TERM: 'xterm' }
  const environment = new Proxy(values, {
    get(target, name) {
      asked.add(String(name))
      return target[String(name)]
    },
  })
  readColorDepth(environment)
  readGlyphSet(environment)
  expect([...asked].sort()).toEqual([...lookVariables].sort())
})

test.each([
  ['a title', '\u001b]2;title\u0007'],
  ['another screen', '\u001b[?1049l'],
  ['a question', '\u001b[c'],
  ['a bell', '\u0007'],
  ['a control sequence of eight bits', '\u009b31m'],
  ['a string of the terminal', '\u001bPq\u001b\\'],
])('a kept picture with %s in it is not written to the terminal, and drawn anew', async (_, foreign) => {
  const home = temporaryFolder('first-picture')
  await earlier(home)
  const [file = ''] = filesOf(home)
  const kept: { key: string; picture: string } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...kept, picture: kept.picture + foreign }))
  const { picture, stdout } = aStart(home)
  expect([picture.isShown, stdout.written]).toEqual([false, ''])
  await earlier(home)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(kept)
})

test.each(['', 'null', '{"key":1,"picture":""}', '{"key":"x"}', 'x'.repeat(2_000_000)])(
  'a file that is no picture is none (%#)',
  async (text) => {
    const home = temporaryFolder('first-picture')
    await earlier(home)
    const [file = ''] = filesOf(home)
    writeFileSync(file, text)
    expect(aStart(home).picture.isShown).toBe(false)
  },
)

test('a picture that others could have written is not shown', async () => {
  const home = temporaryFolder('first-picture')
  await earlier(home)
  chmodSync(folderOf(home), 0o777)
  expect(aStart(home).picture.isShown).toBe(false)
})

test.each<[string, (cache: string) => void]>([
  ['a link to nowhere', (cache) => symlinkSync('/proc/self/nothing', cache)],
  ['a link to itself', (cache) => symlinkSync(cache, cache)],
  ['a file', (cache) => writeFileSync(cache, '')],
  [
    'a file in the place of its folder',
    (cache) => {
      mkdirSync(join(cache, 'pitdesk'), { recursive: true })
      writeFileSync(join(cache, 'pitdesk/first-pictures'), '')
    },
  ],
])('a cache that cannot be used costs nothing but the picture: %s', async (_, make) => {
  const home = temporaryFolder('first-picture')
  make(join(home, 'cache'))
  const start = { variables: { XDG_CACHE_HOME: join(home, 'cache') } }
  expect(await earlier(home, start)).toContain('1 Ladder BTC-USD')
  const { clock, draw } = aStart(home, start)
  draw()
  await clock.advance(6_000)
  expect(aStart(home, start).picture.isShown).toBe(false)
})

test('a picture is kept while the desk runs, not only at its end', async () => {
  const home = temporaryFolder('first-picture')
  const { draw, clock } = aStart(home)
  draw()
  await clock.advance(6_000)
  expect(aStart(home).picture.isShown).toBe(true)
})

test('a picture that is as it was is not written once more, and one that is not takes its place', async () => {
  const home = temporaryFolder('first-picture')
  await earlier(home)
  const [file = ''] = filesOf(home)
  utimesSync(file, 1, 1)
  await earlier(home)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('Ladder', 'Laddle'))
  await earlier(home)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('pictures of many sizes are few, and the newest', async () => {
  const home = temporaryFolder('first-picture')
  for (let columns = 100; columns < 130; columns += 1) {
    await earlier(home, { columns })
    for (const file of filesOf(home)) if (file.includes(`/${columns}x`)) utimesSync(file, columns, columns)
  }
  const widths = filesOf(home).map((file) => Number(/\/(\d+)x\d+\.[^/]*$/.exec(file)?.[1]))
  expect(widths).toHaveLength(24)
  expect(Math.min(...widths)).toBe(106)
})

test('before there is a drawing, a crash gives the terminal back, and a drawing gives it back itself', async () => {
  const home = temporaryFolder('first-picture')
  await earlier(home)
  const crashed = aStart(home)
  await crashed.settled()
  expect(crashed.isAlternateScreen()).toBe(true)
  for (const restore of crashed.restorers) restore()
  await crashed.settled()
  expect([crashed.isAlternateScreen(), crashed.stdin.isRaw]).toEqual([false, false])
  expect(crashed.stdout.written.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true)
  const drawn = aStart(home)
  const console = drawn.draw()
  const written = drawn.stdout.written
  for (const restore of drawn.restorers) restore()
  drawn.picture.takeBack()
  expect(drawn.stdout.written).toBe(written)
  console.close()
  await drawn.settled()
  expect(drawn.isAlternateScreen()).toBe(false)
})
