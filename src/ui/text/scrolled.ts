/** The visible part of a list of lines: its first line, how many are visible, and how many are below. */
export type Scrolled = { top: number; shownCount: number; hiddenBelow: number }

/** Scrolls `lineCount` lines in a place of `room` lines to `wishedTop`, limited so that the place stays filled. */
export function scrolledTo(lineCount: number, wishedTop: number, room: number): Scrolled {
  const shownCount = Math.max(0, Math.min(lineCount, room))
  const top = Math.max(0, Math.min(wishedTop, lineCount - shownCount))
  return { top, shownCount, hiddenBelow: lineCount - top - shownCount }
}

/** The scroll position after a step of that many lines; never past the ends. */
export const topAfter = ({ top, hiddenBelow }: Scrolled, by: number): number =>
  Math.max(0, Math.min(top + hiddenBelow, top + by))

/** Whether there are more lines than the place shows. */
export const isScrolled = ({ top, hiddenBelow }: Scrolled): boolean => top > 0 || hiddenBelow > 0

/**
 * Why a review cannot be sent before its end was on screen; null if it was. The user must have seen what they approve.
 * The key comes first, because a compact screen cuts the end.
 */
export const unseenRefusal = ({ hiddenBelow }: Scrolled, key: string): string | null =>
  hiddenBelow === 0 ? null : `Not sent: ${key} shows ${hiddenBelow} more ${hiddenBelow === 1 ? 'line' : 'lines'}.`
