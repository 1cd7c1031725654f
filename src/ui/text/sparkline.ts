import type { Decimal } from '../../domain/money.ts'

const steps = '▁▂▃▄▅▆▇█'

/**
 * The last `width` values as a line of bars between the lowest and the highest of them; level values lie in the middle.
 * Empty without values.
 */
export function sparkline(values: readonly Decimal[], width: number): string {
  const shown = values.slice(-width)
  const [first, ...others] = shown
  if (first === undefined) return ''
  const low = others.reduce((least, value) => (value.lt(least) ? value : least), first)
  const high = others.reduce((most, value) => (value.gt(most) ? value : most), first)
  const range = high.minus(low).toNumber()
  const bars = shown.map((value) => {
    const at = range === 0 ? steps.length >> 1 : Math.round((value.minus(low).toNumber() / range) * (steps.length - 1))
    return steps[at] ?? ' '
  })
  return bars.join('').padStart(width)
}
