import type { CommandIo } from './io.ts'

/**
 * Reasons of an abort that mean that the terminal is gone: its signal, or an end that nobody reads or writes any more.
 */
const goneReasons: readonly unknown[] = ['SIGHUP', 'SIGPIPE']

/** Whether the desk ends because its terminal is gone. */
export const isHungUp = (quit: AbortSignal): boolean => quit.aborted && goneReasons.includes(quit.reason)

/**
 * What ends a desk besides a person: a signal, and a terminal whose input has come to its end. A terminal can go
 * without a signal, for example where the desk is in a session of its own.
 */
export function createQuit({ signal, stdin }: Pick<CommandIo, 'signal' | 'stdin'>): AbortController {
  const quit = new AbortController()
  const pass = () => quit.abort(signal.reason)
  if (signal.aborted) pass()
  else signal.addEventListener('abort', pass, { once: true })
  const hangUp = () => quit.abort('SIGHUP')
  stdin.once('end', hangUp)
  stdin.once('close', hangUp)
  return quit
}

/** Why the console cannot be where it was started, and what can; null where it can. */
export function noTerminal({ stdin, stdout }: Pick<CommandIo, 'stdin' | 'stdout'>): string | null {
  const missing = stdout.isTTY ? (stdin.isTTY ? null : 'input') : 'output'
  if (missing === null) return null
  const instead = 'scripts use pitdesk orders, book, balances, order place and the like (see pitdesk --help)'
  return `the console needs a terminal, and the ${missing} is not one. Nothing was started; ${instead}.`
}
