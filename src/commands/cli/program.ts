import { aborted, type CommandIo, type CommandTools } from '../../base/command-io.ts'
import { suggestion } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import { readArguments, shown } from './arguments.ts'
import type { CommandRow } from './command.ts'
import { commandHelp, groupHelp, programHelp } from './command-help.ts'
import { commandTable } from './command-table.ts'
import { type Ending, type ExitCode, wrongUsage } from './exit-codes.ts'

/** After a signal this long is left for what a slow reader has not taken yet. */
const graceMs = 2_000

/** Waits for output: as long as its reader takes, but after a signal not for ever, for the reader may be what hangs. */
export async function writtenOrEnded<T>(
  written: Promise<T>,
  { signal }: Pick<CommandIo, 'signal'>,
  { clock }: Pick<CommandTools, 'clock'>,
): Promise<T | null> {
  const isWritten = new AbortController()
  const given = aborted(signal)
    .then(() => clock.sleep(graceMs, isWritten.signal))
    .then(() => null)
  return await Promise.race([written, given]).finally(() => isWritten.abort())
}

/**
 * Runs the command that the arguments name; flags without a command are the console's. Resolves when all output has
 * been taken: what could not be written is a failure of a command that had none.
 */
export async function runProgram(
  argv: readonly string[],
  io: CommandIo,
  tools: CommandTools,
  version: string,
  rows: readonly CommandRow[] = commandTable,
): Promise<ExitCode> {
  const { name, code, did } = await runNamed(argv, version, { io, tools, rows })
  const failure = await writtenOrEnded(io.output.end(), io, tools)
  if (failure === null) return code
  io.printError(plainText(`pitdesk${name}: stdout not written: ${failure}${did === '' ? '' : `. ${did}`}`))
  return code === 0 ? 1 : code
}

/** What a command came to; `did` says what it has done, where that is more than reading. */
type Told = { code: ExitCode; did: string }
type Ran = Told & { name: string }

async function runNamed(argv: readonly string[], version: string, context: Context): Promise<Ran> {
  const { io, rows } = context
  const [first = 'desk', second = ''] = argv
  switch (first) {
    case '--version':
    case '-V':
      await io.print(version)
      return { name: '', code: 0, did: '' }
    case '--help':
    case '-h':
      await io.print(programHelp(rows))
      return { name: '', code: 0, did: '' }
  }
  const rest = argv.slice(1)
  const run = async (name: string, words: readonly string[]): Promise<Ran> => ({
    name: ` ${name}`,
    ...(await runRow(name, words, context)),
  })
  if (first.startsWith('-')) return run('desk', argv)
  if (rows.some(({ name }) => name === `${first} ${second}`)) return run(`${first} ${second}`, rest.slice(1))
  if (rows.some(({ name }) => name === first)) return run(first, rest)
  const group = rows.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && isHelp(second)) {
    await io.print(groupHelp(first, group))
    return { name: '', code: 0, did: '' }
  }
  const [of, wrong] = group.length > 0 ? [group, noVerb(first, second, group)] : [rows, noCommand(first, rows)]
  const { flagsOf, tellEnding } = await import('./tell-ending.ts')
  return { name: '', code: await tellEnding(of, wrong, flagsOf(rest), io), did: '' }
}

type Context = { io: CommandIo; tools: CommandTools; rows: readonly CommandRow[] }

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

async function runRow(name: string, argv: readonly string[], { io, tools, rows }: Context): Promise<Told> {
  const row = rows.find((each) => each.name === name)
  if (row === undefined) throw new Error(`the table of commands has no ${name}`)
  if (row.kind === 'own') return { code: await (await row.load())(argv, io, tools), did: '' }
  if (argv.some(isHelp)) {
    await io.print(commandHelp(row))
    return { code: 0, did: '' }
  }
  const given = readArguments(row, argv)
  const ending: Ending = given.ok
    ? await (await row.load())(given.value, io, tools)
    : wrongUsage(given.error, `See pitdesk ${name} --help.`)
  const { sentence, code, did = '' } = ending
  if (sentence === undefined) return { code, did }
  // Loaded only where something failed: the start of a command does not wait for it.
  const { flagsOf, tellEnding } = await import('./tell-ending.ts')
  return { code: await tellEnding(row, ending, given.ok ? given.value : flagsOf(argv), io), did }
}

/** A noun without one of its verbs after it. */
function noVerb(noun: string, verb: string, group: readonly CommandRow[]): Ending {
  const verbs = group.map(({ name }) => name.slice(noun.length + 1))
  const help = `see pitdesk ${noun} --help`
  return verb === '' || verb.startsWith('-')
    ? wrongUsage(`${noun} needs one of ${verbs.join(', ')} after it: ${help}`)
    : wrongUsage(`there is no "${noun} ${shown(verb)}"${suggestion(verb, verbs)}`, `Use ${verbs.join(', ')}: ${help}.`)
}

function noCommand(name: string, rows: readonly CommandRow[]): Ending {
  const names = [...new Set(rows.map((row) => row.name.split(' ')[0] ?? ''))]
  return wrongUsage(`there is no command "${shown(name)}"${suggestion(shown(name), names)}`, 'See pitdesk --help.')
}
