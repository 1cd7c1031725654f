import { Box } from 'ink'
import type { ReactNode } from 'react'
import { useTheme } from '../console-context.ts'
import type { Row } from '../text/row.ts'
import { Lines } from '../widgets/lines.tsx'
import { framePane } from '../widgets/pane-frame.ts'

export type ScreenSize = { columns: number; rows: number }

type DialogProps = {
  title: Row
  rows: readonly Row[]
  width: number
  height: number
  screen: ScreenSize
  /** Drawn over the rows, `atRow` lines below the upper border. */
  inset?: { atRow: number; node: ReactNode }
}

/** A framed box in the middle of the screen, above everything else. It hides what is below, so its rows fill it. */
export function Dialog({ title, rows, width, height, screen, inset }: DialogProps) {
  const theme = useTheme()
  const size = { width: Math.min(width, screen.columns), height: Math.min(height, screen.rows) }
  const top = Math.max(0, Math.floor((screen.rows - size.height) / 2))
  const left = Math.max(0, Math.floor((screen.columns - size.width) / 2))
  return (
    <>
      <Box position="absolute" top={top} left={left}>
        <Lines lines={framePane({ title, rows }, size, 'dialog', theme)} width={size.width} />
      </Box>
      {inset === undefined ? null : (
        <Box position="absolute" top={top + 1 + inset.atRow} left={left + 2}>
          {inset.node}
        </Box>
      )}
    </>
  )
}
