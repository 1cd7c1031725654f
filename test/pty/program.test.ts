import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeComplaint } from '../../src/base/process/node-runtime.ts'
import { cacheOf } from '../fakes/child-program.ts'
import { aHome, builtForTests, endingWithTest, environmentOf, leave, pressUntil, program } from './program.ts'
import { Terminal } from './terminal.ts'

const home = aHome('pty')

builtForTests()

/** The built program in a terminal of its own, with nothing of this machine's configuration. */
function start(argv: readonly string[], { columns = 80, rows = 24, via = '' } = {}): Terminal {
  const environment = { ...environmentOf(home), COLORTERM: 'truecolor' }
  const options = { columns, rows, environment, folder: home }
  const command = [process.execPath, `${program}/pitdesk.js`, ...argv]
  // Through a shell, what the program leaves behind can be looked at.
  const terminal =
    via === ''
      ? new Terminal(command[0] ?? '', command.slice(1), options)
      : new Terminal('/bin/sh', ['-c', `${command.join(' ')}; ${via}`], options)
  return endingWithTest(terminal)
}

/** The book is there: the ladder's title tells its spread. */
const isDesk = (text: string) =>
  text.includes('PRACTICE') && text.includes('BTC-USD open') && /Ladder BTC-USD .* sp \d/.test(text)

