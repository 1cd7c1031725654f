import { ConsoleProcess } from './console-process.ts'
import { figure, fixed, sizeName, sizes } from './figures.ts'
import { type Frames, framesOf } from './frames.ts'
import { drawWithNcurses, ncursesVersion } from './ncurses-process.ts'
import { blessedLike, minBytes } from './other-drawings.ts'
import { type Size, screenOf, wholeText } from './terminal-screen.ts'
import { type Both, withBoth } from './versions.ts'
import type { Workshop } from './workshop.ts'

/** Fewer a second are drawn one by one as these are, and a person would wait for minutes. */
const rates = [4, 10, 30]
const shareOfNcurses = 0.5

/** Bytes per update over the terminal line: the console's own, beside others that draw the same frames. */
export async function benchBytes(workshop: Workshop): Promise<void> {
  const ncurses = ncursesVersion()
  console.log(`bytes per update, ${workshop.tape.updates.length - 1} updates, 256 colours`)
  if (ncurses === null) console.log('  Python with curses is not here: nothing is compared with ncurses')
  else console.log(`  compared with ncurses ${ncurses}, which gets the same cells`)
  const screens: Screen[] = []
  for (const size of sizes) {
    const frames = await withBoth(workshop.versions, (version) => framesOf(version, size, workshop))
    screens.push({ size, frames, ncursesBytes: await drawOthers(workshop, size, frames.now, ncurses !== null) })
  }
  const play = (which: keyof Both<unknown>, perSecond: number) =>
    Promise.all(screens.map((screen) => ownBytes(workshop, which, screen, perSecond)))
  const owns: Own[] = []
  for (const perSecond of rates) {
    const now = play('now', perSecond)
    // What is drawn together depends on how busy the machine is: only few at once are played beside each other.
    if (perSecond >= 10) await now
    const before = play('before', perSecond)
    owns.push(...(await now), ...(await before))
  }
  for (const own of owns) {
    if (own === null) continue
    const { bytes, cpuMs, name, isAimed, ncursesBytes } = own
    figure(`${name}, ${fixed(cpuMs, 1)} ms of processor time each`, bytes, 'B', undefined, 0)
    if (ncursesBytes === null) continue
    figure(`${name}, of ncurses`, bytes / ncursesBytes, '', isAimed ? shareOfNcurses : undefined, 3)
  }
}

/** What is to be drawn on a screen, and how many bytes an update ncurses needs for it. */
type Screen = { size: Size; frames: Both<Frames>; ncursesBytes: number | null }

async function drawOthers(workshop: Workshop, size: Size, frames: Frames, hasNcurses: boolean): Promise<number | null> {
  const name = sizeName(size)
  const count = frames.frames.length - 1
  const each = (draw: (before: Frames['frames'][number], after: Frames['frames'][number]) => number): number => {
    let bytes = 0
    for (const [index, frame] of frames.frames.entries()) {
      const before = frames.frames[index - 1]
      if (before !== undefined) bytes += draw(before, frame)
    }
    return bytes / count
  }
  figure(`${name} smallest cell difference`, each(minBytes), 'B', undefined, 0)
  const blessed = blessedDrawing(frames)
  const blessedCount = Buffer.byteLength(blessed) / count
  figure(`${name} drawn as blessed does`, blessedCount, 'B', undefined, 0)
  const [first = []] = frames.lines
  mustShow('the drawing as blessed does it', await screenOf([wholeText(first), blessed], size), frames)
  figure(`${name} whole frames`, wholeBytes(frames), 'B', undefined, 0)
  if (!hasNcurses) return null
  const drawn = await drawWithNcurses(frames, size, `${workshop.home}/ncurses-${name}`, workshop.home)
  figure(`${name} ncurses`, drawn.bytes / count, 'B', undefined, 0)
  mustShow('ncurses', drawn.screen, frames)
  return drawn.bytes / count
}

/** Every frame after the first, each as the change from the one before. */
const blessedDrawing = ({ frames, styles }: Frames): string =>
  frames.map((frame, index) => (index === 0 ? '' : blessedLike(frames[index - 1] ?? [], frame, styles))).join('')

const wholeBytes = ({ lines }: Frames): number =>
  lines.slice(1).reduce((sum, frame) => sum + Buffer.byteLength(frame.join('\n')), 0) / (lines.length - 1)

type Own = { name: string; bytes: number; cpuMs: number; ncursesBytes: number | null; isAimed: boolean } | null

/** Null where there is no version before. */
async function ownBytes(
  workshop: Workshop,
  which: keyof Both<unknown>,
  screen: Screen,
  perSecond: number,
): Promise<Own> {
  const version = workshop.versions[which]
  const frames = screen.frames[which]
  if (version === null || frames === null) return null
  const { size, ncursesBytes } = screen
  const name = `${sizeName(size)} ${version.name} at ${perSecond}/s`
  const child = await ConsoleProcess.start(version, size, workshop)
  await child.ask({ kind: 'play', count: 1, perSecond: 4 })
  await child.pty.quiet()
  const bytesBefore = child.pty.byteCount
  const count = workshop.tape.updates.length - 1
  const { cpuMs } = await child.ask({ kind: 'play', count, perSecond })
  await child.pty.quiet()
  const bytes = child.pty.byteCount - bytesBefore
  mustShow(name, await child.pty.screen(), frames)
  await child.end()
  return { name, bytes: bytes / count, cpuMs: cpuMs / count, ncursesBytes, isAimed: which === 'now' }
}

/** Whoever does not show the last frame at the end has not drawn what was to be drawn. */
function mustShow(who: string, screen: readonly string[], { frames }: Frames): void {
  const last = frames.at(-1)?.map(({ glyphs }) => glyphs.join('').trimEnd()) ?? []
  const wrong = screen.findIndex((line, row) => line.trimEnd() !== last[row])
  if (wrong < 0) return
  console.log(
    `  ${who} does not show the last frame: row ${wrong + 1} is\n  ${screen[wrong]}\n  and not\n  ${last[wrong]}`,
  )
  process.exitCode = 1
}
