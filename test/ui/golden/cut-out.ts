import type { DeskState } from '../../../src/store/desk.ts'
import type { PaneName } from '../../../src/store/view/panes.ts'
import { arrangementOf, layoutFor, type Slot, shownIn } from '../../../src/ui/panes/layout/layout.ts'
import { plainScreen } from '../render-screen.tsx'

/** What of the screen a scene is about: all of it, its lines above and below the panes, or one rectangle. */
export type Part = 'screen' | 'top' | 'foot' | 'ticket' | 'overlay' | PaneName

type Box = { left: number; top: number; width: number; height: number }

const shows = (slot: Slot, part: 'ticket' | PaneName): boolean =>
  slot.kind === 'ticket' ? part === 'ticket' : shownIn(slot) === part

/** Where a pane or the ticket stands on a terminal of this size. */
function boxOf(state: DeskState, part: 'ticket' | PaneName, columns: number, rows: number): Box {
  const layout = layoutFor(columns, rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') throw new Error(`${columns}x${rows} has no panes`)
  let top = layout.top.length
  for (const band of layout.bands) {
    let left = 0
    for (const column of band.columns) {
      let above = top
      for (const slot of column.slots) {
        if (shows(slot, part)) return { left, top: above, width: slot.width, height: slot.height }
        above += slot.height
      }
      left += column.width
    }
    top += band.height
  }
  throw new Error(`the ${part} is not on screen at ${columns}x${rows}`)
}

/** An overlay is the only thing with a double frame. */
function boxOfDialog(lines: readonly string[]): Box {
  const top = lines.findIndex((line) => line.includes('╔'))
  const bottom = lines.findIndex((line) => line.includes('╝'))
  if (top === -1 || bottom === -1) throw new Error('no overlay is open')
  const left = lines[top]?.indexOf('╔') ?? 0
  return { left, top, width: (lines[top]?.indexOf('╗') ?? 0) - left + 1, height: bottom - top + 1 }
}

const cut = (lines: readonly string[], { left, top, width, height }: Box): string[] =>
  lines.slice(top, top + height).map((line) => line.slice(left, left + width))

const drawn = new WeakMap<DeskState, Map<string, string>>()

/** A whole screen as text without color, drawn once for every test that looks at it. */
export function screenOf(state: DeskState, columns: number, rows: number): string {
  const bySize = drawn.get(state) ?? new Map<string, string>()
  drawn.set(state, bySize)
  const size = `${columns}x${rows}`
  const screen = bySize.get(size) ?? plainScreen(state, columns, rows)
  bySize.set(size, screen)
  return screen
}

function linesOf(state: DeskState, part: Part, columns: number, rows: number): readonly string[] {
  const lines = screenOf(state, columns, rows).split('\n')
  if (part === 'screen') return lines
  if (part === 'overlay') return cut(lines, boxOfDialog(lines))
  if (part === 'foot') return lines.slice(-2)
  if (part !== 'top') return cut(lines, boxOf(state, part, columns, rows))
  const layout = layoutFor(columns, rows, arrangementOf(state))
  return lines.slice(0, layout.kind === 'desk' ? layout.top.length : 1)
}

/** The part of the screen as text without color, blanks at the ends of lines left out. */
export const cutOut = (state: DeskState, part: Part, columns: number, rows: number): string =>
  linesOf(state, part, columns, rows)
    .map((line) => line.trimEnd())
    .join('\n')
