import { ConsoleProcess } from './console-process.ts'
import { figure, fixed, sizeName } from './figures.ts'
import { type Version, withBoth } from './versions.ts'
import type { Workshop } from './workshop.ts'

const size = { columns: 200, rows: 60 }
const dayMs = 86_400_000
const dayUpdates = 1_000_000
const stepMs = dayMs / dayUpdates
/** By then what is bounded is full, and what is compiled is compiled: the day's memory is held against it. */
const earlyUpdates = Math.ceil(1_800_000 / stepMs)
/**
 * So many updates come between two screens: a hurried desk draws every one of its pictures, and not every update has
 * one.
 */
const updatesPerTurn = 40

/** What a day may do to the memory after the first thirty minutes, in either direction. */
const drift = 0.05

/** A day of the market as fast as it goes: nothing may be kept for longer than it is needed. */
export async function benchMemory(workshop: Workshop): Promise<void> {
  const { versions, memoryUpdates } = workshop
  const count = Math.max(memoryUpdates ?? dayUpdates, earlyUpdates * 2)
  console.log(
    `memory over ${fixed(count)} updates, ${fixed((count * stepMs) / 3_600_000, 1)} hours of market, ${sizeName(size)}`,
  )
  const { now, before } = await withBoth(versions, (version) => replayed(version, workshop, count))
  print(versions.now.name, now, true)
  if (before !== null && versions.before !== null) print(versions.before.name, before, false)
}

type Kept = { heapMiB: number; memoryMiB: number }
type Replayed = { early: Kept; late: Kept; onTheWay: readonly Kept[] }

async function replayed(version: Version, workshop: Workshop, count: number): Promise<Replayed> {
  const child = await ConsoleProcess.start(version, size, workshop)
  const after = async (updates: number): Promise<Kept> => {
    const { heapMiB } = await child.ask({ kind: 'flood', count: updates, stepMs, updatesPerTurn })
    await child.pty.quiet()
    child.pty.forget()
    return { heapMiB, memoryMiB: child.pty.usage().memoryMiB }
  }
  const early = await after(earlyUpdates)
  const onTheWay = [early]
  const parts = 10
  let late = early
  for (let part = 0; part < parts; part += 1) {
    late = await after(Math.ceil((count - earlyUpdates) / parts))
    onTheWay.push(late)
  }
  await child.end()
  return { early, late, onTheWay }
}

function print(name: string, { early, late, onTheWay }: Replayed, isAimed: boolean): void {
  const line = onTheWay.map(({ memoryMiB, heapMiB }) => `${fixed(memoryMiB)} (${fixed(heapMiB, 1)})`).join(' ')
  console.log(`  ${name}: resident memory on the way, and what is kept of it, MiB: ${line}`)
  // Lists that are bounded fill up to their bounds in the first hour.
  figure(`${name}, objects kept after thirty minutes`, early.heapMiB, 'MiB')
  figure(`${name}, objects kept at the end`, late.heapMiB, 'MiB')
  figure(`${name}, resident memory after thirty minutes`, early.memoryMiB, 'MiB')
  figure(`${name}, resident memory at the end`, late.memoryMiB, 'MiB', isAimed ? 150 : undefined)
  const aim = isAimed ? { atLeast: 1 - drift, atMost: 1 + drift } : undefined
  figure(`${name}, at the end, of that after thirty minutes`, late.memoryMiB / early.memoryMiB, '', aim, 2)
}
