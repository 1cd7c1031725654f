import type { PracticeVerb } from '../domain/desk/practice-verb.ts'
import type { AdminFlag } from './sandbox-admin-flags.ts'

/** One thing the administration can do, as a command. */
export type AdminRow = PracticeVerb

type Arguments = { words?: AdminFlag[]; flags?: AdminFlag[]; example?: string; note?: string; isFinal?: true }

/** A row of the table of commands; `command` is its noun and its verb. */
export function row(
  command: string,
  summary: string,
  { words = [], flags = [], example = '', note, ...more }: Arguments,
): AdminRow {
  const [noun = '', verb = ''] = command.split(' ')
  return { noun, verb, summary, words, flags, example, note: note ?? null, ...more }
}
