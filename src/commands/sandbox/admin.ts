import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { callAdmin } from '../../desk/practice-admin.ts'
import { answerJson, answerLines, readAdminAnswer } from '../../desk/practice-answer.ts'
import { fieldsOf, readArguments } from '../../domain/desk/practice-verb.ts'
import type { AdminFields, AdminFlag } from '../../sandbox/admin/verb-row.ts'
import { type AdminRow, adminTable, commandOf, verbArgumentsOf } from '../../sandbox/admin/verb-table.ts'
import { type Arguments, type Flag, wholeFlag } from '../cli/arguments.ts'
import { adminFlags, type CommandRow, type Run, type VerbTable } from '../cli/command.ts'
import { done, failed, wrongUsage } from '../cli/exit-codes.ts'
import { adminPage } from './admin-help.ts'
import { findAdmin } from './admin-target.ts'

const bareWords = 'An argument without its name stands for the first one in the usage that is not given by name.'

/** One thing the administration can do, as a row of the table of commands. */
const commandRow = (row: AdminRow): CommandRow => ({
  kind: 'parsed',
  name: `sandbox admin ${commandOf(row)}`,
  summary: row.summary,
  words: row.words.map(({ name, placeholder, isRequired }) => bracketed(placeholder ?? name, isRequired)).join(' '),
  // Which of them may be bare depends on those that are given by name.
  wordsMost: Number.POSITIVE_INFINITY,
  flags: [...verbArgumentsOf(row).map((argument) => flagOf(argument, row)), ...adminFlags],
  notes: [...(row.note === null ? [] : [row.note]), ...(row.words.length === 0 ? [] : [bareWords])],
  failures: ['failed', 'usage'],
  example: row.example,
  load: () => Promise.resolve(adminRun(row)),
})

const bracketed = (usage: string, isRequired: boolean): string => (isRequired ? usage : `[${usage}]`)

const flagOf = ({ name, placeholder, meaning, isRequired }: AdminFlag, { flags }: AdminRow): Flag => ({
  ...{ name, placeholder, meaning },
  ...(isRequired && flags.some((flag) => flag.name === name) ? { isRequired } : {}),
})

/** What can be done with a running practice exchange, as its administrator. */
export const adminVerbs: VerbTable = { rows: adminTable.map(commandRow), page: adminPage }

/** Does one thing with a running practice exchange, and prints its answer. */
const adminRun =
  (row: AdminRow): Run =>
  async (given, io, tools) => {
    const fields = readFields(row, given)
    if (!fields.ok) return wrongUsage(fields.error)
    const adminPort = wholeFlag(given, 'admin-port', 1, 65_535)
    if (!adminPort.ok) return wrongUsage(adminPort.error)
    const call = { row, fields: fields.value, isJson: given.has('json'), adminPort: adminPort.value ?? null }
    const printed = await answerOf(call, io, tools)
    if (!printed.ok) return failed(printed.error)
    await io.print(printed.value)
    return done
  }

type Call = { row: AdminRow; fields: AdminFields; isJson: boolean; adminPort: number | null }

/** Asks, and gives what is to be printed. */
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
function readFields(row: AdminRow, given: Arguments): Result<AdminFields> {
  const named = verbArgumentsOf(row).filter(({ name }) => given.has(name))
  const flags = new Map(named.map(({ name }) => [name, given.value(name)]))
  const read = readArguments(row, { words: given.words, flags })
  if (read.ok) return ok(fieldsOf(read.value))
  const { argument, text } = read.error
  return err(argument === null ? text : `${calledIn(row, argument, flags)} ${text}`)
}

/** An argument as whoever typed it knows it: a bare word by what the usage calls it, where that is not its name. */
function calledIn({ words }: AdminRow, argument: AdminFlag, named: ReadonlyMap<string, unknown>): string {
  const { name, placeholder } = argument
  const isBare = words.includes(argument) && !named.has(name) && placeholder !== name.toUpperCase()
  return isBare ? `${placeholder} (--${name})` : `--${name}`
}
