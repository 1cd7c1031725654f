import { readdirSync, readFileSync } from 'node:fs'

/** What a process and those it started have of the machine. */
export type Holding = { rssMb: number; files: number; threads: number; cpuS: number }

const nothing: Holding = { rssMb: 0, files: 0, threads: 0, cpuS: 0 }
/** The kernel's clock ticks a second, the same on every Linux that Node runs on. */
const ticksPerSecond = 100

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function ownHolding(pid: number): Holding {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return {
    rssMb: Math.round(number('VmRSS') / 1_024),
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: number('Threads'),
    cpuS: (Number(times[11]) + Number(times[12])) / ticksPerSecond,
  }
}

/** Of a process that runs, with all below it. */
export function holdingOf(pid: number): Holding {
  const below = childrenOf(pid).map(holdingOf)
  return [ownHolding(pid), ...below].reduce(
    (sum, each) => ({
      rssMb: sum.rssMb + each.rssMb,
      files: sum.files + each.files,
      threads: sum.threads + each.threads,
      cpuS: sum.cpuS + each.cpuS,
    }),
    nothing,
  )
}
