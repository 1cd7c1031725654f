/**
 * How one part of a line of parts takes its cells: `least` of them always, and of what is left over a share, up to
 * `most`. `share` 0 stays at its least.
 */
export type Extent = { least: number; share: number; most: number }

/**
 * Shares `total` cells out among the parts, whole cells and all of them. Where every part has its most, the part with
 * the largest share takes what is left; where `total` is less than all leasts together, the last part has less.
 */
export function shareOut(total: number, parts: readonly Extent[]): number[] {
  const cells = parts.map(({ least }) => least)
  let left = total - sum(cells)
  while (left > 0) {
    const open = parts.map((part, at) => (part.share > 0 && (cells[at] ?? 0) < part.most ? part.share : 0))
    const shares = sum(open)
    if (shares === 0) break
    const round = left
    for (const [at, share] of open.entries()) {
      const room = (parts[at]?.most ?? 0) - (cells[at] ?? 0)
      const given = Math.min(room, left, Math.ceil((round * share) / shares))
      if (share === 0) continue
      cells[at] = (cells[at] ?? 0) + given
      left -= given
    }
  }
  const taker = left > 0 ? largest(parts) : parts.length - 1
  cells[taker] = (cells[taker] ?? 0) + left
  return cells
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function largest(parts: readonly Extent[]): number {
  const most = Math.max(...parts.map(({ share }) => share))
  return parts.findIndex(({ share }) => share === most)
}
