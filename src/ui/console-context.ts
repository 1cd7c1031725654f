import { createContext, use, useRef } from 'react'
import { useStore } from 'zustand'
import type { Commands } from '../store/commands.ts'
import type { DeskStore } from '../store/context.ts'
import type { DeskState } from '../store/desk.ts'
import type { Leaving } from './input.ts'
import type { Theme } from './theme/theme.ts'

/** What everything on screen works with. */
export type ConsoleContext = { store: DeskStore; commands: Commands | Leaving; theme: Theme }

const Context = createContext<ConsoleContext | null>(null)
export const ConsoleProvider = Context.Provider

export function useConsole(): ConsoleContext {
  const context = use(Context)
  if (context === null) throw new Error('A part of the screen was drawn outside the console.')
  return context
}

export const useTheme = (): Theme => useConsole().theme

/** A part of the desk's state. The selector returns what is stored, or a plain value, and never makes anything new. */
export const useDesk = <T>(selector: (state: DeskState) => T): T => useStore(useConsole().store, selector)

/** How long what runs by itself stands still where motion is reduced. */
const stillMs = 10_000

/**
 * The same for what a line or a curve is drawn from: where motion is reduced it changes every ten seconds, not with
 * each price.
 */
export function useDeskCalmly<T>(selector: (state: DeskState) => T): T {
  const kept = useRef<{ beat: number; value: T } | null>(null)
  return useDesk((state) => {
    if (!state.looks.isMotionReduced) return selector(state)
    const beat = Math.floor(state.nowMs / stillMs)
    if (kept.current?.beat !== beat) kept.current = { beat, value: selector(state) }
    return kept.current.value
  })
}
