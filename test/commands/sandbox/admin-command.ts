import { onTestFinished } from 'vitest'
import type { Environment } from '../../../src/base/process/environment.ts'
import { announceAdmin } from '../../../src/sandbox/admin/admin-note.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { linesTo } from '../../fakes/output.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { openExchange } from '../../sandbox/http/harness.ts'
import { runSandboxCommand } from './sandbox-command.ts'

/** A state folder of its own, gone when the test ends. */
export function newStateHome(): string {
  const folder = temporaryFolder('admin')
  return folder
}

export type Ran = { exitCode: number; printed: string; complained: string }
export type RunOptions = { isTerminal?: boolean; columns?: number; signal?: AbortSignal }

/** `pitdesk sandbox admin` with these arguments, and what came of it. */
export async function runAdmin(
  argv: readonly string[],
  environment: Environment,
  { isTerminal = false, columns = 80, signal = new AbortController().signal }: RunOptions = {},
): Promise<Ran> {
  const printed: string[] = []
  const complained: string[] = []
  const io = {
    environment,
    stdout: { isTTY: isTerminal, columns },
    ...linesTo((line) => printed.push(line)),
    printError: (line: string) => complained.push(line),
    signal,
  }
  const exitCode = await runSandboxCommand(['admin', ...argv], io, new FakeClock())
  return { exitCode, printed: printed.join('\n'), complained: complained.join('\n') }
}

/** A practice exchange whose clock stands still, announced as `pitdesk sandbox` does it, with ways to administer it. */
export async function openAdministered(stateHome = newStateHome()) {
  const exchange = await openExchange()
  onTestFinished(() => exchange.sandbox.stop())
  const environment = { XDG_STATE_HOME: stateHome }
  const announced = announceAdmin(environment, exchange.sandbox, process.pid)
  if (!announced.ok) throw new Error(announced.error)
  /** A command as it is typed: words with blanks between; its answer must be JSON. */
  const does = async (line: string): Promise<unknown> => {
    const ran = await runAdmin(line.split(' '), environment)
    if (ran.exitCode !== 0) throw new Error(ran.complained)
    return JSON.parse(ran.printed)
  }
  const port = new URL(exchange.sandbox.adminUrl).port
  return { exchange, environment, does, port, withdraw: announced.value }
}
