import type { DeskState } from '../../store/desk.ts'
import type { LogLine } from '../../store/log.ts'
import { cellText } from '../text/cells.ts'
import { clockText } from '../text/moment.ts'
import type { Tone } from '../text/theme.ts'
import { createList } from './list.ts'
import { type ListSource, listSource } from './list-source.ts'
import { type ListTable, momentTexts } from './list-table.ts'
import { memoizeLast } from './memoize.ts'

export const levels: Readonly<Record<LogLine['level'], { tone: Tone; sign: string }>> = {
  info: { tone: 'text', sign: '' },
  good: { tone: 'good', sign: '' },
  warn: { tone: 'warn', sign: '! ' },
  bad: { tone: 'bad', sign: '✗ ' },
}

/** How a line of the log is marked and toned. */
export const levelLook = (level: LogLine['level']) => levels[level]

/** A line of the log with a key of its own: several may come in the same millisecond. */
export type LogItem = LogLine & { key: string }

/** The level as a word, from harmless to grave. */
export const levelWords: Readonly<Record<LogLine['level'], string>> = {
  info: 'info',
  good: 'good',
  warn: 'WARN',
  bad: 'BAD',
}
const severity: Readonly<Record<LogLine['level'], number>> = { info: 0, good: 1, warn: 2, bad: 3 }

const itemsFrom = memoizeLast((log: readonly LogLine[]): readonly LogItem[] => {
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
      sort: ({ level }) => severity[level],
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
