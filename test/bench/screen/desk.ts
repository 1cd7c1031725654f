import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildProgram, program } from '../practice-process.ts'
import { figure, fixed, sizeName, sizes } from './figures.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import type { Workshop } from './workshop.ts'

const settlingMs = 20_000
const measuredMs = 40_000

/**
 * The whole program as it is shipped, with the living practice exchange in the same process: everything that runs on a
 * person's machine.
 */
export async function benchDesk({ home }: Workshop): Promise<void> {
  await buildProgram()
  console.log(
    `the shipped program with its living practice exchange, over ${measuredMs / 1_000} s after ${settlingMs / 1_000} s`,
  )
  for (const size of sizes) {
    const own = mkdtempSync(join(home, 'desk-'))
    const argv = [`${program}/pitdesk.js`]
    const pty = new PtyProcess({ ...size, file: process.execPath, argv, environment: drawing(own) })
    await wait(settlingMs)
    const before = { ...pty.usage(), bytes: pty.byteCount }
    await wait(measuredMs)
    const { cpuMs, memoryMiB } = pty.usage()
    const bytes = fixed(((pty.byteCount - before.bytes) * 1_000) / measuredMs)
    figure(`${sizeName(size)} processor time, ${bytes} B/s`, ((cpuMs - before.cpuMs) / measuredMs) * 100, '% of a core')
    figure(`${sizeName(size)} resident memory`, memoryMiB, 'MiB', 200)
    await pty.end()
  }
}
