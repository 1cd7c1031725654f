import { memo } from 'react'
import { utcDayStart } from '../../base/text/time-text.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import type { LogLine } from '../../store/log.ts'
import type { TableView } from '../../store/tables/tables.ts'
import { levels, logItems, logList, logSource, wholeTextLines } from '../tables/log-table.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { pastText } from '../text/moment.ts'
import { ownSentence } from '../text/privacy.ts'
import { type Row, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says } from './pane-view.tsx'

/** `nowMs`: a moment of the wall clock's day, whose times need no date. */
type LogLook = { width: number; rowCount: number; nowMs: number; isPrivate?: boolean }

/** Log lines, newest first, each in full: long ones wrap under their own text. */
export function logRows(newestFirst: readonly LogLine[], look: LogLook): Row[] {
  const { width, rowCount, nowMs, isPrivate = false } = look
  const rows: Row[] = []
  for (const { atMs, level, text } of newestFirst) {
    if (rows.length >= rowCount) break
    const { tone, sign } = levels[level]
    const time = ` ${pastText(atMs, nowMs)} `
    const lines = wrapWords(sign + cellText(ownSentence(text, isPrivate)), Math.max(1, width - time.length))
    rows.push(
      ...lines.map((line, index): Row => [span(index === 0 ? time : ' '.repeat(time.length), 'dim'), span(line, tone)]),
    )
  }
  return rows.slice(0, rowCount)
}

/** Until the user selects a row or a sort order, the log is text, read from the newest line on. */
const isRead = ({ selectedKey, sort }: TableView): boolean => selectedKey === null && sort === null

type LogState = Pick<DeskState, 'log' | 'tables' | 'looks' | 'nowMs' | 'ahead'>

/**
 * The log pane in `rowCount` lines of `width` cells: text, or once the user moves through it a list with the selected
 * line in full below.
 */
export function logContent(state: LogState, width: number, rowCount: number): ListContent {
  const { log, tables } = state
  const { isPrivate } = state.looks
  const nowMs = wallNow(state)
  if (log.length === 0) return says('Nothing has happened yet.', [], width)
  const view = tables.views.log
  const items = logItems(state)
  if (isRead(view) && tables.sorting !== 'log') {
    const { rows } = logList.ordered(items, null, view)
    const note = logList.note({ items, context: null, view, isTyping: tables.typing === 'log' })
    return { note, rows: logRows(rows, { width, rowCount, nowMs, isPrivate }), isStale: false }
  }
  const below = wholeTextLines(rowCount)
  const listRows = rowCount - below
  const list = logSource.draw(state, { width, rowCount: listRows, nowMs })
  const chosen = items.find(({ key }) => key === view.selectedKey)
  const padded = Array.from({ length: listRows }, (_, row): Row => list.rows[row] ?? [])
  const whole = chosen === undefined ? [] : logRows([chosen], { width, rowCount: below, nowMs, isPrivate })
  return { ...list, rows: [...padded, ...whole], isStale: false }
}

/** The day decides which times need their date: time within it redraws nothing. */
const selectLog = ({ log, tables, looks, nowMs, ahead }: DeskState): LogState => ({
  ...{ log, tables, looks, ahead },
  nowMs: utcDayStart(wallNow({ nowMs, ahead })) - ahead.wallMs,
})

export const LogPane = memo(function LogPane(props: PaneProps) {
  return <PaneView {...props} pane="log" select={selectLog} content={logContent} />
})
