import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { CommandIo } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { callAdmin } from '../../desk/practice-admin.ts'
import { answerJson, answerLines, readAdminAnswer } from '../../desk/practice-answer.ts'
import { fieldsOf, readArguments } from '../../domain/desk/practice-verb.ts'
import type { AdminFields, AdminFlag } from '../../sandbox/admin/verb-row.ts'
import { type AdminRow, adminNouns, adminTable, commandOf, verbArgumentsOf } from '../../sandbox/admin/verb-table.ts'
import { jsonFlag } from '../cli/command.ts'
import { type Ending, type ExitCode, failed, wrongUsage } from '../cli/exit-codes.ts'
import { flagsOf, tellEnding } from '../cli/tell-ending.ts'
import { adminHelp, nounHelp, verbHelp } from './admin-help.ts'
import { findAdmin } from './admin-target.ts'

/** What the command touches of the process. */
export type AdminIo = Pick<CommandIo, 'environment' | 'output' | 'print' | 'printError' | 'signal'> & {
  stdout: Pick<CommandIo['stdout'], 'isTTY' | 'columns'>
}

/**
 * Does one thing with a running practice exchange, as its administrator. 0: done, and the answer printed. 1: refused or
 * not possible, with a sentence. 2: wrong usage.
 */
export async function runSandboxAdminCommand(
  argv: readonly string[],
  io: AdminIo,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const request = readAdminArguments(argv)
  const tell = (ending: Ending) => tellEnding({ name: 'sandbox admin', flags: [jsonFlag] }, ending, flagsOf(argv), io)
  if (!request.ok) return await tell(wrongUsage(request.error))
  if (request.value.kind === 'help') {
    await io.print(request.value.page)
    return 0
  }
  const printed = await answerOf(request.value, io, clock)
  if (printed.ok) {
    await io.print(printed.value)
    return 0
  }
  return await tell(failed(printed.error))
}

type Call = Extract<AdminRequest, { kind: 'call' }>

/** Asks, and gives what is to be printed. */
async function answerOf({ row, fields, isJson, adminPort }: Call, io: AdminIo, clock: Clock): Promise<Result<string>> {
  const target = await findAdmin(io.environment, adminPort)
  if (!target.ok) return target
  const answered = await callAdmin({ row, fields, target: target.value, clock, signal: io.signal })
  if (!answered.ok) return answered
  const answer = readAdminAnswer(answered.value)
  if (!answer.ok) return answer
  if (isJson || !io.stdout.isTTY) return { ok: true, value: answerJson(answer.value) }
  const lines = answerLines(answer.value, io.stdout.columns)
  return { ok: true, value: [...lines, ...(row.note === null ? [] : ['', row.note])].join('\n') }
}

/** What an argument list asks for. */
type AdminRequest =
  | { kind: 'help'; page: string }
  | { kind: 'call'; row: AdminRow; fields: AdminFields; isJson: boolean; adminPort: number | null }

const generalFlags = ['json', 'help', 'admin-port'] as const
type GivenFlag = { name: string; value: string | undefined; rawName: string }
type Given = { words: readonly string[]; flags: ReadonlyMap<string, GivenFlag> }

const seeHelp = (command = '') => `see pitdesk sandbox admin ${command === '' ? '' : `${command} `}--help`

/** Reads the arguments after `pitdesk sandbox admin`. The error names the flag, and never repeats the value of one. */
function readAdminArguments(argv: readonly string[]): Result<AdminRequest> {
  const given = split(argv)
  if (!given.ok) return given
  const { words, flags } = given.value
  const [noun, verb = ''] = words
  if (noun === undefined) {
    if (flags.has('help')) return ok({ kind: 'help', page: adminHelp() })
    return err(`a noun and a verb are missing, such as "symbol status": ${seeHelp()}`)
  }
  if (!adminNouns.includes(noun)) return err(`there is no "${shown(noun)}", only ${adminNouns.join(', ')}`)
  const rows = adminTable.filter((each) => each.noun === noun)
  const row = rows.find((each) => each.verb === '' || each.verb === verb)
  if (row === undefined) {
    const page = verb === '' && flags.has('help') ? nounHelp(noun) : null
    if (page !== null) return ok({ kind: 'help', page })
    const verbs = rows.map((each) => each.verb)
    return err(`"${noun}" needs one of ${verbs.join(', ')} after it: ${seeHelp(noun)}`)
  }
  if (flags.has('help')) return ok({ kind: 'help', page: verbHelp(row) })
  return readCall(row, { words: words.slice(row.verb === '' ? 1 : 2), flags })
}

/** A word from the argument list, fit to be repeated. */
const shown = (word: string): string => plainText(word).slice(0, 40)

/** Every flag of every command, so that the parser knows which of them take a value. */
const flagTypes: ParseArgsOptionsConfig = Object.fromEntries([
  ...adminTable
    .flatMap(verbArgumentsOf)
    .map((flag) => [flag.name, { type: flag.placeholder === null ? 'boolean' : 'string' }]),
  ['json', { type: 'boolean' }],
  ['help', { type: 'boolean', short: 'h' }],
  ['admin-port', { type: 'string' }],
])

/** Bare words and flags apart, in any order. */
function split(argv: readonly string[]): Result<Given> {
  const { tokens } = parseArgs({ args: [...argv], options: flagTypes, strict: false, tokens: true })
  const words: string[] = []
  const flags = new Map<string, GivenFlag>()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const type = flagTypes[name]?.type
    if (type === undefined) return err(`there is no flag ${shown(rawName)}: ${seeHelp()}`)
    if (type === 'boolean' && value !== undefined) return err(`${rawName} takes no value`)
    if (type === 'string' && (value === undefined || (inlineValue !== true && value.startsWith('--')))) {
      return err(`${rawName} needs a value after it`)
    }
    if (flags.has(name)) return err(`${rawName} is given twice`)
    flags.set(name, { name, rawName, value })
  }
  return ok({ words, flags })
}

function readCall(row: AdminRow, { words, flags }: Given): Result<AdminRequest> {
  const known = verbArgumentsOf(row)
  for (const { name, rawName } of flags.values()) {
    const isGeneral = generalFlags.some((general) => general === name)
    if (isGeneral || known.some((flag) => flag.name === name)) continue
    return err(`${rawName} is no flag of "${commandOf(row)}": ${seeHelp(commandOf(row))}`)
  }
  const adminPort = readPort(flags.get('admin-port')?.value)
  if (!adminPort.ok) return adminPort
  const values = new Map([...flags.values()].map(({ name, value }) => [name, value]))
  const read = readArguments(row, { words, flags: values })
  if (!read.ok) {
    const { argument, text } = read.error
    return err(argument === null ? text : `${calledIn(row, argument, values)} ${text}`)
  }
  return ok({
    kind: 'call',
    row,
    fields: fieldsOf(read.value),
    isJson: flags.has('json'),
    adminPort: adminPort.value,
  })
}

/** An argument as whoever typed it knows it: a bare word by what the usage calls it, where that is not its name. */
function calledIn({ words }: AdminRow, argument: AdminFlag, named: ReadonlyMap<string, unknown>): string {
  const { name, placeholder } = argument
  const isBare = words.includes(argument) && !named.has(name) && placeholder !== name.toUpperCase()
  return isBare ? `${placeholder} (--${name})` : `--${name}`
}

function readPort(typed: string | undefined): Result<number | null> {
  if (typed === undefined) return ok(null)
  const isPort = /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 65_535
  return isPort ? ok(Number(typed)) : err('--admin-port must be a whole number from 1 to 65535')
}
