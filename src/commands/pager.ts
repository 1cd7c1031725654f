import { spawn } from 'node:child_process'
import type { CommandIo } from './io.ts'

/** What a shell answers for a program that it does not find or may not run. */
const missingCodes: readonly (number | null)[] = [126, 127]

type Reader = Pick<CommandIo, 'environment' | 'stdout' | 'signal'>

/**
 * Shows text in the user's pager (`PAGER`, else `less`) and resolves when it has ended. False: there is no pager, or
 * nothing it could draw on, so that the text is to be printed.
 */
export function showInPager(text: string, { environment, stdout, signal }: Reader): Promise<boolean> {
  const wish = environment.PAGER?.trim()
  // A child can only inherit the real one.
  const isTerminal = stdout.isTTY === true && 'fd' in stdout && stdout.fd === 1 && environment.TERM !== 'dumb'
  if (!isTerminal || wish === '' || wish === 'cat') return Promise.resolve(false)
  const variables = Object.entries(environment).filter(([name]) => !name.startsWith('PITDESK_'))
  const child = spawn(wish ?? 'less', {
    // A pager of the user's own may be several words.
    shell: wish !== undefined,
    // As git has it: colors as they are, nothing to leave where one screen holds it all. No key of an account goes
    // along.
    env: { LESS: 'FRX', ...Object.fromEntries(variables) },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('error', () => resolve(false))
  child.on('exit', (code) => resolve(!missingCodes.includes(code)))
  // Who has read enough closes it before the end.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(text)
  // Ctrl-C is a key of the pager; what ends this program ends it too.
  const end = () => void (signal.reason !== 'SIGINT' && child.kill())
  signal.addEventListener('abort', end)
  return promise.finally(() => signal.removeEventListener('abort', end))
}
