/** What one hour showed. */
export type Hour = {
  hour: number
  fault: string
  /** How long after the fault's end everything had been answered again; in ms of the clock. */
  recoveredMs: number
  /** In use after everything was collected that can be. */
  heapMb: number
  /** Sleeps under way on the drill's clock. */
  sleepers: number
  sockets: number
  /** Timers of Node itself. */
  timers: number
  files: number
  listeners: number
  /** The longest lists of the desk's state. */
  longest: readonly string[]
  unsettled: number
  calls: number
}

/** Hours in which a desk may still grow to its size: caches fill, lists reach their bounds. */
const growingHours = 24
/** What may come and go between two looks: a call under way, a page of history. */
const slack = { heapShare: 0.15, heapMb: 12, sleepers: 24, sockets: 24, files: 24, listeners: 4, timers: 10 } as const

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** What grew over the hours, as sentences. The later half is held against the first hours after the desk has its size. */
export function judgeHours(hours: readonly Hour[]): string[] {
  const complaints: string[] = []
  const grown = Math.min(growingHours, Math.floor(hours.length / 2))
  const early = hours.slice(Math.floor(grown / 2), grown + 1)
  const late = hours.slice(-early.length)
  for (const name of ['sleepers', 'sockets', 'files', 'listeners', 'timers'] as const) {
    const [before, after] = [early, late].map((some) => median(some.map((hour) => hour[name])))
    if (before !== undefined && after !== undefined && after > before + slack[name])
      complaints.push(`${name} grew from ${before} to ${after}`)
  }
  const [before, after] = [early, late].map((some) => median(some.map(({ heapMb }) => heapMb)))
  if (before !== undefined && after !== undefined && after > before * (1 + slack.heapShare) + slack.heapMb)
    complaints.push(`the heap grew from ${before} to ${after} MB`)
  return complaints
}
