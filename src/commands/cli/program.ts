import { aborted, type CommandIo, type CommandTools } from '../../base/process/command-io.ts'
import { NoHome } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { type Arguments, type ArgumentsFault, bareWords, readArguments, shown, unknownWord } from './arguments.ts'
import type { CommandRow, Run, VerbTable } from './command.ts'
import { commandHelp, groupHelp, programHelp, verbIn, verbTableHelp } from './command-help.ts'
import { CutShort, type Ending, type ExitCode, exitCodeOf, failed, wrongUsage } from './exit-codes.ts'
import { loadTelling } from './load-telling.ts'
import { calledOtherwise, type Meant, sameCommands } from './other-words.ts'

/** Time in ms after a signal for output that a slow reader has not taken yet. */
const graceMs = 2_000

/** Waits for output: as long as its reader takes, but after a signal only `graceMs`, because the reader may hang. */
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
 * been taken: a failed write makes a successful command fail, and so does a read whose rest a signal cuts off.
 */
export async function runProgram(
  argv: readonly string[],
  io: CommandIo,
  tools: CommandTools,
  version: string,
  rows: readonly CommandRow[],
): Promise<ExitCode> {
  const { name, code, did } = await runNamed(argv, version, { io, tools, rows })
  let isTaken = false
  const taking = io.output.end().finally(() => {
    isTaken = true
  })
  const failure = await writtenOrEnded(taking, io, tools)
  if (failure === null && isTaken) return code
  const reason = failure ?? `its reader had not taken all of it when ${String(io.signal.reason)} came`
  io.printError(plainText(`pitdesk${name}: stdout not written: ${reason}${did === '' ? '' : `. ${did}`}`))
  if (code !== 0) return code
  // After a signal the code of what was done keeps its meaning, and a read that was cut short has none.
  return failure !== null ? 1 : did === '' ? exitCodeOf(io.signal) : code
}

/** The result of a command; `did` is a sentence about its effect, if it did more than read. */
type Told = { code: ExitCode; did: string }
type Ran = Told & { name: string }

/** The arguments with another name of a command replaced by its own. */
function named(argv: readonly string[]): readonly string[] {
  const same = longestStart(argv, (start) => sameCommands.has(start))
  return same === null ? argv : [...(sameCommands.get(same.start) ?? '').split(' '), ...argv.slice(same.count)]
}

async function runNamed(typed: readonly string[], version: string, context: Context): Promise<Ran> {
  const { io, rows } = context
  const argv = named(typed)
  const [first = 'desk'] = argv
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
  const run = async (name: string, words: readonly string[]): Promise<Ran> => ({
    name: ` ${name}`,
    ...(await runRow(name, words, context)),
  })
  if (first.startsWith('-')) return (await toldToBeFirst(argv, context)) ?? run('desk', argv)
  if (argv.length === 0) return run('desk', argv)
  const whole = longestStart(argv, (start) => rows.some(({ name }) => name === start))
  const behind = whole === null ? null : meantBehind(`${whole.start} ${argv[whole.count] ?? ''}`, rows)
  if (whole !== null && behind === null) return run(whole.start, argv.slice(whole.count))
  const noun = longestStart(argv, (start) => rows.some(({ name }) => name.startsWith(`${start} `)))
  const group = noun === null ? [] : inGroup(noun.start, rows)
  const verb = noun === null ? '' : (argv[noun.count] ?? '')
  if (noun !== null && isHelp(verb)) {
    await io.print(groupHelp(noun.start, group))
    return { name: '', code: 0, did: '' }
  }
  const told = (argv[noun?.count ?? 1] ?? '').startsWith('-') ? await toldToBeFirst(argv, context) : null
  if (told !== null) return told
  const [of, wrong] =
    noun === null ? [rows, behind ?? (await noCommand(first, rows))] : [group, noVerb(noun.start, verb, rows)]
  const { flagsOf, tellEnding } = await loadTelling()
  return { name: '', code: await tellEnding(of, wrong, flagsOf(argv.slice(1)), io), did: '' }
}

const inGroup = (noun: string, rows: readonly CommandRow[]) => rows.filter(({ name }) => name.startsWith(`${noun} `))

/** Maximum words of a command's name. */
const nameWordsMax = 3

/** The longest start of a command line that is a name; null for none. */
function longestStart(argv: readonly string[], isName: (start: string) => boolean) {
  for (let count = Math.min(nameWordsMax, argv.length); count > 0; count -= 1) {
    const start = argv.slice(0, count).join(' ')
    if (isName(start)) return { start, count }
  }
  return null
}

