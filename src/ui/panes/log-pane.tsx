import { memo } from 'react'
import { clockText } from '../../base/time-text.ts'
import type { DeskState } from '../../store/desk.ts'
import type { LogLine } from '../../store/log.ts'
import type { TableView } from '../../store/tables/tables.ts'
import { levels, logItems, logList, logSource, wholeTextLines } from '../tables/log-table.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { ownSentence } from '../text/privacy.ts'
import { type Row, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says } from './pane-view.tsx'

/** Log lines, newest first, each in full: long ones wrap under their own text. */
export function logRows(newestFirst: readonly LogLine[], width: number, rowCount: number, isPrivate = false): Row[] {
  const rows: Row[] = []
  for (const { atMs, level, text } of newestFirst) {
    if (rows.length >= rowCount) break
    const { tone, sign } = levels[level]
    const time = ` ${clockText(atMs)} `
    const lines = wrapWords(sign + cellText(ownSentence(text, isPrivate)), Math.max(1, width - time.length))
    rows.push(
      ...lines.map((line, index): Row => [span(index === 0 ? time : ' '.repeat(time.length), 'dim'), span(line, tone)]),
    )
  }
  return rows.slice(0, rowCount)
}

/** Until the user selects a row or a sort order, the log is text, read from the newest line on. */
const isRead = ({ selectedKey, sort }: TableView): boolean => selectedKey === null && sort === null

type LogState = Pick<DeskState, 'log' | 'tables' | 'looks'>

/**
 * The log pane in `rowCount` lines of `width` cells: text, or once the user moves through it a list with the selected
 * line in full below.
 */
export function logContent(state: LogState, width: number, rowCount: number): ListContent {
  const { log, tables } = state
  const { isPrivate } = state.looks
  if (log.length === 0) return says('Nothing has happened yet.', [], width)
  const view = tables.views.log
  const items = logItems(state)
  if (isRead(view) && tables.sorting !== 'log') {
    const { rows } = logList.ordered(items, null, view)
    const note = logList.note({ items, context: null, view, isTyping: tables.typing === 'log' })
    return { note, rows: logRows(rows, width, rowCount, isPrivate), isStale: false }
  }
  const below = wholeTextLines(rowCount)
  const listRows = rowCount - below
  const list = logSource.draw(state, { width, rowCount: listRows, nowMs: 0 })
  const chosen = items.find(({ key }) => key === view.selectedKey)
  const padded = Array.from({ length: listRows }, (_, row): Row => list.rows[row] ?? [])
  const whole = chosen === undefined ? [] : logRows([chosen], width, below, isPrivate)
  return { ...list, rows: [...padded, ...whole], isStale: false }
}

const selectLog = ({ log, tables, looks }: DeskState): LogState => ({ log, tables, looks })

export const LogPane = memo(function LogPane(props: PaneProps) {
  return <PaneView {...props} pane="log" select={selectLog} content={logContent} />
})
