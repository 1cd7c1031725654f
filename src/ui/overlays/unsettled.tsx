import type { DeskState, Overlay } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import type { Binding } from '../keys/binding.ts'
import type { ActionId } from '../keys/keymap.ts'
import { keymapOf } from '../keys/rebinding.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 70

const sentence = (text: string): Row[] => wrapWords(cellText(text), width - 4).map((line) => [span(` ${line}`)])

/** The keys that answer; `p` is left out where the evidence does not allow it. */
function answerRow(mayBePlaced: boolean, bindings: readonly Binding<ActionId>[]): Row {
  const offered = bindings.filter(({ action }) => mayBePlaced || action !== 'sayPlaced')
  return footEntries(['unsettled'], offered).flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])
}

/** What was sent without an answer, the evidence, and what an answer does. */
export function unsettledRows(
  { unsettled, reboundKeys }: Pick<DeskState, 'unsettled' | 'reboundKeys'>,
  overlay: Overlay,
): Row[] {
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
    answerRow(verdicts.includes('placed'), keymapOf({ reboundKeys })),
  ]
}

export function UnsettledOverlay({ screen }: { screen: ScreenSize }) {
  const unsettled = useDesk((state) => state.unsettled)
  const overlay = useDesk((state) => state.overlay)
  const reboundKeys = useDesk((state) => state.reboundKeys)
  if (overlay === null) return null
  const rows = unsettledRows({ unsettled, reboundKeys }, overlay)
  const title = [span('What became of this one?', 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
