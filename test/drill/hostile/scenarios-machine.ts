import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../../src/base/text/error-text.ts'
import {
  act,
  judgeNews,
  orderIntent,
  orderQuantity,
  placeArguments,
  watch,
  withdrawArguments,
  withdrawalIntent,
} from './act.ts'
import { Desk, isOutcome } from './desk.ts'
import type { Finding } from './judge.ts'
import { limitFiles } from './program.ts'
import { commandFactor, deskFactor, type Scenario, treatFirst, treatment } from './scenario.ts'
import { hasHappened, type Intent, inWords } from './scene.ts'
import { verdict } from './verdict.ts'
import type { World } from './world.ts'

/** A disk that is full or gone (25), a process that stands still and a clock that jumps (26). */
export const machineScenarios: readonly Scenario[] = [
  {
    name: '25-full-disk-with-a-withdrawal-on-its-way',
    factor: commandFactor,
    run(world) {
      const [to = ''] = world.beneficiaries
      return onFullDisk(world, withdrawalIntent('0.0126', to), withdrawArguments(world.home, '0.0126', to))
    },
  },
  {
    name: '25-full-disk-with-an-order-on-its-way',
    factor: commandFactor,
    run: (world) => onFullDisk(world, orderIntent('63500'), placeArguments(world.home, '63500')),
  },
  { name: '25-vanished-folder-with-a-withdrawal-on-its-way', factor: commandFactor, run: withVanishedFolder },
  { name: '25-desk-on-a-full-disk', factor: deskFactor, run: deskOnFullDisk },
  { name: '26-enter-while-the-process-stands-still', factor: deskFactor, run: enterWhileStopped },
  { name: '26-clock-set-back-hides-an-old-book', factor: deskFactor, run: setClockBack },
]

/** A file system of its own that can be filled. Only who may mount can have one. */
class SmallDisk {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Mounts one on `folder`; null where that is not allowed. */
  static mount(folder: string): SmallDisk | null {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const options = ['-t', 'tmpfs', '-o', 'size=512k,mode=0700', 'pitdesk-drill', folder]
    try {
      execFileSync('mount', options, { stdio: 'ignore' })
      return new SmallDisk(folder)
    } catch {
      return null
    }
  }

