import type { KeyEntry } from '../../tables/key-bindings.ts'
import { left, wrapWords } from '../../text/cells.ts'
import type { FrameKind, PaneContent } from '../../text/frame.tsx'
import { type Row, rowWidth, span } from '../../text/row.ts'
import { isScrolled, type Scrolled, scrolledTo } from '../../text/scrolled.ts'
import type { Tone } from '../../text/theme.ts'

/** Width of the labels in all of the ticket's lines. */
export const labelWidth = 7

/** A line with a label and a value, in the ticket's layout. */
export const valueRow = (label: string, value: string, tone: Tone = 'text'): Row => [
  span(' '),
  span(left(label, labelWidth), 'label'),
  span(value, tone),
]

/**
 * A label with the first of the texts that fits; if none does, the last one wraps: a truncated amount would read as a
 * different amount.
 */
export function valueRows(label: string, texts: readonly string[], width: number, tone: Tone = 'text'): Row[] {
  const room = width - 1 - labelWidth
  const fitting = texts.find((text) => text.length <= room)
  if (fitting !== undefined) return [valueRow(label, fitting, tone)]
  return wrapWords(texts.at(-1) ?? '', room).map((line, index) => valueRow(index === 0 ? label : '', line, tone))
}

/** The parts of a ticket; `keys` is its last line. */
export type Sections = {
  /** Must always be visible. */
  head: readonly Row[]
  complaints: readonly Row[]
  /** Most important first: what does not fit is dropped from the end. */
  summary: readonly Row[]
  /** Shown if there are lines to spare. */
  extra: readonly Row[]
  keys: Row
}

/**
 * Sections as laid out, and for the frame how many lines of complaints and summary are hidden. `scrolled`: which lines
 * are visible, if some are hidden.
 */
type Stacked = { rows: Row[]; hiddenCount: number; scrolled: Scrolled | null }

/**
 * Stacks the sections in `rowCount` lines, the keys at the bottom. Head, complaints and keys come first; the summary
 * gets what is left, then the extras, then blank lines between the sections. If the user has scrolled, complaints and
 * summary form one list under the head, shown from `top` on.
 */
export function stacked(sections: Sections, rowCount: number, top = 0): Stacked {
  const free = Math.max(0, rowCount - 1)
  const head = sections.head.slice(0, free)
  const lines = [...sections.complaints, ...sections.summary]
  const place = scrolledTo(lines.length, top, free - head.length)
  const scrolled = isScrolled(place) ? place : null
  if (place.top > 0) {
    const rows = [...head, ...lines.slice(place.top, place.top + place.shownCount), sections.keys]
    return { rows, hiddenCount: place.hiddenBelow, scrolled }
  }
  const complaints = sections.complaints.slice(0, free - head.length)
  const summary = sections.summary.slice(0, free - head.length - complaints.length)
  const room = free - head.length - complaints.length - summary.length
  const extra = sections.extra.length <= room ? sections.extra : []
  let spare = room - extra.length
  const parts = [head, summary, complaints, extra].filter((part) => part.length > 0)
  const body: Row[] = []
  parts.forEach((part, index) => {
    if (index > 0 && spare > 0) {
      body.push([])
      spare -= 1
    }
    body.push(...part)
  })
  while (body.length < free) body.push([])
  // One count for everything hidden: two counts in one ticket would each look like the total.
  const hiddenCount = sections.complaints.length - complaints.length + sections.summary.length - summary.length
  return { rows: [...body, sections.keys], hiddenCount, scrolled }
}

/** The ticket slot's content, with the frame that marks its stage. */
export type TicketContent = PaneContent & {
  kind: FrameKind
  /** Which lines are visible if they do not all fit; null or omitted if they do. */
  scrolled?: Scrolled | null
}

/** Keys for the last line, as many as fit. */
export function keysRow(entries: readonly KeyEntry[], width: number): Row {
  const row: Row[number][] = []
  for (const { keys, label, isDanger } of entries) {
    const piece = [
      span(row.length === 0 ? ' ' : '  '),
      span(keys, 'key'),
      span(` ${label}`, isDanger ? 'warn' : 'label'),
    ]
    if (rowWidth([...row, ...piece]) > width) break
    row.push(...piece)
  }
  return row
}
