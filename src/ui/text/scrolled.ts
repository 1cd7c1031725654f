/** What of a list of lines a place shows: from which line on, how many, and how many are left below them. */
export type Scrolled = { top: number; shownCount: number; hiddenBelow: number }

/**
 * Scrolls `lineCount` lines in a place of `room` lines: from the wished line on, as far as there are lines to fill it.
 */
export function scrolledTo(lineCount: number, wishedTop: number, room: number): Scrolled {
  const shownCount = Math.max(0, Math.min(lineCount, room))
  const top = Math.max(0, Math.min(wishedTop, lineCount - shownCount))
  return { top, shownCount, hiddenBelow: lineCount - top - shownCount }
}

/** Where it stands after a step by so many lines; never past its ends. */
export const topAfter = ({ top, hiddenBelow }: Scrolled, by: number): number =>
  Math.max(0, Math.min(top + hiddenBelow, top + by))

/** Whether there are more lines than the place shows. */
export const isScrolled = ({ top, hiddenBelow }: Scrolled): boolean => top > 0 || hiddenBelow > 0

/**
 * Why a review is not sent whose end was not on screen; null where it was. What is agreed to must have been seen. The
 * key comes first, for a compact screen cuts the end.
 */
export const unseenRefusal = ({ hiddenBelow }: Scrolled, key: string): string | null =>
  hiddenBelow === 0 ? null : `Not sent: ${key} shows ${hiddenBelow} more ${hiddenBelow === 1 ? 'line' : 'lines'}.`
