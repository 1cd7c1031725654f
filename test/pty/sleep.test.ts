import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeskHome, isQuoted, isReviewable, openDeskHome } from './desk-home.ts'
import { builtForTests, pressUntil, program } from './program.ts'

let home: DeskHome

builtForTests()

beforeAll(async () => {
  home = await openDeskHome(program, '')
})
afterAll(() => home.stop())

/**
 * A shell with job control: the desk, then whatever is typed until the desk is called back, and how it ended. The
 * terminal is raw by then: one that becomes raw may drop what waits in it, and the desk would never see it.
 */
const shell = [
  'set -m; $DESK; echo "stopped $?"; stty -a | tr ";" "\\n" | grep -E "icanon|echo "',
  'stty raw -echo; echo asleep; read line; fg; code=$?; stty sane; echo "ended $code"',
].join('; ')

const review = 'REVIEW on PRACTICE'

test('Ctrl-Z gives the terminal back as it was, and fg draws everything anew at the size it has then', async () => {
  const terminal = home.start({ shell })
  await terminal.until(isQuoted)
  terminal.type('\u001a')
  await terminal.until((text) => text.includes('stopped 148') && text.includes('asleep'))
  expect(terminal.text()).toMatch(/(^|\s)icanon/)
  expect(terminal.isAlternate()).toBe(false)
  expect(terminal.isCursorHidden()).toBe(false)
  terminal.resize(120, 40)
  // What is typed on after the line that calls the desk back is not meant for it.
  terminal.type('back\nxK')
  await terminal.until((text) => isQuoted(text) && text.includes('9 Tickers') && text.includes('5 Withdrawals'))
  // The notice may be gone by then; the log keeps it.
  terminal.type('7')
  await terminal.until((text) => text.includes('2 keys were typed before the screen'))
  expect(terminal.isAlternate()).toBe(true)
  expect(terminal.text()).not.toContain('HALT + CANCEL')
  terminal.type('q')
  await terminal.until((shown) => shown.includes('ended 0'))
  expect(terminal.isAlternate()).toBe(false)
})

test('an order under review is not under review any more when the desk comes back', async () => {
  const terminal = home.start({ shell })
  await terminal.until(isQuoted)
  terminal.type('c')
  terminal.type('b')
  await terminal.until((text) => text.includes('Ticket BUY') && isReviewable(text))
  await pressUntil(terminal, '\r', (text) => text.includes(review))
  terminal.type('\u001a')
  await terminal.until((text) => text.includes('stopped 148') && text.includes('asleep'))
  terminal.type('back\n')
  const text = await terminal.until((shown) => shown.includes('Ticket BUY') && shown.includes('Back after'))
  expect(text).not.toContain(review)
  terminal.type('\u0003')
  await terminal.until((shown) => shown.includes('ended 0'))
  expect((await home.client.fetchOrders({})).entries).toEqual([])
})

test('a stop that is asked for from outside leaves the terminal in order too', async () => {
  const terminal = home.start({ shell: `set -m; echo $$ > shell; ${shell.slice(8)}` })
  await terminal.until(isQuoted)
  const desk = home.childOf(Number(await home.read('shell')))
  process.kill(desk, 'SIGTSTP')
  await terminal.until((text) => text.includes('stopped 148') && text.includes('asleep'))
  expect(terminal.isAlternate()).toBe(false)
  terminal.type('back\n')
  await terminal.until(isQuoted)
  process.kill(desk, 'SIGTERM')
  // The terminal is raw, as the desk found it: lines begin where the ones before ended, and this one may be broken.
  await terminal.until((text) => text.replaceAll(/\s/g, '').includes('ended143'))
})

test('after a stop that nobody could see coming, fg takes the terminal anew: keys act, and nothing of the shell stays', async () => {
  const stopped = 'echo "stopped $?"; stty sane; echo asleep; echo "shell words"; read line; fg; echo "ended $?"'
  const terminal = home.start({ shell: `set -m; echo $$ > shell; $DESK; ${stopped}` })
  // From when it is open a desk listens for its shell.
  await terminal.until((text) => isQuoted(text) && !/waiting/i.test(text))
  process.kill(home.childOf(Number(await home.read('shell'))), 'SIGSTOP')
  // The shell writes where the desk was drawing last: its words may be broken at the end of a line.
  const says = (text: string, ...words: string[]) => words.some((each) => text.replaceAll(/\s/g, '').includes(each))
  await terminal.until((text) => says(text, 'stopped147') && says(text, 'shellwords'))
  terminal.type('back\n')
  await terminal.until((text) => isQuoted(text) && !says(text, 'shellwords', 'asleep'))
  // A key acts without Enter, and is not echoed into the screen.
  terminal.type('K')
  await terminal.until((text) => text.includes('HALT'))
  terminal.type('\u001b')
  await terminal.until((text) => isQuoted(text) && !text.includes('HALT'))
  terminal.type('q')
  await terminal.until((text) => text.includes('ended 0'))
})

test('what another program writes on the screen goes by Ctrl-L, and so does what it left on', async () => {
  // A color, a region that scrolls, cells counted from it, inserting, a cursor, and letters that draw lines.
  const left = '\u001b[31m\u001b[3;9r\u001b[?6h\u001b[4h\u001b[?25h\u001b(0'
  const terminal = home.start({ shell: 'tty > tty; $DESK' })
  await terminal.until((text) => isQuoted(text) && text.includes('? keys'))
  /** Between header and notice each line is of a pane, and has both its ends. */
  const isWhole = (text: string) =>
    isQuoted(text) &&
    terminal
      .lines()
      .slice(2, 21)
      .every((line) => /^[┏┃┗┌│└].{78}[┓┃┛┐│┘]$/.test(line))
  await terminal.until(isWhole)
  const device = openSync((await home.read('tty')).trim(), constants.O_WRONLY | constants.O_NOCTTY)
  writeSync(device, `\r\nBroadcast message: the building closes at six\r\n\r\n${left}`)
  closeSync(device)
  await terminal.until((text) => text.includes('closes at six') && !isWhole(text))
  terminal.type('\u000c')
  expect(await terminal.until(isWhole)).not.toContain('Broadcast')
  expect(terminal.isCursorHidden()).toBe(true)
  // What comes later is drawn where it belongs.
  terminal.type('K')
  await terminal.until((text) => text.includes('HALT + CANCEL'))
  terminal.type('\u001b')
  await terminal.until((text) => isWhole(text) && !text.includes('HALT'))
  terminal.type('q')
  expect(await terminal.ended()).toEqual({ exitCode: 0, signal: 0 })
})

test('where no shell could call it back the desk stays, and says so', async () => {
  const terminal = home.start({ shell: 'exec $DESK' })
  await terminal.until(isQuoted)
  terminal.type('\u001a')
  await terminal.until((text) => isQuoted(text) && text.includes('Not suspended: no shell'))
  expect(terminal.isAlternate()).toBe(true)
  terminal.type('q')
  expect(await terminal.ended()).toEqual({ exitCode: 0, signal: 0 })
})

test('a terminal that goes away while the desk sleeps ends it in order', async () => {
  const job = `sh -c 'trap "" HUP; $DESK; echo $? > woken'`
  const terminal = home.start({ shell: `set -m; ${job}; echo "stopped $?"; read line` })
  await terminal.until(isQuoted)
  terminal.type('\u001a')
  await terminal.until((text) => text.includes('stopped 148'))
  terminal.hangUp()
  expect(await home.read('woken')).toBe('129\n')
})
