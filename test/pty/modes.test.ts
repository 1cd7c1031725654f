import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeskHome, isQuoted, openDeskHome } from './desk-home.ts'
import { builtForTests, program } from './program.ts'
import type { Terminal, TerminalModes } from './terminal.ts'

// Whatever ends the desk, the shell finds its terminal as it was.

let home: DeskHome

builtForTests()

beforeAll(async () => {
  home = await openDeskHome(program, 'mouse = true\nwindow_title = true\nprogress = true')
  writeFileSync(join(home.folder, 'crash.cjs'), "process.on('SIGUSR2', () => { throw new Error('for a test') })\n")
})
afterAll(() => home.stop())

/** A terminal as a shell has it. */
const untouched: TerminalModes = {
  ...{ isAlternate: false, isCursorHidden: false, isPasteBracketed: false, mouse: 'none', sendsFocus: false },
  ...{ isUpdateOpen: false, keyboard: [], titlesKept: 0, progress: '0;0' },
}

/** As the desk has it while it is halted. */
const taken = {
  ...{ isAlternate: true, isCursorHidden: true, isPasteBracketed: true, mouse: 'vt200', sendsFocus: true },
  ...{ keyboard: [expect.any(Number)], titlesKept: 1, progress: '2;100' },
}

const lineModes = 'stty -a | tr ";" "\\n" | grep -E "icanon|echo "'

/** A desk that has taken all of the terminal that it ever takes, in a shell that tells how it ended. */
async function haltedDesk(shell: string): Promise<Terminal> {
  const variables = { NODE_OPTIONS: `--require ${join(home.folder, 'crash.cjs')}` }
  const terminal = home.start({ shell, variables, hasKeyCodes: true })
  await terminal.until(isQuoted)
  terminal.type('K')
  await terminal.until((text) => text.includes('Halt'))
  terminal.type('\r')
  await terminal.until(() => terminal.modes().progress === '2;100')
  expect(terminal.modes()).toMatchObject(taken)
  return terminal
}

const deskIn = async (): Promise<number> => home.childOf(Number(await home.read('shell')))
const endingShell = `echo $$ > shell; $DESK; echo "code $?"; ${lineModes}; read line`

test.each([
  ['an error that nobody catches', 'SIGUSR2', 1],
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGHUP', 'SIGHUP', 129],
] as const)('after %s the terminal is as it was', async (_, signal, code) => {
  const terminal = await haltedDesk(endingShell)
  process.kill(await deskIn(), signal)
  const text = await terminal.until((screen) => screen.includes(`code ${code}`) && /\becho\b/.test(screen))
  expect(terminal.modes()).toEqual(untouched)
  expect(text).toMatch(/(^|\s)icanon/)
  expect(text).toMatch(/(^|\s)echo/)
})

test('while it is stopped the terminal is as it was, and the desk takes it again when it goes on', async () => {
  const stopped = `set -m; echo $$ > shell; $DESK; echo "stopped $?"; ${lineModes}; echo asleep; read line; fg; echo "code $?"`
  const terminal = await haltedDesk(stopped)
  process.kill(await deskIn(), 'SIGTSTP')
  const text = await terminal.until((screen) => screen.includes('asleep'))
  expect(text).toMatch(/stopped 148/)
  expect(text).toMatch(/(^|\s)icanon/)
  expect(terminal.modes()).toEqual(untouched)
  terminal.type('back\n')
  await terminal.until(() => terminal.modes().keyboard.length > 0 && terminal.modes().progress === '2;100')
  expect(terminal.modes()).toMatchObject(taken)
  process.kill(await deskIn(), 'SIGTERM')
  await terminal.until((screen) => screen.replaceAll(/\s/g, '').includes('code143'))
  expect(terminal.modes()).toEqual(untouched)
})
