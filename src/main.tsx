import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { version } from '../package.json' with { type: 'json' }
import { systemClock, within } from './base/clock.ts'
import { writeCrashFile } from './base/files/own-file.ts'
import type { CommandIo } from './base/process/command-io.ts'
import { xdgFolders } from './base/process/environment.ts'
import { createJobControl } from './base/process/job-control.ts'
import { createOutput, standardSink } from './base/process/output.ts'
import { plainText } from './base/text/plain-text.ts'
import { runProgram, writtenOrEnded } from './commands/cli/program.ts'
import { commandTable } from './commands/command-table.ts'

const ended = new AbortController()
const hurried = new AbortController()

/**
 * In ms: what comes so soon after a signal is the same one. A launcher, `npm` or a service manager sends it to the
 * whole group, and who started this program passes it on as well.
 */
const sameSignalMs = 1_000
let endedAtMs = Number.POSITIVE_INFINITY

function endBy(signal: NodeJS.Signals): void {
  const nowMs = systemClock.now()
  if (!ended.signal.aborted) {
    endedAtMs = nowMs
    ended.abort(signal)
  } else if (nowMs - endedAtMs >= sameSignalMs) hurried.abort(signal)
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(name, () => endBy(name))
// A file that may not grow any more is an error of that write, as on a full disk, and not the end of the program.
process.on('SIGXFSZ', () => undefined)

const threads = new Set<Worker>()
process.on('worker', (thread: Worker) => {
  threads.add(thread)
  thread.once('exit', () => threads.delete(thread))
})

/** In ms; a thread that runs ends at once. */
const threadsEndMs = 3_000

/**
 * Ends the program. Its exit waits for every thread, and for ever where the system holds one, as on a disk that does
 * not answer: then nothing but a kill ends it.
 */
async function end(code: number): Promise<void> {
  const ended = Promise.all([...threads].map((thread) => thread.terminate()))
  if ((await within(ended, threadsEndMs, systemClock)) === null) {
    errors.offer('pitdesk: a thread does not end, as where its disk does not answer: the program ends by SIGKILL.\n')
    await writtenOrEnded(errors.written(), io, tools)
    process.kill(process.pid, 'SIGKILL')
  }
  process.exit(code)
}

/** Where the details are; null where they can be kept nowhere. */
function crashFile(error: unknown): string | null {
  try {
    return writeCrashFile(xdgFolders(process.env).state, error, systemClock.wallMs())
  } catch {
    return null
  }
}

const restorers: Array<() => void> = []

/**
 * A broken invariant: the terminal is put back, one message, a file with the details, exit 1. Nothing else may run any
 * more, so that the message is written at once and what waits for a slow reader is given up.
 */
function crash(error: unknown): void {
  for (const restore of restorers.splice(0)) restore()
  const path = crashFile(error)
  const details = path === null ? plainText(String(error)) : `details are in ${path}`
  const message = `pitdesk crashed: ${details}. Orders that were sent stay as the exchange has them.\n`
  try {
    // A terminal that stalls takes it or does not: a desk that waited for it would keep its locks.
    if (process.stderr.isTTY) process.stderr.write(message)
    else writeSync(process.stderr.fd, message)
  } finally {
    process.exit(1)
  }
}
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)

/** The terminal is gone: the signal that says so may come later, or never. */
const goneCodes: readonly unknown[] = ['EIO', 'ENXIO', 'EPIPE']

for (const stream of [process.stdin, process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const isTerminal = 'isTTY' in stream && stream.isTTY
    if (isTerminal && goneCodes.includes(error.code)) {
      // Whatever is written later meets it again, which is no second signal: nobody is in a hurry.
      if (!ended.signal.aborted) endBy('SIGHUP')
    }
    // A pipe or a file: whoever wrote is told by the write itself, and decides what it means.
    else if (isTerminal || stream === process.stdin) crash(error)
  })
}

const output = createOutput(standardSink(process.stdout))
const errors = createOutput(standardSink(process.stderr))

const eraseLine = '\r\u001b[K'
let isProgressShown = false

/** A line in its own place on stderr, which the next one takes. */
function showProgress(line: string | null): void {
  if (!process.stderr.isTTY || (line === null && !isProgressShown)) return
  errors.offer(`${eraseLine}${line ?? ''}`)
  isProgressShown = line !== null
}

const io: CommandIo = {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  output,
  print: (line) => output.write(`${line}\n`),
  printError: (line) => errors.offer(`${line}\n`),
  progress: showProgress,
  signal: ended.signal,
  hurry: hurried.signal,
  jobs: createJobControl(process, systemClock),
  restoreAtCrash: (restore) => restorers.push(restore),
  crash,
}

const tools = { clock: systemClock, random: Math.random, randomBytes, isOwnProcess: true }

try {
  const code = await runProgram(process.argv.slice(2), io, tools, version, commandTable)
  await writtenOrEnded(errors.written(), io, tools)
  await end(code)
} catch (error) {
  // Left to whoever loaded this file it would be told as text alone, and what still runs would go on for ever.
  crash(error)
}
