import { err, ok, type Result } from '../result.ts'

/** Deliveries from one number to another, both included. */
export type DeliveryRange = { readonly first: number; readonly last: number }

/** So many deliveries may be named at once. */
const deliveriesMost = 10_000

/** Reads `12`, `12-40` or several with commas between. The error follows the name of what was read: `must be …`. */
export function readDeliveryRanges(text: string): Result<readonly DeliveryRange[]> {
  const ranges: DeliveryRange[] = []
  let count = 0
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(part) ?? []
    if (from === undefined || to === undefined) return err('must be a number, or a range such as 12-40')
    const [first, last] = [Number.parseInt(from, 10), Number.parseInt(to, 10)]
    if (first < 1 || last < first) return err('must be a range from a lower number, 1 or more, to a higher one')
    count += last - first + 1
    if (count > deliveriesMost) return err(`must be ${deliveriesMost} deliveries at the most`)
    ranges.push({ first, last })
  }
  return ok(ranges)
}
