import { connect } from 'node:net'
import { readBaseAddress } from '../../api/base-address.ts'
import { isLoopbackHost } from '../../base/net/loopback.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import type { Environment } from '../../base/process/environment.ts'
import { isRunning } from '../../base/process/process-running.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { readSecret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import {
  type AdminTarget,
  answerJson,
  answerLines,
  callAdmin,
  readAdminAnswer,
} from '../../desk/practice/practice-admin.ts'
import {
  argumentName,
  argumentsOf,
  fieldsOf,
  type PracticeVerb,
  readArguments,
  shortUsageOf,
  usageOf,
  type VerbArgument,
  type VerbFields,
  verbName,
} from '../../domain/desk/practice-verb.ts'
import { type AdminNote, readAdminNotes, removeNote } from '../../sandbox/admin/admin-note.ts'
import { adminTable } from '../../sandbox/admin/verb-table.ts'
import { wrapWords } from '../../ui/text/cells.ts'
import type { Arguments, Flag } from '../cli/arguments.ts'
import { adminFlags, type CommandRow, type Run, type VerbTable } from '../cli/command.ts'
import { columns, pageWidth, valued } from '../cli/command-help.ts'
import { done, failed, wrongUsage } from '../cli/exit-codes.ts'

/**
 * Finds the exchange: the one on `adminPort`, else the one in the environment, else the only running one of this user.
 * Removes records of exchanges that have ended.
 */
async function findAdmin(environment: Environment, adminPort: number | null): Promise<Result<AdminTarget>> {
  const { PITDESK_ADMIN_URL: url = '', PITDESK_ADMIN_TOKEN: token = '' } = environment
  if (adminPort === null && (url !== '' || token !== '')) return fromEnvironment(url, token)
  const live = await liveNotes(environment)
  const [note, another] = adminPort === null ? live : live.filter((each) => each.adminPort === adminPort)
  if (note !== undefined && another === undefined) return toTarget(note, { url: note.path, token: note.path })
  const choice = live.map((each) => `--admin-port ${each.adminPort} (process ${each.pid})`).join(' or ')
  if (live.length === 0)
    return err('no practice exchange is running: start one with "pitdesk sandbox", or open a desk on one')
  return adminPort === null
    ? err(`${live.length} practice exchanges are running: choose ${choice}`)
    : err(`no practice exchange has its administration on port ${adminPort}: there is ${choice}`)
}

function fromEnvironment(url: string, token: string): Result<AdminTarget> {
  if (url === '' || token === '') {
    const missing = url === '' ? 'PITDESK_ADMIN_URL' : 'PITDESK_ADMIN_TOKEN'
    return err(`${missing} is not set: PITDESK_ADMIN_URL and PITDESK_ADMIN_TOKEN go together`)
  }
  return toTarget({ adminUrl: url, adminToken: token }, { url: 'PITDESK_ADMIN_URL', token: 'PITDESK_ADMIN_TOKEN' })
}

/** `sources`: where address and token come from, for error messages. */
function toTarget(
  { adminUrl, adminToken }: Pick<AdminNote, 'adminUrl' | 'adminToken'>,
  sources: { url: string; token: string },
): Result<AdminTarget> {
  const base = readBaseAddress(adminUrl)
  if (!base.ok) return err(`${sources.url}: ${base.error}`)
  if (!isLoopbackHost(new URL(base.value.origin).hostname)) {
    return err(`${sources.url}: an exchange is administered from its own machine only, and this address is another's`)
  }
  const token = readSecret(adminToken)
  return token.ok ? ok({ base: base.value, token: token.value }) : err(`${sources.token}: ${token.error}`)
}

async function liveNotes(environment: Environment): Promise<AdminNote[]> {
  const notes = await Promise.all(
    readAdminNotes(environment).map(async (note) => {
      if (isRunning(note.pid) && (await isListening(note.adminPort))) return note
      removeNote(note)
      return null
    }),
  )
  return notes.filter((note) => note !== null)
}

/** True when the port of the loopback address accepts connections. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

const program = 'pitdesk sandbox admin'

const general = columns([...adminFlags.map((flag) => [valued(flag), flag.meaning] as const), ['--help', 'this page']])

const introduction = wrapWords(
  'Does on a running practice exchange what a real one does on its web page or through its staff. It finds the ' +
    'exchange that this user runs, alone or in a desk, by itself: its token is never an argument.',
  pageWidth,
).join('\n')

const ending = wrapWords(
  'Every NOUN and every NOUN VERB has its own --help. PITDESK_ADMIN_URL and PITDESK_ADMIN_TOKEN in the environment ' +
    'name an exchange that cannot be found that way.',
  pageWidth,
).join('\n')

/** The usage with the program's name, its flags on a separate line if too long for one. */
function fullUsage(row: PracticeVerb): string {
  const line = `${program} ${usageOf(row)}`
  if (line.length <= pageWidth) return line
  const start = `${program} ${shortUsageOf(row)}`
  return [start, ...wrapWords(line.slice(start.length + 1), pageWidth)].join('\n      ')
}

