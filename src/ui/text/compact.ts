import { Decimal, formatFixed } from '../../domain/money.ts'

const units = [
  { suffix: 'G', size: new Decimal(1_000_000_000) },
  { suffix: 'M', size: new Decimal(1_000_000) },
  { suffix: 'k', size: new Decimal(1_000) },
] as const

/** An amount for a glance, in at most five cells up to a trillion: `980`, `3.2k`, `41k`, `1.2M`. Rounded up where digits go. */
export function compactAmount(value: Decimal): string {
  // Rounded up first, so that 999.7 is 1k and never 1000.
  const whole = value.toDecimalPlaces(0, Decimal.ROUND_UP)
  const unit = units.find(({ size }) => whole.abs().gte(size))
  if (unit === undefined) return formatFixed(whole, 0)
  const part = value.div(unit.size)
  const decimals = part.abs().lt(10) ? 1 : 0
  return `${part.toDecimalPlaces(decimals, Decimal.ROUND_UP).toFixed()}${unit.suffix}`
}

/** `6d 04:11`, or `04:11` on the first day, `11m` in the first hour. */
export function uptimeText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (minutes < 60) return `${minutes}m`
  const clock = `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  return days === 0 ? clock : `${days}d ${clock}`
}
