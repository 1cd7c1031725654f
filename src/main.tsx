import { version } from '../package.json' with { type: 'json' }
import { systemClock } from './clock.ts'
import { writeCrashFile } from './commands/crash-file.ts'
import { deskHelp, runDeskCommand } from './commands/desk.ts'
import type { CommandIo, ExitCode } from './commands/io.ts'
import { runSandboxCommand } from './commands/sandbox.ts'
import { xdgFolders } from './config/folders.ts'

const help = `${deskHelp}

Commands:
  desk     the console (also without a command)
  sandbox  the practice exchange alone, until a signal

Each has --help. --version prints the version.`

const ended = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ended.abort(name))

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

const io: CommandIo = {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  signal: ended.signal,
  restoreAtCrash: (restore) => restorers.push(restore),
  crash,
}

/** The command the arguments name; flags without a command are the console's. */
function run([first = 'desk', ...rest]: readonly string[]): Promise<ExitCode> | ExitCode {
  switch (first) {
    case '--version':
      io.print(version)
      return 0
    case '--help':
    case '-h':
    case 'help':
      io.print(help)
      return 0
    case 'desk':
      return runDeskCommand(rest, io)
    case 'sandbox':
      return runSandboxCommand(rest, io)
  }
  if (first.startsWith('-')) return runDeskCommand([first, ...rest], io)
  io.complain(`pitdesk: there is no command "${first}": see pitdesk --help`)
  return 2
}

process.exit(await run(process.argv.slice(2)))
