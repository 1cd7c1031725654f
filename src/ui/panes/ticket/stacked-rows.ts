import { type Row, span } from '../../text/row.ts'

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

/** As many lines as there is room for; the last one says how many more there are. */
function within(rows: readonly Row[], room: number): readonly Row[] {
  if (rows.length <= room) return rows
  if (room <= 0) return []
  const kept = rows.slice(0, room - 1)
  return [...kept, [span(` +${rows.length - kept.length} lines more`, 'warn')]]
}

/** Sections as they are laid out, and for the frame how many lines of what the order comes to have no room. */
export type Stacked = { rows: Row[]; hiddenNote: Row }

/**
 * Sections below each other in `rowCount` lines, the keys at the bottom. Head, complaints and keys come first; the
 * summary has what is left, then the extras, and empty lines between the sections when even then some are over.
 */
export function stacked(sections: Sections, rowCount: number): Stacked {
  const free = Math.max(0, rowCount - 1)
  const head = sections.head.slice(0, free)
  const complaints = within(sections.complaints, free - head.length)
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
  const hidden = sections.summary.length - summary.length
  const hiddenNote = hidden === 0 ? [] : [span(`  ${hidden} ${hidden === 1 ? 'line' : 'lines'} hidden`, 'warn')]
  return { rows: [...body, sections.keys], hiddenNote }
}
