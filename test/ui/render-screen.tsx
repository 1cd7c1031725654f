import { renderToString } from 'ink'
import { createCommands } from '../../src/store/commands.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { ConsoleScreen } from '../../src/ui/console/console-screen.tsx'
import { arrangementOf, layoutFor, layoutsThatFit } from '../../src/ui/panes/layout/layout.ts'
import { ConsoleProvider } from '../../src/ui/text/desk-context.ts'
import { readTheme } from '../../src/ui/text/theme.ts'
import { quietPort } from '../fakes/quiet-port.ts'
import { withoutStyles } from '../fakes/without-styles.ts'

/** The state as a terminal of this size reports it to the desk. */
export function onScreen(state: DeskState, columns: number, rows: number): DeskState {
  const layout = layoutFor(columns, rows, arrangementOf(state))
  const known = layout.kind === 'desk' ? layout : { ladderRowCount: 1, visiblePanes: ['orders' as const] }
  const { ladderRowCount, visiblePanes } = known
  return { ...state, screen: { columns, rows, ladderRowCount, visiblePanes, layouts: layoutsThatFit(columns, rows) } }
}

/** The console's screen as text for a state and a size; without colours unless an environment asks for them. */
export function renderScreen(
  state: DeskState,
  columns: number,
  rows: number,
  env: Record<string, string> = { TERM: 'dumb-but-utf8', NO_COLOR: '1' },
): string {
  const store = createDeskStore(onScreen(state, columns, rows))
  const port = quietPort(state.nowMs)
  const commands = createCommands({ store, port, exit: () => undefined })
  return renderToString(
    <ConsoleProvider value={{ store, commands, theme: readTheme(env) }}>
      <ConsoleScreen columns={columns} rows={rows} />
    </ConsoleProvider>,
    { columns },
  )
}

/** The same without any escape sequence. */
export const plainScreen = (state: DeskState, columns: number, rows: number): string =>
  withoutStyles(renderScreen(state, columns, rows))
