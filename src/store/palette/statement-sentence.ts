import { readPeriod } from '../../domain/statement/movement.ts'
import { wallNow } from '../selectors.ts'
import type { DeskState } from '../state.ts'
import type { StatementForm } from '../statement/statement-commands.ts'
import { type Reading, type SentenceReader, wordsOf } from './sentence.ts'

const forms: readonly StatementForm[] = ['csv', 'json']

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

function read(line: string): Reading | null {
  const [first, from, to, asked = 'csv', ...rest] = wordsOf(line)
  if (first !== 'statement') return null
  const form = forms.find((each) => each === asked)
  if (from === undefined || to === undefined || form === undefined || rest.length > 0)
    return {
      kind: 'wrong',
      lines: ['Say the first and the last day: statement 2026-11-01 2026-11-20, and json for JSON.'],
    }
  const period = readPeriod(from, to)
  if (!period.ok) return { kind: 'wrong', lines: [`${period.error}.`] }
  const { fromMs, toMs } = period.value
  return {
    kind: 'understood',
    lines: [
      `Deposits, withdrawals, fills and fees from ${day(fromMs)} to ${day(toMs)} (UTC), added up by currency.`,
      'They are held against the balances; what does not agree is said.',
    ],
    enter: `writes a ${form === 'csv' ? 'CSV' : 'JSON'} file and says where it is`,
    run: (commands) => commands.exportStatement(period.value, form),
  }
}

/** Days that are near at hand: the first of this month and the last, and today. */
function words(line: string, state: DeskState): readonly string[] {
  const typed = line.trimStart().split(/\s+/).length
  if (typed > 3) return forms
  const today = day(wallNow(state))
  return typed === 3 ? [today] : [`${today.slice(0, 7)}-01`, today]
}

export const statementSentence: SentenceReader = {
  name: 'statement',
  help: 'deposits, withdrawals, fills and fees between two days, as a file',
  example: 'statement 2026-11-01 2026-11-20',
  starts: ['statement'],
  read,
  words,
}
