import { left, wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import type { Tone } from '../../theme/theme.ts'
import { labelWidth } from './field-rows.ts'

/** A line with a name and a value, as all of the ticket's lines are laid out. */
export const valueRow = (label: string, value: string, tone: Tone = 'text'): Row => [
  span(' '),
  span(left(label, labelWidth), 'label'),
  span(value, tone),
]

/**
 * A name with the first of its texts that fits the line; where none does, the last one goes on in the next lines. An
 * amount that is cut would be another amount.
 */
export function valueRows(label: string, texts: readonly string[], width: number, tone: Tone = 'text'): Row[] {
  const room = width - 1 - labelWidth
  const fitting = texts.find((text) => text.length <= room)
  if (fitting !== undefined) return [valueRow(label, fitting, tone)]
  return wrapWords(texts.at(-1) ?? '', room).map((line, index) => valueRow(index === 0 ? label : '', line, tone))
}
