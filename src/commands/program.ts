import { suggestion } from '../domain/nearest-name.ts'
import { plainText } from '../domain/plain-text.ts'
import { readArguments, shown } from './arguments.ts'
import type { CommandRow, CommandTools } from './command.ts'
import { commandHelp, groupHelp, programHelp } from './command-help.ts'
import { commandTable } from './command-table.ts'
import { type CommandIo, type ExitCode, exitCodeOf, isReaderGone } from './io.ts'

/** Runs the command that the arguments name; flags without a command are the console's. */
export async function runProgram(
  argv: readonly string[],
  io: CommandIo,
  tools: CommandTools,
  version: string,
  rows: readonly CommandRow[] = commandTable,
): Promise<ExitCode> {
  const [first = 'desk', second = ''] = argv
  switch (first) {
    case '--version':
    case '-V':
      io.print(version)
      return 0
    case '--help':
    case '-h':
    case 'help':
      io.print(programHelp(rows))
      return 0
  }
  const rest = argv.slice(1)
  if (first.startsWith('-')) return runRow('desk', argv, { io, tools, rows })
  if (rows.some(({ name }) => name === `${first} ${second}`))
    return runRow(`${first} ${second}`, rest.slice(1), { io, tools, rows })
  if (rows.some(({ name }) => name === first)) return runRow(first, rest, { io, tools, rows })
  const group = rows.filter(({ name }) => name.startsWith(`${first} `))
  return group.length > 0 ? runGroup(first, second, group, io) : noCommand(first, rows, io)
}

type Context = { io: CommandIo; tools: CommandTools; rows: readonly CommandRow[] }

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

async function runRow(name: string, argv: readonly string[], { io, tools, rows }: Context): Promise<ExitCode> {
  const row = rows.find((each) => each.name === name)
  if (row === undefined) throw new Error(`the table of commands has no ${name}`)
  if (row.kind === 'own') return (await row.load())(argv, io, tools)
  if (argv.some(isHelp)) {
    io.print(commandHelp(row))
    return 0
  }
  const given = readArguments(row, argv)
  if (!given.ok) {
    io.complain(`pitdesk ${name}: ${given.error} (see pitdesk ${name} --help)`)
    return 2
  }
  const { code, sentence } = await (await row.load())(given.value, io, tools)
  if (sentence !== undefined) io.complain(plainText(`pitdesk ${name}: ${sentence}`))
  return code !== 0 && io.signal.aborted && !isReaderGone(io.signal) ? exitCodeOf(io.signal) : code
}

function runGroup(noun: string, verb: string, group: readonly CommandRow[], io: CommandIo): ExitCode {
  if (isHelp(verb)) {
    io.print(groupHelp(noun, group))
    return 0
  }
  const verbs = group.map(({ name }) => name.slice(noun.length + 1))
  const wrong =
    verb === '' || verb.startsWith('-') ? '' : `there is no "${noun} ${shown(verb)}"${suggestion(verb, verbs)}: `
  io.complain(`pitdesk: ${wrong}${noun} needs one of ${verbs.join(', ')} after it (see pitdesk ${noun} --help)`)
  return 2
}

function noCommand(name: string, rows: readonly CommandRow[], io: CommandIo): ExitCode {
  const names = [...new Set(rows.map((row) => row.name.split(' ')[0] ?? ''))]
  io.complain(`pitdesk: there is no command "${shown(name)}"${suggestion(shown(name), names)} (see pitdesk --help)`)
  return 2
}
