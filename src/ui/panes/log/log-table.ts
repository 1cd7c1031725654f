import type { DeskState, LogLine } from '../../../store/desk.ts'
import { createList } from '../../tables/list.ts'
import { type ListSource, listSource } from '../../tables/list-source.ts'
import type { ListTable } from '../../tables/list-table.ts'
import { momentTexts } from '../../tables/moment-texts.ts'
import { rememberLast } from '../../tables/remember.ts'
import { cellText } from '../../text/cells.ts'
import { clockText } from '../../text/moment.ts'
import { levelLook } from '../foot/notice-row.ts'

/** A line of the log with a key of its own: several may come in the same millisecond. */
export type LogItem = LogLine & { key: string }

/** The level as a word, from harmless to grave. */
export const levelWords: Readonly<Record<LogLine['level'], string>> = {
  info: 'info',
  good: 'good',
  warn: 'WARN',
  bad: 'BAD',
}
const gravity: Readonly<Record<LogLine['level'], number>> = { info: 0, good: 1, warn: 2, bad: 3 }

const itemsFrom = rememberLast((log: readonly LogLine[]): readonly LogItem[] => {
  const counts = new Map<number, number>()
  const items = log.map((line): LogItem => {
    const count = counts.get(line.atMs) ?? 0
    counts.set(line.atMs, count + 1)
    return { ...line, key: `${line.atMs}.${count}` }
  })
  return items.toReversed()
})

/** The log, newest first. */
export const logItems = ({ log }: Pick<DeskState, 'log'>): readonly LogItem[] => itemsFrom(log)

/** Nothing beside a line decides about its cells. */
export const logContext = null

export const logTable: ListTable<LogItem, null> = {
  columns: [
    {
      key: 'time',
      head: 'TIME',
      ...momentTexts(({ atMs }: LogItem) => atMs),
      sort: ({ atMs }) => atMs,
      cells: (lines) => lines.map(({ atMs }) => clockText(atMs)),
      align: 'left',
      tone: 'dim',
      rank: 1,
    },
    {
      key: 'level',
      head: 'LEVEL',
      text: ({ level }) => levelWords[level],
      sort: ({ level }) => gravity[level],
      align: 'left',
      tone: ({ level }) => levelLook(level).tone,
      rank: 0,
    },
    {
      key: 'text',
      head: 'WHAT HAPPENED',
      text: ({ text }) => text,
      sort: ({ text }) => text,
      cells: (lines) => lines.map(({ text }) => cellText(text)),
      align: 'left',
      tone: ({ level }) => levelLook(level).tone,
      rank: 0,
      isFlexible: true,
    },
  ],
  keyOf: ({ key }) => key,
}

export const logList = createList(logTable)

/** Lines below the list for the whole text of the chosen line, in a pane with `rowCount` lines inside its frame. */
export const wholeTextLines = (rowCount: number): number => (rowCount < 7 ? 0 : 2)

export const logSource: ListSource = {
  ...listSource('log', logList, logItems, () => logContext),
  lineCount: (rowCount) => logList.lineCount(rowCount - wholeTextLines(rowCount)),
}
