import type { FiredAlert } from '../../../domain/alerts/news.ts'
import type { DeskState } from '../../../store/desk.ts'
import { cellText, cutWords } from '../../text/cells.ts'
import { clockText } from '../../text/moment.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../theme/theme.ts'

type Shown = Pick<DeskState, 'alerts' | 'notice' | 'nowMs' | 'ahead'>

/** Bad news keep the line this long before an alert may take it. */
const badNewsMs = 5_000

const toneOf = ({ level }: FiredAlert): Tone => (level === 'info' ? 'text' : level)

/**
 * The alert that has the line of notices now: the newest one, unless what the desk said last came after it, or is bad
 * and has only just been said. Null: none has it.
 */
export function toastOnLine({ alerts, notice, nowMs, ahead }: Shown): FiredAlert | null {
  const toast = alerts.toasts.at(-1)
  if (toast === undefined) return null
  if (notice === null) return toast
  const saidAtMs = notice.atMs - ahead.wallMs
  const isUrgent = notice.level === 'bad' && nowMs - saidAtMs < badNewsMs
  return saidAtMs > toast.atMs || isUrgent ? null : toast
}

/** The alert in at most `width` cells, with how many others there are. */
export function toastRow({ alerts, ahead }: Shown, toast: FiredAlert, width: number): Row {
  const tone = toneOf(toast)
  const others = alerts.toasts.length - 1
  const more = others === 0 ? '' : ` +${others} more, A lists`
  const tag: Row = [span(' ALERT ', 'cursor'), span(' ')]
  const room = width - rowWidth(tag) - more.length
  const text = cutWords(cellText(toast.text), room)
  const time = ` ${clockText(toast.atMs + ahead.wallMs)}`
  return [
    ...(time.length + text.length <= room ? [span(time, 'dim')] : []),
    ...tag,
    span(text, tone),
    span(more, 'warn'),
  ]
}

/** How many alerts are there while something else has the line. */
export function toastMark({ alerts }: Shown): Row {
  const count = alerts.toasts.length
  return count === 0 ? [] : [span(` ${count} ${count === 1 ? 'ALERT' : 'ALERTS'}: A `, 'warn')]
}
