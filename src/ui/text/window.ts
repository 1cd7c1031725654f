/** The part of a list that is on screen: from the top, or so far down that the chosen line is the last one. */
export function windowOf<T>(items: readonly T[], chosenAt: number, rowCount: number): readonly T[] {
  const start = Math.max(0, Math.min(chosenAt - rowCount + 1, items.length - rowCount))
  return items.slice(start, start + Math.max(0, rowCount))
}
