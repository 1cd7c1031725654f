import type { CommandIo } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import type { Writable } from '../../wire/exact-json.ts'
import type { Arguments } from './arguments.ts'
import type { CommandRow } from './command.ts'
import { type Ending, type ExitCode, exitCodeOf, type FailureKind, kindOfCode } from './exit-codes.ts'
import { formOf, jsonLine } from './output.ts'

/** Failures that say nothing yet of the money: a signal that came before them says more. */
const overruled: readonly FailureKind[] = ['failed', 'notSent', 'unreachable']

type Row = Pick<CommandRow, 'name' | 'flags' | 'isPlain'>
/** Where a failure goes. */
type FailureIo = Pick<CommandIo, 'output' | 'print' | 'printError' | 'signal'> & { stdout: { isTTY?: boolean } }

/**
 * Whether a failure is told as JSON too: where that is asked for, and where nobody asked, stdout is not a terminal, and
 * one of the commands it may have been prints JSON there.
 */
function isJson(rows: readonly Row[], given: Pick<Arguments, 'has'>, io: FailureIo): boolean {
  if (given.has('json')) return true
  const printsJson = ({ flags, isPlain }: Row) => isPlain !== true && flags.some(({ name }) => name === 'json')
  return rows.some(printsJson) && formOf(given, io.stdout) === 'json'
}

/**
 * Tells of a failure: one line on stderr, and where JSON is the form of the command one object on stdout, in a line of
 * its own. Of several rows none is known to be meant yet. Resolves with the exit code.
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
    // A list that broke off stays unclosed, so that no reader takes a part of it for all.
    if (isJson(of, given, io)) await io.print(`${io.output.isMidLine() ? '\n' : ''}${jsonLine({ error, ...beside })}`)
  }
  return io.signal.aborted && code !== 0 && overruled.includes(kindOfCode(code)) ? exitCodeOf(io.signal) : code
}

/** The arguments of a command line that could not be read, as far as they say in which form it was to answer. */
export const flagsOf = (argv: readonly string[]): Pick<Arguments, 'has'> => ({
  has: (name) => argv.includes(`--${name}`),
})
