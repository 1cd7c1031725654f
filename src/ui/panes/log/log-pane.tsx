import { memo } from 'react'
import type { LogLine } from '../../../store/state.ts'
import { useDesk } from '../../console-context.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { clockText } from '../../text/moment.ts'
import { type Row, span } from '../../text/row.ts'
import { levelLook } from '../foot/notice-row.ts'
import { type PaneProps, PaneView, words } from '../pane-view.tsx'

/** The newest lines first, each in full: what is too long goes on below, under its own text. */
export function logRows(log: readonly LogLine[], width: number, rowCount: number): Row[] {
  const rows: Row[] = []
  for (const { atMs, level, text } of log.toReversed()) {
    if (rows.length >= rowCount) break
    const { tone, sign } = levelLook(level)
    const time = ` ${clockText(atMs)} `
    const lines = wrapWords(sign + cellText(text), Math.max(1, width - time.length))
    rows.push(
      ...lines.map((line, index): Row => [span(index === 0 ? time : ' '.repeat(time.length), 'dim'), span(line, tone)]),
    )
  }
  return rows.slice(0, rowCount)
}

export const LogPane = memo(function LogPane(props: PaneProps) {
  const log = useDesk((state) => state.log)
  const rows = log.length === 0 ? words('Nothing has happened yet.') : logRows(log, props.width - 2, props.height - 2)
  return <PaneView {...props} pane="log" content={{ note: [], rows, isStale: false }} />
})
