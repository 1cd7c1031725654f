/** What is printed, and whether each aim was met. */
let missedCount = 0

export const fixed = (value: number, decimals = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** The most a figure may be, or between what it is to be. */
export type Aim = number | { atLeast: number; atMost: number }

const isMet = (value: number, aim: Aim): boolean =>
  typeof aim === 'number' ? value <= aim : value >= aim.atLeast && value <= aim.atMost

const aimText = (aim: Aim): string =>
  typeof aim === 'number' ? `at most ${aim}` : `between ${aim.atLeast} and ${aim.atMost}`

/** `name value unit`, with its aim where it has one: what misses it is marked, and the bench then ends with 1. */
export function figure(name: string, value: number, unit: string, aim?: Aim, decimals = 1): void {
  const isMissed = aim !== undefined && !isMet(value, aim)
  const aimed = aim === undefined ? '' : `  (${aimText(aim)}${isMissed ? ': MISSED' : ''})`
  if (isMissed) {
    missedCount += 1
    process.exitCode = 1
  }
  console.log(`  ${name.padEnd(60)} ${fixed(value, decimals).padStart(9)} ${unit}${aimed}`)
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
