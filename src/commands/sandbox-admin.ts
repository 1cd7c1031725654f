import { type Clock, systemClock } from '../clock.ts'
import type { Result } from '../domain/result.ts'
import { type CommandIo, type ExitCode, exitCodeOf } from './io.ts'
import { answerJson, answerLines, readAdminAnswer } from './sandbox-admin-answer.ts'
import { type AdminRequest, readAdminArguments } from './sandbox-admin-arguments.ts'
import { callAdmin } from './sandbox-admin-call.ts'
import { findAdmin } from './sandbox-admin-target.ts'

/** What the command touches of the process. */
export type AdminIo = Pick<CommandIo, 'environment' | 'output' | 'print' | 'complain' | 'signal'> & {
  stdout: Pick<CommandIo['stdout'], 'isTTY' | 'columns'>
}

/**
 * Does one thing with a running practice exchange, as its administrator. 0: done, and the answer printed. 1: refused or not
 * possible, with a sentence. 2: wrong usage.
 */
export async function runSandboxAdminCommand(
  argv: readonly string[],
  io: AdminIo,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const request = readAdminArguments(argv)
  if (!request.ok) {
    io.complain(`pitdesk sandbox admin: ${request.error}`)
    return 2
  }
  if (request.value.kind === 'help') {
    await io.print(request.value.page)
    return 0
  }
  const printed = await answerOf(request.value, io, clock)
  if (printed.ok) {
    await io.print(printed.value)
    return 0
  }
  io.complain(`pitdesk sandbox admin: ${printed.error}`)
  return io.signal.aborted ? exitCodeOf(io.signal) : 1
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
