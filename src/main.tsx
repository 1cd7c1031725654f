import { randomBytes } from 'node:crypto'
import { version } from '../package.json' with { type: 'json' }
import { systemClock } from './clock.ts'
import { writeCrashFile } from './commands/crash-file.ts'
import type { CommandIo } from './commands/io.ts'
import { createJobControl } from './commands/job-control.ts'
import { runProgram } from './commands/program.ts'
import { xdgFolders } from './config/folders.ts'

const ended = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ended.abort(name))
// A file that may not grow any more is an error of that write, as on a full disk, and not the end of the program.
process.on('SIGXFSZ', () => undefined)

const restorers: Array<() => void> = []

/** A broken invariant: the terminal is put back, one message, a file with the details, exit 1. */
function crash(error: unknown): void {
  for (const restore of restorers.splice(0)) restore()
  const path = writeCrashFile(xdgFolders(process.env).state, error, systemClock.now())
  const details = path === null ? String(error) : `details are in ${path}`
  process.stderr.write(
    `pitdesk stopped by a fault of its own: ${details}. Orders that were sent stay as the exchange has them.\n`,
  )
  process.exit(1)
}
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)

// Whoever reads the output may have had enough (`| head`): that ends a stream of lines, and is no fault. A write under way
// still comes to its end and its record.
for (const stream of [process.stdin, process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') ended.abort('SIGPIPE')
    // The terminal is gone: the signal that says so may come later, or never.
    else if (error.code === 'EIO' || error.code === 'ENXIO') ended.abort('SIGHUP')
    else crash(error)
  })
}

const eraseLine = '\r\u001b[K'
let isProgressShown = false

/** A line in its own place on stderr, which the next one takes. */
function showProgress(line: string | null): void {
  if (!process.stderr.isTTY || (line === null && !isProgressShown)) return
  process.stderr.write(`${eraseLine}${line ?? ''}`)
  isProgressShown = line !== null
}

const io: CommandIo = {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  progress: showProgress,
  signal: ended.signal,
  jobs: createJobControl(process, systemClock),
  restoreAtCrash: (restore) => restorers.push(restore),
  crash,
}

const tools = { clock: systemClock, random: Math.random, randomBytes }

process.exit(await runProgram(process.argv.slice(2), io, tools, version))
