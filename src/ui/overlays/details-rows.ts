import type { DeskState, Overlay } from '../../store/desk.ts'
import { sourceOf } from '../tables/list-panes.ts'
import type { FieldText } from '../tables/list-source.ts'
import { cellText, left, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'

export type DetailsOf = Extract<Overlay, { kind: 'details' }>

export const detailsWidth = 70
/** Its border, and a line of air on either side of what it says. */
const frameLines = 4
const labelWidth = 20

/** Lines of details that the overlay shows at once. */
export const detailLinesShown = ({ rows }: Pick<DeskState['screen'], 'rows'>): number =>
  Math.max(1, rows - frameLines - 2)

/** A field on as many lines as it takes. */
function fieldLines({ label, text, isThere }: FieldText): Row[] {
  const room = detailsWidth - 4 - labelWidth
  const lines = wrapWords(cellText(text), room)
  return lines.map((line, index) => [
    span(` ${left(index === 0 ? label : '', labelWidth)}`, 'label'),
    span(line, isThere ? 'text' : 'dim'),
  ])
}

const gone: readonly Row[] = [[span(' This row is not in the list any more.', 'dim')]]

/** All lines of a row's details. */
export function detailLines(state: DeskState, { pane, key }: Pick<DetailsOf, 'pane' | 'key'>): readonly Row[] {
  const fields = sourceOf(pane)?.details(state, key) ?? null
  return fields === null ? gone : fields.flatMap(fieldLines)
}

export const detailLineCount = (state: DeskState, overlay: DetailsOf): number => detailLines(state, overlay).length