test('opens on its own practice exchange, trades by keys and quits', async () => {
  const terminal = start([])
  await terminal.until(isDesk)
  expect(terminal.isAlternate()).toBe(true)
  terminal.type('c')
  // Far below the market, so that the order rests.
  terminal.type('j'.repeat(200))
  terminal.type('b')
  await terminal.until((text) => text.includes('Ticket BUY LIMIT'))
  await enterUntilWorking(terminal)
  // In its list: on a slow machine the ladder has gone back to the market by now, and its cursor is off the scale.
  terminal.type('2')
  terminal.type('j')
  await terminal.until((text) => /┃>\d+ +BTC-USD BUY/.test(text))
  // While the list has it still, q asks.
  await pressUntil(terminal, 'x', (text) => /BUY +LIMIT .*CANCELED/.test(text))
  terminal.type('q')
  expect(await terminal.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect(terminal.isAlternate()).toBe(false)
})

const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const

/** A desk in a shell that tells how it ended, and how the terminal is then. */
const startInShell = (columns = 80): Terminal =>
  start([], { columns, via: 'echo "code $?"; stty -a | tr ";" "\\n" | grep -E "icanon|echo"' })

/** Ends that desk by a signal: the terminal is as it was before. */
async function endBy(signal: keyof typeof endings, terminal: Terminal): Promise<void> {
  // The shell in front is told too by a terminal that goes away; here only the program is.
  process.kill(childOf(terminal.pid), signal)
  await terminal.ended()
  const text = terminal.text()
  expect(text).toContain(`code ${endings[signal]}`)
  expect(text).toMatch(/(^|\s)icanon/)
  expect(text).toMatch(/(^|\s)echo(\s|$)/)
  expect(terminal.isAlternate()).toBe(false)
  expect(terminal.isCursorHidden()).toBe(false)
}

/** What the program wrote before it loaded what draws, which sets the title of the window first. */
const beforeTitle = ({ written }: Terminal): string => written.slice(0, written.indexOf('\u001b[22;2t'))

test('a second start shows the screen of the first at once, and is left by Ctrl-C typed then', async () => {
  const size = { columns: 93, rows: 27 }
  // What is compiled stays from one run of the tests to the next, and pictures with it.
  rmSync(join(cacheOf(program), 'pitdesk/first-pictures/93x27.practice.json'), { force: true })
  const first = start([], size)
  await first.until(isDesk)
  expect(beforeTitle(first)).not.toContain('Ladder')
  first.type('q')
  await first.ended()
  const second = start([], size)
  await second.until(() => second.written.includes('Ladder BTC-USD'))
  second.type('\u0003')
  expect(await second.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect(beforeTitle(second)).toContain('Ladder BTC-USD')
  expect(beforeTitle(second)).toContain('Opening the practice exchange…')
  expect(second.modes()).toMatchObject({
    isAlternate: false,
    isCursorHidden: false,
    titlesKept: 0,
    isUpdateOpen: false,
  })
})

/** Where else the connections of a process lead, by what the kernel says of them. */
function farEnds(pid: number): string[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  const rows = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  )
  return rows.flatMap((row) => {
    const fields = row.trim().split(/ +/)
    return sockets.includes(`socket:[${fields[9]}]`) ? [fields[2]?.split(':')[0] ?? ''] : []
  })
}

test('on its own practice exchange the desk has connections to this machine alone; SIGTERM ends it with the terminal as it was', async () => {
  const terminal = startInShell()
  await terminal.until(isDesk)
  // Addresses as Linux writes them: of a server that listens, and of loopback.
  const known = [/^0+$/, /^0100007F$/, /^0{24}01000000$/, /^0{16}FFFF00000100007F$/]
  const ends = process.platform === 'linux' ? farEnds(childOf(terminal.pid)) : ['0100007F']
  expect(ends).toContain('0100007F')
  expect(ends.filter((end) => !known.some((each) => each.test(end)))).toEqual([])
  await endBy('SIGTERM', terminal)
})

test('a Node without the latest fixes is told of above the screen; SIGINT ends the desk with the terminal as it was', async () => {
  const terminal = startInShell(200)
  await terminal.until(isDesk)
  await endBy('SIGINT', terminal)
  const complaint = nodeComplaint(process.versions.node)
  expect(terminal.text().replaceAll(/\s+/g, ' ').includes(`Warning: ${complaint}.`)).toBe(complaint !== null)
})

/** Enter once in a second, as a person presses it anew: to the review, and on from there, until the order works. */
async function enterUntilWorking(terminal: Terminal): Promise<void> {
  const isWorking = (text: string) => /BUY +LIMIT .*OPEN/.test(text)
  let pressedAt = ''
  while (!isWorking(terminal.text())) {
    const seen = terminal.text()
    const second = /\d\d:\d\d:\d\dZ/.exec(seen)?.[0] ?? ''
    if (second !== pressedAt && (seen.includes('Ticket BUY') || seen.includes('REVIEW'))) {
      pressedAt = second
      terminal.type('\r')
    }
    await terminal.until((text) => text !== seen)
  }
}

test('another terminal administers its practice exchange until SIGHUP ends it with the terminal as it was', async () => {
  const desk = startInShell()
  await desk.until(isDesk)
  const administer = async (...words: string[]) => {
    const terminal = start(['sandbox', 'admin', ...words])
    const { exitCode } = await terminal.ended()
    return { exitCode, text: terminal.text() }
  }
  const halted = await administer('symbol', 'status', 'BTC-USD', 'halt')
  expect(halted).toEqual({ exitCode: 0, text: expect.stringMatching(/symbol +BTC-USD\nstatus +halt/) })
  await desk.until((text) => text.includes('BTC-USD HALT'))
  expect((await administer('symbol', 'status', 'BTC-USD', 'open')).exitCode).toBe(0)
  await desk.until(isDesk)
  await endBy('SIGHUP', desk)
  const late = await administer('2fa', 'off', 'trader')
  expect(late).toEqual({ exitCode: 1, text: expect.stringContaining('no practice exchange is running') })
})

test('after kill -9 left the terminal raw, the next start draws and takes keys: Ctrl-C quits at once', async () => {
  const command = [process.execPath, `${program}/pitdesk.js`].join(' ')
  const terminal = start([], { via: command })
  await terminal.until(isDesk)
  process.kill(childOf(terminal.pid), 'SIGKILL')
  // The picture that was left stands until the next desk draws its own; a key before that would be typed blind.
  await terminal.until((text) => !isDesk(text))
  await terminal.until(isDesk)
  terminal.type('\u0003')
  expect((await terminal.ended()).exitCode).toBe(0)
  expect(terminal.isAlternate()).toBe(false)
})

test('a resize draws the other layout, a small one says what it needs, and SIGQUIT ends it with the terminal as it was', async () => {
  const terminal = startInShell()
  await terminal.until(isDesk)
  terminal.resize(120, 40)
  await terminal.until((text) => text.includes('9 Tickers') && text.includes('5 Withdrawals'))
  terminal.resize(60, 15)
  await terminal.until((text) => text.includes('1 Ladder') && !text.includes('Market'))
  terminal.resize(60, 11)
  await terminal.until((text) => text.includes('80') && text.includes('24') && !text.includes('Ladder'))
  terminal.resize(80, 24)
  await terminal.until(isDesk)
  await endBy('SIGQUIT', terminal)
})

test('a terminal that was lower for a moment, which no size tells, is drawn again', async () => {
  const terminal = start([])
  await terminal.until(isDesk)
  // Both before the desk looks: it finds the size that it knows.
  terminal.resize(80, 8)
  terminal.resize(80, 24)
  await terminal.until((text) => text.includes('No working orders') && text.includes('? keys') && isDesk(text))
  expect(terminal.lines().filter((line) => line.includes('Market BTC-USD'))).toHaveLength(1)
  await leave(terminal, 'q')
})

test('wrong usage and wrong places get one sentence', async () => {
  for (const [argv, exitCode, sentence] of [
    [['--version'], 0, /^\d+\.\d+\.\d+/],
    [['--help'], 0, /No flag ever takes a\s+secret/],
    [['frobnicate'], 2, /unknown command "frobnicate"/],
    [['--frobnicate'], 2, /frobnicate/],
  ] as const) {
    const terminal = start(argv)
    expect((await terminal.ended()).exitCode).toBe(exitCode)
    expect(terminal.text()).toMatch(sentence)
  }
  const piped = new Terminal('/bin/sh', ['-c', `echo | ${process.execPath} ${program}/pitdesk.js`], {
    columns: 120,
    rows: 24,
    environment: environmentOf(home),
    folder: home,
  })
  expect((await piped.ended()).exitCode).toBe(1)
  expect(piped.text()).toContain('the desk needs a terminal')
})

test('the desk writes nothing outside its own folders', () => {
  expect(readdirSync(home).filter((name) => !['.cache', '.local', '.config'].includes(name))).toEqual([])
})

/** The program's own process below the shell that started it. */
function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  if (!/^\d+$/.test(children)) throw new Error(`process ${pid} has not one child but "${children}"`)
  return Number(children)
}