  /** Writes until not a byte more has room. */
  fill(): void {
    const file = openSync(this.#ballast, 'w', 0o600)
    try {
      for (;;) writeSync(file, Buffer.alloc(1_024))
    } catch (error) {
      if (errorCode(error) !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true })
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.#folder], { stdio: 'ignore' })
  }

  get #ballast(): string {
    return join(this.#folder, 'ballast')
  }
}

/** The disk is full from the moment the write leaves until the program has ended. */
async function onFullDisk(world: World, intent: Intent, argv: readonly string[]): Promise<Finding[]> {
  const disk = SmallDisk.mount(world.home.stateFolder)
  try {
    const acted = await act(world, intent, argv, {
      async beside(running) {
        const fill = treatment('fullDisk', async (via) => {
          // A file on a full disk still has the rest of its last page, and not everybody may mount a disk.
          limitFiles(running.pid, 0)
          disk?.fill()
          via.answer(await via.deliver())
        })
        treatFirst(world, intent.kind === 'order' ? 'place' : 'withdraw', fill)
        await running.ended
        disk?.free()
      },
    })
    return [...acted.findings, ...(await verdict(world, [world.home], [intent]))]
  } finally {
    disk?.unmount()
  }
}

/** While the withdrawal travels, a file takes the place of the state folder. */
async function withVanishedFolder(world: World): Promise<Finding[]> {
  const { home } = world
  const [to = ''] = world.beneficiaries
  const intent = withdrawalIntent('0.0131', to)
  const aside = `${home.stateFolder}-aside`
  const acted = await act(world, intent, withdrawArguments(home, '0.0131', to), {
    async beside(running) {
      const takeAway = treatment('vanishedFolder', async (via) => {
        renameSync(home.stateFolder, aside)
        writeFileSync(home.stateFolder, '')
        via.answer(await via.deliver())
      })
      treatFirst(world, 'withdraw', takeAway)
      await running.ended
      rmSync(home.stateFolder, { recursive: true })
      renameSync(aside, home.stateFolder)
    },
  })
  return [...acted.findings, ...(await verdict(world, [home], [intent]))]
}

async function deskOnFullDisk(world: World): Promise<Finding[]> {
  const { home } = world
  const disk = SmallDisk.mount(home.stateFolder)
  const desk = new Desk(home.openDesk(), world.clock)
  try {
    if (!(await desk.open())) throw new Error(`no desk:\n${desk.brief}`)
    if (disk === null) limitFiles(desk.terminal.pid, 0)
    else disk.fill()
    await desk.until(() => desk.terminal.hasEnded, 45_000)
    const scene = await (await watch(world, home, { kind: 'none' })).scene()
    if (!desk.terminal.hasEnded) return await judgeNews(scene, await desk.news())
    const { exitCode, signal } = await desk.terminal.ended()
    return [
      { kind: 'crash', text: `the desk ended on a full disk, exit code ${exitCode}, signal ${signal}: ${desk.brief}` },
    ]
  } finally {
    await desk.end()
    disk?.free()
    disk?.unmount()
  }
}

/** The market leaves for 66,000. */
async function moveMarket({ exchange }: World): Promise<void> {
  const { orders } = await exchange.truth('counterparty')
  for (const { id, status } of orders) if (/OPEN|PART/.test(status)) await exchange.cancel('counterparty', id)
  await exchange.order('counterparty', { side: 'BUY', qty: '0.05', price: '65990' })
  await exchange.order('counterparty', { side: 'SELL', qty: '0.3', price: '66000' })
}

/** A review is open, the process stands still, the market moves away, and Enter is pressed at the screen of before. */
async function enterWhileStopped(world: World): Promise<Finding[]> {
  const { home, clock } = world
  const desk = new Desk(home.openDesk(), clock)
  try {
    const intent = orderIntent('63500')
    const watched = await watch(world, home, intent)
    const isReviewed = (await desk.open()) && (await desk.review(`buy ${orderQuantity} btc-usd @ 63500`))
    if (!isReviewed) throw new Error(`no review:\n${desk.brief}`)
    await desk.pause(2_000)
    desk.kill('SIGSTOP')
    await moveMarket(world)
    // Long enough for a market to move, short enough that the book is not stale by age.
    await desk.pause(3_000)
    desk.terminal.type('\r')
    await desk.pause(500)
    desk.kill('SIGCONT')
    await desk.until(() => watched.writes().length > 0, 6_000)
    const scene = await watched.scene()
    const findings = await judgeNews(scene, await desk.outcome(2_000, isOutcome))
    if (!hasHappened(scene)) return findings
    const text = `${inWords(intent)} left by an Enter from while the desk stood still; the market had gone from 64210.5 to 66000`
    return [...findings, { kind: 'unasked', text }]
  } finally {
    desk.kill('SIGCONT')
    await desk.end()
  }
}

/** No book comes any more, and the clock is set back as far as the book grows old. */
async function setClockBack(world: World): Promise<Finding[]> {
  const { home, clock, proxy } = world
  const desk = new Desk(home.openDesk(), clock)
  try {
    const intent = orderIntent('63500')
    const watched = await watch(world, home, intent)
    if (!(await desk.open())) throw new Error(`no desk:\n${desk.brief}`)
    const noBook = treatment('noBook', () => Promise.resolve())
    proxy.plan = (call) => (call.target === 'book' ? noBook : null)
    const sinceMs = clock.now()
    await desk.pause(500)
    home.setWallClock(-60_000)
    await desk.pause(40_000)
    if (await desk.review(`buy ${orderQuantity} btc-usd @ 63500`)) await desk.send(() => watched.writes().length > 0)
    const ageS = Math.round((clock.now() - sinceMs) / 1_000)
    const scene = await watched.scene()
    const findings = await judgeNews(scene, await desk.outcome(2_000, isOutcome))
    if (!hasHappened(scene)) return findings
    return [...findings, { kind: 'unasked', text: `${inWords(intent)} left on a book that was ${ageS} s old` }]
  } finally {
    await desk.end()
  }
}
