import { Decimal } from '../../domain/money.ts'

const thousand = new Decimal(1_000)
const suffixes = ['', 'k', 'M', 'G'] as const

/** Up to ten with a decimal where there is a suffix; rounded up, so that what is used is never shown as less. */
function roundedUp(value: Decimal, isWhole: boolean): Decimal {
  return value.toDecimalPlaces(isWhole || value.abs().gte(10) ? 0 : 1, Decimal.ROUND_UP)
}

/**
 * An amount for a glance, in at most five cells up to a trillion: `980`, `3.2k`, `41k`, `1.2M`. Rounded up where digits
 * go.
 */
export function compactAmount(value: Decimal): string {
  let part = value
  let at = 0
  // What rounds to a thousand belongs to the next unit.
  while (
    roundedUp(part, at === 0)
      .abs()
      .gte(thousand) &&
    at < suffixes.length - 1
  ) {
    part = part.div(thousand)
    at += 1
  }
  return `${roundedUp(part, at === 0).toFixed()}${suffixes[at]}`
}

/** `6d 04:11`, or `04:11` on the first day, `11m` in the first hour. */
export function uptimeText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (minutes < 60) return `${minutes}m`
  const clock = `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  return days === 0 ? clock : `${days}d ${clock}`
}
