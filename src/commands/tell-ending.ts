import { plainText } from '../domain/plain-text.ts'
import type { Writable } from '../wire/json-write.ts'
import type { Arguments } from './arguments.ts'
import { type CommandRow, type Ending, exitCodes, type FailureKind } from './command.ts'
import { type CommandIo, type ExitCode, exitCodeOf } from './io.ts'
import { formOf, jsonLine } from './read-output.ts'

const kindOf = (code: ExitCode): FailureKind =>
  (Object.keys(exitCodes) as FailureKind[]).find((kind) => exitCodes[kind] === code) ?? 'failed'

/** Failures that say nothing yet of the money: a signal that came before them says more. */
const overruled: readonly FailureKind[] = ['failed', 'notSent', 'unreachable']

/** Whether what the command prints is JSON: where that is asked for, and where nobody asked and stdout is not a terminal. */
function isJson({ flags, isPlain }: CommandRow, given: Pick<Arguments, 'has'>, io: CommandIo): boolean {
  if (given.has('json')) return true
  return isPlain !== true && flags.some(({ name }) => name === 'json') && formOf(given, io.stdout) === 'json'
}

/**
 * Tells of a failure: one line on stderr, and where JSON is the form of the command one object on stdout, in a line of its own. Resolves
 * with the exit code.
 */
export async function tellEnding(
  row: CommandRow,
  { code, sentence, todo, clientOrderId, beside }: Ending,
  given: Pick<Arguments, 'has'>,
  io: CommandIo,
): Promise<ExitCode> {
  if (sentence !== undefined) {
    const told = todo === undefined ? sentence : `${sentence.replace(/([^.!?])$/, '$1.')} ${todo}`
    io.complain(plainText(`pitdesk ${row.name}: ${told}`))
    const error: Writable = { kind: kindOf(code), message: sentence, clientOrderId, todo }
    // A list that broke off stays unclosed: nobody takes a part of it for all.
    if (isJson(row, given, io)) await io.print(`${io.output.isMidLine() ? '\n' : ''}${jsonLine({ error, ...beside })}`)
  }
  return io.signal.aborted && code !== 0 && overruled.includes(kindOf(code)) ? exitCodeOf(io.signal) : code
}

/** The arguments of a command line that could not be read, as far as they say in which form it was to answer. */
export const flagsOf = (argv: readonly string[]): Pick<Arguments, 'has'> => ({
  has: (name) => argv.includes(`--${name}`),
})
