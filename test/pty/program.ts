import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { buildTestProgram, testProgram } from '../../.tools/test-builds.mjs'
import { cacheOf, nodeArgv, stderrOf } from '../fakes/child-program.ts'
import { Terminal } from './terminal.ts'

/** The folder of the built program, which every test file shares. */
export const program = testProgram

const cacheHome = cacheOf(program)

/** Has the program built before the tests of a file begin. */
export const builtForTests = (): void => beforeAll(buildTestProgram)

/** A home folder with nothing of this machine's configuration, which goes after the tests of a file. */
export function aHome(name: string): string {
  const home = mkdtempSync(join(tmpdir(), `pitdesk-${name}-`))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  return home
}

type Start = { columns?: number; rows?: number; environment?: Readonly<Record<string, string>> }

/** What a program knows in a terminal of a person whose home folder is `home`. */
export const environmentOf = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CACHE_HOME: cacheHome,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
})

/** The same terminal: what a test that failed leaves running in it would keep the folders of all that come after it. */
export function endingWithTest(terminal: Terminal): Terminal {
  onTestFinished(async () => {
    if (!terminal.hasEnded) terminal.kill('SIGKILL')
    await terminal.ended()
  })
  return terminal
}

/** The built program in a terminal of its own, to the end of the test at most. */
export function startProgram(home: string, argv: readonly string[], options: Start = {}): Terminal {
  const { columns = 80, rows = 24, environment = {} } = options
  const terminal = new Terminal(process.execPath, nodeArgv(program, ...argv), {
    columns,
    rows,
    environment: { ...environmentOf(home), ...environment },
    folder: home,
  })
  return endingWithTest(terminal)
}

/** Everything that programs wrote into a home folder. */
export const writtenIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))

/** The built program without a terminal; what is left of it when the test ends is killed. */
export const spawnProgram = (argv: readonly string[], environment: Readonly<Record<string, string>>) =>
  spawnNode(nodeArgv(program, ...argv), environment)

/** The same by its launcher, as people start it. */
export const spawnLauncher = (argv: readonly string[], environment: Readonly<Record<string, string>>) =>
  spawnNode([`${program}/pitdesk.js`, ...argv], environment)

function spawnNode(argv: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: cacheHome, ...environment }
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, log: stderrOf(child), ended }
}

/** The time in the header of a desk. */
const clockOf = (text: string): string | undefined => /\d\d:\d\d:\d\dZ/.exec(text)?.[0]

/**
 * Leaves a desk by a key. One that reads late what was typed or pasted takes none right after a paste or an Esc, and
 * says so: it is pressed again, a second later.
 */
export async function leave(terminal: Terminal, key: string): Promise<void> {
  while (!terminal.hasEnded) {
    const before = clockOf(terminal.text())
    terminal.type(key)
    await terminal.until((text) => terminal.hasEnded || (text.includes('Press it again') && clockOf(text) !== before))
  }
}

/**
 * Presses a key until that is so. A desk that stood still for two seconds, as it may on a machine with other work, or
 * reads a key with those before it, takes none that matters, and says so: it is pressed again, a second later.
 */
export async function pressUntil(terminal: Terminal, key: string, isSo: (text: string) => boolean): Promise<void> {
  const isRefused = (text: string) => /Not done: (?:the desk stood still|it came with other keys)/.test(text)
  for (let isAgain = true; isAgain; ) {
    const before = clockOf(terminal.text())
    terminal.type(key)
    isAgain = !isSo(await terminal.until((text) => isSo(text) || (isRefused(text) && clockOf(text) !== before)))
  }
}
