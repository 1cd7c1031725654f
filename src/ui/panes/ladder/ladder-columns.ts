/** Widths of the ladder's columns, the same on both sides of the price. */
export type LadderColumns = { own: number; bar: number; depth: number; quantity: number; price: number }

const barMost = 24
/** `B.05x2`: side, quantity, and how many orders. */
const ownUsual = 6

/**
 * Shares a row's `width` cells out: cursor, own, bar, depth, quantity, price between its marks, and the same outward. What is
 * over goes to the depth bars; where nothing is over, one cell beside the depth shows it as a gauge.
 */
export function ladderColumns(width: number, priceWidth: number, quantityWanted: number): LadderColumns {
  // Cursor, mark, and the gaps: own|bar depth quantity price* quantity depth bar|own.
  const gaps = 8
  const free = Math.max(0, Math.floor((width - priceWidth - gaps) / 2))
  const own = free >= 16 ? ownUsual : 4
  const numbers = free - own
  const quantity = Math.max(3, Math.min(quantityWanted, Math.floor(numbers / 2)))
  const depth = Math.max(3, Math.min(quantityWanted + 1, numbers - quantity))
  const spare = numbers - quantity - depth
  const bar = spare >= 4 ? Math.min(spare, barMost) : 0
  return { own, bar, depth, quantity, price: priceWidth }
}

/** Cells on one side of the price, without its mark. */
export const sideWidth = ({ own, bar, depth, quantity }: LadderColumns): number => own + bar + depth + quantity + 2
