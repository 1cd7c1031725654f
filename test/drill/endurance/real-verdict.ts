import { median } from '../../fakes/numbers.ts'
import type { Holding } from './process-tree.ts'

/** The first looks are of a program that is still growing to its size. */
const growingShare = 0.25
const slack = { rssShare: 0.15, rssMb: 15, files: 12, threads: 4 } as const

/** What grew from the second quarter of the looks to the last, as sentences. */
export function judgeHoldings(holdings: readonly Holding[]): string[] {
  const quarter = Math.max(1, Math.floor(holdings.length * growingShare))
  const early = holdings.slice(quarter, 2 * quarter)
  const late = holdings.slice(-quarter)
  if (early.length === 0) return []
  const grown = (name: keyof Holding, allowed: (before: number) => number) => {
    const [before, after] = [early, late].map((some) => median(some.map((each) => each[name])))
    return before !== undefined && after !== undefined && after > allowed(before)
      ? [`${name} grew from ${before} to ${after}`]
      : []
  }
  return [
    ...grown('rssMb', (before) => before * (1 + slack.rssShare) + slack.rssMb),
    ...grown('files', (before) => before + slack.files),
    ...grown('threads', (before) => before + slack.threads),
  ]
}
