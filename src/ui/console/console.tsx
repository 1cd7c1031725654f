import { useWindowSize } from 'ink'
import { useEffect, useLayoutEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { Clock } from '../../base/clock.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskStore } from '../../store/desk.ts'
import { shownTheme } from '../../store/looks.ts'
import { hasOrderForm } from '../../store/orders/order-selectors.ts'
import { layoutFor, layoutsThatFit } from '../panes/layout/layout.ts'
import { followIdleLists } from '../panes/list-room.ts'
import type { Environment } from '../terminal/colors.ts'
import { useKeys } from '../terminal/key-reader.ts'
import type { TerminalLink } from '../terminal/terminal-link.ts'
import { ConsoleProvider, type Leaving } from '../text/desk-context.ts'
import { readTheme } from '../text/theme.ts'
import { ConsoleScreen } from './console-screen.tsx'
import { createInput } from './input.ts'

/** Tells the desk what can be seen, so that it polls that faster and knows how far the ladder reaches. */
export function useReportedScreen(store: DeskStore, columns: number, rows: number): void {
  const focus = useStore(store, (state) => state.focus)
  const view = useStore(store, (state) => state.view)
  const hasTicket = useStore(store, hasOrderForm)
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

export type ConsoleProps = {
  store: DeskStore
  commands: Commands | Leaving
  /** Decides about colours and border characters. */
  env: Environment
  clock: Clock
  /** What the terminal says besides keys; nothing of it is known unless given. */
  link?: TerminalLink
  /** Another theme is drawn, or the same on another ground. */
  onLooks?: () => void
}

const ignored = () => undefined

/** The console in a terminal: the screen, and the keys that act on it. */
export function Console({ store, commands, env, clock, link, onLooks = ignored }: ConsoleProps) {
  const { columns, rows } = useWindowSize()
  useReportedScreen(store, columns, rows)
  // Each key is handled before the next is read, in the state the one before left: nothing waits for the screen.
  const input = useMemo(() => createInput({ store, commands, clock }), [store, commands, clock])
  useEffect(() => () => input.stop(), [input])
  useEffect(() => followIdleLists(store), [store])
  useKeys(input.take, clock, link)
  const file = useStore(store, shownTheme)
  const ground = useStore(store, ({ looks }) => looks.ground)
  const theme = useMemo(() => readTheme(env, file), [env, file])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after what was drawn because of them.
  useEffect(() => onLooks(), [file, ground, onLooks])
  const context = useMemo(() => ({ store, commands, theme }), [store, commands, theme])
  return (
    <ConsoleProvider value={context}>
      <ConsoleScreen columns={columns} rows={rows} />
    </ConsoleProvider>
  )
}
