import { createContext, use } from 'react'
import { useStore } from 'zustand'
import type { Commands } from '../store/commands.ts'
import type { DeskState } from '../store/state.ts'
import type { DeskStore } from '../store/store.ts'
import type { Theme } from './theme/theme.ts'

/** What everything on screen works with. */
export type ConsoleContext = { store: DeskStore; commands: Commands; theme: Theme }

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
