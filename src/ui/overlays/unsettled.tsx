import type { UnsettledQuestion } from '../../domain/unsettled.ts'
import type { DeskState, Overlay } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import type { Binding } from '../keys/binding.ts'
import type { ActionId } from '../keys/keymap.ts'
import { keymapOf } from '../keys/rebinding.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'
import { type EvidenceState, evidenceRows } from './unsettled-evidence.ts'

const width = 70

const sentence = (text: string): Row[] => wrapWords(cellText(text), width - 4).map((line) => [span(` ${line}`)])

/** The keys that answer; those are left out that the evidence does not allow, or that choose where there is no choice. */
function answerRow({ verdicts, withdrawals }: UnsettledQuestion, bindings: readonly Binding<ActionId>[]): Row {
  const choosing: readonly ActionId[] = ['unsettledUp', 'unsettledDown']
  const mayChoose = (withdrawals?.matches.length ?? 0) > 1
  const offered = bindings.filter(
    ({ action }) =>
      (verdicts.includes('placed') || action !== 'sayPlaced') && (mayChoose || !choosing.includes(action)),
  )
  return footEntries(['unsettled'], offered).flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])
}

/** What was sent without an answer, the evidence, and what an answer does. */
export function unsettledRows(
  state: Pick<DeskState, 'unsettled' | 'reboundKeys'> & EvidenceState,
  overlay: Overlay,
): Row[] {
  const { unsettled, reboundKeys } = state
  const entry = overlay.kind === 'unsettled' ? unsettled.find(({ key }) => key === overlay.key) : undefined
  if (overlay.kind !== 'unsettled' || entry === undefined || entry.question === null)
    return [[], ...sentence('It is settled by now.'), []]
  const { evidence } = entry.question
  const meaning =
    'Look for yourself where you can. Once you say that it was not placed, the same may be sent again; if it was, there are two.'
  return [
    [],
    ...sentence(entry.sentence),
    [],
    ...sentence(evidence),
    [],
    ...evidenceRows(entry, overlay.selected, state, width - 4),
    ...sentence(meaning),
    [],
    answerRow(entry.question, keymapOf({ reboundKeys })),
  ]
}

export function UnsettledOverlay({ screen }: { screen: ScreenSize }) {
  const unsettled = useDesk((state) => state.unsettled)
  const overlay = useDesk((state) => state.overlay)
  const reboundKeys = useDesk((state) => state.reboundKeys)
  const balances = useDesk((state) => state.balances)
  const followed = useDesk((state) => state.followed)
  const whitelist = useDesk((state) => state.whitelist)
  if (overlay === null) return null
  const rows = unsettledRows({ unsettled, reboundKeys, balances, followed, whitelist }, overlay)
  const title = [span('What became of this one?', 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