/**
 * Explains that a command must come before its flags, and ends; null when there is no command, or the desk takes the
 * flags.
 */
async function toldToBeFirst(argv: readonly string[], { io, rows }: Context): Promise<Ran | null> {
  const desk = rows.find(({ name }) => name === 'desk')
  const given = argv.filter((word) => !isHelp(word))
  if (desk === undefined || readArguments(desk, given).ok) return null
  const { commandFirst } = await import('./command-first.ts')
  const typed = commandFirst(given, rows)
  if (typed === null) return null
  const { flagsOf, tellEnding } = await loadTelling()
  const ending = wrongUsage(`put the command first: ${typed}`)
  return { name: '', code: await tellEnding(rows, ending, flagsOf(argv), io), did: '' }
}

type Context = { io: CommandIo; tools: CommandTools; rows: readonly CommandRow[] }

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

async function runRow(name: string, argv: readonly string[], { io, tools, rows }: Context): Promise<Told> {
  const row = rows.find((each) => each.name === name)
  if (row === undefined) throw new Error(`the table of commands has no ${name}`)
  const asked = row.kind === 'verbs' ? readVerb(row.name, await row.load(), argv) : readCommand(row, argv)
  if (asked.kind === 'help') {
    await io.print(asked.page)
    return { code: 0, did: '' }
  }
  const { given } = asked
  const ending: Ending = given.ok
    ? await (await asked.load())(given.value, io, tools).catch(endedBy)
    : wrongUsage(unread(row, given.error), given.error.saysAll ? undefined : `See pitdesk ${asked.name} --help.`)
  const { sentence, code, did = '' } = ending
  if (sentence === undefined) {
    if (io.signal.aborted && did !== '')
      io.printError(plainText(`pitdesk ${asked.name}: ${io.signal.reason} came while it was under way. ${did}`))
    return { code, did }
  }
  const { flagsOf, tellEnding } = await loadTelling()
  return { code: await tellEnding(row, ending, given.ok ? given.value : flagsOf(argv), io), did }
}

/** Why a command line cannot be read, after its `undone` warning. */
const unread = ({ undone }: Pick<CommandRow, 'undone'>, { sentence }: Pick<ArgumentsFault, 'sentence'>): string =>
  undone === undefined ? sentence : `${undone}: ${sentence}`

/** The ending of a command whose output a signal cut short, or without a home folder. */
function endedBy(error: unknown): Ending {
  if (error instanceof NoHome) return failed(error.message)
  if (error instanceof CutShort) return failed('ended before all was printed')
  throw error
}

/** The task of a command line: print the help page, or run with the arguments, if readable. */
type Asked =
  | { kind: 'help'; page: string }
  | { kind: 'run'; name: string; given: Result<Arguments, ArgumentsFault>; load: () => Promise<Run> }

type Parsed = Extract<CommandRow, { kind: 'parsed' }>

const readCommand = (row: Parsed, argv: readonly string[]): Asked =>
  argv.some(isHelp)
    ? { kind: 'help', page: commandHelp(row) }
    : { kind: 'run', name: row.name, given: readArguments(row, argv), load: row.load }

/** The verb may stand anywhere among the flags, because all verbs' flags are known. */
function readVerb(name: string, table: VerbTable, argv: readonly string[]): Asked {
  const rest = argv.filter((word) => !isHelp(word))
  const flags = [...new Map(table.rows.flatMap((row) => row.flags.map((flag) => [flag.name, flag] as const))).values()]
  const words = bareWords(flags, rest)
  const ownWords = name.split(' ').length
  const row = verbIn(name, table.rows, words)
  if (rest.length < argv.length) {
    const page = verbTableHelp({ name, table }, row === undefined ? words : row.name.split(' ').slice(ownWords))
    if (page !== null) return { kind: 'help', page }
  }
  if (row?.kind !== 'parsed') {
    // An unknown flag may have moved the noun; its value is not repeated in the error.
    const all = readArguments({ words: 'NOUN VERB', wordsMax: words.length, flags }, rest)
    const error = all.ok ? { sentence: noVerbOf(name, words, table.rows), saysAll: false } : all.error
    return { kind: 'run', name, given: err(error), load: neverRun }
  }
  const own = readArguments(row, rest)
  const given = own.ok ? ok({ ...own.value, words: words.slice(row.name.split(' ').length - ownWords) }) : own
  return { kind: 'run', name: row.name, given, load: row.load }
}

