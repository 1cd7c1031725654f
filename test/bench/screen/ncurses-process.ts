import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { CellFrame, Frames } from './frames.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import type { Size } from './terminal-screen.ts'

/** Which ncurses there is to compare with; null where Python or its curses is missing. */
export function ncursesVersion(): string | null {
  try {
    const script = 'import curses; print(".".join(map(str, curses.ncurses_version[:2])))'
    return execFileSync('python3', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

/** Runs of one style in the rows that differ from the frame before. */
function changedRows(before: CellFrame | undefined, after: CellFrame): unknown[] {
  return after.flatMap(({ glyphs, styles }, row) => {
    const shown = before?.[row]
    const isSame = glyphs.every((glyph, at) => shown?.glyphs[at] === glyph && shown.styles[at] === styles[at])
    if (isSame) return []
    const runs: [string, number, number][] = []
    glyphs.forEach((glyph, at) => {
      const run = runs.at(-1)
      const style = styles[at] ?? 0
      if (run !== undefined && run[2] === style) {
        run[0] += glyph
        run[1] += 1
      } else runs.push([glyph, 1, style])
    })
    return [[row, runs]]
  })
}

/** Bytes that ncurses writes for all frames after the first, and the screen at the end. */
export async function drawWithNcurses(
  { frames, styles }: Pick<Frames, 'frames' | 'styles'>,
  size: Size,
  path: string,
  home: string,
): Promise<{ bytes: number; screen: string[] }> {
  const lines = frames.map((frame, index) => JSON.stringify(changedRows(frames[index - 1], frame)))
  writeFileSync(path, [JSON.stringify(styles), ...lines].join('\n'))
  const argv = ['test/bench/screen/ncurses.py', path]
  const pty = new PtyProcess({ ...size, file: 'python3', argv, environment: drawing(home) })
  await firstOutput(pty)
  await pty.quiet(500)
  const before = pty.byteCount
  pty.type('n')
  await pty.quiet(500)
  const bytes = pty.byteCount - before
  const screen = await pty.screen()
  pty.type('n')
  await pty.end()
  return { bytes, screen }
}

const firstOutput = (pty: PtyProcess): Promise<void> =>
  new Promise((resolve) => {
    pty.onOutput = () => resolve()
  })
