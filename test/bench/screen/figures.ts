/** What is printed, and whether each aim was met. */
let missedCount = 0

export const fixed = (value: number, decimals = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** `name value unit`, with its aim where it has one: what misses it is marked, and the bench then ends with 1. */
export function figure(name: string, value: number, unit: string, atMost?: number, decimals = 1): void {
  const isMissed = atMost !== undefined && !(value <= atMost)
  const aim = atMost === undefined ? '' : `  (at most ${atMost}${isMissed ? ': MISSED' : ''})`
  if (isMissed) {
    missedCount += 1
    process.exitCode = 1
  }
  console.log(`  ${name.padEnd(52)} ${fixed(value, decimals).padStart(9)} ${unit}${aim}`)
}

export const missed = (): number => missedCount

/** The value below which a share of all lies; 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const
export const sizeName = ({ columns, rows }: { columns: number; rows: number }): string => `${columns}x${rows}`
