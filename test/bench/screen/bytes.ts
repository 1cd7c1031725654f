import { ConsoleProcess } from './console-process.ts'
import { figure, fixed, sizeName, sizes } from './figures.ts'
import { type Frames, framesOf } from './frames.ts'
import { drawWithNcurses, ncursesVersion } from './ncurses-process.ts'
import { blessedLike, leastBytes } from './other-drawings.ts'
import { type Size, screenOf, wholeText } from './terminal-screen.ts'
import type { Workshop } from './workshop.ts'

const rates = [1, 4, 10, 30]
const shareOfNcurses = 0.55

/** Bytes per update over the terminal line: the console's own, beside others that draw the same frames. */
export async function benchBytes(workshop: Workshop): Promise<void> {
  const version = ncursesVersion()
  console.log(`bytes per update, ${workshop.tape.updates.length - 1} updates, 256 colours`)
  if (version === null) console.log('  Python with curses is not here: nothing is compared with ncurses')
  else console.log(`  compared with ncurses ${version}, which gets the same cells`)
  const screens: Drawn[] = []
  for (const size of sizes) {
    const frames = await framesOf(workshop.tapePath, workshop.home, size)
    screens.push({ size, frames, ncurses: await drawOthers(workshop, size, frames, version !== null) })
  }
  // Rates that leave the machine idle are played at the same time.
  for (const together of [
    rates.filter((rate) => rate < 10),
    ...rates.filter((rate) => rate >= 10).map((rate) => [rate]),
  ]) {
    const runs = together.flatMap((perSecond) => screens.map((screen) => ({ perSecond, ...screen })))
    const own = await Promise.all(runs.map((each) => ownBytes(workshop, each)))
    for (const [index, { bytes, cpuMs }] of own.entries()) {
      const { size, perSecond, ncurses } = runs[index] ?? { size: sizes[0], perSecond: 0, ncurses: null }
      const name = `${sizeName(size)} pitdesk at ${perSecond}/s`
      figure(`${name}, ${fixed(cpuMs, 1)} ms of processor time each`, bytes, 'B', undefined, 0)
      if (ncurses !== null) figure(`${name}, of ncurses`, bytes / ncurses, '', shareOfNcurses, 2)
    }
  }
}

/** What is to be drawn on a screen, and how many bytes an update ncurses needs for it. */
type Drawn = { size: Size; frames: Frames; ncurses: number | null }

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
  figure(`${name} smallest cell difference`, each(leastBytes), 'B', undefined, 0)
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

async function ownBytes(workshop: Workshop, { size, frames, perSecond }: Drawn & { perSecond: number }) {
  const child = await ConsoleProcess.start(size, workshop.tapePath, workshop.home)
  await child.ask({ kind: 'play', count: 1, perSecond: 4 })
  await child.pty.quiet()
  const before = child.pty.byteCount
  const count = workshop.tape.updates.length - 1
  const { cpuMs } = await child.ask({ kind: 'play', count, perSecond })
  await child.pty.quiet()
  const bytes = child.pty.byteCount - before
  mustShow(`${sizeName(size)} pitdesk at ${perSecond}/s`, await child.pty.screen(), frames)
  await child.end()
  return { bytes: bytes / count, cpuMs: cpuMs / count }
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
