import { useWindowSize } from 'ink'
import { useEffect, useLayoutEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { Clock } from '../clock.ts'
import type { Commands } from '../store/commands.ts'
import { shownTheme } from '../store/looks.ts'
import type { DeskStore } from '../store/store.ts'
import { ConsoleProvider } from './console-context.ts'
import { ConsoleScreen } from './console-screen.tsx'
import { createInput } from './input.ts'
import { layoutFor, layoutsThatFit } from './layout.ts'
import { useKeys } from './terminal/use-keys.ts'
import type { Environment } from './theme/colour-depth.ts'
import { readTheme } from './theme/read-theme.ts'

/** `env` decides about colours and border characters. */
export type ConsoleProps = { store: DeskStore; commands: Commands; env: Environment; clock: Clock }

/** Tells the desk what can be seen, so that it polls that faster and knows how far the ladder reaches. */
function useReportedScreen(store: DeskStore, columns: number, rows: number): void {
  const focus = useStore(store, (state) => state.focus)
  const view = useStore(store, (state) => state.view)
  const hasTicket = useStore(store, (state) => state.ticket !== null)
  useLayoutEffect(() => {
    const layout = layoutFor(columns, rows, { ...view, focus, hasTicket })
    const layouts = layoutsThatFit(columns, rows)
    const { screen } = store.getState()
    const next =
      layout.kind === 'tooSmall'
        ? { ladderRowCount: screen.ladderRowCount, visiblePanes: ['orders' as const] }
        : { ladderRowCount: layout.ladderRowCount, visiblePanes: layout.visiblePanes }
    store.dispatch({ type: 'resized', screen: { columns, rows, layouts, ...next } })
  }, [store, columns, rows, focus, view, hasTicket])
}

/** The console in a terminal: the screen, and the keys that act on it. */
export function Console({ store, commands, env, clock }: ConsoleProps) {
  const { columns, rows } = useWindowSize()
  useReportedScreen(store, columns, rows)
  // Each key is handled before the next is read, in the state the one before left: nothing waits for the screen.
  const input = useMemo(() => createInput({ store, commands, clock }), [store, commands, clock])
  useEffect(() => () => input.stop(), [input])
  useKeys(input.take, clock)
  const file = useStore(store, shownTheme)
  const theme = useMemo(() => readTheme(env, file), [env, file])
  const context = useMemo(() => ({ store, commands, theme }), [store, commands, theme])
  return (
    <ConsoleProvider value={context}>
      <ConsoleScreen columns={columns} rows={rows} />
    </ConsoleProvider>
  )
}
