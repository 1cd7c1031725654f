import { clockText } from '../../text/moment.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** Round steps between two times on the axis. */
const steps: readonly number[] = [
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
]

/** Cells from one time to the next: a time, and room to tell it from its neighbour. */
const cellsLeast = 12

/** A line of `width` cells with round times, UTC, each beginning in the cell of its moment. */
export function timeAxis(startMs: number, endMs: number, width: number): string {
  const cellMs = (endMs - startMs) / Math.max(1, width)
  const stepMs = steps.find((each) => each / cellMs >= cellsLeast) ?? 24 * hour
  let line = ''
  for (let atMs = Math.ceil(startMs / stepMs) * stepMs; atMs < endMs; atMs += stepMs) {
    const label = stepMs < minute ? clockText(atMs) : clockText(atMs).slice(0, 5)
    const cell = Math.floor((atMs - startMs) / cellMs)
    if (cell < line.length || cell + label.length + 1 > width) continue
    line = `${line.padEnd(cell)}|${label}`
  }
  return line.padEnd(width).slice(0, width)
}
