import { setTimeout as wait } from 'node:timers/promises'
import { ConsoleProcess } from './console-process.ts'
import { figure, sizeName, sizes } from './figures.ts'
import type { Workshop } from './workshop.ts'

const seconds = 10
/** Enough updates for the compiler to have done its work, as it has in a desk that runs for hours. */
const warmUpCount = 400

/** Processor time of the console's process as a share of one core. */
export async function benchCpu(workshop: Workshop): Promise<void> {
  console.log('processor time, % of a core, the console alone')
  for (const size of sizes) {
    const isAimed = size.columns === 120
    const name = sizeName(size)
    const child = await ConsoleProcess.start(size, workshop.tapePath, workshop.home)
    await child.ask({ kind: 'play', count: warmUpCount, perSecond: 60 })
    const share = async (kind: 'play' | 'nothingNew', perSecond: number): Promise<number> => {
      await child.pty.quiet()
      const { cpuMs, realMs } = await child.ask({ kind, count: seconds * perSecond, perSecond, isRealTime: true })
      return (cpuMs / realMs) * 100
    }
    for (const perSecond of [1, 4, 10, 30]) {
      figure(
        `${name} at ${perSecond} updates/s`,
        await share('play', perSecond),
        '%',
        isAimed && perSecond === 4 ? 5 : undefined,
      )
    }
    figure(`${name} answers that say the same, 4/s`, await share('nothingNew', 4), '%', isAimed ? 1 : undefined)
    child.pty.type('p')
    await wait(500)
    const { isFrozen } = await child.ask({ kind: 'play', count: 1, perSecond: 4 })
    if (!isFrozen) throw new Error('the key p did not freeze the screen')
    figure(`${name} frozen, 4 updates/s behind`, await share('play', 4), '%', isAimed ? 1 : undefined)
    await child.end()
  }
}