const summaries = (rows: readonly PracticeVerb[]): string =>
  columns(rows.map((row) => [shortUsageOf(row), row.summary]))

/** The page of one noun, or of everything. */
const adminPage = (noun: string | undefined): string => (noun === undefined ? wholePage() : nounPage(noun))

const wholePage = (): string => `Usage: ${program} NOUN VERB [ARGUMENT]… [--name VALUE]…

${introduction}

${summaries(adminTable)}

${general}

${ending}`

function nounPage(noun: string): string {
  const rows = adminTable.filter((row) => row.noun === noun)
  const usages = rows.map((row) => `  ${fullUsage(row)}`).join('\n')
  return `Usage:\n${usages}\n\n${columns(rows.map((row) => [verbName(row), row.summary]))}\n\n${general}`
}

const bareWords = 'An argument without its name stands for the first one in the usage that is not given by name.'

/** One admin action, as a row of the command table. */
const commandRow = (row: PracticeVerb): CommandRow => ({
  kind: 'parsed',
  name: `sandbox admin ${verbName(row)}`,
  summary: row.summary,
  words: row.words.map(({ name, placeholder, isRequired }) => bracketed(placeholder ?? name, isRequired)).join(' '),
  // Which of them may be bare depends on those given by name.
  wordsMax: Number.POSITIVE_INFINITY,
  flags: [...argumentsOf(row).map((argument) => flagOf(argument, row)), ...adminFlags],
  notes: [...(row.note === null ? [] : [row.note]), ...(row.words.length === 0 ? [] : [bareWords])],
  failures: ['failed', 'usage'],
  example: row.example,
  load: () => Promise.resolve(adminRun(row)),
})

const bracketed = (usage: string, isRequired: boolean): string => (isRequired ? usage : `[${usage}]`)

const flagOf = ({ name, placeholder, meaning, isRequired }: VerbArgument, { flags }: PracticeVerb): Flag => ({
  ...{ name, placeholder, meaning },
  ...(isRequired && flags.some((flag) => flag.name === name) ? { isRequired } : {}),
})

/** The admin commands of a running practice exchange. */
export const adminVerbs: VerbTable = { rows: adminTable.map(commandRow), page: adminPage }

/** Runs one admin action, and prints its answer. */
const adminRun =
  (row: PracticeVerb): Run =>
  async (given, io, tools) => {
    const fields = readFields(row, given)
    if (!fields.ok) return wrongUsage(fields.error)
    const call = { row, fields: fields.value, isJson: given.has('json'), adminPort: given.number('admin-port') ?? null }
    const printed = await answerOf(call, io, tools)
    if (!printed.ok) return failed(printed.error)
    for (const [name, value] of bareTimes(row, given)) io.printError(plainText(`${name} ${value} is ${value} ms.`))
    await io.print(printed.value)
    return done
  }

/** Times given without a unit, by their names: the output says how they were read. */
function bareTimes(row: PracticeVerb, given: Arguments): [string, string][] {
  const isTime = ({ placeholder }: VerbArgument) => placeholder === 'TIME'
  const named = argumentsOf(row).filter((argument) => isTime(argument) && given.has(argument.name))
  const typed = named.map(({ name }): [string, string] => [`--${name}`, given.value(name) ?? ''])
  const [first] = row.words
  const [word] = given.words
  if (first !== undefined && word !== undefined && isTime(first) && named.length === 0) typed.push(['TIME', word])
  return typed.filter(([, value]) => /^\d+(\.\d+)?$/.test(value))
}

type Call = { row: PracticeVerb; fields: VerbFields; isJson: boolean; adminPort: number | null }

/** Sends the request, and returns the text to print. */
async function answerOf(call: Call, io: CommandIo, { clock }: CommandTools): Promise<Result<string>> {
  const { row, fields, isJson, adminPort } = call
  const target = await findAdmin(io.environment, adminPort)
  if (!target.ok) return target
  const answered = await callAdmin({ row, fields, target: target.value, clock, signal: io.signal })
  if (!answered.ok) return answered
  const answer = readAdminAnswer(answered.value)
  if (!answer.ok) return answer
  if (isJson || !io.stdout.isTTY) return ok(answerJson(answer.value))
  const lines = answerLines(answer.value, io.stdout.columns)
  return ok([...lines, ...(row.note === null ? [] : ['', row.note])].join('\n'))
}

/** The fields of the request. The error names the argument, and never repeats its value. */
function readFields(row: PracticeVerb, given: Arguments): Result<VerbFields> {
  const named = argumentsOf(row).filter(({ name }) => given.has(name))
  const flags = new Map(named.map(({ name }) => [name, given.value(name)]))
  const read = readArguments(row, { words: given.words, flags })
  if (read.ok) return ok(fieldsOf(read.value))
  const { argument, text } = read.error
  return err(argument === null ? text : `${argumentName(row, argument, flags.has(argument.name))} ${text}`)
}
