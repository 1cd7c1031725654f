import { memoizeLast } from '../../base/memoize.ts'
import type { DeskState } from '../../store/desk.ts'
import type { LogLine } from '../../store/log.ts'
import { pastText } from '../text/moment.ts'
import { ownSentence } from '../text/privacy.ts'
import type { Tone } from '../text/theme.ts'
import { momentTexts, wordColumn } from './columns.ts'
import { createList } from './list.ts'
import { listSource } from './list-source.ts'

type LevelRow = {
  /** Its mark and tone. */
  tone: Tone
  sign: string
  /** For the list, where severity sorts from harmless to serious. */
  word: string
  severity: number
}

export const levels: Readonly<Record<LogLine['level'], LevelRow>> = {
  info: { tone: 'text', sign: '', word: 'info', severity: 0 },
  good: { tone: 'good', sign: '', word: 'good', severity: 1 },
  warn: { tone: 'warn', sign: '! ', word: 'WARN', severity: 2 },
  bad: { tone: 'bad', sign: '✗ ', word: 'BAD', severity: 3 },
}

/** A log line with a unique key: several can have the same millisecond. */
type LogItem = LogLine & { key: string }

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

export const logList = createList({
  columns: [
    {
      key: 'time',
      head: 'TIME',
      ...momentTexts(({ atMs }: LogItem) => atMs),
      sort: ({ atMs }) => atMs,
      cells: (lines, _, nowMs) => lines.map(({ atMs }) => pastText(atMs, nowMs)),
      align: 'left',
      tone: 'dim',
      rank: 1,
    },
    {
      key: 'level',
      head: 'LEVEL',
      text: ({ level }) => levels[level].word,
      sort: ({ level }) => levels[level].severity,
      align: 'left',
      tone: ({ level }) => levels[level].tone,
      rank: 0,
    },
    {
      ...wordColumn<LogItem, null>('text', 'WHAT HAPPENED', ({ text }) => text, 0),
      own: ({ text }) => ownSentence(text, true),
      tone: ({ level }) => levels[level].tone,
      isFlexible: true,
    },
  ],
  keyOf: ({ key }: LogItem) => key,
})

/** Lines below the list for the selected line's full text, in a pane with `rowCount` lines inside its frame. */
export const wholeTextLines = (rowCount: number): number => (rowCount < 7 ? 0 : 2)

export const logSource = {
  ...listSource('log', logList, logItems, () => null),
  lineCount: (rowCount: number) => logList.lineCount(rowCount - wholeTextLines(rowCount)),
}
