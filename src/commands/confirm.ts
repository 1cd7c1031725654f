import { err, ok, type Result } from '../base/result.ts'
import type { Arguments } from './arguments.ts'
import { askLine } from './ask.ts'
import type { CommandIo } from './io.ts'

/** Whether the question is put to a person, or a script has answered it beforehand. */
export type Consent = 'asked' | 'given'

/**
 * Whether a question can be asked, or is answered beforehand; an error is wrong usage. To be called before anything is
 * sent.
 */
export function consentOf(given: Arguments, { stdin }: CommandIo): Result<Consent> {
  if (stdin.isTTY) return ok('asked')
  return given.has('yes') ? ok('given') : err('stdin is not a terminal: add --yes to send without a question')
}

/** Asks for exactly these words on the terminal, unless the answer was given beforehand. */
export async function confirmed(
  consent: Consent,
  io: CommandIo,
  { question, isYes }: { question: string; isYes: (typed: string) => boolean },
): Promise<boolean> {
  if (consent === 'given') return true
  const typed = await askLine(io, question)
  return typed !== null && isYes(typed.trim())
}
