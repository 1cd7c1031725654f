import type { Unsettled } from '../../domain/orders/unknown-write.ts'
import type { DeskState, Overlay } from '../../store/desk.ts'
import { useDesk } from '../console-context.ts'
import { offeredEntries } from '../keys/offered.ts'
import { cellText, cutWords, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'
import { evidenceRows } from './unsettled-evidence.ts'

const width = 70
/** More of them than this scroll: the evidence needs the room. */
const choicesMost = 4

const sentence = (text: string): Row[] => wrapWords(cellText(text), width - 4).map((line) => [span(` ${line}`)])

/**
 * The keys that answer; those are left out that the evidence does not allow, or that choose where there is no choice.
 */
const answerRow = (state: DeskState): Row =>
  offeredEntries('unsettled', state).flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])

/** All that can be settled, where that is more than one: the one that an answer is about is marked. */
function choiceRows(unsettled: readonly Unsettled[], chosen: string): Row[] {
  const asked = unsettled.filter(({ question }) => question !== null)
  if (asked.length < 2) return []
  const at = asked.findIndex(({ key }) => key === chosen)
  const first = Math.max(0, Math.min(at - 1, asked.length - choicesMost))
  const lines = asked.slice(first, first + choicesMost).map(({ key, sentence: text }): Row => {
    const line = cutWords(cellText(text), width - 7)
    return key === chosen ? [span(' > ', 'cursor'), span(line, 'cursor')] : [span('   '), span(line, 'dim')]
  })
  return [...lines, []]
}

/** What was sent without an answer, the evidence, and what an answer does. */
export function unsettledRows(state: DeskState, overlay: Overlay): Row[] {
  const { unsettled } = state
  const entry = overlay.kind === 'unsettled' ? unsettled.find(({ key }) => key === overlay.key) : undefined
  if (overlay.kind !== 'unsettled' || entry === undefined || entry.question === null)
    return [[], ...sentence('It is settled by now.'), []]
  const { evidence } = entry.question
  const meaning =
    'Look for yourself where you can. Once you say that it was not placed, the same may be sent again; if it was, there are two.'
  return [
    [],
    ...choiceRows(unsettled, entry.key),
    ...sentence(entry.sentence),
    [],
    ...sentence(evidence),
    [],
    ...evidenceRows(entry, overlay.selected, state, width - 4),
    ...sentence(meaning),
    [],
    answerRow(state),
  ]
}

/** `2 of 3`: which of them the answer is about. */
function countText({ unsettled }: DeskState, overlay: Overlay): string {
  const asked = unsettled.filter(({ question }) => question !== null)
  const at = overlay.kind === 'unsettled' ? asked.findIndex(({ key }) => key === overlay.key) : -1
  return at < 0 || asked.length < 2 ? '' : ` ${at + 1} of ${asked.length}`
}

export function UnsettledOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((each) => each)
  const { overlay } = state
  if (overlay === null) return null
  const rows = unsettledRows(state, overlay)
  const title = [span(`What became of this one?${countText(state, overlay)}`, 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
