import { type Clock, systemClock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import { type Ending, failed, wrongUsage } from './command.ts'
import { jsonFlag } from './flags.ts'
import type { CommandIo, ExitCode } from './io.ts'
import { answerJson, answerLines, readAdminAnswer } from './sandbox-admin-answer.ts'
import { type AdminRequest, readAdminArguments } from './sandbox-admin-arguments.ts'
import { callAdmin } from './sandbox-admin-call.ts'
import { findAdmin } from './sandbox-admin-target.ts'
import { flagsOf, tellEnding } from './tell-ending.ts'

/** What the command touches of the process. */
export type AdminIo = Pick<CommandIo, 'environment' | 'output' | 'print' | 'complain' | 'signal'> & {
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
