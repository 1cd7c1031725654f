import { closeSync, constants, openSync, readSync } from 'node:fs'
import { type Clock, within } from '../../base/clock.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import type { JobControl } from '../../base/process/job-control.ts'
import { errorCode } from '../../base/text/error-text.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import type { OpenedConsole } from '../../ui/console/open-console.tsx'
import type { DutyKeeper } from '../duties/duties.ts'

/** Reasons of an abort that mean a lost terminal: its signal, or a closed pipe. */
const goneReasons: readonly unknown[] = ['SIGHUP', 'SIGPIPE']

/** True when the desk ends because its terminal is gone. */
export const isHungUp = (quit: AbortSignal): boolean => quit.aborted && goneReasons.includes(quit.reason)

/** True when the desk ends by a signal: one that comes once the user has quit changes nothing. */
export const isBySignal = (quit: AbortSignal): boolean => quit.aborted && typeof quit.reason === 'string'

/**
 * What ends a desk besides the user: a signal, or the end of the terminal's input. A terminal can go without a signal,
 * for example when the desk has a session of its own.
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

/** The reason why the desk cannot run here, and the alternatives; null when it can. */
export function noTerminal({ stdin, stdout }: Pick<CommandIo, 'stdin' | 'stdout'>): string | null {
  const missing = stdout.isTTY ? (stdin.isTTY ? null : 'input') : 'output'
  if (missing === null) return null
  const instead = 'scripts use pitdesk orders, book, balances, order place and the like (see pitdesk --help)'
  return `the desk needs a terminal, and the ${missing} is not one. Nothing was started; ${instead}.`
}

type Parts = {
  store: DeskStore
  commands: Pick<Commands, 'leaveForShell'>
  console: Pick<OpenedConsole, 'leave' | 'sizeSet'>
  jobs: JobControl
  clock: Clock
  duties: Pick<DutyKeeper, 'rest' | 'wake'>
  /** Prints on the terminal that was given back what stands still until the desk goes on. */
  tell(state: DeskState): void
}

/** For so long, in ms, a desk that is to be stopped waits for its duties to be free for another one. */
const restMaxMs = 3_000

/**
 * Suspends the desk on request of the user or a signal: restores the terminal and stops the process; after it resumes,
 * the time that passed is reported before anything else. After a stop from outside the terminal is set up again, and
 * after a size that it had for a moment only it is drawn again.
 * Returns a function that ends this.
 */
export function followSleep({ store, commands, console, jobs, clock, duties, tell }: Parts): () => void {
  const sleep = async () => {
    const leftAtMs = clock.now()
    let hasStopped = false
    await console.leave(async () => {
      tell(store.getState())
      // Stopped with the duties it would keep every other desk from the plans, which would look carried out.
      await within(duties.rest(), restMaxMs, clock)
      hasStopped = await jobs.stop()
      await duties.wake()
      store.dispatchAll([
        { type: 'ticked', nowMs: clock.now(), wallMs: clock.wallMs() },
        { type: 'cameBack', awayMs: clock.now() - leftAtMs, hasStopped, atMs: clock.now() },
      ])
    })
  }
  jobs.onAsked(() => commands.leaveForShell())
  // Stopped from outside, the desk could not restore the terminal: the shell took it, with its own mode.
  jobs.onContinued(() => void console.leave(() => Promise.resolve()))
  jobs.onResized(console.sizeSet)
  const leave = store.subscribe(({ terminal }, { terminal: before }) => {
    if (terminal.presence === 'leaving' && before.presence !== 'leaving') void sleep()
  })
  return () => {
    leave()
    jobs.end()
  }
}

const pauseMs = 10

/** The end of an answer to DA1 ("what are you"), even if another reader took its beginning. */
const identity = /(?:^(?:\[\?|\?)?[\d;]+|\u001b\[\?[\d;]*)c/

const sleeper = new Int32Array(new SharedArrayBuffer(4))
const pause = () => void Atomics.wait(sleeper, 0, 0, pauseMs)

/** Reads a terminal without waiting: text, '' for none yet, null for the end. */
type Reading = { read(): string | null; close(): void }

/** Opens this program's terminal beside standard input, which may be closed or held by its reader. */
function openTerminal(): Reading | null {
  try {
    const file = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const bytes = Buffer.alloc(4_096)
    return {
      read() {
        try {
          const length = readSync(file, bytes)
          return length === 0 ? null : bytes.toString('latin1', 0, length)
        } catch (error) {
          return errorCode(error) === 'EAGAIN' ? '' : null
        }
      },
      close: () => closeSync(file),
    }
  } catch {
    // No terminal, or one that is gone: nothing can arrive there.
    return null
  }
}

/**
 * Reads the answers a terminal still owes, so that no shell takes them for keys: blocks for at most `maxMs`, or until
 * the last one (DA1) and everything with it has arrived. Blocking is deliberate, because in a crash nothing else runs.
 * The terminal must be in raw mode.
 */
export function takeLateAnswers(maxMs: number, open: () => Reading | null = openTerminal): void {
  const terminal = open()
  if (terminal === null) return
  let taken = ''
  for (let waitedMs = 0; waitedMs < maxMs; ) {
    const text = terminal.read()
    if (text === null) break
    taken += text
    if (text !== '') continue
    if (identity.test(taken)) break
    pause()
    waitedMs += pauseMs
  }
  terminal.close()
}
