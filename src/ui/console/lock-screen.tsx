import type { DeskState } from '../../store/desk.ts'
import { keymapOf } from '../keys/keymap.ts'
import { haltAnswers, haltQuestion } from '../overlays/confirm.tsx'
import type { ScreenSize } from '../overlays/dialog.tsx'
import { useDesk, useTheme } from '../text/desk-context.ts'
import { Lines, paintRows } from '../text/frame.tsx'
import { type Row, span, wordRows } from '../text/row.ts'
import { dots } from '../text/typed.ts'
import { footLine } from './foot-rows.ts'
import { headerRow } from './header-row.ts'

/** What is asked for, and a dot for each character that was typed. */
function fieldRow({ lock, lockMethod }: DeskState): Row {
  const name = lockMethod === 'code' ? 'Code' : 'Passphrase'
  switch (lock.kind) {
    case 'typing':
      return [span(` ${name}: `, 'label'), span(dots(lock.length), 'cursor')]
    case 'checking':
      return [span(' Checking…', 'warn')]
    case 'covered':
    case 'open':
      return [span(lockMethod === 'none' ? ' Enter opens it.' : ` Enter asks for the ${name.toLowerCase()}.`, 'label')]
  }
}

/** How many orders work, and how many writes have no known outcome: what a passer-by must know before halting. */
function countRow({ orders, unsettled }: DeskState): Row {
  const working = orders.value === null ? 'Working orders: not known yet' : `Working orders: ${orders.value.length}`
  return [span(` ${working}`), ...(unsettled.length === 0 ? [] : [span(`   UNSETTLED: ${unsettled.length}`, 'bad')])]
}

/**
 * Covers everything but mode, venue, the feeds' ages and the number of working orders; halting is possible here too.
 */
export function lockRows(state: DeskState, { columns, rows }: ScreenSize): Row[] {
  const { lock, overlay } = state
  const words = (text: string, tone: 'warn' | 'text') => wordRows(text, columns, tone)
  const sentence = lock.kind === 'covered' && lock.sentence !== '' ? words(lock.sentence, 'warn') : []
  const body: Row[] =
    overlay?.kind === 'halt'
      ? [
          ...words(haltQuestion(state, overlay), 'warn'),
          [span(` ${overlay.typed}_`, 'cursor')],
          [],
          haltAnswers(keymapOf(state)),
        ]
      : [...sentence, fieldRow(state)]
  const shown: Row[] = [[span(' LOCKED', 'title')], [], countRow(state), [], ...body]
  const room = Math.max(0, rows - 2)
  const above = Math.max(0, Math.floor((room - shown.length) / 2))
  const middle = Array.from({ length: room }, (_, index): Row => shown[index - above] ?? [])
  return [headerRow(state, columns), ...middle, footLine(state, columns)].slice(0, rows)
}

export function LockScreen({ screen }: { screen: ScreenSize }) {
  const theme = useTheme()
  const state = useDesk((whole) => whole)
  return <Lines lines={paintRows(lockRows(state, screen), screen.columns, theme)} width={screen.columns} />
}
