import { Box, renderToString } from 'ink'
import { type ConsoleContext, ConsoleProvider } from '../console-context.ts'
import { LockScreen } from '../overlays/lock-screen.tsx'
import { OverlayView } from '../overlays/overlay-view.tsx'
import { PaneByName } from '../panes/pane-by-name.tsx'
import { TicketPane } from '../panes/ticket/ticket-pane.tsx'
import type { SpokenPart } from './speaker.ts'

/** Room enough for every column; what is read aloud need not fit a terminal. */
export const spokenScreen = { columns: 132, rows: 40 } as const
const paneSize = { width: spokenScreen.columns, height: 24 } as const

function Part({ part, overlay }: { part: SpokenPart; overlay: Parameters<typeof OverlayView>[0]['kind'] | null }) {
  switch (part.kind) {
    case 'lock':
      return <LockScreen screen={spokenScreen} />
    case 'overlay':
      return overlay === null ? null : <OverlayView kind={overlay} screen={spokenScreen} />
    case 'ticket':
      return <TicketPane {...paneSize} height={spokenScreen.rows} />
    case 'pane':
      return <PaneByName pane={part.pane} {...paneSize} isFocused={true} />
  }
}

/** One part of the desk as it would stand on a large screen by itself, as text. */
export function partPicture(part: SpokenPart, context: ConsoleContext): string {
  const { columns, rows } = spokenScreen
  return renderToString(
    <ConsoleProvider value={context}>
      <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
        <Part part={part} overlay={context.store.getState().overlay?.kind ?? null} />
      </Box>
    </ConsoleProvider>,
    { columns },
  )
}
