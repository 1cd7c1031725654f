import { setTimeout as wait } from 'node:timers/promises'
import type { ChildReply } from './child-talk.ts'
import { ConsoleProcess } from './console-process.ts'
import { type Aim, figure, fixed, sizeName, sizes } from './figures.ts'
import type { Size } from './terminal-screen.ts'
import { type Both, listed, withBoth } from './versions.ts'
import type { Workshop } from './workshop.ts'

const seconds = 10
/** Enough updates for the compiler to have done its work, as it has in a desk that runs for hours. */
const warmUpCount = 400
/** At so many updates a second their processor time is held against that of the version before. */
const aimedPerSecond = 10
const shareOfBefore = 0.25
/** What goes on behind a frozen screen, or changes nothing, may cost so much of a core, in %. */
const unseenShare = 0.5

type Played = { kind: 'play' | 'nothingNew'; count: number; perSecond: number; isRealTime: true }
const played = (perSecond: number): Played => ({
  kind: 'play',
  count: seconds * perSecond,
  perSecond,
  isRealTime: true,
})
/** Longer, so that one collection of garbage is not most of the little that is done. */
const unseen = { count: 2 * seconds * 4, perSecond: 4, isRealTime: true } as const

type Consoles = { size: Size; processes: Both<ConsoleProcess> }

/**
 * Processor time of the console's process as a share of one core. The version before is measured at the same time, and
 * what leaves the machine idle on all sizes at once.
 */
export async function benchCpu(workshop: Workshop): Promise<void> {
  console.log('processor time, % of a core, the console alone')
  const all: Consoles[] = []
  for (const size of sizes) {
    const processes = await withBoth(workshop.versions, (version) => ConsoleProcess.start(version, size, workshop))
    all.push({ size, processes })
    await withBoth(processes, (each) => each.ask({ kind: 'play', count: warmUpCount, perSecond: 60 }))
  }
  const onAll = async (what: string, played: Played, aimOf: (size: Size) => Aim | undefined) => {
    const replies = await Promise.all(all.map((each) => measured(each, played)))
    for (const [index, { size }] of all.entries()) {
      const both = replies[index]
      if (both !== undefined) print(workshop, `${sizeName(size)} ${what}`, both, aimOf(size))
    }
  }
  await onAll('at 1 updates/s', played(1), () => undefined)
  await onAll('at 4 updates/s', played(4), ({ columns }) => (columns === 120 ? 5 : undefined))
  for (const perSecond of [aimedPerSecond, 30])
    for (const each of all) {
      const both = await measured(each, played(perSecond))
      const name = `${sizeName(each.size)} at ${perSecond} updates/s`
      print(workshop, name, both)
      if (both.before === null || workshop.versions.before === null) continue
      const share = both.now.cpuMs / both.before.cpuMs
      const eachMs = ({ cpuMs }: ChildReply) => fixed(cpuMs / (seconds * perSecond), 1)
      const length = `${eachMs(both.now)} ms each to ${eachMs(both.before)}`
      const aim = perSecond === aimedPerSecond ? shareOfBefore : undefined
      figure(`${name}, ${length} of ${workshop.versions.before.name}`, share, '', aim, 2)
    }
  await onAll('answers that say the same, 4/s', { kind: 'nothingNew', ...unseen }, () => unseenShare)
  for (const { processes } of all) for (const each of listed(processes)) await freeze(each)
  await onAll('frozen, 4 updates/s behind', { kind: 'play', ...unseen }, () => unseenShare)
  for (const { processes } of all) await withBoth(processes, (each) => each.end())
}

const measured = ({ processes }: Consoles, request: Played): Promise<Both<ChildReply>> =>
  withBoth(processes, async (each) => {
    await each.pty.quiet()
    return each.ask(request)
  })

/** Aims are for this version alone. */
function print({ versions }: Workshop, name: string, { now, before }: Both<ChildReply>, aim?: Aim): void {
  const share = ({ cpuMs, realMs }: ChildReply) => (cpuMs / realMs) * 100
  figure(name, share(now), '%', aim, 2)
  if (before !== null) figure(`${name}: ${versions.before?.name}`, share(before), '%', undefined, 2)
}

async function freeze(console: ConsoleProcess): Promise<void> {
  console.pty.type('p')
  await wait(500)
  const { isFrozen } = await console.ask({ kind: 'play', count: 1, perSecond: 4 })
  if (!isFrozen) throw new Error('the key p did not freeze the screen')
}
