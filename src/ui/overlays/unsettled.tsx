import type { DeskState, Overlay } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 70

const sentence = (text: string): Row[] => wrapWords(cellText(text), width - 4).map((line) => [span(` ${line}`)])

/** The keys that answer; `p` is left out where the evidence does not allow it. */
function answerRow(mayBePlaced: boolean): Row {
  return footEntries(['unsettled'])
    .filter(({ keys }) => mayBePlaced || keys !== 'p')
    .flatMap(({ keys, label, isDanger }) => [span(` ${keys}`, 'key'), span(` ${label}  `, isDanger ? 'warn' : 'label')])
}

/** What was sent without an answer, the evidence, and what an answer does. */
export function unsettledRows({ unsettled }: Pick<DeskState, 'unsettled'>, overlay: Overlay): Row[] {
  const entry = overlay.kind === 'unsettled' ? unsettled.find(({ key }) => key === overlay.key) : undefined
  if (entry === undefined || entry.question === null) return [[], ...sentence('It is settled by now.'), []]
  const { evidence, verdicts } = entry.question
  const meaning =
    'Look for yourself where you can. Once you say that it was not placed, the same may be sent again; if it was, there are two.'
  return [
    [],
    ...sentence(entry.sentence),
    [],
    ...sentence(evidence),
    [],
    ...sentence(meaning),
    [],
    answerRow(verdicts.includes('placed')),
  ]
}

export function UnsettledOverlay({ screen }: { screen: ScreenSize }) {
  const unsettled = useDesk((state) => state.unsettled)
  const overlay = useDesk((state) => state.overlay)
  if (overlay === null) return null
  const rows = unsettledRows({ unsettled }, overlay)
  const title = [span('What became of this one?', 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
