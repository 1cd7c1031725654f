import { median } from '../../fakes/numbers.ts'
/** What one hour showed. */
export type Hour = {
  hour: number
  fault: string
  /** How long after the fault's end everything had been answered again; in ms of the clock. */
  recoveredMs: number
  /** In use after everything was collected that can be, inside the heap and outside. */
  heapMb: number
  externalMb: number
  rssMb: number
  /** Sleeps under way on the drill's clock. */
  sleepers: number
  sockets: number
  /** Timers of Node itself. */
  timers: number
  files: number
  listeners: number
  /** The longest lists of the desk's state. */
  longest: readonly string[]
  unknownWrites: number
  /** Own orders that the desk has seen, working or ended. */
  orders: number
  calls: number
}

/** Hours in which a desk may still grow to its size: the orders of the inbox take a day to reach their bound. */
const growingHours = 24
/** The share of the hours that is looked at on either side. */
const windowShare = 1 / 6
/** What may come and go between two looks: a call under way, a page of history. */
const slack = { heapShare: 0.15, heapMb: 12, sleepers: 24, sockets: 24, files: 24, listeners: 4, timers: 10 } as const

/** No list of a desk's state is meant to be longer. */
const listMax = 5_000

/**
 * What grew over the hours, as sentences. The last hours are held against the first ones after the desk has its size.
 */
export function judgeHours(hours: readonly Hour[]): string[] {
  const complaints: string[] = []
  const grown = Math.min(growingHours, Math.floor(hours.length / 3))
  const count = Math.ceil(hours.length * windowShare)
  const early = hours.slice(grown, grown + count)
  const late = hours.slice(-count)
  for (const name of ['sleepers', 'sockets', 'files', 'listeners', 'timers'] as const) {
    const [before, after] = [early, late].map((some) => median(some.map((hour) => hour[name])))
    if (before !== undefined && after !== undefined && after > before + slack[name])
      complaints.push(`${name} grew from ${before} to ${after}`)
  }
  for (const name of ['heapMb', 'externalMb'] as const) {
    // The practice exchange lives in the same process, and what it keeps rises from one snapshot of its own to the
    // next.
    const [before, after] = [early, late].map((some) => Math.min(...some.map((hour) => hour[name])))
    if (before !== undefined && after !== undefined && after > before * (1 + slack.heapShare) + slack.heapMb)
      complaints.push(`${name} grew from ${before} to ${after}`)
  }
  for (const { hour, longest } of hours) {
    const [path, length] = longest[0]?.split(' ') ?? []
    if (Number(length) > listMax) complaints.push(`hour ${hour}: the list ${path} has ${length} entries`)
  }
  return complaints
}

/** The figures of the whole: what is looked at first. */
export function summaryOf(hours: readonly Hour[]) {
  const most = (of: (hour: Hour) => number) => Math.max(...hours.map(of))
  return {
    hours: hours.length,
    faults: new Set(hours.map(({ fault }) => fault)).size,
    calls: hours.reduce((sum, { calls }) => sum + calls, 0),
    heapMb: {
      first: hours[0]?.heapMb,
      middle: hours[Math.floor(hours.length / 2)]?.heapMb,
      last: hours.at(-1)?.heapMb,
    },
    most: {
      heapMb: most(({ heapMb }) => heapMb),
      recoveredS: most(({ recoveredMs }) => recoveredMs) / 1_000,
      sleepers: most(({ sleepers }) => sleepers),
      sockets: most(({ sockets }) => sockets),
      files: most(({ files }) => files),
      listeners: most(({ listeners }) => listeners),
    },
  }
}
