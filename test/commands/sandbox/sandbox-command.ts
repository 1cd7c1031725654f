import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import type { CommandIo } from '../../../src/base/process/command-io.ts'
import { runProgram } from '../../../src/commands/cli/program.ts'
import { commandTable } from '../../../src/commands/command-table.ts'

/** What these commands use of a process. */
type SandboxIo = Pick<CommandIo, 'environment' | 'output' | 'print' | 'printError' | 'signal'> & {
  stdout: { isTTY: boolean; columns: number }
}

/** `pitdesk sandbox` with these arguments. */
export function runSandboxCommand(argv: readonly string[], io: SandboxIo, clock: Clock = systemClock): Promise<number> {
  const stdout = io.stdout as CommandIo['stdout']
  const whole = { ...io, stdout, stdin: process.stdin, progress: () => undefined, restoreAtCrash: () => undefined }
  const crash = (error: unknown) => {
    throw error
  }
  return runProgram(
    ['sandbox', ...argv],
    { ...whole, crash },
    { clock, random: () => 0.5, randomBytes, isOwnProcess: false },
    '',
    commandTable,
  )
}
