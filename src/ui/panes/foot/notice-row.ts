import type { DeskState, LogLine } from '../../../store/desk.ts'
import { cellText, cutWords } from '../../text/cells.ts'
import { clockText } from '../../text/moment.ts'
import { edges, type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../theme/theme.ts'
import { toastMark, toastOnLine, toastRow } from './toast-row.ts'

const levels: Readonly<Record<LogLine['level'], { tone: Tone; sign: string }>> = {
  info: { tone: 'text', sign: '' },
  good: { tone: 'good', sign: '' },
  warn: { tone: 'warn', sign: '! ' },
  bad: { tone: 'bad', sign: '!! ' },
}

/** How a line of the log is marked and toned. */
export const levelLook = (level: LogLine['level']) => levels[level]

/** The line with as much of the end of its path as fits into `room` cells: at least the name of the file. */
function withShortPath({ text, path }: LogLine, room: number): string {
  const over = text.length - room
  if (path === undefined || over <= 0) return text
  const nameAt = path.lastIndexOf('/') + 1
  return text.replace(path, () => `…${path.slice(Math.min(over + 1, Math.max(0, nameAt - 1)))}`)
}

/**
 * What the desk said last, or an alert that fired since, and on the right, until it is settled, how many writes have no
 * known outcome.
 */
export function noticeRow(state: DeskState, width: number): Row {
  const { notice, log, unsettled } = state
  const open: Row = unsettled.length === 0 ? [] : [span(` ${unsettled.length} UNSETTLED: see 2 Orders `, 'bad')]
  const toast = toastOnLine(state)
  if (toast !== null) return edges(toastRow(state, toast, width - rowWidth(open)), open, width)
  const end: Row = [...toastMark(state), ...open]
  const line = notice ?? log.at(-1)
  if (line === undefined) return edges([], end, width)
  const { tone, sign } = levels[line.level]
  const room = width - rowWidth(end)
  const text = sign + cellText(withShortPath(line, room - 1 - sign.length))
  const time = `${clockText(line.atMs)} `
  // The time gives way before the sentence does.
  const start: Row =
    1 + time.length + text.length <= room
      ? [span(` ${time}`, 'dim'), span(text, tone)]
      : [span(` ${cutWords(text, room - 1)}`, tone)]
  return edges(start, end, width)
}
