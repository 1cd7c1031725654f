import type { CommandIo } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { Writable } from '../../wire/exact-json.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from './arguments.ts'
import type { CommandRow } from './command.ts'
import { type Ending, type ExitCode, exitCodeOf, type FailureKind, kindOfCode } from './exit-codes.ts'
import { formOf } from './output.ts'

/** Failures without an effect on money: an earlier signal determines the exit code instead. */
const overruled: readonly FailureKind[] = ['failed', 'notSent', 'unreachable']

type Row = Pick<CommandRow, 'name' | 'flags' | 'isPlain'>
/** The outputs of a failure. */
type FailureIo = Pick<CommandIo, 'output' | 'print' | 'printError' | 'signal'> & { stdout: { isTTY?: boolean } }

/**
 * True when a failure is also printed as JSON: if requested, or if no form was requested, stdout is not a terminal, and
 * one of the possible commands prints JSON there.
 */
function isJson(rows: readonly Row[], given: Pick<Arguments, 'has'>, io: FailureIo): boolean {
  if (given.has('json')) return true
  const printsJson = ({ flags, isPlain }: Row) => isPlain !== true && flags.some(({ name }) => name === 'json')
  return rows.some(printsJson) && formOf(given, io.stdout) === 'json'
}

/**
 * Reports a failure: one line on stderr, and for JSON output one object on stdout, on its own line. With several rows
 * the command is not known yet. Resolves to the exit code.
 */
export async function tellEnding(
  rows: Row | readonly Row[],
  { code, sentence, todo, clientOrderId, beside }: Ending,
  given: Pick<Arguments, 'has'>,
  io: FailureIo,
): Promise<ExitCode> {
  const [of, name] = 'name' in rows ? [[rows], ` ${rows.name}`] : [rows, '']
  if (sentence !== undefined) {
    const told = todo === undefined ? sentence : `${sentence.replace(/([^.!?])$/, '$1.')} ${todo}`
    io.printError(plainText(`pitdesk${name}: ${told}`))
    const error: Writable = { kind: kindOfCode(code), message: sentence, clientOrderId, todo }
    // A list that broke off stays unclosed, so that no reader takes a part for the whole.
    if (isJson(of, given, io)) await io.print(`${io.output.isMidLine() ? '\n' : ''}${jsonLine({ error, ...beside })}`)
  }
  return io.signal.aborted && code !== 0 && overruled.includes(kindOfCode(code)) ? exitCodeOf(io.signal) : code
}

/** The arguments of an unreadable command line, as far as they select the output form. */
export const flagsOf = (argv: readonly string[]): Pick<Arguments, 'has'> => ({
  has: (name) => argv.includes(`--${name}`),
})
