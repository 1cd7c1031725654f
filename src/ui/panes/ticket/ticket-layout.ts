import type { KeyEntry } from '../../tables/key-bindings.ts'
import { left, wrapWords } from '../../text/cells.ts'
import type { FrameKind, PaneContent } from '../../text/frame.tsx'
import { type Row, rowWidth, span } from '../../text/row.ts'
import { isScrolled, type Scrolled, scrolledTo } from '../../text/scrolled.ts'
import type { Tone } from '../../text/theme.ts'

/** Width of the names in front of the values, the same in all of the ticket's lines. */
export const labelWidth = 7

/** A line with a name and a value, as all of the ticket's lines are laid out. */
export const valueRow = (label: string, value: string, tone: Tone = 'text'): Row => [
  span(' '),
  span(left(label, labelWidth), 'label'),
  span(value, tone),
]

/**
 * A name with the first of its texts that fits the line; where none does, the last one goes on in the next lines. An
 * amount that is cut would be another amount.
 */
export function valueRows(label: string, texts: readonly string[], width: number, tone: Tone = 'text'): Row[] {
  const room = width - 1 - labelWidth
  const fitting = texts.find((text) => text.length <= room)
  if (fitting !== undefined) return [valueRow(label, fitting, tone)]
  return wrapWords(texts.at(-1) ?? '', room).map((line, index) => valueRow(index === 0 ? label : '', line, tone))
}

/** What a ticket consists of; `keys` is its last line. */
export type Sections = {
  /** What must be seen whatever else there is. */
  head: readonly Row[]
  complaints: readonly Row[]
  /** The most needed first: what has no room is left out from the end. */
  summary: readonly Row[]
  /** Shown when there are lines to spare. */
  extra: readonly Row[]
  keys: Row
}

/**
 * Sections as they are laid out, and for the frame how many lines of complaints and summary have no room. `scrolled`
 * where there are such lines: which of all are shown.
 */
type Stacked = { rows: Row[]; hiddenCount: number; scrolled: Scrolled | null }

/**
 * Sections below each other in `rowCount` lines, the keys at the bottom. Head, complaints and keys come first; the
 * summary has what is left, then the extras, and empty lines between the sections when even then some are over. From
 * `top` on where a person has scrolled: complaints and summary are then one list under the head.
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
  // One number for all that is not seen: two in one ticket would each look like the whole.
  const hiddenCount = sections.complaints.length - complaints.length + sections.summary.length - summary.length
  return { rows: [...body, sections.keys], hiddenCount, scrolled }
}

/** A ticket's place: what it says, and which frame says what stage it is in. */
export type TicketContent = PaneContent & {
  kind: FrameKind
  /** Which of its lines are shown where not all have room; null, and left out, where they have. */
  scrolled?: Scrolled | null
}

/** Keys on the last line, as many as fit. */
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
