import { Box } from 'ink'
import { useMemo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { useDesk, useTheme } from '../console-context.ts'
import { rememberLast } from '../tables/remember.ts'
import type { Row } from '../text/row.ts'
import { Lines } from '../widgets/lines.tsx'
import { framePane } from '../widgets/pane-frame.ts'
import type { ScreenSize } from './dialog.tsx'

export type PaintedDialogProps = {
  title: Row
  /** The rows inside, from the whole state. */
  make: (state: DeskState) => readonly Row[]
  width: number
  height: number
  screen: ScreenSize
}

/**
 * A framed box in the middle of the screen whose rows come from the whole state. The painted text is what is compared:
 * while it stays the same nothing is drawn, however often data arrives behind it.
 */
export function PaintedDialog({ title, make, width, height, screen }: PaintedDialogProps) {
  const theme = useTheme()
  const size = { width: Math.min(width, screen.columns), height: Math.min(height, screen.rows) }
  // React asks several times for what a state shows: it is painted once.
  const paintedOf = useMemo(() => {
    const frame = { width: size.width, height: size.height }
    return rememberLast((state: DeskState) =>
      framePane({ title, rows: make(state) }, frame, 'dialog', theme).join('\n'),
    )
  }, [title, make, size.width, size.height, theme])
  const painted = useDesk(paintedOf)
  const lines = useMemo(() => painted.split('\n'), [painted])
  const top = Math.max(0, Math.floor((screen.rows - size.height) / 2))
  const left = Math.max(0, Math.floor((screen.columns - size.width) / 2))
  return (
    <Box position="absolute" top={top} left={left}>
      <Lines lines={lines} width={size.width} />
    </Box>
  )
}
