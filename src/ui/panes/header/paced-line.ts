import type { DeskState } from '../../../store/desk.ts'

/** How often a line that only tells times and counts is made anew. */
const beatMs = 500

/** What a person does, and what must be seen at once: none of it waits for the beat. */
const atOnce = [
  'mode',
  'lock',
  'symbol',
  'symbol2',
  'focus',
  'ladder',
  'ladder2',
  'picture',
  'screen',
  'unsettled',
] as const satisfies readonly (keyof DeskState)[]

const beatOf = ({ nowMs }: DeskState): number => Math.floor(nowMs / beatMs)

/**
 * The same line, made at most once a beat of the desk's clock unless something happened that cannot wait: times and
 * ages change with every commit, and nobody reads ten of them a second.
 */
export function createPacedLine(make: (state: DeskState) => string): (state: DeskState) => string {
  let last: { state: DeskState; line: string } | null = null
  return (state) => {
    const before = last?.state
    const isSame =
      before !== undefined && beatOf(before) === beatOf(state) && atOnce.every((name) => before[name] === state[name])
    if (last !== null && isSame) return last.line
    const line = make(state)
    last = { state, line }
    return line
  }
}
