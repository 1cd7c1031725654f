import { ConsoleProcess } from './console-process.ts'
import { figure, fixed, sizeName } from './figures.ts'
import type { Workshop } from './workshop.ts'

const size = { columns: 200, rows: 60 }
const dayMs = 86_400_000
const dayUpdates = 1_000_000
const stepMs = dayMs / dayUpdates
const tenMinutesUpdates = Math.ceil(600_000 / stepMs)
/**
 * So many updates come between two screens: a hurried desk draws every one of its pictures, and not every update has
 * one.
 */
const updatesPerTurn = 40

/** A day of the market as fast as it goes: nothing may be kept for longer than it is needed. */
export async function benchMemory(workshop: Workshop): Promise<void> {
  const asked = process.argv.slice(2).find((word) => /^\d+$/.test(word))
  const count = Math.max(Number(asked ?? dayUpdates), tenMinutesUpdates * 2)
  console.log(
    `memory over ${fixed(count)} updates, ${fixed((count * stepMs) / 3_600_000, 1)} hours of market, ${sizeName(size)}`,
  )
  const child = await ConsoleProcess.start(size, workshop.tapePath, workshop.home)
  const line: string[] = []
  const after = async (updates: number) => {
    const { heapMiB } = await child.ask({ kind: 'flood', count: updates, stepMs, updatesPerTurn })
    await child.pty.quiet()
    child.pty.forget()
    const { memoryMiB } = child.pty.usage()
    line.push(`${fixed(memoryMiB)} (${fixed(heapMiB, 1)})`)
    return { heapMiB, memoryMiB }
  }
  const early = await after(tenMinutesUpdates)
  const parts = 10
  let late = early
  for (let part = 0; part < parts; part += 1) late = await after(Math.ceil((count - tenMinutesUpdates) / parts))
  console.log(`  resident memory on the way, and what is kept of it, MiB: ${line.join(' ')}`)
  // Lists that are bounded fill up to their bounds in the first hour.
  figure('objects kept after ten minutes', early.heapMiB, 'MiB')
  figure('objects kept at the end', late.heapMiB, 'MiB')
  figure('resident memory after ten minutes', early.memoryMiB, 'MiB')
  figure('resident memory at the end', late.memoryMiB, 'MiB', 200)
  figure('resident memory at the end, of that after ten minutes', late.memoryMiB / early.memoryMiB, '', 1.1, 2)
  await child.end()
}
