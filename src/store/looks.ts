import { builtInThemes, usualTheme } from '../themes/built-in.ts'
import type { ThemeFile } from '../themes/tones.ts'
import { noted } from './log.ts'
import type { DeskState } from './state.ts'

/** How the desk looks, and how it speaks. */
export type Looks = Readonly<{
  /** Every theme there is: those that come with the desk, then the person's own. */
  themes: readonly ThemeFile[]
  /** The name of the one in use; what a session remembers. */
  theme: string
  /** Nothing blinks, flashes or runs, and ages are told in larger steps. */
  isMotionReduced: boolean
  /** Sentences for a screen reader instead of a picture. */
  isSpoken: boolean
  /** `cells`: only what changed goes to the terminal. `lines`: whole lines. */
  screenOutput: 'cells' | 'lines'
}>

export const usualLooks: Looks = {
  themes: builtInThemes,
  theme: usualTheme.name,
  isMotionReduced: false,
  isSpoken: false,
  screenOutput: 'cells',
}

export type LooksEvent =
  | { type: 'themeChosen'; name: string }
  /** The person's own themes as their folder now has them, and a sentence for each mistake in it. */
  | { type: 'themesRead'; themes: readonly ThemeFile[]; complaints: readonly string[]; atMs: number }

/** The theme that is drawn: the one a person looks at in the preview, else the one in use. Always a stored value. */
export function shownTheme({ looks, overlay }: Pick<DeskState, 'looks' | 'overlay'>): ThemeFile {
  const name = overlay?.kind === 'themes' ? overlay.selected : looks.theme
  return looks.themes.find((each) => each.name === name) ?? usualTheme
}

export function reduceLooks(state: DeskState, event: LooksEvent): DeskState {
  if (event.type === 'themeChosen') return { ...state, looks: { ...state.looks, theme: event.name } }
  const next: DeskState = { ...state, looks: { ...state.looks, themes: [...builtInThemes, ...event.themes] } }
  return event.complaints.reduce((before, text) => noted(before, 'warn', text, event.atMs), next)
}