/** Why the words match no verb of a table. */
function noVerbOf(name: string, [noun, verb]: readonly string[], rows: readonly CommandRow[]): string {
  const after = (start: string) =>
    rows
      .filter((row) => row.name.startsWith(`${start} `))
      .map((row) => row.name.slice(start.length + 1).split(' ')[0] ?? '')
  const nouns = [...new Set(after(name))]
  if (noun === undefined) return `noun and verb missing after "${name}", e.g. "${rows[0]?.name.slice(name.length + 1)}"`
  if (!nouns.includes(noun)) return unknownWord('noun', noun, nouns)
  const found = verb === undefined ? '' : `, and has no "${shown(verb)}"`
  return `"${noun}" needs ${oneOf(after(`${name} ${noun}`))} after it${found}`
}

const oneOf = (words: readonly string[]): string => (words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`)

const neverRun = (): Promise<Run> => Promise.reject(new Error('a command that could not be read was run'))

/** The commands of `rows` that a word abbreviates: their verb, or one of their words as in `order place buy`. */
const shortFor = (word: string, rows: readonly CommandRow[]): Meant[] =>
  rows.flatMap((row) => {
    if (row.name.endsWith(` ${word}`)) return [{ row, line: row.name }]
    return row.name.includes(' ') && row.wordChoices?.includes(word) === true
      ? [{ row, line: `${row.name} ${word}` }]
      : []
  })

/** The suggestion for a command line with a likely meaning, and its alternative elsewhere; null for none. */
function meantInstead(typed: string, meant: readonly Meant[]): { sentence: string; elsewhere: string } | null {
  const [first] = meant
  if (first === undefined) return null
  const lines = meant.map(({ line }) => `"pitdesk ${line}"`).join(' or ')
  const sentence = unread(first.row ?? {}, { sentence: `unknown command "${shown(typed)}", did you mean ${lines}?` })
  return { sentence, elsewhere: first.row?.elsewhere === undefined ? '' : `${first.row.elsewhere} ` }
}

/** A noun without one of its verbs after it. */
function noVerb(noun: string, verb: string, rows: readonly CommandRow[]): Ending {
  const group = inGroup(noun, rows)
  const verbs = [...new Set(group.map(({ name }) => name.slice(noun.length + 1).split(' ')[0] ?? ''))]
  const help = `see pitdesk ${noun} --help`
  if (verb === '' || verb.startsWith('-')) return wrongUsage(`${noun} needs ${oneOf(verbs)} after it: ${help}`)
  const typed = `${noun} ${verb}`
  const meant = [...shortFor(verb, group), ...calledOtherwise(typed, rows)]
  return wrongUsage(
    meantInstead(typed, meant)?.sentence ?? `unknown command "${noun} ${shown(verb)}"${suggestion(verb, verbs)}`,
    `Use ${verbs.join(', ')}: ${help}.`,
  )
}

/** `orders cancel`: a command and a word that another one has for a verb; null for any other word. */
function meantBehind(typed: string, rows: readonly CommandRow[]): Ending | null {
  const instead = meantInstead(typed, calledOtherwise(typed.toLowerCase(), rows))
  return instead === null ? null : wrongUsage(instead.sentence, 'See pitdesk --help.')
}

async function noCommand(name: string, rows: readonly CommandRow[]): Promise<Ending> {
  const names = [...new Set(rows.map((row) => row.name.split(' ')[0] ?? ''))]
  const instead = meantInstead(name, [...shortFor(name, rows), ...calledOtherwise(name.toLowerCase(), rows)])
  if (instead !== null) return wrongUsage(instead.sentence, `${instead.elsewhere}See pitdesk --help.`)
  // Before the palette: `Withdraw` is the command with a capital, not a line that only the desk takes.
  const isCapital = names.includes(name.toLowerCase())
  if (isCapital) return wrongUsage(`unknown command "${shown(name)}"${suggestion(name, names)}`, 'See pitdesk --help.')
  // Loaded only here: no other command needs what the palette reads.
  const { sentenceReaders } = await import('../../store/sentences/sentences.ts')
  const ofDesk = sentenceReaders.find(({ starts }) => starts.includes(name.toLowerCase()))
  if (ofDesk !== undefined)
    return wrongUsage(
      `"${shown(name)}" is not a command, but a line of the desk's palette`,
      `Open the desk with pitdesk, press : and type it, e.g. ${ofDesk.example}. See pitdesk --help.`,
    )
  return wrongUsage(`unknown command "${shown(name)}"${suggestion(shown(name), names)}`, 'See pitdesk --help.')
}
