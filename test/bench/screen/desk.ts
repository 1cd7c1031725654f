import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { figure, fixed, sizeName, sizes } from './figures.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import type { Size } from './terminal-screen.ts'
import { withBoth, withEach } from './versions.ts'
import type { Workshop } from './workshop.ts'

const settlingMs = 20_000
const measuredMs = 40_000

/**
 * The whole program as it is shipped, with the living practice exchange in the same process: everything that runs on a
 * person's machine. All run at the same time: they leave the machine mostly idle.
 */
export async function benchDesk({ home, versions }: Workshop): Promise<void> {
  const launchers = await withEach(versions, (version) => version.buildLauncher())
  const length = `over ${measuredMs / 1_000} s after ${settlingMs / 1_000} s`
  console.log(`the shipped program with its living practice exchange, ${length}`)
  const all = await Promise.all(
    sizes.map(async (size) => ({
      size,
      usage: await withBoth(launchers, (launcher) => measured(launcher, size, home)),
    })),
  )
  for (const { size, usage } of all) {
    const { now, before } = usage
    const name = sizeName(size)
    const isAimed = size.columns === 200
    figure(
      `${name} processor time, ${fixed(now.bytesPerSecond)} B/s`,
      now.share,
      '% of a core',
      isAimed ? 2 : undefined,
    )
    figure(`${name} resident memory`, now.memoryMiB, 'MiB', 150)
    if (before === null) continue
    const beforeName = `${name} ${versions.before?.name}`
    figure(`${beforeName} processor time, ${fixed(before.bytesPerSecond)} B/s`, before.share, '% of a core')
    figure(`${beforeName} resident memory`, before.memoryMiB, 'MiB')
  }
}

async function measured(launcher: string, size: Size, home: string) {
  const own = mkdtempSync(join(home, 'desk-'))
  const pty = new PtyProcess({ ...size, file: process.execPath, argv: [launcher], environment: drawing(own) })
  await wait(settlingMs)
  const before = { ...pty.usage(), bytes: pty.byteCount }
  await wait(measuredMs)
  const { cpuMs, memoryMiB } = pty.usage()
  const bytesPerSecond = ((pty.byteCount - before.bytes) * 1_000) / measuredMs
  await pty.end()
  return { share: ((cpuMs - before.cpuMs) / measuredMs) * 100, memoryMiB, bytesPerSecond }
}
