import { createContext, use } from 'react'
import type { Binding } from './key-bindings.ts'

const Context = createContext<readonly Binding[] | null>(null)

/** Provides the key table, with the user's bindings, to components. */
export const BindingsProvider = Context.Provider

export function useBindings(): readonly Binding[] {
  const bindings = use(Context)
  if (bindings === null) throw new Error('A part of the screen was drawn without the table of keys.')
  return bindings
}
