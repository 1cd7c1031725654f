import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

/** What the keys do about themes: every action as what it asks of the desk. */
export const themesActions = {
  themes: ({ commands }) => commands.openThemes(),
  themeDown: ({ commands }) => commands.moveInThemes(1),
  themeUp: ({ commands }) => commands.moveInThemes(-1),
  keepTheme: ({ commands }) => commands.keepTheme(),
} satisfies Actions
export type ThemesAction = keyof typeof themesActions

const desk = inScope<ThemesAction>('desk')
const themes = inScope<ThemesAction | DeskAction>('themes')

export const themesKeys: readonly Binding<ThemesAction | DeskAction>[] = [
  desk(['t'], 'themes', 'look at the themes'),
  themes(['down', 'j', 't', 'tab'], 'themeDown', 'look at the next, the last', { foot: 'look', shown: 'Up Dn t' }),
  themes(['up', 'k', 'shift+tab'], 'themeUp', 'look at the next, the last'),
  themes(['enter'], 'keepTheme', 'keep this one', { foot: 'keep' }),
  themes(['esc', 'q'], 'closeOverlay', 'leave it as it was', { foot: 'leave' }),
]
