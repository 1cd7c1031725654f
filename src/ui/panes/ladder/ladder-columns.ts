/** Widths of the ladder's columns, the same on both sides of the price. */
export type LadderColumns = { own: number; bar: number; depth: number; quantity: number; price: number }

const barMost = 24

/**
 * Shares a row's `width` cells out: cursor, own, bar, depth, quantity, price with its mark, and the same outward. What is
 * over goes to the depth bars, which show nothing the numbers do not.
 */
export function ladderColumns(width: number, priceWidth: number, quantityWanted: number): LadderColumns {
  // Cursor, mark, and the gaps: own|bar depth quantity price* quantity depth bar|own.
  const gaps = 8
  const free = Math.max(0, Math.floor((width - priceWidth - gaps) / 2))
  const own = free >= 20 ? 6 : 4
  const numbers = free - own
  const quantity = Math.max(3, Math.min(quantityWanted, Math.floor(numbers / 2)))
  const depth = Math.max(3, Math.min(quantityWanted + 1, numbers - quantity))
  const spare = numbers - quantity - depth
  const bar = spare >= 4 ? Math.min(spare, barMost) : 0
  return { own, bar, depth, quantity, price: priceWidth }
}
