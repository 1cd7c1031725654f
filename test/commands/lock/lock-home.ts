import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { CommandIo } from '../../../src/base/process/command-io.ts'
import { runProgram } from '../../../src/commands/cli/program.ts'
import { commandTable } from '../../../src/commands/command-table.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { outputTo } from '../../fakes/output.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

/** A terminal that is typed into, also while a command asks, and a home folder that stays between commands. */
export function aHome() {
  const home = temporaryFolder('lock-home')
  const clock = new FakeClock(1_700_000_000_000)
  const stateFolder = join(home, '.local/state/pitdesk')
  const start = (line: string, typed: string | ((printed: string[]) => string) = '', isTTY = true) => {
    const printed: string[] = []
    const complained: string[] = []
    const raw: boolean[] = []
    const keyboard = new PassThrough()
    const stdin = Object.assign(keyboard, { isTTY, setRawMode: (isRaw: boolean) => raw.push(isRaw) })
    const output = outputTo((text) => {
      printed.push(text.trimEnd())
      if (typeof typed === 'function') keyboard.write(typed(printed))
    })
    const io = {
      environment: { HOME: home },
      // Only what these commands use of a terminal is there.
      stdin: stdin as unknown as CommandIo['stdin'],
      stdout: { isTTY } as unknown as CommandIo['stdout'],
      ...output,
      printError: (text: string) => complained.push(text),
      progress: () => undefined,
      signal: new AbortController().signal,
      restoreAtCrash: () => undefined,
      crash: (error: unknown) => {
        throw error
      },
    }
    const type = (text: string) => keyboard.write(text)
    if (typeof typed === 'string') type(typed)
    const tools = { clock, random: () => 0.5, randomBytes, isOwnProcess: false }
    const said = () => [...printed, ...complained].join('\n')
    const ended = runProgram(line.split(' '), io, tools, '1.2.3', commandTable).then((code) => {
      return { code, printed, complained, raw, said: said() }
    })
    return { type, said, ended }
  }
  const run = (...of: Parameters<typeof start>) => start(...of).ended
  return { home, start, run, clock, stateFolder, path: join(stateFolder, 'lock.json') }
}
