import { useLayoutEffect } from 'react'
import { useStore } from 'zustand'
import type { DeskStore } from '../store/context.ts'
import { hasOrderForm } from '../store/orders/order-selectors.ts'
import { layoutFor, layoutsThatFit } from './layout.ts'

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
