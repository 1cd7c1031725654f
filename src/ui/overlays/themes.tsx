import { Box } from 'ink'
import type { DeskState } from '../../store/desk.ts'
import { autoOn, themeNamesOf } from '../../store/looks.ts'
import { autoTheme } from '../../themes/built-in.ts'
import { type Binding, footEntriesOf } from '../tables/key-bindings.ts'
import { useBindings } from '../tables/key-context.ts'
import { windowOf } from '../tables/list-window.ts'
import { cellText, left } from '../text/cells.ts'
import { useDesk, useTheme } from '../text/desk-context.ts'
import { frameRows } from '../text/frame.tsx'
import { Rows } from '../text/region.tsx'
import { cursorMark, type Row, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'
import { keysRow, type ScreenSize } from './dialog-room.ts'

const width = 40

/** Samples of the most important tones, which may not all be on screen at the moment. */
const samples: readonly (readonly (readonly [string, Tone])[])[] = [
  [
    ['BID 1.25', 'bid'],
    ['ASK 0.80', 'ask'],
    ['own B.05', 'own'],
    ['last*', 'last'],
  ],
  [
    ['good', 'good'],
    ['WARN', 'warn'],
    ['BAD', 'bad'],
    ['old', 'dim'],
    ['label', 'label'],
    ['key', 'key'],
  ],
  [
    [' PRACTICE ', 'practice'],
    [' LIVE ', 'live'],
    [' ARMED ', 'armed'],
  ],
  [
    [' SAFE ', 'safe'],
    [' HALTED ', 'halted'],
    [' MONITOR ', 'monitor'],
  ],
]

const sampleRow = (words: (typeof samples)[number]): Row =>
  words.flatMap(([text, tone]) => [span(' '), span(text, tone)])

/** The names of all themes, `>` at the one shown, and samples of its tones. */
export function themesRows(
  looks: DeskState['looks'],
  selected: string,
  rowCount: number,
  bindings: readonly Binding[],
): Row[] {
  const names = themeNamesOf(looks)
  const shown = windowOf(names, names.indexOf(selected), Math.max(1, rowCount - samples.length - 2))
  const list = shown.map((name): Row => {
    const isMarked = name === selected
    const note = name === looks.theme ? '  in use' : ''
    const shown = name === autoTheme ? `${name} (${autoOn(looks.ground).name} here)` : name
    return [
      cursorMark(isMarked),
      span(left(` ${cellText(shown)}`, 24), isMarked ? 'cursor' : 'text'),
      span(note, 'dim'),
    ]
  })
  return [...list, [], ...samples.map(sampleRow), keysRow(footEntriesOf(bindings, ['themes']), ' ')]
}

/** The list is at the right edge, so that most of the screen previews the marked theme. */
export function ThemesOverlay({ screen }: { screen: ScreenSize }) {
  const theme = useTheme()
  const looks = useDesk((state) => state.looks)
  const bindings = useBindings()
  const overlay = useDesk((state) => state.overlay)
  if (overlay?.kind !== 'themes') return null
  const height = Math.min(screen.rows - 3, themeNamesOf(looks).length + samples.length + 4)
  const content = {
    title: [span('Themes', 'title')],
    rows: themesRows(looks, overlay.selected, height - 2, bindings),
  }
  return (
    <Box position="absolute" top={2} left={Math.max(0, screen.columns - width)}>
      <Rows rows={frameRows(content, { width, height }, 'dialog', theme)} width={width} />
    </Box>
  )
}
