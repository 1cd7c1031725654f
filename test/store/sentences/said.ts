import type { DeskState } from '../../../src/store/desk.ts'
import { readSentence } from '../../../src/store/sentences/sentences.ts'

/**
 * What the palette makes of a line: `=` understood, with its warnings behind `!!`; `?` asked, or a near miss, with the
 * lines on offer behind `->`; `!` refused; `~` no sentence at all. Behind `= ` and the first stop stand the words.
 */
export function saidOf(line: string, state: DeskState): string {
  const reading = readSentence(line, state)
  if (reading === null) return '~'
  const lines = reading.lines.join(' | ')
  if (reading.kind === 'understood')
    return `= ${lines}${(reading.warnings ?? []).map((each) => ` !! ${each}`).join('')}`
  const instead = reading.instead ?? []
  return instead.length === 0 ? `! ${lines}` : `? ${lines} -> ${instead.join(' / ')}`
}
